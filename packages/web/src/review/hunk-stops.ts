// Where going through changes stops: at the first changed word of each hunk, and again in one that is too long to be seen at
// once. Otherwise a paragraph that fills the window would be decided on without the word that is different in it.

import type { Text } from "@codemirror/state";
import type { ReviewHunk } from "@stet/protocol/api/review";
import { diffWords, type WordChange } from "@stet/text/words";
import { comparedWords, isLong } from "./hunk-drawing.ts";
import { type HunkRange, hunkIndexAt, nextHunkIndex, type ReviewRanges } from "./hunk-ranges.ts";

/** Changed words that are nearer than this are seen together. */
const stride = 400;

export interface Spot {
  /** From 1. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
}

/** Offsets in the text after the change. */
export function stopsOf(words: readonly WordChange[]): number[] {
  const stops: number[] = [];
  let at = 0;
  for (const { kind, text } of words) {
    const last = stops.at(-1);
    if (kind !== "same" && (last === undefined || at - last >= stride)) stops.push(at);
    if (kind !== "removed") at += text.length;
  }
  return stops.length === 0 ? [0] : stops;
}

function stopsIn(text: Text, placed: HunkRange): number[] {
  const words = comparedWords(text, placed);
  return words === undefined ? [placed.from] : stopsOf(words).map((offset) => placed.from + offset);
}

/** The next place to stop at after or before the cursor; undefined where there is none. */
export function nextStop(text: Text, placed: ReviewRanges, head: number, step: 1 | -1): number | undefined {
  const here = placed.hunks[hunkIndexAt(text, placed, head)];
  if (here !== undefined) {
    const stops = stopsIn(text, here);
    const stop = step === 1 ? stops.find((each) => each > head) : stops.findLast((each) => each < head);
    if (stop !== undefined) return stop;
  }
  const next = placed.hunks[nextHunkIndex(text, placed, head, step)];
  return next === undefined ? undefined : stopsIn(text, next).at(step === 1 ? 0 : -1);
}

/** Where a hunk of a document that is not loaded is first, or last, different. `start` is its line now. */
export function spotOf({ removed, added }: ReviewHunk, start: number, step: 1 | -1 = 1): Spot {
  if (removed.length === 0 || added.length === 0 || isLong(removed) || isLong(added))
    return { line: start, column: 0 };
  const after = added.join("\n");
  const before = after.slice(0, stopsOf(diffWords(removed.join("\n"), after)).at(step === 1 ? 0 : -1));
  const lines = before.split("\n");
  return { line: start + lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}
