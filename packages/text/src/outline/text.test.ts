import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { type OutlineItem, type OutlineOptions, outlineOf } from "./outline.ts";

const prose = "It was the best of times, it was the worst of times, it was the age of wisdom.";

function titles(items: readonly OutlineItem[]): string[] {
  return items.flatMap((item) => [`${item.level} ${item.title}`, ...titles(item.children ?? [])]);
}

const outlined = (blocks: readonly string[], options?: OutlineOptions) =>
  outlineOf(Text.of(blocks.join("\n\n").split("\n")), "txt", options);

/** Each heading with a paragraph behind it. */
const book = (...headings: string[]) => headings.flatMap((heading) => [heading, prose]);

const chapters: [name: string, blocks: string[], expected: string[]][] = [
  [
    "numbers in figures, Roman and words",
    book(
      "Chapter 1",
      "CHAPTER TWO",
      "Chapter III",
      "Chapter Twenty-One: Home",
      "Chapter the Fifth",
      "CHAPTER ONE HUNDRED AND TWO",
    ),
    [
      "1 Chapter 1",
      "1 CHAPTER TWO",
      "1 Chapter III",
      "1 Chapter Twenty-One: Home",
      "1 Chapter the Fifth",
      "1 CHAPTER ONE HUNDRED AND TWO",
    ],
  ],
  [
    "other languages",
    book(
      "Chương 1: Mở đầu",
      "Chapitre premier",
      "Erstes Kapitel",
      "2. Kapitel",
      "Capítulo III",
      "第四章 结束",
    ),
    [
      "1 Chương 1: Mở đầu",
      "1 Chapitre premier",
      "1 Erstes Kapitel",
      "1 2. Kapitel",
      "1 Capítulo III",
      "1 第四章 结束",
    ],
  ],
  [
    "accents that are characters of their own",
    book("Chương 1".normalize("NFD"), "Phần I".normalize("NFD")),
    ["2 Chương 1", "1 Phần I"],
  ],
  [
    "parts hold their chapters, and an epilogue stands beside them",
    ["PART ONE", ...book("Chapter 1", "Chapter 2"), "PART TWO", ...book("Chapter 1", "Epilogue")],
    ["1 PART ONE", "2 Chapter 1", "2 Chapter 2", "1 PART TWO", "2 Chapter 1", "1 Epilogue"],
  ],
  [
    "acts hold their scenes",
    ["ACT I", ...book("SCENE I. A street.", "SCENE II. A room."), "ACT II", ...book("SCENE I. A field.")],
    ["1 ACT I", "2 SCENE I. A street.", "2 SCENE II. A room.", "1 ACT II", "2 SCENE I. A field."],
  ],
  [
    "a scene that names its act",
    book("Act II, Scene 3", "Act II, Scene 4"),
    ["1 Act II, Scene 3", "1 Act II, Scene 4"],
  ],
  ["titles between dashes", book("--- Section ---", "=== Next ==="), ["1 Section", "1 Next"]],
  [
    "decoration around a chapter",
    book("# Chapter 1", "**Chapter 2**", "~ Chapter 3 ~"),
    ["1 Chapter 1", "1 Chapter 2", "1 Chapter 3"],
  ],
  [
    "a title on the next line, and one behind a blank line",
    [...book("CHAPTER I.\nDown the Hole", "CHAPTER II"), "CHAPTER III", "The Pool", prose],
    ["1 CHAPTER I. Down the Hole", "1 CHAPTER II", "1 CHAPTER III: The Pool"],
  ],
  [
    "the first sentence is no title",
    ["Chapter 1", "Call me Ishmael.", prose, "Chapter 2\nit rained"],
    ["1 Chapter 1", "1 Chapter 2"],
  ],
  ["no blank lines at all", [`Chapter 1\n${prose}\nChapter 2\n${prose}`], ["1 Chapter 1", "1 Chapter 2"]],
  [
    "empty chapters of a draft",
    ["Chapter 1", "Chapter 2", "Chapter 3"],
    ["1 Chapter 1", "1 Chapter 2", "1 Chapter 3"],
  ],
  [
    "numbered headings and their parts",
    book("1. Introduction", "1.1 Scope", "2. Methods"),
    ["1 1. Introduction", "2 1.1 Scope", "1 2. Methods"],
  ],
  ["lone numerals", book("I", "II", "III"), ["1 I", "1 II", "1 III"]],
  [
    "numerals that begin again in each part",
    ["Part One", ...book("1", "2"), "Part Two", ...book("1", "2")],
    ["1 Part One", "2 1", "2 2", "1 Part Two", "2 1", "2 2"],
  ],
];

for (const [name, blocks, expected] of chapters) {
  test(`chapters: ${name}`, async () => {
    const outline = await outlined(blocks);
    assert.deepEqual(
      titles(outline.outline),
      expected.map((title) => title.normalize()),
    );
    assert.equal(outline.detection_confidence, "high");
    assert.equal(outline.detection_method, "heuristic");
    assert.equal(outline.note, undefined);
  });
}

const inBody = [
  "Part I",
  ...book("Chapter 1: Dawn", "Chapter 2: Noon"),
  "Part II",
  ...book("Chapter 1: Dusk", "Epilogue"),
];
const listed = ["Part I", "Chapter 1: Dawn", "Chapter 2: Noon", "Part II", "Chapter 1: Dusk", "Epilogue"];
const tables: [name: string, blocks: string[]][] = [
  ["at the front, line by line", [`Contents\n${listed.join("\n")}`, ...inBody]],
  ["at the front, with blank lines", ["CONTENTS", ...listed, ...inBody]],
  ["without a title", [...listed, ...inBody]],
  ["with page numbers", [listed.map((line) => `${line} ........ 7`).join("\n"), ...inBody]],
  ["with a note behind it", [...listed, prose, ...inBody]],
  ["at the end", [...inBody, "Contents", ...listed]],
];

for (const [name, blocks] of tables) {
  test(`a table of contents gives no sections: ${name}`, async () => {
    const { outline } = await outlined(blocks);
    assert.deepEqual(titles(outline), [
      "1 Part I",
      "2 Chapter 1: Dawn",
      "2 Chapter 2: Noon",
      "1 Part II",
      "2 Chapter 1: Dusk",
      "1 Epilogue",
    ]);
    const first = outline[0];
    const at = blocks.join("\n\n").split("\n").indexOf(prose, first?.line_start);
    assert.ok(first !== undefined && at - first.line_start <= 4, "the part begins where its text is");
  });
}

test("numbered headings are found behind their table of contents", async () => {
  const { outline } = await outlined([
    "1. Scope",
    "2. Terms",
    "3. Rules",
    ...book("1. Scope", "2. Terms", "3. Rules"),
  ]);
  assert.deepEqual(
    outline.map(({ line_start }) => line_start),
    [6, 10, 14],
  );
});

const running: string[][] = [
  ["Part of the crew went ashore.", "Chapter and verse were cited.", prose],
  ["Part one of the plan was simple.", "Chapter 12 begins with rain.", "Letter I wrote to you.", prose],
  ["We bought:", "1. Milk", "2. Eggs", "3. Bread", "and went home."],
  [`${prose} As we read in\nChapter 12. The rest of it is lost to us and to all who come after us.`, prose],
  [
    "BOOK I. (Folio), CHAPTER I. (Sperm Whale).—This whale, among the old\nEnglish vaguely known as the Trumpa whale, and the Physeter whale,\nand the Anvil Headed whale, is the present Cachalot of the French,\nand the Macrocephalus of the Long Words.",
    prose,
  ],
];

for (const blocks of running) {
  test(`no heading: ${blocks[0]?.slice(0, 40)}`, async () => {
    const outline = await outlined(blocks);
    assert.equal(outline.detection_confidence, "low");
    assert.match(outline.note ?? "", /search_document/);
    assert.equal(outline.outline.length, blocks.length);
    assert.ok(outline.outline.every((item) => item.detected_by === "paragraph_break" && item.level === 2));
  });
}

test("what looks like a title is one where there are no chapters", async () => {
  const outline = await outlined([
    "THE BEGINNING",
    prose,
    "* * *",
    "  * * *",
    "Later that day.",
    "HELP!",
    "A Title\n=======",
    prose,
    "Lesser\n------",
    prose,
  ]);
  assert.equal(outline.detection_confidence, "medium");
  assert.deepEqual(titles(outline.outline), [
    "1 THE BEGINNING",
    "3 Later that day.",
    "1 A Title",
    "2 Lesser",
  ]);
  assert.deepEqual(
    outline.outline.map((item) => item.detected_by),
    ["all_caps", "separator_title"],
  );
  assert.equal(outline.outline[0]?.children?.[0]?.detected_by, "scene_break");
  assert.equal(outline.outline[0]?.children?.[0]?.line_start, 4);
});

test("scenes alone cover the text from its start", async () => {
  const { outline } = await outlined(["The first scene", "***", "The second scene", "***"]);
  assert.deepEqual(
    outline.map(({ line_start, line_end, title, detected_by }) => [line_start, line_end, title, detected_by]),
    [
      [0, 1, "The first scene", "document_start"],
      [2, null, "The second scene", "scene_break"],
    ],
  );
});

test("paragraphs: wide gaps divide sections, and a title is the first twenty words", async () => {
  const words = Array.from({ length: 30 }, (_, index) => `w${index}`);
  const { outline } = await outlined([
    "One.",
    "Two.",
    `\n\n${words.slice(0, 15).join(" ")}\n${words.slice(15).join(" ")}`,
    "Four.",
  ]);
  assert.deepEqual(titles(outline), ["1 One.", "2 Two.", `1 ${words.slice(0, 20).join(" ")}...`, "2 Four."]);
  assert.deepEqual(
    outline.map(({ line_start, line_end }) => [line_start, line_end]),
    [
      [0, 5],
      [6, null],
    ],
  );
});

test("without detection of chapters a text is only split at its blank lines", async () => {
  const outline = await outlined(book("Chapter 1", "Chapter 2"), { detectChapters: false });
  assert.equal(outline.detection_confidence, "low");
  assert.ok(outline.outline.every((item) => item.detected_by === "paragraph_break"));
});
