import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { parseUnified, type UnifiedFile } from "./unified-parse.ts";

const header = "--- a/x\n+++ b/x\n";

function parsed(patch: string): UnifiedFile[] {
  const files = parseUnified(patch);
  assert.ok(!isFault(files), isFault(files) ? files.message : "");
  return files;
}

function faultLine(patch: string): unknown {
  const fault = parseUnified(patch);
  assert.ok(isFault(fault), "no fault");
  assert.equal(fault.error, "invalid_patch");
  return fault.details.line;
}

test("what git writes around a diff is taken for a part of it", () => {
  const patch = `From 1234 Mon Sep 17 00:00:00 2001
Subject: [PATCH] notes

 1 file changed
---
diff --git a/old name.md b/new name.md
similarity index 80%
rename from old name.md
rename to new name.md
index 123..456 100644
--- a/old name.md\t
+++ b/new name.md\t
@@ -1,2 +1,2 @@ # Heading
 a
--- dashes
+++ pluses
-- 
2.39.5
`;
  const [file, ...others] = parsed(patch);
  assert.equal(others.length, 0);
  assert.equal(file?.oldPath, "old name.md");
  assert.equal(file?.newPath, "new name.md");
  assert.deepEqual(
    file?.hunks[0]?.lines.map(({ kind, text }) => [kind, text]),
    [
      ["context", "a"],
      ["removed", "-- dashes"],
      ["added", "++ pluses"],
    ],
  );
});

test("several files and hunks run into each other", () => {
  const files = parsed(
    `${header}@@ -1 +1 @@\n-a\n+b\n@@ -9,0 +9,1 @@\n+c\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+n\n`,
  );
  assert.deepEqual(
    files.map(({ oldPath, newPath, hunks }) => [oldPath, newPath, hunks.length]),
    [
      ["x", "x", 2],
      [undefined, "new", 1],
    ],
  );
});

test("paths with dates, quotes or without a prefix are misread", () => {
  const paths = (oldLine: string, newLine: string) => {
    const [file] = parsed(`--- ${oldLine}\n+++ ${newLine}\n@@ -1 +1 @@\n-a\n+b\n`);
    return [file?.oldPath, file?.newPath];
  };
  assert.deepEqual(paths("notes.md\t2026-01-01 00:00:00", "notes.md\t2026-01-02"), ["notes.md", "notes.md"]);
  assert.deepEqual(paths("a/x", "c/x"), ["a/x", "c/x"]);
  assert.deepEqual(paths('"a/na\\303\\257ve \\"q\\".md"', '"b/t\\tab.md"'), ['naïve "q".md', "t\tab.md"]);
});

test("a missing newline at the end, or an empty context line without its space, is lost", () => {
  const [file] = parsed(
    `${header}@@ -1,3 +1,3 @@\n a\n\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n`,
  );
  assert.deepEqual(file?.hunks[0]?.lines, [
    { kind: "context", text: "a", hasNewline: true },
    { kind: "context", text: "", hasNewline: true },
    { kind: "removed", text: "b", hasNewline: false },
    { kind: "added", text: "c", hasNewline: false },
  ]);
});

const broken: [name: string, patch: string, line: number][] = [
  ["prose is taken for a patch", "Please change a to b.\n", 1],
  ["nothing is taken for a patch", "", 1],
  ["a hunk without a file is accepted", "@@ -1 +1 @@\n-a\n+b\n", 1],
  ["a file without hunks is accepted", `${header}`, 3],
  [
    "a hunk header that cannot be read is skipped",
    `${header}@@ -1 +1 @@\n-a\n+b\n@@ somewhere @@\n-c\n+d\n`,
    6,
  ],
  ["a hunk that was cut short is accepted", `${header}@@ -1,3 +1,3 @@\n a\n-b\n+c\n`, 6],
  ["a hunk with more lines than announced is cut", `${header}@@ -1 +1 @@\n-a\n+b\n+c\n`, 6],
  ["a hunk with more context than announced is cut", `${header}@@ -1 +1 @@\n-a\n+b\n c\n`, 6],
  ["a line without a prefix is dropped", `${header}@@ -1,2 +1,2 @@\n a\nb\n`, 5],
  [
    "a line follows one without newline",
    `${header}@@ -1 +1,2 @@\n-a\n+b\n\\ No newline at end of file\n+c\n`,
    3,
  ],
  ["a note about no line is accepted", `${header}@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n`, 4],
  ["a rename alone counts as done", "diff --git a/x b/y\nrename from x\nrename to y\n", 1],
  [
    "a binary file counts as done",
    `diff --git a/p.png b/p.png\nBinary files differ\ndiff --git a/x b/x\n${header}`,
    1,
  ],
];

for (const [name, patch, line] of broken) {
  test(name, () => assert.equal(faultLine(patch), line));
}
