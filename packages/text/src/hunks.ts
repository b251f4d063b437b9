// Hunks: what a person sees of the open pieces. Derived, never stored; the id is the piece's.

import type { Origin } from "@stet/protocol/ids";
import { isOversized } from "./hunk-size.ts";
import { rawLines, withoutReturn } from "./lines.ts";
import {
  isOpen,
  type Located,
  linesInBase,
  linesInCurrent,
  type OpenPiece,
  type Pending,
} from "./pending.ts";

export interface Hunk {
  /** Unique within the document, stable as long as the hunk's lines live. */
  readonly id: number;
  /** First line in base and in current, 1-based; with no lines of its own, the line before which it stands. */
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Who made it; the person too, where they changed lines of it. */
  readonly origins: readonly Origin[];
  readonly turns: readonly string[];
  /** Too large to judge at a glance, and nowhere to split it. */
  readonly oversized: boolean;
}

/** All open hunks, or those with the given ids. */
export function hunksOf(pending: Pending, ids?: ReadonlySet<number>): Hunk[] {
  const hunks: Hunk[] = [];
  let a = 0;
  let b = 0;
  for (const piece of pending.pieces) {
    a += piece.gap;
    b += piece.gap;
    if (isOpen(piece) && (ids === undefined || ids.has(piece.id)))
      hunks.push(hunkOf(pending, { piece, a, b }));
    a += linesInBase(piece);
    b += linesInCurrent(piece);
  }
  return hunks;
}

function hunkOf(pending: Pending, { piece, a, b }: Located<OpenPiece>): Hunk {
  const removed = rawLines(pending.base, a, a + piece.removed).map(withoutReturn);
  const added = rawLines(pending.current, b, b + piece.added).map(withoutReturn);
  const { id, origins, turns } = piece;
  const oversized = isOversized(removed, added);
  return { id, oldStart: a + 1, newStart: b + 1, removed, added, origins, turns, oversized };
}
