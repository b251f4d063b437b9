// Where the cursor is and how much is selected, in words.

import type { EditorState } from "@codemirror/state";
import { plural, wordsIn } from "./word-count.ts";

/** Longer selections are described by their characters alone. */
const maxSelected = 200_000;

export interface CursorWords {
  readonly line: number;
  readonly column: number;
  /** "" where nothing is selected. */
  readonly selected: string;
}

export function cursorWords({ doc, selection }: EditorState): CursorWords {
  const { head } = selection.main;
  const line = doc.lineAt(Math.min(head, doc.length));
  const ranges = selection.ranges.filter((range) => !range.empty);
  const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const place = { line: line.number, column: head - line.from + 1 };
  if (length === 0) return { ...place, selected: "" };
  const characters = plural(length, "character");
  if (length > maxSelected) return { ...place, selected: `${characters} selected` };
  const words = ranges.reduce((sum, { from, to }) => sum + wordsIn(doc.sliceString(from, to)), 0);
  return { ...place, selected: `${characters}, ${plural(words, "word")} selected` };
}
