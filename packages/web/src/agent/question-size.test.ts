import assert from "node:assert/strict";
import { test } from "node:test";
import { announcedQuestion, isLongQuestion } from "./question-size.ts";

const asking = (text: string) => ({ kind: "clarification" as const, text, options: [] });

test("what is long scrolls, and is not read out to its end", () => {
  assert.equal(isLongQuestion(asking("Which one?")), false);
  assert.equal(isLongQuestion(asking("one\n".repeat(11))), true);
  assert.equal(announcedQuestion(asking("Which\n\n  one?")), "Which one?");
  assert.ok(announcedQuestion(asking("x".repeat(5000))).length < 400);
});
