// `npm test`: the checks, and every test file below packages, scripts and bench.
//
//   npm test -- FILE-OR-FOLDER …      only those
//   npm test -- --changed             the tests that this branch and the working tree can affect (`--base REF`: since another
//                                     one than main)
//   npm run test:all                  everything at full depth: every step to crash at, every run of a property
//   npm test -- --test-name-pattern=TEXT FILE
//
// Node runs several processes at a time. A process takes several files, because starting one takes longer than most files do;
// those that start processes or look at their own have one for themselves. What Node makes of the sources is kept below
// node_modules for all of them, and for the next run.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { affectedTests, changedFiles, testFiles } from "./affected-tests.ts";
import { buildPage } from "./build-page.ts";

const root = join(import.meta.dirname, "..");
const quiet = "--disable-warning=ExperimentalWarning";
const longestBatch = 600_000;
/** Tests wait for timers, browsers, other processes and disks about half of their time. */
const lanes = 2 * availableParallelism();
/** What Node makes of a source file is kept: most processes load the same few hundred. */
const compiled = join(root, "node_modules", ".cache", "stet-compiled");

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
/** It starts processes, which takes longer than its own does, or it measures or changes what holds for the whole process. */
const ofProcess =
  /\b(spawn|execFile|fork|openCommands|crash|startPostgres|as: "process"|syncBuiltinESMExports|memoryUsage|listenerCount|umask\(\w|(before|after)Each\()/;

interface TestFile {
  readonly path: string;
  readonly isBrowserTest: boolean;
  readonly needsOwnProcess: boolean;
  /** In bytes of tests without a browser. */
  readonly weight: number;
}

function testFile(path: string): TestFile {
  const source = readFileSync(join(root, path), "utf8");
  const [isBrowser, needsOwnProcess] = [isBrowserTest(path), !isBrowserTest(path) && ofProcess.test(source)];
  return { path, isBrowserTest: isBrowser, needsOwnProcess, weight: source.length * (isBrowser ? 2.4 : 1) };
}

const heaviestBatch = 60_000;
const packageOf = (path: string) => /^(packages\/)?[^/]*/.exec(path)?.[0];

/** Files that share a process: of one package, and of one kind. Those that take longest begin. */
function batches(files: readonly TestFile[]): string[][] {
  const made: TestFile[][] = [];
  const kindOf = (file: TestFile) =>
    file.needsOwnProcess ? file.path : `${packageOf(file.path)} ${file.isBrowserTest}`;
  for (const kind of Map.groupBy(files, kindOf).values()) {
    let left = 0;
    for (const file of kind) {
      if (left < file.weight) {
        made.push([]);
        left = heaviestBatch;
      }
      made.at(-1)?.push(file);
      left -= file.weight;
    }
  }
  const rank = ([file]: TestFile[]) => Number(file?.isBrowserTest) * 2 + Number(file?.needsOwnProcess);
  return made.sort((one, other) => rank(other) - rank(one)).map((batch) => batch.map(({ path }) => path));
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
    concurrency: lanes,
    timeout: longestBatch,
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

/**
 * A folder for what tests write. They sync thousands of small files, which takes a disk most of their time: where there is
 * enough memory, they are there.
 */
function temporaryFolder(): string {
  const inMemory = "/dev/shm";
  if (process.env.TMPDIR !== undefined || !existsSync(inMemory))
    return mkdtempSync(join(tmpdir(), "stet-tests-"));
  const { bavail, bsize } = statfsSync(inMemory);
  if (bavail * bsize < 4e9) return mkdtempSync(join(tmpdir(), "stet-tests-"));
  // The paths of sockets are short.
  const folder = mkdtempSync(join(inMemory, "st-"));
  // Tests that work as another user go through it.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return folder;
}

async function runTests(files: readonly string[]): Promise<boolean> {
  if (files.some(isBrowserTest)) process.env.STET_PAGE ??= await buildPage();
  if (values.full) process.env.STET_TEST_DEPTH = "full";
  process.env.NODE_COMPILE_CACHE ??= compiled;
  process.env.STET_TEST_SEED ??= String(Date.now() % 1_000_000);
  const folder = temporaryFolder();
  try {
    const together = batches(files.map(testFile));
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

/** The checks, beside the tests, which leave half of the processors' time. */
async function runChecks(): Promise<boolean> {
  const child = spawn(process.execPath, [quiet, "scripts/check.ts"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  process.stdout.write(`${output}\n`);
  return status === 0;
}

async function main(): Promise<boolean> {
  if (positionals.length > 0) return runTests(named(positionals));
  const files = values.changed ? affectedTests(root, changedFiles(root, values.base)) : testFiles(root);
  if (values.changed) console.log(`${files.length} test files can be affected.`);
  const [isClean, isGood] = await Promise.all([runChecks(), runTests(files)]);
  if (!isClean) console.error("A check failed. It stands above, and npm run check tells it again.");
  return isClean && isGood;
}

process.exitCode = (await main()) ? 0 : 1;
