import assert from "node:assert/strict";
import { test } from "node:test";
import { candidateOf, fuzzyMatch, rank } from "./fuzzy.ts";

const best = (query: string, ...texts: string[]) =>
  rank(
    query,
    texts.map((text) => candidateOf(text, text)),
  ).map(({ item }) => item);

test("a file is found by letters of its name in their order, and by no others", () => {
  assert.ok(fuzzyMatch("opdoc", "src/editor/open-document.ts"));
  assert.equal(fuzzyMatch("docop", "src/editor/open-document.ts"), undefined);
  assert.equal(fuzzyMatch("xyz", "notes.md"), undefined);
});

test("a name comes before a folder of the same name", () => {
  assert.deepEqual(best("notes", "notes/a-long-list.md", "drafts/notes.md"), [
    "drafts/notes.md",
    "notes/a-long-list.md",
  ]);
});

test("the start of a word comes before the middle of one", () => {
  assert.deepEqual(best("art", "heart.md", "the art.md"), ["the art.md", "heart.md"]);
});

test("letters side by side come before scattered ones", () => {
  assert.equal(best("chap", "c-hat-a-p.md", "chapter.md")[0], "chapter.md");
});

test("all words of the query have to occur, in any order", () => {
  assert.ok(fuzzyMatch("two draft", "drafts/chapter-two.md"));
  assert.equal(fuzzyMatch("two final", "drafts/chapter-two.md"), undefined);
});

test("what is marked is exactly what was typed", () => {
  const text = "drafts/Chapter-Two.md";
  const match = fuzzyMatch("ct", text);
  assert.equal(match?.ranges.map(([from, to]) => text.slice(from, to)).join(""), "Ct");
  const whole = fuzzyMatch("two", text);
  assert.deepEqual(whole?.ranges, [[15, 18]]);
});

test("an empty query keeps the order", () => {
  assert.deepEqual(best("  ", "b", "a"), ["b", "a"]);
});

test("one path is found among 20,000", (t) => {
  const paths = Array.from({ length: 20_000 }, (_, index) => `src/part-${index % 97}/some-file-${index}.ts`);
  const candidates = paths.map((path) => candidateOf(path, path));
  const start = performance.now();
  assert.equal(rank("sfile199", candidates)[0]?.item, "src/part-5/some-file-199.ts");
  t.diagnostic(`found in ${Math.round(performance.now() - start)} ms`);
});
