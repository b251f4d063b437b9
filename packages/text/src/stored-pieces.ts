// Pending as it is stored: the pieces with the lines that only base has. Base follows from those and current.

import type { Text } from "@codemirror/state";
import { changeOf, rawLines, type Splice } from "./lines.ts";
import { type Authored, isOpen, locatePieces, type Pending, type Piece } from "./pending.ts";

export interface StoredPiece extends Authored {
  readonly kind: Piece["kind"];
  readonly gap: number;
  /** Lines of current. */
  readonly lines: number;
  /** The lines of base for an open piece; what undoing brings back for a decided one. */
  readonly other: readonly string[];
  readonly order?: number | undefined;
}

export function storePieces(pending: Pending): StoredPiece[] {
  const stored: StoredPiece[] = [];
  for (const { piece, a } of locatePieces(pending)) {
    const { kind, gap, id, origins, turns, layers, parts } = piece;
    const authored = { kind, gap, id, origins, turns, layers, parts };
    if (isOpen(piece)) {
      const other = rawLines(pending.base, a, a + piece.removed);
      stored.push({ ...authored, lines: piece.added, other });
    } else {
      stored.push({ ...authored, lines: piece.lines, other: piece.other, order: piece.order });
    }
  }
  return stored;
}

export function restorePieces(current: Text, stored: readonly StoredPiece[], nextId: number): Pending {
  const pieces: Piece[] = [];
  const splices: Splice[] = [];
  let at = 0;
  for (const { kind, gap, lines, other, order, id, origins, turns, layers, parts } of stored) {
    const authored = { gap, id, origins, turns, layers, parts };
    at += gap;
    if (kind === "open") {
      pieces.push({ ...authored, kind, removed: other.length, added: lines });
      splices.push({ at, removed: lines, lines: other });
    } else {
      pieces.push({ ...authored, kind, lines, other, order: order ?? 0 });
    }
    at += lines;
  }
  const base = splices.length === 0 ? current : changeOf(current, splices).apply(current);
  const highest = pieces.reduce(
    (most, piece) => Math.max(most, piece.id, isOpen(piece) ? 0 : piece.order),
    0,
  );
  return { base, current, pieces, nextId: Math.max(nextId, highest + 1) };
}
