import assert from "node:assert/strict";
import { test } from "node:test";
import { rtfText } from "./rtf.ts";

const rtf = (source: string) => rtfText(Buffer.from(source, "latin1")).trim();

test("text, paragraphs and signs come out, fonts and pictures do not", () => {
  const source = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0 Times New Roman;}}{\colortbl;\red0\green0\blue0;}
{\stylesheet{\s1 heading;}}{\info{\title Secret}}{\*\generator Word;}\pard\b Bold\b0  and \i plain\i0\par
Second \{braced\} \\ back\line next\tab tabbed\par{\pict\wmetafile8 0102abcd}{\*\unknown gone}end\emdash stop}`;
  assert.equal(rtf(source), "Bold and plain\n\nSecond {braced} \\ back\nnext\ttabbed\n\nend—stop");
});

test("characters of code pages and Unicode are read", () => {
  assert.equal(rtf(String.raw`{\rtf1\ansi\ansicpg1252 caf\'e9 \'93q\'94}`), "café “q”");
  assert.equal(rtf(String.raw`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}`), "При");
  assert.equal(rtf(String.raw`{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b}`), "日本");
  assert.equal(rtf(String.raw`{\rtf1\uc1 It\u8217?s \u-10179?\u-8704? ok}`), "It’s 😀 ok");
  assert.equal(rtf(String.raw`{\rtf1{\uc2 \u8364EU}\u8364? end}`), "€€ end");
  assert.equal(rtf(String.raw`{\rtf1\uc1\u233\'e9x}`), "éx");
});

test("a link shows its text, a table its cells", () => {
  const field = String.raw`{\rtf1 see {\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt the page}}.}`;
  assert.equal(rtf(field), "see the page.");
  assert.equal(rtf(String.raw`{\rtf1\trowd one\cell two\cell\row}`), "one | two |");
});

test("what is damaged ends somewhere, and what is none is refused", () => {
  assert.equal(rtf(String.raw`{\rtf1 open {never closed`), "open never closed");
  assert.equal(rtf(String.raw`{\rtf1 too}}} many`), "too many");
  assert.equal(rtf("{\\rtf1 a\\bin5 \\}{\\}b}"), "ab");
  assert.equal(rtf("{\\rtf1 end\\"), "end");
  assert.throws(() => rtf("plain text"), /does not begin/);
  assert.throws(() => rtf(`{\\rtf1 ${"{".repeat(2000)}`), /nested/);
});
