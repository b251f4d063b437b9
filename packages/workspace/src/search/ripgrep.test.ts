import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { type Fault, isFault } from "@stet/protocol/fault";
import { temporaryFolder } from "@stet/testkit/temporary";
import { maxRecordBytes, type ReadMore, type RipgrepEnd, type RipgrepRun, runRipgrep } from "./ripgrep.ts";

type Question = Partial<RipgrepRun> & { readonly cwd: string };

function run(question: Question): Promise<RipgrepEnd | Fault> {
  const rest = { flags: [], paths: ["."] as const, separator: "\n" as const, timeoutMs: 10_000 };
  return runRipgrep({ ...rest, read: () => "more", ...question });
}

async function lines(question: Question): Promise<{ lines: string[]; end: RipgrepEnd | Fault }> {
  const found: string[] = [];
  const read = (records: readonly Buffer[]): ReadMore => {
    found.push(...records.map(String));
    return "more";
  };
  return { end: await run({ read, ...question }), lines: found };
}

/** The parent of a process, or undefined when it has ended, also where nobody has collected it yet. */
function parentOf(id: string): string | undefined {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === "Z" ? undefined : parent;
  } catch {
    return undefined;
  }
}

function children(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === String(process.pid));
}

/** A search in this folder keeps ripgrep busy for much longer than a test: it waits on a pipe nobody writes. */
async function endlessFolder(t: TestContext): Promise<string> {
  const folder = temporaryFolder(t);
  await promisify(execFile)("mkfifo", [join(folder, "pipe")]);
  return folder;
}

const endless = { pattern: "x", paths: ["./pipe"] as const };

test("a pattern or a path that begins with a dash is not taken for a flag", async (t) => {
  const cwd = temporaryFolder(t, { "-v": "--files\n", other: "--files\nx\n" });
  assert.deepEqual((await lines({ cwd, pattern: "--files", paths: ["-v"] })).lines, ["--files"]);
  assert.deepEqual((await lines({ cwd, pattern: "-v", paths: ["other"] })).lines, []);
});

test("no match is an answer", async (t) => {
  const cwd = temporaryFolder(t, { a: "text\n" });
  assert.deepEqual(await run({ cwd, pattern: "absent" }), { by: "all", unreadable: false, oversized: 0 });
});

test("the user's ripgrep configuration has no effect", async (t) => {
  const cwd = temporaryFolder(t, { a: "text\n", config: "--files-without-match\n" });
  const before = process.env.RIPGREP_CONFIG_PATH;
  process.env.RIPGREP_CONFIG_PATH = join(cwd, "config");
  t.after(() => {
    if (before === undefined) delete process.env.RIPGREP_CONFIG_PATH;
    else process.env.RIPGREP_CONFIG_PATH = before;
  });
  assert.deepEqual((await lines({ cwd, pattern: "text" })).lines, ["./a:text"]);
});

test("a pattern that is not a regular expression is explained", async (t) => {
  const cwd = temporaryFolder(t, { a: "text\n" });
  for (const pattern of ["(", "a(?=b)", "a{1000}{1000}{1000}", "a\nb"]) {
    const fault = await run({ cwd, pattern });
    assert.ok(isFault(fault));
    assert.equal(fault.error, "invalid_regex", fault.message);
    assert.doesNotMatch(fault.message, /--pcre2|--multiline/, "ripgrep's flags are of no use to the reader");
  }
});

test("other refusals of ripgrep say what it said", async (t) => {
  const fault = await run({ cwd: temporaryFolder(t), pattern: "a", flags: ["--type=nonsense"] });
  assert.ok(isFault(fault));
  assert.equal(fault.error, "search_failed");
  assert.match(fault.message, /nonsense/);
});

test("a file that cannot be read leaves the rest of the answer standing", async (t) => {
  const cwd = temporaryFolder(t, { a: "text\n" });
  const { lines: found, end } = await lines({ cwd, pattern: "text", paths: ["./missing", "./a"] });
  assert.deepEqual(found, ["./a:text"]);
  assert.deepEqual(end, { by: "all", unreadable: true, oversized: 0 });
});

test("what cannot be passed to a program is refused, not thrown", async (t) => {
  const cwd = temporaryFolder(t);
  const faults = [
    await run({ cwd, pattern: "a\0b" }),
    await run({ cwd, pattern: "a".repeat(4 * 1024 ** 2) }),
    await run({ cwd: join(cwd, "missing"), pattern: "a" }),
  ];
  const codes = faults.map((fault) => (isFault(fault) ? fault.error : "found"));
  assert.deepEqual(codes, ["invalid_arguments", "search_failed", "search_failed"]);
  assert.deepEqual(children(), []);
});

test("the reader, the record limit and the byte limit each end ripgrep", async (t) => {
  const cwd = temporaryFolder(t, { a: "text of some length\n".repeat(200_000) });
  let seen = 0;
  const read = (records: readonly Buffer[]): ReadMore => {
    seen += records.length;
    return seen > 10 ? "enough" : "more";
  };
  const ends = [
    await run({ cwd, pattern: "text", read }),
    await run({ cwd, pattern: "text", maxBytes: 10_000 }),
    (await lines({ cwd, pattern: "text", maxRecords: 7 })).end,
  ];
  assert.deepEqual(
    ends.map((end) => (isFault(end) ? end.message : end.by)),
    ["enough", "limit", "limit"],
  );
  assert.equal((await lines({ cwd, pattern: "text", maxRecords: 7 })).lines.length, 7);
  assert.deepEqual(children(), []);
});

test("ripgrep ends with its reader, also while it has nothing to say", {
  skip: process.platform === "win32",
}, async (t) => {
  const cwd = await endlessFolder(t);
  writeFileSync(join(cwd, "a"), "x\n");
  const flags = ["--threads=1", "--line-buffered"];
  const end = await run({
    cwd,
    pattern: "x",
    flags,
    paths: ["./a", "./pipe"],
    read: () => "enough",
    timeoutMs: 5000,
  });
  assert.ok(!isFault(end) && end.by === "enough");
});

test("a slow reader gets everything, in order", async (t) => {
  const numbers = Array.from({ length: 30_000 }, (_, index) => `line ${index}`);
  const cwd = temporaryFolder(t, { a: numbers.join("\n") });
  const found: string[] = [];
  const read = async (records: readonly Buffer[]): Promise<ReadMore> => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    found.push(...records.map(String));
    return "more";
  };
  await run({ cwd, pattern: "line", paths: ["./a"], flags: ["--no-filename"], read });
  assert.deepEqual(found, numbers);
});

test("a record too long to hold is left out and counted", async (t) => {
  const cwd = temporaryFolder(t, { a: `before x\n${"x".repeat(maxRecordBytes + 1)}\nafter x\n` });
  const { lines: found, end } = await lines({ cwd, pattern: "x", flags: ["--no-filename"] });
  assert.deepEqual(found, ["before x", "after x"]);
  assert.ok(!isFault(end) && end.oversized === 1);
});

test("a search that does not end is stopped by the timeout", {
  skip: process.platform === "win32",
}, async (t) => {
  const fault = await run({ cwd: await endlessFolder(t), ...endless, timeoutMs: 50 });
  assert.ok(isFault(fault));
  assert.equal(fault.error, "search_timeout");
  assert.deepEqual(children(), []);
});

test("a search is stopped by its signal", { skip: process.platform === "win32" }, async (t) => {
  const cwd = await endlessFolder(t);
  const controller = new AbortController();
  const search = run({ cwd, ...endless, signal: controller.signal });
  setTimeout(() => controller.abort(), 50);
  const late = await search;
  const early = await run({ cwd, ...endless, signal: controller.signal });
  for (const fault of [late, early]) assert.ok(isFault(fault) && fault.details.reason === "aborted");
  assert.deepEqual(children(), []);
});

test("a bug in the reader surfaces and leaves no process", async (t) => {
  const cwd = temporaryFolder(t, { a: "text\n".repeat(100_000) });
  const read = (): ReadMore => {
    throw new RangeError("a bug");
  };
  await assert.rejects(run({ cwd, pattern: "text", read }), RangeError);
  assert.deepEqual(children(), []);
});

test("when this process exits in the middle, ripgrep goes too", {
  skip: process.platform !== "linux",
}, async (t) => {
  const cwd = await endlessFolder(t);
  const script = `
    import { runRipgrep } from ${JSON.stringify(import.meta.resolve("./ripgrep.ts"))};
    import { readFileSync } from "node:fs";
    void runRipgrep({ cwd: ".", flags: [], pattern: "x", paths: ["./pipe"], separator: "\\n", timeoutMs: 60_000, read: () => "more" });
    setTimeout(() => {
      console.log(readFileSync(\`/proc/\${process.pid}/task/\${process.pid}/children\`, "utf8").trim());
      process.exit();
    }, 200);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
    cwd,
  });
  assert.match(stdout, /^\d+$/m, "ripgrep was running");
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(parentOf(stdout.trim()), undefined);
});
