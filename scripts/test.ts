// `npm test [files]`: the checks, then every test file below packages, scripts and bench (or those named).
//
// Each file has a process of its own, but for those with a browser: they are run one after the other in two processes, so that
// the browser and what drives it are started twice and not eighty times.

import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildPage } from "./build-page.ts";

const root = join(import.meta.dirname, "..");
const named = process.argv.slice(2);
const quiet = "--disable-warning=ExperimentalWarning";
const lanes = 2;

const isBrowserTest = (file: string) => file.endsWith(".browser.test.ts");

async function run(flags: readonly string[], files: readonly string[], env = process.env): Promise<boolean> {
  if (files.length === 0) return true;
  const options: SpawnOptions = { cwd: root, stdio: "inherit", env };
  const child = spawn(
    process.execPath,
    [quiet, "--test", "--test-timeout=300000", ...flags, ...files],
    options,
  );
  const [code] = await once(child, "exit");
  return code === 0;
}

/** Files for each process, about equally long: the larger a file, the longer its tests take. */
function inLanes(files: readonly string[]): string[][] {
  const sizes = new Map(files.map((file) => [file, statSync(join(root, file)).size]));
  const made = Array.from({ length: lanes }, () => ({ files: [] as string[], size: 0 }));
  for (const [file, size] of [...sizes].sort(([, one], [, other]) => other - one)) {
    const shortest = made.reduce((one, other) => (other.size < one.size ? other : one));
    shortest.files.push(file);
    shortest.size += size;
  }
  return made.map((lane) => lane.files.sort());
}

async function runAll(): Promise<boolean> {
  const check = spawnSync(process.execPath, [quiet, "scripts/check.ts"], { cwd: root, stdio: "inherit" });
  if (check.status !== 0) return false;
  const patterns = ["packages/*/src/**/*.test.ts", "scripts/*.test.ts", "bench/**/*.test.ts"];
  const files = globSync(patterns, { cwd: root }).sort();
  const others = files.filter((file) => !isBrowserTest(file));
  const passed = await run([`--test-concurrency=${lanes}`], others);
  // Every room would otherwise look whether the page has to be built.
  const env = { ...process.env, STET_PAGE: await buildPage() };
  const browsers = inLanes(files.filter(isBrowserTest)).map((lane) =>
    run(["--test-isolation=none"], lane, env),
  );
  return (await Promise.all(browsers)).every((isOk) => isOk) && passed;
}

const isGood = named.length > 0 ? await run([`--test-concurrency=${lanes}`], named) : await runAll();
process.exitCode = isGood ? 0 : 1;
