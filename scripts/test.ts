// `npm test`: the checks, then every test file below packages, scripts and bench.
//
//   npm test -- FILE-OR-FOLDER …      only those
//   npm test -- --changed             the tests that this branch and the working tree can affect (`--base REF`: since another
//                                     one than main)
//   npm run test:all                  everything at full depth: every step to crash at, every run of a property
//   npm test -- --test-name-pattern=TEXT FILE
//
// Node runs several processes at a time. A process takes several files, because starting one takes longer than most files do;
// those that look at their own process have one for themselves.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { affectedTests, changedFiles, testFiles } from "./affected-tests.ts";
import { buildPage } from "./build-page.ts";

const root = join(import.meta.dirname, "..");
const quiet = "--disable-warning=ExperimentalWarning";
const longestTest = 300_000;
/** One more than there are cores: tests wait for timers, browsers and disks about half of their time. */
const processes = availableParallelism() + 1;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "boolean", default: false },
    base: { type: "string", default: "main" },
    full: { type: "boolean", default: false },
    "test-name-pattern": { type: "string", multiple: true },
  },
});

const isBrowserTest = (file: string) => file.endsWith(".browser.test.ts");
/** Packages whose tests leave nothing behind in their process. */
const sharing = /^packages\/(text|protocol|client|model|session|agent|meaning|tools|vim|web)\//;
/** It measures its process, or a hook of it holds for all tests there. */
const ofProcess = /process\.(memoryUsage|listenerCount|umask|exitCode)|^(before|after)(Each)?\(/m;
const needsOwnProcess = (file: string) =>
  !sharing.test(file) || ofProcess.test(readFileSync(join(root, file), "utf8"));

/** Files of a package for one process, by how long they are: about as many browser tests take as long as many others. */
const bytesAtOnce = (file: string) => (isBrowserTest(file) ? 25_000 : 60_000);

/** Files that share a process: of one package, and of one kind. */
function batches(files: readonly string[]): string[][] {
  const made: string[][] = [];
  const kinds = Map.groupBy(files, (file) => `${file.split("/", 2).join("/")} ${isBrowserTest(file)}`);
  for (const kind of kinds.values()) {
    let left = 0;
    for (const file of kind) {
      const { size } = statSync(join(root, file));
      if (left < size) {
        made.push([]);
        left = bytesAtOnce(file);
      }
      made.at(-1)?.push(file);
      left -= size;
    }
  }
  return made;
}

/** What Node runs as one test file. */
function batchFile(folder: string, batch: readonly string[], index: number): string {
  const [only = ""] = batch;
  if (batch.length === 1) return join(root, only);
  const path = join(folder, `batch-${index}.test.mjs`);
  const lines = batch.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)};\n`);
  writeFileSync(path, lines.join(""));
  return path;
}

async function runFiles(paths: readonly string[]): Promise<boolean> {
  const patterns = values["test-name-pattern"];
  const stream = run({
    files: paths,
    concurrency: processes,
    timeout: longestTest,
    execArgv: [quiet],
    ...(patterns === undefined ? {} : { testNamePatterns: patterns }),
  });
  let isGood = true;
  stream.on("test:fail", ({ todo, skip }) => {
    if (todo === undefined && skip === undefined) isGood = false;
  });
  const report = stream.compose(new spec());
  report.pipe(process.stdout);
  await finished(report);
  return isGood;
}

async function runTests(files: readonly string[]): Promise<boolean> {
  if (files.some(isBrowserTest)) process.env.STET_PAGE ??= await buildPage();
  if (values.full) process.env.STET_TEST_DEPTH = "full";
  process.env.STET_TEST_SEED ??= String(Date.now() % 1_000_000);
  const folder = mkdtempSync(join(tmpdir(), "stet-batches-"));
  try {
    const own = files.filter(needsOwnProcess);
    // Browser tests take longest, so they begin.
    const shared = batches(files.filter((file) => !own.includes(file))).sort(
      ([one = ""], [other = ""]) => Number(isBrowserTest(other)) - Number(isBrowserTest(one)),
    );
    const together = [...shared, ...own.map((file) => [file])];
    return await runFiles(together.map((batch, index) => batchFile(folder, batch, index)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The test files that are named, or that are in a folder that is. */
function named(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const wanted = relative(root, resolve(root, path)).replaceAll("\\", "/");
    if (wanted.endsWith(".test.ts")) return [wanted];
    return testFiles(root).filter((file) => file.startsWith(`${wanted}/`));
  });
}

async function main(): Promise<boolean> {
  if (positionals.length > 0) return runTests(named(positionals));
  const check = spawnSync(process.execPath, [quiet, "scripts/check.ts"], { cwd: root, stdio: "inherit" });
  if (check.status !== 0) return false;
  const files = values.changed ? affectedTests(root, changedFiles(root, values.base)) : testFiles(root);
  if (values.changed) console.log(`${files.length} test files can be affected.`);
  return runTests(files);
}

process.exitCode = (await main()) ? 0 : 1;
