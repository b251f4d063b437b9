import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorSelection, EditorState, type TransactionSpec } from "@codemirror/state";
import { wholeCharacters } from "./whole-characters.ts";

function edited(doc: string, spec: TransactionSpec) {
  const transaction = EditorState.create({ doc, extensions: wholeCharacters }).update(spec);
  const { state, changes, startState } = transaction;
  const removed: string[] = [];
  changes.iterChanges((from, to) => removed.push(startState.sliceDoc(from, to)));
  return { text: state.sliceDoc(), head: state.selection.main.head, removed, transaction };
}

test("an emoji in the place of another one is told as a whole, not as the half that differs", () => {
  const { text, head, removed, transaction } = edited("a😀b", {
    changes: { from: 2, to: 3, insert: "\ude01" },
    selection: EditorSelection.cursor(3),
    userEvent: "input.type.compose",
  });
  assert.deepEqual([text, head, removed], ["a😁b", 3, ["😀"]]);
  assert.ok(transaction.isUserEvent("input.type.compose"));
  // The other half differs: these two have different first ones.
  assert.deepEqual(edited("a🐀b", { changes: { from: 1, to: 2, insert: "\ud83c" } }).removed, ["🐀"]);
});

test("whoever deletes half of a character deletes it; half of one that is typed is left out", () => {
  assert.equal(edited("a😀b", { changes: { from: 2, to: 3 } }).text, "ab");
  assert.equal(edited("a😀b", { changes: { from: 1, to: 2 } }).text, "ab");
  assert.equal(edited("a😀b", { changes: { from: 0, to: 2, insert: "x" } }).text, "xb");
  assert.equal(edited("ab", { changes: { from: 1, insert: "x\ud83dy" } }).text, "axyb");
});

test("two emoji whose inner halves are taken away leave nothing that was not there", () => {
  assert.equal(edited("😀 and 😁", { changes: { from: 1, to: 8 } }).text, "😁");
});

test("everything else is told as it was typed", () => {
  const { text, removed } = edited("a😀b\nc", { changes: { from: 3, to: 4, insert: "👍🏽\n" } });
  assert.deepEqual([text, removed], ["a😀👍🏽\n\nc", ["b"]]);
});
