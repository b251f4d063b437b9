import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorSelection, EditorState } from "@codemirror/state";
import { cursorWords } from "./cursor-words.ts";

const doc = "One two\nthree four five\n";

test("lines and columns count from 1", () => {
  const state = EditorState.create({ doc, selection: EditorSelection.cursor(10) });
  assert.deepEqual(cursorWords(state), { line: 2, column: 3, selected: "" });
});

test("what is selected is told in characters and words", () => {
  const state = EditorState.create({ doc, selection: EditorSelection.single(8, 18) });
  assert.equal(cursorWords(state).selected, "10 characters, 2 words selected");
});
