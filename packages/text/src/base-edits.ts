// Edits of base, carried over to current: how a change of the file on disk reaches the text that the person sees.

import type { Splice } from "./lines.ts";
import { isOpen, linesInBase, linesInCurrent, type Pending } from "./pending.ts";

export type MappedToCurrent =
  | { readonly kind: "mapped"; readonly splices: readonly Splice[] }
  /** Open hunks whose base lines the edits touch. */
  | { readonly kind: "touches"; readonly hunks: readonly number[] };

/** The splices of base as splices of current, where they touch no open piece. */
export function mapToCurrent(pending: Pending, splices: readonly Splice[]): MappedToCurrent {
  const mapped: Splice[] = [];
  const touched = new Set<number>();
  let next = 0;
  let a = 0;
  let b = 0;
  for (const piece of pending.pieces) {
    a += piece.gap;
    b += piece.gap;
    const end = a + linesInBase(piece);
    if (isOpen(piece)) {
      let splice = splices[next];
      for (; splice !== undefined && isBefore(splice, a); splice = splices[++next]) {
        mapped.push({ ...splice, at: splice.at + b - a });
        // Of a pure deletion, both edges are one position in current: which one is the target is ambiguous.
        if (piece.added === 0 && splice.removed === 0 && splice.at === a) touched.add(piece.id);
      }
      while (splice !== undefined && touches(splice, a, end)) {
        touched.add(piece.id);
        if (splice.at + splice.removed > end) break;
        splice = splices[++next];
      }
    }
    a = end;
    b += linesInCurrent(piece);
  }
  for (const splice of splices.slice(next)) mapped.push({ ...splice, at: splice.at + b - a });
  return touched.size > 0 ? { kind: "touches", hunks: [...touched] } : { kind: "mapped", splices: mapped };
}

function isBefore(splice: Splice, start: number): boolean {
  return splice.removed === 0 ? splice.at <= start : splice.at + splice.removed <= start;
}

function touches(splice: Splice, start: number, end: number): boolean {
  const spliceEnd = splice.at + splice.removed;
  if (splice.removed === 0) return splice.at > start && splice.at < end;
  return start === end ? splice.at < start && spliceEnd > start : splice.at < end && spliceEnd > start;
}
