import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { testData } from "@stet/testkit/data";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { longestSentence, sentenceAround, sentencesIn } from "./sentences.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function sentenceTexts(content: string): string[] {
  const text = textOf(content);
  return [...sentencesIn(text)].map(({ from, to }) => text.sliceString(from, to));
}

const cases: [name: string, content: string, expected: string[]][] = [
  ["nothing", "", []],
  ["only blank lines", "\n  \n\n", []],
  [
    "titles",
    "Mr. Starbuck met Mrs. Hussey at St. John. Dr. Bunger came.",
    ["Mr. Starbuck met Mrs. Hussey at St. John.", "Dr. Bunger came."],
  ],
  [
    "initials",
    "J. R. Ewing was here. So was I. He left.",
    ["J. R. Ewing was here.", "So was I.", "He left."],
  ],
  [
    "abbreviations",
    "Use oil, e.g. Whale oil, i.e. Sperm. See Smith et al. They know.",
    ["Use oil, e.g. Whale oil, i.e. Sperm.", "See Smith et al. They know."],
  ],
  [
    "numbers",
    "Pi is 3.14 or so. See No. 7 and Fig. 12. No. It is not.",
    ["Pi is 3.14 or so.", "See No. 7 and Fig. 12.", "No.", "It is not."],
  ],
  [
    "speech that goes on",
    "“What?” he said. “Oh! what a whale!” Then he went.",
    ["“What?” he said.", "“Oh! what a whale!”", "Then he went."],
  ],
  [
    "wrapped lines",
    "The white\nwhale swam. It\nsank.\nThen\n\nnothing",
    ["The white\nwhale swam.", "It\nsank.", "Then", "nothing"],
  ],
  ["a blank line with spaces", "one\n \t\ntwo", ["one", "two"]],
  [
    "Vietnamese",
    "Ông ấy đến. Đây là câu hai? Ở TP. Hồ Chí Minh. Ấm áp!",
    ["Ông ấy đến.", "Đây là câu hai?", "Ở TP. Hồ Chí Minh.", "Ấm áp!"],
  ],
  ["Chinese and Japanese", "我去。你来！「好。」他说\n走。", ["我去。", "你来！", "「好。」", "他说\n走。"]],
  ["Hindi", "यह एक है। यह दो है।", ["यह एक है।", "यह दो है।"]],
  ["a heading", "# One. Two\ntext goes\non", ["# One. Two", "text goes\non"]],
  [
    "list items",
    "- one. Two\n  goes on\n- three\n1. Do this. Then that\n2) four",
    ["- one.", "Two\n  goes on", "- three", "1. Do this.", "Then that", "2) four"],
  ],
  [
    "a table and a fence",
    "| a. B | c |\n| --- | --- |\n```js\ncode\n```",
    ["| a. B | c |", "| --- | --- |", "```js", "code", "```"],
  ],
  [
    "a quote",
    "> One goes\n> on. Two\n>\n> Three.\n> Four.",
    ["> One goes\n> on.", "Two", ">", "> Three.", "> Four."],
  ],
  ["returns", "one goes\r\non. Two\r\n\r\nthree\r", ["one goes\r\non.", "Two", "three"]],
  ["words that run on", "See example.com or v1.2.3 now. Yes", ["See example.com or v1.2.3 now.", "Yes"]],
];

for (const [name, content, expected] of cases) {
  test(`sentences: ${name}`, () => assert.deepEqual(sentenceTexts(content), expected));
}

function assertLaws(text: Text, positions: Iterable<number>): void {
  const all = [...sentencesIn(text)];
  let end = 0;
  let left = "";
  for (const { from, to } of all) {
    assert.ok(from >= end && to > from && to - from <= longestSentence + 256);
    left += text.sliceString(end, from);
    end = to;
  }
  left += text.sliceString(end, text.length);
  assert.equal(left.trim(), "", "everything but blank space is in a sentence");
  for (const position of positions) {
    const expected = all.find(({ from, to }) => from <= position && position < to);
    if (expected !== undefined) assert.deepEqual(sentenceAround(text, position), expected, `at ${position}`);
  }
}

const fragment = fc.constantFrom(
  "word",
  "Word",
  "Mr",
  "J",
  "I",
  "e.g",
  "3",
  "No",
  ".",
  ".",
  "! ",
  "?",
  "”",
  "“",
  " ",
  " ",
  "\n",
  "\n",
  "\n\n",
  "> ",
  "- ",
  "1. ",
  "# ",
  "| ",
  "```",
  "。",
  "鲸",
  "Đ",
  "ấ",
  "…",
  "\r\n",
  "👩‍👩‍👧",
  "e\u0301",
  "; ",
  "— ",
);

test("whatever the text, sentences tile it, and looking from any place finds the same ones", () => {
  const property = fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
    const text = textOf(fragments.join(""));
    assertLaws(
      text,
      Array.from({ length: text.length }, (_, index) => index),
    );
  });
  fc.assert(property, { numRuns: runs(300) });
});

test("a part of a document has the sentences that reach into it", () => {
  const property = fc.property(
    fc.array(fragment, { maxLength: 40 }),
    fc.nat(80),
    fc.nat(80),
    (fragments, a, b) => {
      const text = textOf(fragments.join(""));
      const from = Math.min(a, text.length);
      const to = Math.min(from + b, text.length);
      const expected = [...sentencesIn(text)].filter((each) => from < to && each.to > from && each.from < to);
      assert.deepEqual([...sentencesIn(text, from, to)], expected);
    },
  );
  fc.assert(property, { numRuns: runs(300) });
});

test("a paragraph without an end is taken in bounded pieces, the same from everywhere", () => {
  const offsets = Array.from({ length: 40 }, (_, index) => index * 2_499);
  assertLaws(textOf(`Start. ${"word ".repeat(20_000)}`), offsets);
  assertLaws(textOf("👩‍👩‍👧".repeat(12_000)), offsets);
  assertLaws(textOf(`One. ${"some words without an end\n".repeat(4_000)}End. Of it`), offsets);
  assertLaws(textOf(`| ${"cell | ".repeat(15_000)}`), offsets);
});

test("a part of something too long for a sentence has the same pieces", () => {
  const lines = `One. ${"some words without an end\n".repeat(1_000)}end of it. Then.\nMore`;
  for (const content of [lines, lines.replaceAll("\n", " ")]) assertSameParts(textOf(content));
});

function assertSameParts(text: Text): void {
  const all = [...sentencesIn(text)];
  for (let from = 0; from < text.length; from += 1_237) {
    for (const to of [Math.min(text.length, from + 300), text.length]) {
      const expected = all.filter((each) => each.to > from && each.from < to);
      assert.deepEqual([...sentencesIn(text, from, to)], expected, `${from}-${to}`);
    }
  }
}

test("a book's sentences are the same from every place in it", (t) => {
  const path = testData(t, "books/alice-in-wonderland.txt");
  if (path === undefined) return;
  const text = textOf(readFileSync(path, "utf8"));
  assertLaws(
    text,
    Array.from({ length: 400 }, (_, index) => index * 401),
  );
  assert.ok([...sentencesIn(text)].length > 1_000);
});

test("what Unicode calls a boundary stays one, except behind an abbreviation or before a small letter", (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const text = textOf(readFileSync(path, "utf8"));
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const reason = /(?:(?:^|[^\p{L}])\p{Lu}|Mr|Mrs|Dr|St|ST|Rev|Capt|Messrs|Nos?|Vol|[Vv]iz|Col|Lt|cf)\.\s*$/u;
  let merged = 0;
  for (const { from, to } of sentencesIn(text)) {
    const view = text.sliceString(from, to).replaceAll(/[\r\n]/g, " ");
    for (const { index } of segmenter.segment(view)) {
      if (index === 0) continue;
      const isNumber = /\b\p{L}{1,4}\.\s*$/u.test(view.slice(0, index)) && /^\d/.test(view.slice(index));
      const isExplained =
        isNumber || reason.test(view.slice(0, index)) || /^[“"‘’(—]*\p{Ll}/u.test(view.slice(index));
      assert.ok(isExplained, view.slice(Math.max(0, index - 30), index + 10));
      merged += 1;
    }
  }
  assert.ok(merged > 500);
});
