import assert from "node:assert/strict";
import { test } from "node:test";
import { stripAnsi } from "@stet/tui/text/ansi";
import { StreamedMarkdown } from "./markdown.ts";
import { withClosedMarks } from "./open-marks.ts";
import { colouredTheme, plainTheme } from "./test-theme.ts";

test("marks that are open are closed, and nothing else is touched", () => {
  for (const [open, closed] of [
    ["some **bold wor", "some **bold wor**"],
    ["some **bold ", "some **bold**"],
    ["an `inline cod", "an `inline cod`"],
    ["*it", "*it*"],
    ["**a *b", "**a *b***"],
    ["~~gone", "~~gone~~"],
    ["**done** and `code` so", "**done** and `code` so"],
    ["2 * 3 and 4", "2 * 3 and 4"],
    ["- item\n* other", "- item\n* other"],
    ["some **", "some "],
    ["**bold*", "**bold**"],
    ["**bold**", "**bold**"],
    ["**left open\n\nnext", "**left open\n\nnext"],
    ["```\n**", "```\n**"],
    ["\\*not", "\\*not"],
  ] as const)
    assert.equal(withClosedMarks(open), closed);
});

test("no mark is seen while bold words are written, letter by letter", () => {
  const text = "This is **very important** and `some code` too.";
  const stream = new StreamedMarkdown(plainTheme());
  for (let end = 1; end < text.length; end += 1) {
    stream.update(text.slice(0, end), true);
    const row = stripAnsi(stream.rows(80).join(""));
    assert.doesNotMatch(row, /[*`]\w/, row);
  }
});

test("words are bold from their first letter on", () => {
  const theme = colouredTheme();
  const stream = new StreamedMarkdown(theme);
  stream.update("Now **b", true);
  assert.equal(stream.rows(80)[0], `Now ${theme.emphasis("bold", "b")}`);
});
