import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import {
  anchorAt,
  anchoredContext,
  anchoredLine,
  anchorLetters,
  formatAnchor,
  pairs,
  parseAnchor,
} from "./anchors.ts";

const line = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "}", "});", "—", "日本", "a", "😀", "x = 1"),
);
const number = fc.integer({ min: 1, max: 999_999_999 });

test("an anchor that was shown cannot be read back", () => {
  fc.assert(
    fc.property(line, number, (content, at) => {
      const letters = anchorLetters(content, at);
      assert.match(letters, /^[a-z]{2}$/);
      assert.deepEqual(parseAnchor(formatAnchor({ line: at, letters })), { line: at, letters });
      assert.deepEqual(parseAnchor(` ${at}${letters}\n`), { line: at, letters });
    }),
    { numRuns: runs(1000) },
  );
});

test("an anchor shown yesterday does not fit the same line today", () => {
  const known: [content: string, line: number, letters: string][] = [
    ["", 1, "tm"],
    ["", 2, "ih"],
    ["}", 1, "jp"],
    ["}", 2, "mh"],
    ["const a = 1;", 1, "yw"],
    ["const a = 1;", 99, "yw"],
    ["  indented", 3, "zi"],
    ["日本語", 1, "sl"],
    ["# Title", 1, "wj"],
    ["😀", 7, "se"],
  ];
  for (const [content, at, letters] of known) assert.equal(anchorLetters(content, at), letters, content);
});

test("an editor that strips trailing white space makes every anchor stale", () => {
  const space = fc
    .array(fc.constantFrom(" ", "\t", "\r", "\u00a0"), { maxLength: 4 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(line, space, number, (content, trailing, at) => {
      assert.equal(anchorLetters(content + trailing, at), anchorLetters(content, at));
    }),
    { numRuns: runs(1000) },
  );
});

test("a changed line keeps its anchor", () => {
  let collisions = 0;
  let tried = 0;
  for (let index = 0; index < 2000; index += 1) {
    const content = `  const value${index} = compute(${index * 7});`;
    for (const changed of [
      ` ${content}`,
      content.replace("const", "let"),
      content.replace(";", ""),
      `${content}.`,
    ]) {
      tried += 1;
      if (anchorLetters(content, 5) === anchorLetters(changed, 5)) collisions += 1;
    }
  }
  assert.ok(
    collisions / tried < 4 / 647,
    `${collisions} of ${tried} changed lines kept their anchor; chance alone gives 1 in 647`,
  );
});

test("a line of words gets another anchor when lines are added above", () => {
  for (const content of ["word", "1", "été", "日本", "٣", "x"]) {
    assert.equal(anchorLetters(content, 1), anchorLetters(content, 4711), content);
  }
});

test("one closing brace is taken for the next", () => {
  for (const content of ["}", "", "});", "---", "😀", "  {  "]) {
    const letters = Array.from({ length: 3000 }, (_, index) => anchorLetters(content, index + 1));
    const sameAsNext = letters.filter((each, index) => each === letters[index + 1]).length;
    assert.ok(sameAsNext < 20, `${content}: ${sameAsNext} of 3000 lines have the letters of the next line`);
    assert.ok(new Set(letters).size > 600, `${content}: only ${new Set(letters).size} different letters`);
  }
});

test("anchors of different lines are all alike, or letters that look alike are used", () => {
  assert.equal(pairs.length, 647);
  assert.equal(new Set(pairs).size, 647);
  for (const pair of ["ll", "il", "vv", "rn", "oo"]) assert.ok(!pairs.includes(pair), pair);
  const counts = new Map<string, number>();
  for (let index = 0; index < 64_700; index += 1) {
    const letters = anchorLetters(`line ${index}`, 1);
    counts.set(letters, (counts.get(letters) ?? 0) + 1);
  }
  assert.equal(counts.size, 647, "some letters never come up");
  const most = Math.max(...counts.values());
  assert.ok(most < 200, `one pair comes up ${most} times where 100 are expected`);
});

test("something that is no anchor is taken for one", () => {
  const tokens = [
    "",
    "41",
    "th",
    "41t",
    "41thx",
    "41TH",
    "041th",
    "0ab",
    "-1ab",
    "4 1th",
    "41th|text",
    "*41th",
    "41éa",
    "1.5ab",
  ];
  for (const token of [...tokens, "1234567890ab", "４１th"]) {
    const fault = parseAnchor(token);
    assert.ok(isFault(fault), `${token} is accepted`);
    assert.equal(fault.error, "invalid_anchor");
    assert.equal(fault.message, `"${token}" is not an anchor; expected a full anchor such as "119sr".`);
    assert.deepEqual(fault.details, { token });
    assert.match(fault.suggestion, /left of the \|/);
  }
  const long = parseAnchor("x".repeat(5000));
  assert.ok(isFault(long) && long.message.length < 120, "a long token floods the message");
});

const text = Text.of(["alpha", "}", "beta  \r", "", "}", "gamma", ""]);

test("an anchor does not survive a changed line end, or fits the brace beside", () => {
  const stripped = Text.of(["alpha ", "}\t", "beta", "  ", "}", "gamma", ""]);
  for (let at = 1; at <= 6; at += 1) assert.deepEqual(anchorAt(stripped, at), anchorAt(text, at));
  assert.notEqual(anchorAt(text, 2).letters, anchorAt(text, 5).letters);
});

test("a shown line has no anchor, the wrong text, or lines beyond the file around it", () => {
  assert.equal(anchoredLine(text, 3), `3${anchorLetters("beta", 3)}|beta  `);
  assert.deepEqual(anchoredContext(Text.empty, 1), []);
  assert.deepEqual(anchoredContext(Text.of(["a"]), 1, 4), [`*${anchoredLine(Text.of(["a"]), 1)}`]);
  assert.equal(anchoredContext(text, 6).length, 3);
  assert.equal(anchoredContext(text, 3).length, 5);
  assert.deepEqual(
    anchoredContext(text, 3)
      .map((each) => each[0])
      .join(""),
    "  *  ",
  );
});
