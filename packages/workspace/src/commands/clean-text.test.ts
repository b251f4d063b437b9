import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CleanText } from "./clean-text.ts";

function cleaned(...pieces: string[]): string {
  const text = new CleanText();
  return pieces.map((piece) => text.add(piece)).join("") + text.end();
}

const cases: readonly [why: string, written: string, read: string][] = [
  ["colours", "\x1b[1;31mred\x1b[0m and \x1b[38;5;10mgreen\x1b[m\n", "red and green\n"],
  ["cursor movements", "a\x1b[2K\x1b[1Gb\x1b[?25l\n", "ab\n"],
  ["a window title", "\x1b]0;make: all\x07done\n", "done\n"],
  ["a link", "\x1b]8;;https://example.org\x1b\\text\x1b]8;;\x1b\\\n", "text\n"],
  ["a device string", "\x1bPq#0;2;0;0;0\x1b\\after\n", "after\n"],
  ["character sets", "\x1b(B\x1b=x\x1b>\n", "x\n"],
  ["controls of one character", "\x9b31mred\x9d0;title\x9cblue\n", "redblue\n"],
  ["a progress bar", "10%\r50%\r100%\n", "100%\n"],
  ["a progress bar that erases its line", "10%\r\x1b[K50%\r\x1b[Kdone\n", "done\n"],
  ["line ends of Windows", "one\r\ntwo\r\n", "one\ntwo\n"],
  ["a return without anything after it", "done\r", "done"],
  ["steps back", "ab\bc\n", "ac\n"],
  ["steps back at the beginning of a line", "x\n\b\by\n", "x\ny\n"],
  ["bells, NULs and deletes", "a\x07b\0c\x7fd\n", "abcd\n"],
  ["tabs and other scripts stay", "a\tb – 日本語 🙂\n", "a\tb – 日本語 🙂\n"],
  ["a sequence that never ends", "\x1b[", ""],
  ["a lone escape", "a\x1b", "a"],
];

for (const [why, written, read] of cases) {
  test(`output without what only a terminal understands: ${why}`, () => {
    assert.equal(cleaned(written), read);
    assert.equal(cleaned(...written), read, "character by character");
  });
}

test("a title that never ends does not swallow everything that follows", () => {
  const text = new CleanText();
  text.add("\x1b]0;");
  let seen = "";
  for (let line = 0; line < 10_000; line += 1) seen += text.add(`line ${line}\n`);
  assert.ok(seen.endsWith("line 9999\n"));
});

test("a flood of beginnings of sequences is read in time", () => {
  for (const begin of ["\x9d", "\x1b]", "\x90", "\x1bP", "\x1b[", "\x9b1;", "\x1b"]) {
    const started = performance.now();
    cleaned(begin.repeat(200_000));
    assert.ok(performance.now() - started < 2000, JSON.stringify(begin));
  }
});

test("a line without an end is passed on in parts, so that memory stays bounded", () => {
  const text = new CleanText();
  let length = 0;
  for (let piece = 0; piece < 100; piece += 1) length += text.add("x".repeat(10_000)).length;
  assert.ok(text.begun.length <= 64 * 1024);
  assert.equal(length + text.end().length, 1_000_000);
});

test("a progress bar of megabytes leaves one line, in time", () => {
  const text = new CleanText();
  for (let step = 0; step < 200_000; step += 1) text.add(`step ${step} of 200000\r`);
  assert.equal(text.end(), "step 199999 of 200000");
});

test("where the pieces of a stream are cut makes no difference", () => {
  const parts = [
    "a",
    "\x1b[31m",
    "\r",
    "\n",
    "\b",
    "\x1b]0;t\x07",
    "\x1b",
    "[",
    "]",
    "\x9b",
    "é",
    "🙂",
    "\x1b\\",
    "P",
  ];
  const written = fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((list) => list.join(""));
  fc.assert(
    fc.property(written, fc.array(fc.nat(60)), (whole, cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      assert.equal(cleaned(...pieces), cleaned(whole));
    }),
  );
});
