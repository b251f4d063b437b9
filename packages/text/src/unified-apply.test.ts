import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import { temporaryFolder } from "@stet/testkit/temporary";
import fc from "fast-check";
import { diffTexts } from "./diff.ts";
import { changeOf } from "./lines.ts";
import { formatUnified } from "./unified.ts";
import { applyUnified } from "./unified-apply.ts";
import { parseUnified, type UnifiedFile } from "./unified-parse.ts";

/** The settings of whoever runs the tests must not matter. */
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function parsed(patch: string): UnifiedFile[] {
  const files = parseUnified(patch);
  assert.ok(!isFault(files), isFault(files) ? files.message : "");
  return files;
}

function applied(content: string, file: UnifiedFile | undefined): string | Fault {
  assert.ok(file !== undefined);
  const text = textOf(content);
  const splices = applyUnified(text, file);
  return isFault(splices) ? splices : changeOf(text, splices).apply(text).toString();
}

function appliedHunk(content: string, hunk: string): string | Fault {
  return applied(content, parsed(`--- a/x\n+++ b/x\n${hunk}`)[0]);
}

function assertFault(result: string | Fault, error: string, details: Record<string, unknown>): void {
  assert.ok(isFault(result), `applied: ${String(result)}`);
  assert.equal(result.error, error);
  for (const [key, value] of Object.entries(details)) assert.deepEqual(result.details[key], value, key);
}

const line = fc.constantFrom("a", "b", "c", "", "d", "e\r", "--- x", "+++ y", "\\ z", "é");
const content = fc
  .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
const edits = fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.array(line, { maxLength: 3 })), { maxLength: 5 });

function edited(before: string, changes: readonly [number, number, string[]][]): string {
  const lines = before.split("\n");
  for (const [at, removed, added] of changes) lines.splice(Math.min(at, lines.length), removed, ...added);
  return lines.join("\n");
}

test("what git diff writes is not applied", (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "a"));
  mkdirSync(join(folder, "b"));
  const samples = fc.sample(fc.tuple(content, edits), { numRuns: 400, seed: 7 });
  const pairs = new Map<string, [string, string]>();
  for (const [index, [before, changes]] of samples.entries()) {
    const after = edited(before, changes);
    if (before === after) continue;
    pairs.set(`${index}.txt`, [before, after]);
    writeFileSync(join(folder, "a", `${index}.txt`), before);
    writeFileSync(join(folder, "b", `${index}.txt`), after);
  }
  for (const context of ["-U3", "-U0"]) {
    const args = ["diff", "--no-index", "--no-prefix", context, "a", "b"];
    const { stdout } = spawnSync("git", args, { cwd: folder, env, encoding: "utf8" });
    const files = parsed(stdout);
    assert.equal(files.length, pairs.size);
    for (const file of files) {
      const [before, after] = pairs.get(file.newPath ?? file.oldPath ?? "") ?? ["", ""];
      assert.equal(applied(before, file), after);
    }
  }
});

test("a diff of ours does not lead back to the text it was made of", () => {
  fc.assert(
    fc.property(content, edits, fc.nat(3), (before, changes, context) => {
      const after = textOf(edited(before, changes));
      const splices = diffTexts(textOf(before), after);
      const patch = formatUnified({ path: "x", before: textOf(before), after, splices, context });
      if (patch === "") assert.equal(after.toString(), before);
      else assert.equal(applied(before, parsed(patch)[0]), after.toString());
    }),
    { numRuns: runs(2000) },
  );
});

test("a document that moved on is patched where git would not", (t) => {
  const folder = temporaryFolder(t);
  const samples = fc.sample(fc.tuple(content, edits, edits), { numRuns: 150, seed: 11 });
  let both = 0;
  for (const [original, changes, drift] of samples) {
    const after = textOf(edited(original, changes));
    const before = textOf(original);
    const patch = formatUnified({ path: "x", before, after, splices: diffTexts(before, after) });
    if (patch === "") continue;
    const drifted = edited(original, drift);
    writeFileSync(join(folder, "x"), drifted);
    const git = spawnSync("git", ["apply", "--whitespace=nowarn"], {
      cwd: folder,
      env,
      input: patch,
      encoding: "utf8",
    });
    const ours = applied(drifted, parsed(patch)[0]);
    // git takes the nearest of several places, we none; git pins a hunk that starts with the file to its start,
    // we do not; and where the patch is silent about the end of the file, we do not insist on a newline there.
    if (isFault(ours))
      assert.ok(ours.error === "ambiguous_match" || git.status !== 0, `${patch}\n${drifted}`);
    else if (git.status === 0) {
      assert.equal(ours, readFileSync(join(folder, "x"), "utf8"));
      both += 1;
    }
  }
  assert.ok(both > 20, `only ${both} documents were compared`);
});

test("a hunk is put where its lines do not stand", () => {
  const fault = appliedHunk("a\nb\nc\n", "@@ -1,3 +1,3 @@\n a\n-x\n+y\n c\n");
  assertFault(fault, "conflict", { hunk: 1, line: 2, expected: "x", found: "b" });
  assert.match((fault as Fault).message, /line 2 should be "x" but is "b"/);
});

test("a hunk for lines behind the end names no line", () => {
  assertFault(appliedHunk("a\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), "conflict", {
    line: 2,
    expected: "b",
    found: null,
  });
  assertFault(appliedHunk("a\n", "@@ -7,0 +8 @@\n+b\n"), "conflict", {
    line: 8,
    expected: null,
    found: null,
  });
});

test("a hunk whose lines moved is refused, or put at the wrong one of several places", () => {
  assert.equal(appliedHunk("new\nnew\na\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), "new\nnew\na\nc\n");
  assertFault(appliedHunk("new\na\nb\na\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), "ambiguous_match", {
    hunk: 1,
    lines: [2, 4],
    total: 2,
  });
  assert.equal(
    appliedHunk("a\nb\na\nb\n", "@@ -3,2 +3,2 @@\n a\n-b\n+c\n"),
    "a\nb\na\nc\n",
    "the stated place wins",
  );
});

test("places that overlap are taken for one", () => {
  const fault = appliedHunk("x\na\na\na\n", "@@ -1,2 +1,1 @@\n a\n-a\n");
  assertFault(fault, "ambiguous_match", { lines: [2, 3] });
});

test("hunks that meet or stand in the wrong order are applied over each other", () => {
  const hunks = "@@ -2,2 +2,2 @@\n b\n-c\n+C\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n";
  assertFault(appliedHunk("a\nb\nc\n", hunks), "conflict", { hunk: 2 });
});

test("a document without a final newline gets one from a patch that does not mention it", () => {
  assert.equal(appliedHunk("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"), "a\nc");
  assert.equal(appliedHunk("a\nb", "@@ -2 +2,2 @@\n b\n+c\n"), "a\nb\nc");
});

test("a patch that names the missing newline is applied where there is one", () => {
  const hunk = "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n";
  assert.equal(appliedHunk("a", hunk), "b\n");
  assertFault(appliedHunk("a\n", hunk), "conflict", { line: 1 });
  const early = "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n";
  assertFault(appliedHunk("a\nc\n", early), "conflict", { hunk: 1, line: 2 });
});

test("a patch with other line ends than the document is refused, or changes them", () => {
  assert.equal(appliedHunk("a\r\nb\r\nc\n", "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+BB\n c\n"), "a\r\nB\r\nBB\r\nc\n");
  assert.equal(appliedHunk("a\nb\n", "@@ -1,2 +1,2 @@\r\n a\r\n-b\r\n+c\r\n"), "a\nc\n");
  assert.equal(
    appliedHunk("a\r\nb\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"),
    "a\nb\n",
    "a change of line ends alone",
  );
});

test("a hunk is searched for in a file of equal lines for minutes", () => {
  const many = "}\n".repeat(40_000);
  const old = " }\n".repeat(10_000);
  const started = performance.now();
  assertFault(appliedHunk(many, `@@ -1,10001 +1,10000 @@\n${old}-x\n`), "conflict", {
    line: 10_001,
    expected: "x",
  });
  assert.ok(performance.now() - started < 1000);
});
