import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { testData } from "@stet/testkit/data";
import fc from "fast-check";
import { searchSentences } from "./sentence-search.ts";

function textOf(content: string): Text {
  return Text.of(content.split("\n"));
}

function found(content: string, query: string): string[] {
  return searchSentences(textOf(content), query, { limit: 100 }).results.map(({ match }) => match);
}

test("whole sentences are found, with their lines, in any case", () => {
  const text = textOf("He saw a sail. The White\nWhale rose; the\nwhale sank. Then\nnothing.\n\nA whale!");
  assert.deepEqual(searchSentences(text, "whale"), {
    results: [
      {
        match: "The White Whale rose; the whale sank.",
        keyword: "Whale",
        from: 15,
        to: 52,
        lines: [
          { line: 1, content: "He saw a sail. The White" },
          { line: 2, content: "Whale rose; the" },
          { line: 3, content: "whale sank. Then" },
        ],
        isFolded: false,
      },
      {
        match: "A whale!",
        keyword: "whale",
        from: 68,
        to: 76,
        lines: [{ line: 6, content: "A whale!" }],
        isFolded: false,
      },
    ],
    totalMatches: 2,
  });
});

test("a query is found across the end of a line, and not across a blank line", () => {
  assert.deepEqual(found("the white\n  whale swam", "white whale"), ["the white whale swam"]);
  assert.deepEqual(found("> the white\r\n> whale swam", "white  whale"), ["> the white whale swam"]);
  assert.deepEqual(found("大白\n鲸来了。", "白鲸"), ["大白 鲸来了。"]);
  assert.deepEqual(found("the white\n\nwhale swam", "white whale"), []);
});

test("accents count as typed, and only where nothing is found do they not", () => {
  const content = "Tôi sua xe. Tôi Sửa nhà. Đường đi.";
  assert.deepEqual(found(content, "sửa"), ["Tôi Sửa nhà."]);
  assert.deepEqual(found(content, "sua"), ["Tôi sua xe."]);
  assert.deepEqual(found("Tôi Sửa nhà.", "sua"), ["Tôi Sửa nhà."]);
  assert.deepEqual(found(content, "duong"), ["Đường đi."]);
  const [result] = searchSentences(textOf("Wir fahren. Die Große Straße."), "strasse").results;
  assert.equal(result?.keyword, "Straße");
  assert.equal(result?.isFolded, true);
  assert.deepEqual(found("Ａｂｃ here.", "abc"), ["Ａｂｃ here."]);
  assert.deepEqual(found("Ahab’s leg.", "ahab's"), ["Ahab’s leg."]);
  assert.deepEqual(found("ΟΔΟΣ εδώ.", "οδός"), ["ΟΔΟΣ εδώ."]);
});

test("composed and decomposed letters are the same, and a letter with an accent is another one", () => {
  const composed = "Tôi sửa nhà.".normalize("NFC");
  const decomposed = composed.normalize("NFD");
  for (const content of [composed, decomposed]) {
    for (const query of ["sửa".normalize("NFC"), "sửa".normalize("NFD")]) {
      const [result] = searchSentences(textOf(content), query).results;
      assert.equal(result?.keyword.normalize("NFC"), "sửa");
      assert.equal(result?.isFolded, false);
    }
  }
  const [result] = searchSentences(textOf("x\u0301 and q\u0323. Then x."), "x").results;
  assert.equal(result?.match, "Then x.");
});

test("of several words that do not stand together, sentences that hold all are found", () => {
  const content = "The whale is white. The whale spouts. White sails.";
  assert.deepEqual(found(content, "white, whale"), ["The whale is white."]);
  assert.deepEqual(found(content, "white shark"), []);
  assert.deepEqual(found("Tôi sửa cái nhà.", "nha sua"), ["Tôi sửa cái nhà."]);
});

test("a match that joins sentences is one result", () => {
  const { results, totalMatches } = searchSentences(textOf("A cat. The dog. A bird. The end"), "cat. the");
  assert.deepEqual([totalMatches, results[0]?.match], [1, "A cat. The dog."]);
});

test("an empty query and characters of patterns do no harm", () => {
  assert.deepEqual(searchSentences(textOf("text"), " \n"), { results: [], totalMatches: 0 });
  assert.deepEqual(searchSentences(textOf(""), "x"), { results: [], totalMatches: 0 });
  assert.deepEqual(searchSentences(textOf("text"), "\u0301"), { results: [], totalMatches: 0 });
  assert.deepEqual(found("Is (a+b)* good [x] {2} - ok?", "(a+b)* good [x] {2} - ok?"), [
    "Is (a+b)* good [x] {2} - ok?",
  ]);
});

test("the limit cuts the results and not their number", () => {
  const text = textOf("One whale. ".repeat(30));
  const { results, totalMatches } = searchSentences(text, "whale");
  assert.deepEqual([results.length, totalMatches], [5, 30]);
});

test("in a line of megabytes the keyword is shown with what is around it", () => {
  const filler = "some words that never end, ".repeat(100_000);
  const { results } = searchSentences(textOf(`first\n${filler}needle ${filler}`), "needle");
  const [result] = results;
  assert.ok(result !== undefined);
  assert.ok(result.match.length <= 502 && result.match.includes("needle") && result.match.startsWith("…"));
  assert.equal(result.lines.length, 1);
  assert.ok(
    result.lines.every(
      ({ line, content }) => line === 2 && content.length <= 500 && content.includes("needle"),
    ),
  );
});

test("matches at every place are found, also where the document is read in windows", () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 4 }),
    fc.constantFrom("x ", "ấ", "word.\n", "e\u0301 "),
    (gaps, filler) => {
      const content = gaps
        .map((gap) => filler.repeat(Math.ceil(gap / filler.length)))
        .join("\n\nThe nẹedle\nhere.\n\n");
      const { totalMatches } = searchSentences(textOf(content), "nẹedle here");
      assert.equal(totalMatches, gaps.length - 1);
      assert.equal(searchSentences(textOf(content), "needle here").totalMatches, gaps.length - 1);
    },
  );
  fc.assert(property, { numRuns: 40 });
});

test("every sentence of a book that holds a word is counted", (t) => {
  const path = testData(t, "books/moby-dick.txt");
  if (path === undefined) return;
  const text = textOf(readFileSync(path, "utf8"));
  const { results, totalMatches } = searchSentences(text, "white whale", { limit: 1_000, maxChars: 100_000 });
  assert.equal(results.length, totalMatches);
  const occurrences = readFileSync(path, "utf8").match(/white\s+whale/gi)?.length ?? 0;
  const listed = results.reduce((sum, { match }) => sum + (match.match(/white\s+whale/gi)?.length ?? 0), 0);
  assert.equal(listed, occurrences);
  for (const { match, keyword, lines, from } of results) {
    assert.ok(match.includes(keyword));
    assert.equal(lines[0]?.line, text.lineAt(from).number);
  }
});

test("in text without full stops the line that holds the keyword is the one that is shown", () => {
  const list = Array.from({ length: 300 }, (_, index) => `item number ${index + 1}`).join("\n");
  const { results, totalMatches } = searchSentences(textOf(list), "item number 250");
  assert.equal(totalMatches, 1);
  assert.deepEqual(results[0]?.lines, [{ line: 250, content: "item number 250" }]);
  assert.equal(results[0]?.match, "item number 250");
  assert.equal(searchSentences(textOf(list), "item").totalMatches, 300);
});

test("several words in a list must be near each other", () => {
  const rows = Array.from(
    { length: 200 },
    (_, index) => `person${index},mail${index}@example.org,Hanoi`,
  ).join("\n");
  const { results } = searchSentences(textOf(rows), "mail150 person150");
  assert.deepEqual(results[0]?.lines, [{ line: 151, content: "person150,mail150@example.org,Hanoi" }]);
  assert.deepEqual(searchSentences(textOf(rows), "person3 mail190").results, []);
});
