import assert from "node:assert/strict";
import { test } from "node:test";
import { stripAnsi } from "./ansi.ts";
import { padCells, sliceCells, truncateCells } from "./slice.ts";
import { cellWidth } from "./width.ts";
import { wrapText } from "./wrap.ts";

test("rows break at words, and inside a word that is too long", () => {
  assert.deepEqual(wrapText("the quick brown fox", 10), ["the quick", "brown fox"]);
  assert.deepEqual(wrapText("a incomprehensibilities b", 8), ["a", "incompre", "hensibil", "ities b"]);
  assert.deepEqual(wrapText("one\n\ntwo\r\nthree", 10), ["one", "", "two", "three"]);
  assert.deepEqual(wrapText("", 10), [""]);
});

test("Chinese breaks between characters, but not before a full stop", () => {
  assert.deepEqual(wrapText("漢字漢字。", 8), ["漢字漢", "字。"]);
});

test("a row keeps its indentation where that is asked for", () => {
  assert.deepEqual(wrapText("    one two three", 11, { keepsIndentation: true }), [
    "    one two",
    "    three",
  ]);
  assert.deepEqual(wrapText("    one two three", 11), ["    one two", "three"]);
});

test("a colour that goes over rows is closed and opened again", () => {
  assert.deepEqual(wrapText("\u001b[31mred red\u001b[39m", 4), [
    "\u001b[31mred\u001b[39m",
    "\u001b[31mred\u001b[39m",
  ]);
});

test("a hyperlink that goes over rows is closed and opened again", () => {
  const open = "\u001b]8;;https://example.org\u001b\\";
  const close = "\u001b]8;;\u001b\\";
  assert.deepEqual(wrapText(`${open}two words${close}.`, 5), [
    `${open}two${close}`,
    `${open}words${close}`,
    ".",
  ]);
});

test("nothing is wider than the width, not even in one column", () => {
  for (const width of [1, 2, 3, 7]) {
    for (const row of wrapText("漢字 e\u0301 👨‍👩‍👧‍👦\t\u001b[1mbold text 漢\u001b[0m        end", width)) {
      assert.ok(cellWidth(row) <= width, `${JSON.stringify(row)} in ${width}`);
    }
  }
});

test("a slice opens what was open and closes it", () => {
  const text = "ab\u001b[1;31mcdef\u001b[0mgh";
  assert.equal(sliceCells(text, 3, 5), "\u001b[1;31mde\u001b[22;39m");
  assert.equal(sliceCells(text, 6, 8), "gh");
  assert.equal(stripAnsi(sliceCells(text, 0, 99)), "abcdefgh");
});

test("a wide character on the border of a slice becomes spaces", () => {
  assert.equal(sliceCells("漢字漢", 1, 5), " 字 ");
});

test("truncated text ends with an ellipsis inside its width", () => {
  assert.equal(truncateCells("hello world", 8), "hello w…");
  assert.equal(truncateCells("hello", 5), "hello");
  assert.equal(truncateCells("漢字漢字", 4), "漢 …");
  assert.equal(truncateCells("\u001b[1mhello world\u001b[0m", 8), "\u001b[1mhello w…\u001b[22m");
  assert.equal(truncateCells("hello", 0), "");
});

test("padding fills cells, not characters", () => {
  assert.equal(padCells("漢", 4), "漢  ");
  assert.equal(padCells("long", 2), "long");
});
