import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { countWords, plural, wordsIn } from "./word-count.ts";

test("words are counted as people count them", () => {
  assert.equal(wordsIn("Don't stop – a well-known rule, in 3 parts."), 8);
  assert.equal(wordsIn("Où est l’été ?"), 3);
  assert.equal(wordsIn(" -- … "), 0);
});

test("the words of a document are those of its lines", () => {
  assert.equal(countWords(Text.of(["One two", "", "three"])), 3);
});

test("one word is not said as words", () => {
  assert.equal(plural(1, "word"), "1 word");
  assert.equal(plural(12_000, "word"), "12,000 words");
});
