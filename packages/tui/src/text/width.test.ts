import assert from "node:assert/strict";
import { test } from "node:test";
import graphemesAddon from "@xterm/addon-unicode-graphemes";
import headless from "@xterm/headless";
import { cursorMarker } from "../component.ts";
import { cellWidth, expandTabs, graphemes } from "./width.ts";

const terminal = new headless.Terminal({ cols: 200, rows: 2, allowProposedApi: true, scrollback: 0 });
terminal.loadAddon(new graphemesAddon.UnicodeGraphemesAddon());
terminal.unicode.activeVersion = "15-graphemes";

/** The column in which a terminal has its cursor after the text. */
function columnAfter(text: string): Promise<number> {
  return new Promise((resolve) => {
    terminal.write(`\u001b[0m\u001b[1;1H${text}`, () => resolve(terminal.buffer.active.cursorX));
  });
}

const table: readonly (readonly [string, string, number])[] = [
  ["ASCII", "hello", 5],
  ["an accent of its own", "e\u0301", 1],
  ["Chinese", "漢字", 4],
  ["ambiguous is narrow", "±…─§", 4],
  ["half-width katakana with its mark", "ﾊﾟ", 1],
  ["a family", "👨‍👩‍👧‍👦", 2],
  ["an astronaut and a letter", "👩‍🚀x", 3],
  ["a flag", "🇩🇪", 2],
  ["a flag and half of one", "🇩🇪🇫", 3],
  ["the flag of England", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
  ["a keycap", "1️⃣", 2],
  ["a keycap without its selector", "1⃣", 1],
  ["a heart as emoji", "❤️", 2],
  ["a heart as text", "❤", 1],
  ["an emoji with a text selector stays wide", "😀︎", 2],
  ["a skin tone", "👍🏽", 2],
  ["Hangul", "가각", 4],
  ["Hangul from jamo", "\u1100\u1161\u11a8", 2],
  ["a lone vowel jamo", "\u1161", 1],
  ["a Devanagari conjunct", "क्षि", 2],
  ["a Tamil consonant and another", "க்ஷ", 2],
  ["Thai with marks", "เกี่ยว", 4],
  ["Arabic with harakat", "مَرْحَبًا", 5],
  ["colour", "\u001b[1;38;2;1;2;3mred\u001b[0m", 3],
  ["a hyperlink", "\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\", 4],
];

for (const [name, text, width] of table) {
  test(`${name}: as wide as in a terminal`, async () => {
    assert.equal(cellWidth(text), width);
    assert.equal(await columnAfter(text), width);
  });
}

test("what takes no cell: control characters, markers, marks and joiners alone", () => {
  for (const text of [
    "",
    "\u0000\u0007\r\n\u007f\u009b",
    cursorMarker,
    "\u0301",
    "\u200b\u2060\ufeff\u200d",
    "\u001b[2J",
  ]) {
    assert.equal(cellWidth(text), 0, JSON.stringify(text));
  }
});

test("a sequence without an end is text behind a control byte", () => {
  assert.equal(cellWidth("\u001b]8;;x"), 5);
  assert.equal(cellWidth("a\u001b"), 1);
});

test("sized text takes its scale and its own width", () => {
  assert.equal(cellWidth("\u001b]66;s=2;ab\u0007"), 4);
  assert.equal(cellWidth("\u001b]66;s=3:w=2;abcdef\u001b\\."), 7);
  assert.equal(cellWidth("\u001b]66;;漢\u0007"), 2);
});

test("a tab reaches to the next stop of the width that is asked for", () => {
  assert.equal(cellWidth("\tx"), 5);
  assert.equal(cellWidth("abc\tx", 4), 5);
  assert.equal(cellWidth("abcd\tx", 8), 9);
  assert.equal(expandTabs("漢\ta", 4), "漢  a");
  assert.equal(expandTabs("a\n\tb", 4), "a\n    b");
});

test("clusters put together are the text", () => {
  const text = "e\u0301👨‍👩‍👧‍👦🇩🇪x\r\n\tक्षि\u001b[1mz\ud83d";
  const parts = [...graphemes(text)];
  assert.equal(parts.join(""), text);
  assert.deepEqual(parts.slice(0, 5), ["e\u0301", "👨‍👩‍👧‍👦", "🇩🇪", "x", "\r\n"]);
});
