import assert from "node:assert/strict";
import { test } from "node:test";
import { changedLines } from "./hunk-lines.ts";

function marksOf(removed: string, added: string): string[] {
  const lines = changedLines({ removed: [removed], added: [added], old_start: 1, new_start: 1 });
  return lines.map(({ words, text }) =>
    words === undefined
      ? text
      : words.map(({ kind, text: word }) => (kind === "same" ? word : `[${word}]`)).join(""),
  );
}

test("a word that was changed is marked, and a line that is new in most of its words is not", () => {
  assert.deepEqual(marksOf("Tobias never asks twice.", "Elias never asks twice."), [
    "[Tobias] never asks twice.",
    "[Elias] never asks twice.",
  ]);
  const [before, after] = [
    "const unit = text.at(-1) as keyof typeof units;",
    "if (unit === undefined) throw new Error(text);",
  ];
  assert.deepEqual(marksOf(before, after), [before, after]);
  assert.deepEqual(marksOf("one", "two"), ["one", "two"]);
  assert.deepEqual(marksOf("a", "a and much more than there was"), ["a", "a[ and much more than there was]"]);
});
