import assert from "node:assert/strict";
import { test } from "node:test";
import { Text } from "@codemirror/state";
import { WidgetType } from "@codemirror/view";
import type { ReviewHunk } from "@stet/protocol/api/review";
import { drawHunk, isDrawnByWord } from "./hunk-drawing.ts";
import { hunkRanges } from "./hunk-ranges.ts";

class Removed extends WidgetType {
  readonly text: string;
  readonly isWhole: boolean;

  constructor(text: string, isWhole: boolean) {
    super();
    this.text = text;
    this.isWhole = isWhole;
  }

  override toDOM(): HTMLElement {
    throw new Error("nothing is shown here");
  }
}

const look = { removedWords: (text: string, isWhole: boolean) => new Removed(text, isWhole) };

function drawn(lines: string[], removed: string[], isProse: boolean): string[] {
  const text = Text.of(lines);
  const hunk: ReviewHunk = {
    hunk_id: "h_1_1",
    old_start: 1,
    new_start: 1,
    removed,
    added: lines.slice(0, -1),
    origins: ["agent"],
    turns: [],
    rationales: [],
    reasons: [],
  };
  const [placed] = hunkRanges(text, [hunk], []);
  assert.ok(placed);
  return drawHunk(text, placed, isProse, look, { from: 0, to: text.length }).map(({ from, to, value }) => {
    const { widget } = value.spec as { widget?: Removed };
    if (widget !== undefined) return `${from} -${widget.text}${widget.isWhole ? " (whole)" : ""}`;
    return from === to ? `${from} line` : `${from} +${text.sliceString(from, to)}`;
  });
}

test("prose shows the words that went before the words that came", () => {
  const after = ["Elias went down to the harbour.", ""];
  assert.deepEqual(drawn(after, ["Tobias went down to the harbour."], true), ["0 -Tobias", "0 +Elias"]);
});

test("a carriage return at the end of lines is no change", () => {
  const after = ["Elias went down.\r", "Then he slept.\r", ""];
  assert.deepEqual(drawn(after, ["Tobias went down.", "Then he slept."], true), ["0 -Tobias", "0 +Elias"]);
});

test("a sentence that is another one altogether is shown after the old one, not mixed with it", () => {
  const after = ["Nobody had ever seen such weather here.", ""];
  const [first, second] = drawn(after, ["Tobias laughed."], true);
  assert.equal(first, "0 -Tobias laughed. (whole)");
  assert.equal(second, "0 +Nobody had ever seen such weather here.");
});

test("code shows whole lines, with the words in them that differ", () => {
  const after = ["const a = 2;", "const b = 1;", ""];
  assert.deepEqual(drawn(after, ["const a = 1;", "const b = 1;"], false), ["0 line", "13 line", "10 +2"]);
});

test("a rewrite too large to compare is drawn by lines, also in prose", () => {
  const text = Text.of(["short", ""]);
  const removed = Array.from({ length: 3000 }, (_, index) => `a long line number ${index}`);
  const [placed] = hunkRanges(
    text,
    [
      {
        hunk_id: "h_1_1",
        old_start: 1,
        new_start: 1,
        removed,
        added: ["short"],
        origins: [],
        turns: [],
        rationales: [],
        reasons: [],
      },
    ],
    [],
  );
  assert.ok(placed);
  assert.equal(isDrawnByWord(placed, true), false);
});
