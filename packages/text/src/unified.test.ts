import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Text } from "@codemirror/state";
import { temporaryFolder } from "@stet/testkit/temporary";
import fc from "fast-check";
import { diffTexts } from "./diff.ts";
import { changeOf, type Splice } from "./lines.ts";
import { formatHunk, formatUnified } from "./unified.ts";

/** The settings of whoever runs the tests must not matter. */
const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function unified(before: Text, after: Text, context = 3): string {
  return formatUnified({ path: "x", before, after, splices: diffTexts(before, after), context });
}

/** Pairs of documents, with and without a final newline, with empty lines and line ends of their own. */
function randomPairs(count: number): [before: string, after: string][] {
  const line = fc.constantFrom("a", "b", "c", "", "d", "e\r", "--- x", "+++ y", "@@ -1 +1 @@", "\\ z", "é");
  const content = fc
    .tuple(fc.array(line, { maxLength: 25 }), fc.boolean())
    .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));
  const edited = fc.tuple(
    content,
    fc.array(fc.tuple(fc.nat(30), fc.nat(2), fc.array(line, { maxLength: 3 }))),
  );
  const pair = edited.map(([before, edits]): [string, string] => {
    const lines = before.split("\n");
    for (const [at, removed, added] of edits) lines.splice(Math.min(at, lines.length), removed, ...added);
    return [before, lines.join("\n")];
  });
  return fc.sample(pair, { numRuns: count, seed: 20 }).filter(([before, after]) => before !== after);
}

/** Writes each `before`, applies all diffs with one call, and checks that each file became its `after`. */
function assertApplies(
  t: TestContext,
  pairs: [string, string][],
  context: number,
  program: "git" | "patch",
): void {
  const folder = temporaryFolder(t);
  let patch = "";
  for (const [index, [before, after]] of pairs.entries()) {
    const path = `file ${index}.txt`;
    writeFileSync(join(folder, path), before);
    const texts = { before: textOf(before), after: textOf(after) };
    patch += formatUnified({ path, ...texts, splices: diffTexts(texts.before, texts.after), context });
  }
  const args = {
    git: ["apply", "--unidiff-zero", "--whitespace=nowarn", "-"],
    patch: ["-p1", "-F0", "-s", "--binary"],
  };
  const result = spawnSync(program, args[program], { cwd: folder, env, input: patch, encoding: "utf8" });
  assert.equal(result.status, 0, result.stdout + result.stderr);
  for (const [index, [, after]] of pairs.entries()) {
    const path = join(folder, `file ${index}.txt`);
    // `patch` removes a file that becomes empty.
    if (program === "patch" && after === "") continue;
    assert.equal(readFileSync(path, "utf8"), after);
  }
}

test("git does not apply what is written", (t) => {
  const pairs = randomPairs(300);
  assert.ok(
    pairs.some(([before]) => !before.endsWith("\n")) && pairs.some(([, after]) => !after.endsWith("\n")),
  );
  for (const context of [3, 1, 0]) assertApplies(t, pairs, context, "git");
});

test("patch does not apply what is written", (t) => {
  if (spawnSync("patch", ["--version"]).error !== undefined) {
    t.skip("the program patch is not installed");
    return;
  }
  // GNU patch cannot create the first line of an empty file without /dev/null.
  const pairs = randomPairs(300).filter(([before]) => before !== "");
  assertApplies(t, pairs, 3, "patch");
});

test("the hunks are not those of diff -u", (t) => {
  const folder = temporaryFolder(t);
  const before = Array.from({ length: 60 }, (_, index) => `line ${index}`);
  const after = [...before];
  after.splice(50, 1, "changed");
  after.splice(20, 3);
  after.splice(14, 0, "new", "newer");
  after.splice(0, 1);
  const contents = { before: `${before.join("\n")}\n`, after: after.join("\n") };
  mkdirSync(join(folder, "a"));
  mkdirSync(join(folder, "b"));
  writeFileSync(join(folder, "a/x"), contents.before);
  writeFileSync(join(folder, "b/x"), contents.after);
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--no-prefix", "a/x", "b/x"], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  // git adds the nearest line of code behind the @@; ours has none.
  const expected = stdout.slice(stdout.indexOf("--- ")).replace(/^(@@ .* @@).*$/gm, "$1");
  assert.equal(unified(textOf(contents.before), textOf(contents.after)), expected);
});

test("a change of the final newline alone is not shown", () => {
  assert.equal(
    unified(textOf("a\nb"), textOf("a\nb\n"), 0),
    "--- a/x\n+++ b/x\n@@ -2 +2 @@\n-b\n\\ No newline at end of file\n+b\n",
  );
  assert.equal(
    unified(textOf("b\n"), textOf("b")),
    "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+b\n\\ No newline at end of file\n",
  );
});

test("an empty document has a line in the diff", () => {
  assert.equal(unified(textOf(""), textOf("a\n")), "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
  assert.equal(unified(textOf("a\n"), textOf("")), "--- a/x\n+++ b/x\n@@ -1 +0,0 @@\n-a\n");
  const before = textOf("a\nb");
  const splices: Splice[] = [{ at: 0, removed: 2, lines: [] }];
  const after = changeOf(before, splices).apply(before);
  assert.match(formatUnified({ path: "x", before, after, splices }), /^@@ -1,2 \+0,0 @@\n-a\n-b\n/m);
});

test("no change shows as a diff", () => {
  assert.equal(unified(textOf("a\n"), textOf("a\n")), "");
});

test("a moved file or an odd file name breaks the header", () => {
  const texts = { before: textOf("a"), after: textOf("b"), splices: [{ at: 0, removed: 1, lines: ["b"] }] };
  assert.match(
    formatUnified({ path: "new.md", oldPath: "old.md", ...texts }),
    /^--- a\/old.md\n\+\+\+ b\/new.md\n/,
  );
  assert.match(formatUnified({ path: "my notes.md", ...texts }), /^--- a\/my notes.md\t\n/);
  assert.match(formatUnified({ path: 'say "hi"\n.md', ...texts }), /^--- "a\/say \\"hi\\"\\n.md"\n/);
});

test("a single hunk has the wrong numbers", () => {
  const before = textOf("a\nb\nc\nd\n");
  const splices: Splice[] = [
    { at: 0, removed: 0, lines: ["new"] },
    { at: 2, removed: 1, lines: ["C", "CC"] },
  ];
  const after = changeOf(before, splices).apply(before);
  const [first, second] = splices;
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(formatHunk(before, after, first, 0), "@@ -0,0 +1 @@\n+new\n");
  assert.equal(formatHunk(before, after, second, 3), "@@ -3 +4,2 @@\n-c\n+C\n+CC\n");
  assert.equal(formatHunk(before, after, second, 3, 5), "@@ -1,4 +2,5 @@\n a\n b\n-c\n+C\n+CC\n d\n");
});

test("the context of a single hunk shows lines that another hunk changed", () => {
  const before = textOf("a\nb\nc\n");
  const after = textOf("A\nb\nC\n");
  assert.equal(
    formatHunk(before, after, { at: 2, removed: 1, lines: ["C"] }, 2, 3),
    "@@ -2,2 +2,2 @@\n b\n-c\n+C\n",
  );
});
