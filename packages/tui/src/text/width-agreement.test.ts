// string-width is what most programs of a terminal measure with. Where ours differs, a terminal with grapheme clusters (xterm
// here) is on our side; each kind of difference has its reason.

import assert from "node:assert/strict";
import { test } from "node:test";
import stringWidth from "string-width";
import { cellWidth } from "./width.ts";

const reasons: readonly (readonly [RegExp, string])[] = [
  [/\p{Mc}/u, "a spacing mark is drawn in the cell of its letter"],
  [/[\uff9e\uff9f]/u, "so is the mark of a half-width katakana"],
  [/\u00ad/u, "a soft hyphen in the middle of a row is a hyphen"],
  [/[\u115f\u1160\u3164\uffa0]/u, "a Hangul filler fills the cells of what is missing"],
  [/\p{Emoji_Modifier}/u, "a skin tone on a letter is drawn behind it"],
  [/[\u2028\u2029]/u, "separators of lines and paragraphs are control characters"],
  [/\u009b/u, "a one-byte CSI begins no sequence in UTF-8"],
  [/\u{113d1}/u, "a repha joins what follows it"],
];

test("every character between two letters has the width that string-width gives it, or a reason", () => {
  const used = new Set<RegExp>();
  for (let codePoint = 0x20; codePoint < 0x110000; codePoint++) {
    if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
    const character = String.fromCodePoint(codePoint);
    if (/\p{Cn}|\p{Co}/u.test(character)) continue;
    const text = `a${character}b`;
    if (cellWidth(text) === stringWidth(text)) continue;
    const reason = reasons.find(([pattern]) => pattern.test(character));
    assert.ok(reason, `U+${codePoint.toString(16)}: ${cellWidth(text)}, string-width ${stringWidth(text)}`);
    used.add(reason[0]);
  }
  assert.equal(used.size, reasons.length, "a reason that explains nothing any more");
});

test("clusters on which string-width differs", () => {
  const table: readonly (readonly [string, number, number, string])[] = [
    ["1\u20e3", 1, 2, "a keycap without its selector is text"],
    ["\u1100\u1100\uac00", 2, 6, "leading jamo of one syllable are one cluster"],
    ["ﾊﾟ", 1, 2, "a mark in the cell of its letter"],
    ["नी", 1, 2, "a mark in the cell of its letter"],
    ["\t", 4, 0, "a tab has a width"],
  ];
  for (const [text, ours, theirs, why] of table)
    assert.deepEqual([cellWidth(text), stringWidth(text)], [ours, theirs], why);
});
