import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { countWords, plural, wordsIn } from "./word-count.ts";

test("words are counted as people count them", () => {
  assert.equal(wordsIn("Don't stop – a well-known rule, in 3 parts."), 8);
  assert.equal(wordsIn("Où est l’été ?"), 3);
  assert.equal(wordsIn(" -- … "), 0);
});

test("the words of a document are those of its lines, however often the counting is interrupted", () => {
  const lines = Array.from({ length: 1001 }, (_, index) => (index % 2 === 0 ? "One two" : ""));
  const steps: ((timeLeft: () => number) => void)[] = [];
  let count = 0;
  countWords(
    Text.of(lines),
    (counted) => {
      count = counted;
    },
    (step) => void steps.push(step),
  );
  for (let taken = 0; taken < steps.length; taken += 1) steps[taken]?.(() => 0);
  assert.equal(count, 1002);
  assert.ok(steps.length > 3);
});

test("a count that nobody wants any more ends", () => {
  const steps: ((timeLeft: () => number) => void)[] = [];
  const stop = countWords(
    Text.of(["One"]),
    () => assert.fail("it was told"),
    (step) => void steps.push(step),
  );
  stop();
  for (const step of steps) step(() => 0);
});

test("one word is not said as words", () => {
  assert.equal(plural(1, "word"), "1 word");
  assert.equal(plural(12_000, "word"), "12,000 words");
});
