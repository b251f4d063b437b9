import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import type { ReviewHunk } from "@stet/protocol/api/review";
import { hunkRanges } from "./hunk-ranges.ts";
import { nextStop, spotOf } from "./hunk-stops.ts";

const filler = "and the sea went on ".repeat(40);

function hunk(id: string, start: number, removed: string[], added: string[]): ReviewHunk {
  return {
    hunk_id: id,
    old_start: start,
    new_start: start,
    removed,
    added,
    origins: ["agent"],
    turns: [],
    rationales: [],
    reasons: [],
  };
}

test("going through changes stops at changed words, once for those that are seen together", () => {
  const before = `Start ${filler}Zebra is it, Zebra ${filler}Zebra`;
  const after = before.replaceAll("Zebra", "Okapi");
  const text = Text.of(["# Title", after, "", "Elias came.", ""]);
  const hunks = [hunk("h_1_1", 2, [before], [after]), hunk("h_1_2", 4, ["Tobias came."], ["Elias came."])];
  const placed = { hunks: hunkRanges(text, hunks, []), marks: [] };
  const start = text.line(2).from;
  const stops = [start + after.indexOf("Okapi"), start + after.lastIndexOf("Okapi"), text.line(4).from];
  const seen: number[] = [];
  for (let at = nextStop(text, placed, 0, 1); at !== undefined; at = nextStop(text, placed, at, 1))
    seen.push(at);
  assert.deepEqual(seen, stops);
  const back: number[] = [];
  const end = text.length;
  for (let at = nextStop(text, placed, end, -1); at !== undefined; at = nextStop(text, placed, at, -1))
    back.push(at);
  assert.deepEqual(back, stops.toReversed());
});

test("a change in a document that is not open yet is found by its word, too", () => {
  const lines = ["One.", `${filler}Zebra`];
  const changed = hunk("h_1_1", 5, lines, ["One.", `${filler}Okapi`]);
  assert.deepEqual(spotOf(changed, 7), { line: 8, column: filler.length });
  assert.deepEqual(spotOf(hunk("h_1_2", 5, [], ["New."]), 5), { line: 5, column: 0 });
});
