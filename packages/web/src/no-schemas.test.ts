import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as nothing from "./no-schemas.ts";

const packages = join(import.meta.dirname, "../..");
/** These are types, and gone when the page is built. */
const types = new Set(["infer", "input", "output", "ZodType", "ZodObject"]);

test("everything that the routes ask of the schema library can be asked in the page, too", () => {
  const files = globSync("{protocol,client,text,web}/src/**/*.{ts,tsx}", { cwd: packages });
  const asked = new Set<string>();
  for (const file of files) {
    const source = readFileSync(join(packages, file), "utf8");
    if (!source.includes('from "zod"')) continue;
    for (const [, name = ""] of source.matchAll(/\bz\s*\.(\w+)/g)) if (!types.has(name)) asked.add(name);
  }
  assert.deepEqual(
    [...asked].filter((name) => !(name in nothing)),
    [],
  );
  assert.ok(asked.size > 5);
});

test("what stands for a schema can be asked anything, and is no promise", async () => {
  const { object } = nothing as unknown as Record<string, (...all: unknown[]) => Record<string, unknown>>;
  const built = object?.({})?.shape;
  assert.ok(built !== undefined);
  await built;
});
