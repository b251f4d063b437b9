import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import * as nothing from "./no-schemas.ts";

const packages = join(import.meta.dirname, "../..");

/** Imports every module that it is given, with what stands for the schema library; prints those that cannot be. */
const loader = `
import { registerHooks } from "node:module";
const [standIn, ...modules] = JSON.parse(process.argv[1]);
registerHooks({
  resolve: (name, context, next) => (name === "zod" ? { url: standIn, shortCircuit: true } : next(name, context)),
});
const failed = [];
for (const module of modules) await import(module).catch((error) => failed.push(module + ": " + error.message));
console.log(JSON.stringify(failed));
`;

test("every module of the contract can be loaded in the page, which has no schema library", () => {
  const files = globSync("protocol/src/**/*.ts", { cwd: packages }).filter(
    (file) => !/[.]test[.]ts$/.test(file),
  );
  assert.ok(files.length > 20);
  const urls = [join(packages, "web/src/no-schemas.ts"), ...files.map((file) => join(packages, file))];
  const given = JSON.stringify(urls.map((path) => pathToFileURL(path).href));
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", loader, given], {
    cwd: packages,
    encoding: "utf8",
  });
  assert.deepEqual(JSON.parse(output), []);
});

test("what stands for a schema can be asked anything, and is no promise", async () => {
  const { object } = nothing as unknown as Record<string, (...all: unknown[]) => Record<string, unknown>>;
  const built = object?.({})?.shape;
  assert.ok(built !== undefined);
  await built;
});
