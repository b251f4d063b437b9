// Whether people find the scene that they describe in their own words, with the real model and a real book.
//
// alice-scenes.json has one scene of each chapter, described without any word that is rare in the book: there meaning
// and the company of common words have to do the work. alice-more-scenes.json has other scenes, described freely. Embedding a
// book takes a minute, so `npm test` takes its first chapters.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { testData } from "@stet/testkit/data";
import { isFull } from "@stet/testkit/depth";
import { localEmbedder } from "@stet/testkit/local-embedder";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { Meaning, type MeaningDocument } from "./meaning.ts";
import { queryTerms, termsOf } from "./terms.ts";

interface Scene {
  readonly chapter: number;
  readonly query: string;
}

function scenesOf(name: string): Scene[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, name), "utf8"));
}

test("the scenes of Alice are found by what happens in them", async (t) => {
  const path = testData(t, "books/alice-in-wonderland.txt");
  if (path === undefined) return;
  const book = readFileSync(path, "utf8");
  // The licence behind the story is a tenth of the file, and of the time.
  const lines = book.slice(0, book.indexOf("THE END")).split(/\r?\n/);
  const chapters = isFull ? 12 : 4;
  const document = { key: path, text: Text.of(firstChapters(lines, chapters)), fileType: "txt" };
  const isIn = ({ chapter }: Scene) => chapter <= chapters;
  const scenes = scenesOf("alice-scenes.json").filter(isIn);
  for (const { query } of scenes) assert.deepEqual(rareWords(book, query), [], query);

  const meaning = must(Meaning.open(temporaryFolder(t), localEmbedder(t)));
  t.after(() => meaning.close());
  must(await meaning.index(document));
  const ranks = await ranksOf(meaning, document, scenes);
  assert.ok(
    ranks.every((rank) => rank <= 3),
    `not all among the first three: ${ranks.join(" ")}`,
  );
  assert.ok(count(ranks, 1) >= scenes.length * 0.75, `too few at the first place: ${ranks.join(" ")}`);
  const others = scenesOf("alice-more-scenes.json").filter(isIn);
  const more = await ranksOf(meaning, document, others);
  const isMostlyFound =
    count(more, 3) >= Math.round(others.length * 0.8) && count(more, 1) >= others.length * 0.75;
  assert.ok(isMostlyFound, `other scenes: ${more.join(" ")}`);
});

/** At which place the right chapter comes, for each scene. */
async function ranksOf(
  meaning: Meaning,
  document: MeaningDocument,
  scenes: readonly Scene[],
): Promise<number[]> {
  const ranks: number[] = [];
  for (const { chapter, query } of scenes) {
    const { matches, status } = must(await meaning.search([document], query, { limit: 10 }));
    assert.equal(status, "ready");
    const at = matches.findIndex(({ startLine }) => chapterAt(document.text, startLine) === chapter);
    ranks.push(at < 0 ? Number.POSITIVE_INFINITY : at + 1);
  }
  return ranks;
}

function count(ranks: readonly number[], most: number): number {
  return ranks.filter((rank) => rank <= most).length;
}

function firstChapters(lines: readonly string[], count: number): string[] {
  const starts = lines.flatMap((line, index) => (line.startsWith("CHAPTER ") ? [index] : []));
  return lines.slice(0, starts[count] ?? lines.length);
}

/** The number of the chapter that a line is in. */
function chapterAt(text: Text, line: number): number {
  let chapter = 0;
  for (const content of text.iterLines(1, line + 2)) if (content.startsWith("CHAPTER ")) chapter += 1;
  return chapter;
}

/** Words that are in the book, but in fewer than five places. */
function rareWords(book: string, query: string): string[] {
  const counts = new Map<string, number>();
  for (const term of termsOf(book)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return queryTerms(query)
    .map(({ term }) => term)
    .filter((term) => (counts.get(term) ?? 5) < 5);
}
