import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { testData } from "@stet/testkit/data";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import { decodeDocument } from "../document.ts";
import { type Outline, type OutlineItem, outlineOf } from "./outline.ts";

const outlined = (content: string, type: string) => outlineOf(Text.of(content.split("\n")), type);

function everyItem(items: readonly OutlineItem[]): OutlineItem[] {
  return items.flatMap((item) => [item, ...everyItem(item.children ?? [])]);
}

/** Sections follow each other without a gap, and lie inside the section that holds them. */
function assertSections(items: readonly OutlineItem[], parent?: OutlineItem): void {
  for (const [index, item] of items.entries()) {
    const next = items[index + 1];
    const end = next === undefined ? (parent?.line_end ?? null) : next.line_start - 1;
    assert.equal(item.line_end, end, `the end of "${item.title}"`);
    assert.ok(item.line_end === null || item.line_end >= item.line_start, item.title);
    if (parent !== undefined) {
      assert.ok(item.level > parent.level, "a child is deeper than its parent");
      assert.ok(item.line_start > parent.line_start, "a child begins below its parent");
    }
    assert.doesNotMatch(item.title, /[\r\n]/);
    assert.ok(item.title.length <= 203);
    assertSections(item.children ?? [], item);
  }
}

async function bookOutline(path: string): Promise<{ outline: Outline; text: Text }> {
  const document = decodeDocument(readFileSync(path));
  if (isFault(document)) throw document;
  return { outline: await outlineOf(document.text, "txt"), text: document.text };
}

test("Alice in Wonderland has its twelve chapters, and the licence behind it is none of them", async (t) => {
  const path = testData(t, "books/alice-in-wonderland.txt");
  if (path === undefined) return;
  const { outline } = await bookOutline(path);
  assert.equal(outline.detection_method, "heuristic");
  assert.equal(outline.detection_confidence, "high");
  const chapters = outline.outline.filter((item) => item.detected_by === "chapter_marker");
  assert.deepEqual(
    chapters.map(({ title }) => title),
    [
      "CHAPTER I. Down the Rabbit-Hole",
      "CHAPTER II. The Pool of Tears",
      "CHAPTER III. A Caucus-Race and a Long Tale",
      "CHAPTER IV. The Rabbit Sends in a Little Bill",
      "CHAPTER V. Advice from a Caterpillar",
      "CHAPTER VI. Pig and Pepper",
      "CHAPTER VII. A Mad Tea-Party",
      "CHAPTER VIII. The Queen’s Croquet-Ground",
      "CHAPTER IX. The Mock Turtle’s Story",
      "CHAPTER X. The Lobster Quadrille",
      "CHAPTER XI. Who Stole the Tarts?",
      "CHAPTER XII. Alice’s Evidence",
    ],
  );
  assert.deepEqual(
    everyItem(outline.outline)
      .filter((item) => item.detected_by !== "chapter_marker")
      .map((item) => item.detected_by),
    ["boilerplate"],
  );
  assertSections(outline.outline);
});

test("Moby-Dick has its 135 chapters and the epilogue, and none of its table of contents", async (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const { outline, text } = await bookOutline(path);
  const items = everyItem(outline.outline);
  const chapters = items.filter(({ title }) => title.startsWith("CHAPTER"));
  assert.deepEqual(
    chapters.map(({ title }) => Number(/^CHAPTER (\d+)\. \S/.exec(title)?.[1])),
    Array.from({ length: 135 }, (_, index) => index + 1),
  );
  assert.equal(
    chapters[55]?.title,
    "CHAPTER 56. Of the Less Erroneous Pictures of Whales, and the True Pictures of Whaling Scenes.",
  );
  assert.deepEqual(
    items.filter((item) => !chapters.includes(item)).map(({ title }) => title.replace(/ .*/, "")),
    ["ETYMOLOGY.", "EXTRACTS.", "EXTRACTS.", "Epilogue", "End"],
  );
  const first = chapters[0]?.line_start ?? 0;
  assert.equal(
    text.line(first + 3).text,
    "Call me Ishmael. Some years ago—never mind how long precisely—having",
  );
  assertSections(outline.outline);
});

const pieces = [
  "",
  "",
  "",
  "\n\n",
  "Chapter 1",
  "CHAPTER II. Rain",
  "Part One",
  "Act II, Scene 3",
  "Epilogue",
  "A LINE IN CAPITALS",
  "* * *",
  "----",
  "====",
  "1. First",
  "2. Second",
  "--- Here ---",
  "Some words of prose that go on.\r",
  "第一章",
  "Contents",
  "# One\r",
  "## Two",
  "#### Four",
  "```",
  "> # Quoted",
  "*** START OF THIS PROJECT GUTENBERG EBOOK ***",
  "End of Project Gutenberg's book",
];

test("whatever a text holds, its sections follow each other and lie inside each other", async () => {
  const content = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((lines) => lines.join("\n"));
  await fc.assert(
    fc.asyncProperty(
      content,
      fc.constantFrom("txt", "markdown"),
      fc.integer({ min: 1, max: 6 }),
      async (source, type, maxDepth) => {
        const text = Text.of(source.split("\n"));
        const outline = await outlineOf(text, type, { maxDepth });
        assertSections(outline.outline);
        assert.ok(everyItem(outline.outline).every(({ level }) => level <= maxDepth));
        assert.equal(outline.detection_method === "none", outline.outline.length === 0);
        assert.equal(outline.suggestion !== undefined, outline.outline.length === 0);
      },
    ),
    { numRuns: runs(500) },
  );
});

const fragments = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"a"',
  "1",
  "x",
  "\n",
  " ",
  "- ",
  "key: ",
  "? ",
  "|\n",
  "'",
  '"',
  "&a ",
  "*a",
  "---\n",
  "#",
];

test("whatever a data file holds, keys have lines inside the file and inside each other", async () => {
  const content = fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom("json", "yaml"), async (source, type) => {
      const text = Text.of(source.split("\n"));
      const outline = await outlineOf(text, type);
      for (const item of everyItem(outline.outline)) {
        assert.ok(item.line_start >= 0 && item.line_start < text.lines);
        assert.ok(item.line_end === null || item.line_end >= item.line_start);
        assert.ok(item.line_end === null || item.line_end < text.lines);
        for (const child of item.children ?? []) {
          assert.ok(child.line_start >= item.line_start);
          assert.ok(item.line_end === null || (child.line_end !== null && child.line_end <= item.line_end));
        }
      }
    }),
    { numRuns: runs(500) },
  );
});

test("an empty document, and one without structure, say what to do instead", async () => {
  for (const [content, type] of [
    ["", "txt"],
    ["Only a line.", "txt"],
    ["No heading.\n\nAnywhere.", "markdown"],
    ["12", "json"],
    ["", "json"],
    ["just words", "yaml"],
  ] as const) {
    const outline = await outlined(content, type);
    assert.deepEqual(outline.outline, []);
    assert.equal(outline.detection_method, "none");
    assert.match(outline.suggestion ?? "", /search_document/);
  }
});

test("sections that are all deeper than the asked depth are not called missing", async () => {
  const outline = await outlineOf(Text.of(["## Below"]), "markdown", { maxDepth: 1 });
  assert.equal(outline.detection_method, "none");
  assert.match(outline.suggestion ?? "", /max_depth/);
});

test("of too many sections the outermost stay, with a note", async () => {
  const outline = await outlined("# A\n\n## b\n\n### c\n\n".repeat(1_000), "markdown");
  const items = everyItem(outline.outline);
  assert.equal(items.length, 2_000);
  assert.ok(items.every(({ level }) => level < 3));
  assert.match(outline.note ?? "", /2000/);
});

test("a single enormous line, and enormous nesting, end quickly in every type", async () => {
  for (const line of [
    "word ".repeat(400_000),
    "- ".repeat(20_000),
    "[".repeat(40_000),
    ">".repeat(500_000),
  ]) {
    for (const type of ["txt", "markdown", "json", "yaml"]) {
      const outline = await outlined(line, type);
      assert.ok(everyItem(outline.outline).length <= 3);
    }
  }
});
