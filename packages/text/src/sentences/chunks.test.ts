import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { testData } from "@stet/testkit/data";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { type Chunk, type ChunkOptions, chunkDocument } from "./chunks.ts";
import { sentenceAround, sentencesIn } from "./sentences.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

const measure = (content: string) => content.length;
const words = (content: string) => content.match(/\S+/g)?.length ?? 0;

function assertLaws(text: Text, chunks: readonly Chunk[], options: ChunkOptions): void {
  let position = 0;
  const starts = new Set([...sentencesIn(text)].map(({ from }) => from));
  for (const [index, chunk] of chunks.entries()) {
    assert.equal(chunk.index, index);
    assert.equal(chunk.from, position);
    assert.ok(chunk.to > chunk.from);
    assert.equal(chunk.text, text.sliceString(chunk.from, chunk.to));
    assert.equal(chunk.startLine, text.lineAt(chunk.from).number - 1);
    assert.equal(chunk.endLine, text.lineAt(chunk.to - 1).number - 1);
    assert.ok(!/^[\udc00-\udfff]/.test(chunk.text), "half a character");
    const isOneCharacter = [...new Intl.Segmenter("en").segment(chunk.text)].length === 1;
    assert.ok(options.measure(chunk.text) <= options.budget || isOneCharacter, "over the budget");
    if (chunk.before !== "") {
      assert.ok(starts.has(chunk.from - chunk.before.length), "the overlap begins inside a sentence");
      assert.equal(chunk.before, text.sliceString(chunk.from - chunk.before.length, chunk.from));
      assert.ok(options.measure(chunk.before) <= (options.overlap ?? 0));
    }
    assertWholeSentence(text, chunk, options);
    position = chunk.to;
  }
  assert.equal(position, text.length);
}

/** A chunk ends inside a sentence only if that sentence is over the budget. */
function assertWholeSentence(
  text: Text,
  { to }: Chunk,
  { budget, measure, sections = [] }: ChunkOptions,
): void {
  if (to >= text.length || sections.some(({ line }) => text.line(line + 1).from === to)) return;
  const sentence = sentenceAround(text, to);
  if (sentence === undefined || sentence.from >= to || sentence.to <= to) return;
  const end = /^\s*/.exec(text.sliceString(sentence.to, text.length))?.[0].length ?? 0;
  // Blank space before the first sentence of all goes with it, and so does a paragraph's indentation.
  const blank = /\s*$/.exec(text.sliceString(0, sentence.from))?.[0] ?? "";
  const indentation = /[^\n]*$/.exec(blank)?.[0] ?? "";
  const start = sentence.from - (blank.length === sentence.from ? blank : indentation).length;
  assert.ok(measure(text.sliceString(start, sentence.to + end)) > budget, "a sentence was torn");
}

const fragment = fc.constantFrom(
  "word ",
  "Word ",
  "a. ",
  "End. ",
  "\n",
  "\n",
  "\n\n",
  "- ",
  "# Title\n",
  "。",
  "鲸",
  "👩‍👩‍👧",
  "😀",
  "e\u0301",
  "longerwordhere",
  "  ",
);

test("chunks tile any document within any budget", () => {
  const property = fc.property(
    fc.array(fragment, { maxLength: 80 }),
    fc.integer({ min: 1, max: 60 }),
    fc.nat(40),
    fc.constantFrom(measure, words),
    fc.array(fc.nat(30), { maxLength: 4 }),
    (fragments, budget, overlap, measure, lines) => {
      const text = textOf(fragments.join(""));
      const ordered = [...new Set(lines)].filter((line) => line < text.lines).sort((a, b) => a - b);
      const sections = ordered.map((line) => ({ line, title: `Section ${line}` }));
      const options = { budget, overlap, measure, sections };
      assertLaws(text, chunkDocument(text, options), options);
    },
  );
  fc.assert(property, { numRuns: runs(500) });
});

test("an empty document has no chunks, and blank lines are kept", () => {
  assert.deepEqual(chunkDocument(textOf(""), { budget: 10, measure }), []);
  const text = textOf("\n\n  \n");
  assert.deepEqual(
    chunkDocument(text, { budget: 10, measure }).map((chunk) => chunk.text),
    ["\n\n  \n"],
  );
});

test("a chunk ends with a paragraph where it can, else with a sentence", () => {
  const text = textOf("One two three.\n\nFour five six.\n\nSeven eight. Nine ten. Eleven twelve. Thirteen.");
  const chunks = chunkDocument(text, { budget: 20, measure }).map((chunk) => chunk.text);
  assert.deepEqual(chunks, [
    "One two three.\n\n",
    "Four five six.\n\n",
    "Seven eight. ",
    "Nine ten. ",
    "Eleven twelve. ",
    "Thirteen.",
  ]);
});

test("a chunk does not span the start of a section, unless the section is tiny", () => {
  const long = "Some sentence of the section. ".repeat(3).trim();
  const text = textOf(`Before it.\n# Part\n\n## One\n\n${long}\n## Two\n${long}`);
  const sections = [
    { line: 1, title: "Part" },
    { line: 3, title: "One" },
    { line: 6, title: "Two" },
  ];
  const chunks = chunkDocument(text, { budget: 200, measure, sections });
  assert.deepEqual(
    chunks.map(({ startLine, endLine, heading }) => ({ startLine, endLine, heading })),
    [
      { startLine: 0, endLine: 5, heading: "One" },
      { startLine: 6, endLine: 7, heading: "Two" },
    ],
  );
});

test("what comes before a chunk is whole sentences within the overlap", () => {
  const text = textOf("One two. Three four. Five six. Seven eight. Nine ten. Eleven.");
  const chunks = chunkDocument(text, { budget: 22, overlap: 22, measure });
  for (const { before } of chunks.slice(1)) assert.match(before, /^(?:\w+ \w+\. ){1,2}$/);
});

test("a sentence over the budget is cut between words, else between characters", () => {
  const text = textOf(`${"word ".repeat(30)}${"👩‍👩‍👧".repeat(10)}`);
  const chunks = chunkDocument(text, { budget: 20, measure });
  assertLaws(text, chunks, { budget: 20, measure });
  assert.ok(chunks.every((chunk) => /^(?:word ){1,4}$|👩‍👩‍👧$/u.test(chunk.text)));
});

test("a measure that is more than the sum of its parts does not break the budget", () => {
  const text = textOf("One two. Three four. Five six. Seven eight. Nine ten. Eleven.\n\nTwelve.");
  const options = {
    budget: 30,
    measure: (content: string) => content.length + (content.length > 20 ? 5 : 0),
  };
  assertLaws(text, chunkDocument(text, options), options);
});

for (const budget of [500, 8_000]) {
  test(`an edit in a book changes only the chunks of ${budget} characters near it`, (t) => {
    const path = testData(t, "books/moby-dick.txt");
    if (path === undefined) return;
    const text = textOf(readFileSync(path, "utf8").replaceAll("\r\n", "\n"));
    let calls = 0;
    const counted = (content: string) => {
      calls += 1;
      return content.length;
    };
    const chunks = chunkDocument(text, { budget, measure: counted });
    assertLaws(text, chunks, { budget, measure });
    assert.ok(calls < 15_000, `measured ${calls} times`);
    const known = new Set(chunks.map((chunk) => chunk.text));
    for (const line of [3_000, 11_000, 16_500, 20_001]) {
      const { from, to } = text.line(line);
      const edited = text.replace(from, to, Text.of(["A new line stands here. It is not", "what it was."]));
      const fresh = chunkDocument(edited, { budget, measure }).filter((chunk) => !known.has(chunk.text));
      assert.ok(fresh.length >= 1 && fresh.length <= 6, `${fresh.length} chunks differ`);
    }
  });
}
