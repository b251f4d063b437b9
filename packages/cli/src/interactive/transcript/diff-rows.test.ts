import assert from "node:assert/strict";
import { test } from "node:test";
import { diffRows } from "./diff-rows.ts";
import { colouredTheme, plainTheme } from "./test-theme.ts";

test("the words that differ are marked, and the others have the colour of their line", () => {
  const theme = colouredTheme();
  const rows = diffRows("--- a/x\n+++ b/x\n@@ -3 +3 @@\n-the big house\n+the old house\n", theme, 60);
  const line = (token: "toolDiffAdded" | "toolDiffRemoved", sign: string, word: string) =>
    [
      theme.fg(token, `3 ${sign} `),
      theme.fg(token, "the "),
      theme.fg(token, theme.emphasis("inverse", word)),
      theme.fg(token, " house"),
    ].join("");
  assert.deepEqual(rows, [line("toolDiffRemoved", "-", "big"), line("toolDiffAdded", "+", "old")]);
});

test("a diff whose beginning is cut has no numbers until the next header, and names files only where there are several", () => {
  const rows = diffRows("…\n same\n-a\n@@ -10,2 +10,2 @@\n x\n+b\n", plainTheme(), 60);
  assert.deepEqual(rows, [
    "The beginning is longer than is shown here.",
    "     same",
    "   - a",
    "…",
    "10   x",
    "11 + b",
  ]);
  const two = diffRows("+++ b/one\n@@ -1 +1 @@\n+1\n+++ b/two\n@@ -1 +1 @@\n+2\n", plainTheme(), 60);
  assert.deepEqual(two, ["one", "1 + 1", "two", "1 + 2"]);
});
