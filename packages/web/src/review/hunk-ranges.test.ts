import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorState, Text } from "@codemirror/state";
import type { ReviewHunk } from "@stet/protocol/api/review";
import {
  hunkIndexAt,
  hunkRanges,
  hunksBetween,
  markRanges,
  nextHunkIndex,
  rangesField,
  rangesIn,
  setRanges,
} from "./hunk-ranges.ts";

const hunk = (new_start: number, added: string[], removed: string[] = []): ReviewHunk => ({
  hunk_id: `h_1_${new_start}`,
  old_start: new_start,
  new_start,
  removed,
  added,
  origins: ["agent"],
  turns: ["t1"],
  rationales: [],
  reasons: [],
});

const text = Text.of(["one", "TWO", "three", "four", "FIVE", "SIX", ""]);
const hunks = [hunk(2, ["TWO"], ["two"]), hunk(4, [], ["3b"]), hunk(5, ["FIVE", "SIX"])];

function drawn() {
  const placed = { hunks: hunkRanges(text, hunks, []), marks: [] };
  const state = EditorState.create({ doc: text, extensions: rangesField });
  return state.update({ effects: setRanges.of(placed) }).state;
}

const rangesOf = (state: EditorState) => rangesIn(state).hunks.map(({ from, to }) => [from, to]);

test("hunks cover their lines, and a removal stands where its lines were", () => {
  assert.deepEqual(rangesOf(drawn()), [
    [4, 7],
    [14, 14],
    [19, 27],
  ]);
  const [last] = hunkRanges(text, [hunk(8, [], ["gone"])], []);
  assert.deepEqual([last?.from, last?.isAtEnd], [text.length, true]);
});

test("typing before, in and at the edge of a hunk moves and widens it, and nothing else", () => {
  const before = drawn().update({ changes: { from: 0, insert: "zero\n" } }).state;
  assert.deepEqual(rangesOf(before), [
    [9, 12],
    [19, 19],
    [24, 32],
  ]);
  const inside = drawn().update({ changes: { from: 5, insert: "oo" } }).state;
  assert.deepEqual(rangesOf(inside)[0], [4, 9]);
  const edge = drawn().update({ changes: { from: 7, insert: "!" } }).state;
  assert.deepEqual(rangesOf(edge)[0], [4, 8]);
  const gone = drawn().update({ changes: { from: 0, to: text.length } }).state;
  assert.deepEqual(rangesOf(gone), [
    [0, 0],
    [0, 0],
    [0, 0],
  ]);
});

test("next and previous change go by the cursor and stop at the ends", () => {
  const { doc } = drawn();
  const placed = rangesIn(drawn());
  assert.equal(nextHunkIndex(doc, placed, 0, 1), 0);
  assert.equal(nextHunkIndex(doc, placed, 5, 1), 1);
  assert.equal(nextHunkIndex(doc, placed, 16, 1), 2);
  assert.equal(nextHunkIndex(doc, placed, 20, 1), -1);
  assert.equal(nextHunkIndex(doc, placed, 20, -1), 1);
  assert.equal(nextHunkIndex(doc, placed, 0, -1), -1);
  assert.equal(nextHunkIndex(doc, placed, 10, -1), 0);
  assert.equal(hunkIndexAt(doc, placed, 10), -1);
});

test("only the hunks in sight are looked at", () => {
  const placed = rangesIn(drawn());
  const starts = (from: number, to: number) => hunksBetween(placed, from, to).map((each) => each.from);
  assert.deepEqual(starts(0, 3), []);
  assert.deepEqual(starts(7, 14), [4, 14]);
  assert.deepEqual(starts(25, 30), [19]);
});

test("a hunk of a turn that is decided as a whole says so, and a mark behind the end stays in the text", () => {
  const turn = {
    turn: "t1",
    job_id: null,
    session_id: null,
    summary: "",
    is_whole: true,
    is_on_disk: false,
    hunks: 3,
  };
  assert.equal(hunkRanges(text, hunks, [turn])[0]?.wholeTurn, "t1");
  const [mark] = markRanges(text, [{ hunk_id: "h_1_9", verdict: "accepted", new_start: 9, lines: 0 }]);
  assert.equal(mark?.from, text.length);
});
