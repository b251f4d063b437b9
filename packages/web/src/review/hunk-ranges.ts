// Where the open hunks of a document stand in the text that is shown.
//
// The server names lines of one revision. From then on the places move with every change of the text, whoever makes it, until
// the next reply puts them right: so nothing jumps while somebody types.

import { type ChangeDesc, type EditorState, StateEffect, StateField, type Text } from "@codemirror/state";
import type { decidedHunk, OpenTurn, ReviewHunk } from "@stet/protocol/api/review";
import type * as z from "zod";

export type DecidedHunk = z.infer<typeof decidedHunk>;

export interface HunkRange {
  readonly hunk: ReviewHunk;
  /** The start of its first line; with no lines of its own, where they would be. */
  readonly from: number;
  /** The end of its last line. */
  readonly to: number;
  /** Whether it only takes lines away. */
  readonly isEmpty: boolean;
  /** Whether it stands behind the last line. */
  readonly isAtEnd: boolean;
  /** Set where the hunk is decided together with all others of its turn. */
  readonly wholeTurn: string | undefined;
}

/** A hunk that was decided a moment ago. */
export interface MarkRange {
  readonly id: string;
  readonly verdict: "accepted" | "rejected";
  readonly from: number;
}

export interface ReviewRanges {
  /** In the order of the text. */
  readonly hunks: readonly HunkRange[];
  readonly marks: readonly MarkRange[];
}

export const noRanges: ReviewRanges = { hunks: [], marks: [] };

export const setRanges = StateEffect.define<ReviewRanges>();

export const rangesField = StateField.define<ReviewRanges>({
  create: () => noRanges,
  update(placed, transaction) {
    let next = transaction.docChanged ? mapPlaced(placed, transaction.changes) : placed;
    for (const effect of transaction.effects) if (effect.is(setRanges)) next = effect.value;
    return next;
  },
});

export function rangesIn(state: EditorState): ReviewRanges {
  return state.field(rangesField, false) ?? noRanges;
}

export function hunkRanges(
  text: Text,
  hunks: readonly ReviewHunk[],
  turns: readonly OpenTurn[],
): HunkRange[] {
  const whole = new Set(turns.filter((turn) => turn.is_whole).map(({ turn }) => turn));
  return hunks.map((hunk) => {
    const wholeTurn = hunk.turns.findLast((turn) => whole.has(turn));
    const isEmpty = hunk.added.length === 0;
    if (hunk.new_start > text.lines) {
      return { hunk, from: text.length, to: text.length, isEmpty: true, isAtEnd: true, wholeTurn };
    }
    const { from } = text.line(hunk.new_start);
    const last = Math.min(text.lines, hunk.new_start + hunk.added.length - 1);
    const to = isEmpty ? from : text.line(last).to;
    return { hunk, from, to, isEmpty, isAtEnd: false, wholeTurn };
  });
}

export function markRanges(text: Text, decided: readonly DecidedHunk[]): MarkRange[] {
  return decided.map(({ hunk_id: id, verdict, new_start }) => {
    return { id, verdict, from: text.line(Math.max(1, Math.min(new_start, text.lines))).from };
  });
}

/** What is typed at the edge of a hunk's lines is on these lines, so it belongs to the hunk. */
function mapPlaced({ hunks, marks }: ReviewRanges, changes: ChangeDesc): ReviewRanges {
  return {
    hunks: hunks.map((placed) => {
      const from = changes.mapPos(placed.from, -1);
      const to = placed.isEmpty ? from : Math.max(from, changes.mapPos(placed.to, 1));
      return from === placed.from && to === placed.to ? placed : { ...placed, from, to };
    }),
    marks: marks.map((mark) => {
      const from = changes.mapPos(mark.from, -1);
      return from === mark.from ? mark : { ...mark, from };
    }),
  };
}

/** The hunks that share a line with a range, found without looking at all of them. */
export function hunksBetween({ hunks }: ReviewRanges, from: number, to: number): readonly HunkRange[] {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hunks[middle]?.to ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < hunks.length && (hunks[end]?.from ?? 0) <= to) end += 1;
  return hunks.slice(low, end);
}

/** The index of the hunk that the cursor is in, or of a removal just above its line; -1 where there is none. */
export function hunkIndexAt(text: Text, { hunks }: ReviewRanges, position: number): number {
  const line = text.lineAt(position);
  const within = hunks.findIndex(({ from, to, isEmpty }) => {
    return !isEmpty && from <= position && position <= to;
  });
  return within >= 0 ? within : hunks.findIndex(({ from, to }) => from <= line.to && to >= line.from);
}

/** The next hunk before or after where the cursor is, without the one that it is in; -1 where there is none. */
export function nextHunkIndex(text: Text, placed: ReviewRanges, position: number, step: 1 | -1): number {
  const at = hunkIndexAt(text, placed, position);
  if (at >= 0) {
    const next = at + step;
    return next < placed.hunks.length ? next : -1;
  }
  const { hunks } = placed;
  return step === 1
    ? hunks.findIndex(({ from }) => from > position)
    : hunks.findLastIndex(({ from }) => from < position);
}

/** The line, from 1, at which a hunk is shown. */
export function lineOf(text: Text, { from }: { readonly from: number }): number {
  return text.lineAt(Math.min(from, text.length)).number;
}
