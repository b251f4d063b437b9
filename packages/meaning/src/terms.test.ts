import assert from "node:assert/strict";
import { test } from "node:test";
import { countOf, countTerms, queryTerms, termId, termOf, termsOf } from "./terms.ts";

test("a word is found in its other English forms", () => {
  const families = [
    ["cat", "cats", "cat's", "Cat’s", "CATS"],
    ["run", "running", "runs"],
    ["stop", "stopped", "stopping"],
    ["cry", "cries", "cried", "crying"],
    ["hope", "hopes", "hoped", "hoping"],
    ["box", "boxes"],
    ["slow", "slowly"],
    ["glass", "glasses"],
  ];
  for (const family of families) {
    assert.equal(
      new Set(family.map(termOf)).size,
      1,
      `${family.join(", ")} → ${family.map(termOf).join(", ")}`,
    );
  }
});

test("different words stay different", () => {
  const words = ["king", "kin", "bed", "bee", "red", "ring", "his", "hiss", "as", "ass", "sing"];
  const terms = words.map(termOf);
  assert.equal(new Set(terms).size, words.length, terms.join(", "));
});

test("parts of an identifier are found, and the whole", () => {
  assert.deepEqual(termsOf("followDocuments").sort(), ["document", "follow", "followdocument"]);
  assert.ok(termsOf("follow_documents").includes("document"));
  assert.ok(termsOf("HTMLParser").includes("parser"));
});

test("Chinese and Japanese are cut into words, Vietnamese keeps its marks", () => {
  assert.ok(termsOf("昨天下雨了").includes("下雨"));
  assert.ok(termsOf("私は東京へ行く").includes("東京"));
  assert.deepEqual(termsOf("Tiếng Việt"), ["tiếng", "việt"]);
  assert.deepEqual(termsOf("Tiếng Việt".normalize("NFD")), ["tiếng", "việt"]);
});

test("a query is asked by its telling words, and by any where it has no others", () => {
  assert.deepEqual(
    queryTerms("What does the cat say to Queequeg?").map(({ term }) => term),
    ["cat", "sai", "queequeg"],
  );
  assert.equal(queryTerms("what is it").length, 3);
  assert.deepEqual(queryTerms("…"), []);
  const capitals = queryTerms("cat Queequeg").map(({ isCapital }) => isCapital);
  assert.deepEqual(capitals, [false, true]);
});

test("terms are counted", () => {
  const counted = countTerms("The cat saw another cat, and the cats left.");
  assert.equal(countOf(counted, termId("cat")), 3);
  assert.equal(countOf(counted, termId("the")), 2);
  assert.equal(countOf(counted, termId("dog")), 0);
  assert.equal(counted.length, 9);
  const [cat] = queryTerms("cats");
  assert.equal(countOf(countTerms("Cat, cat, Cat"), cat?.capitalId ?? 0), 2);
  assert.equal(countTerms("").length, 0);
});
