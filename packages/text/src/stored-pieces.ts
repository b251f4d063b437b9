// Pending as it is stored: the pieces with the lines that only base has. Base follows from those and current.

import type { Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { changeOf, rawLines, type Splice } from "./lines.ts";
import { isOpen, locatePieces, type Pending, type Piece } from "./pending.ts";

export interface StoredPiece {
  readonly kind: Piece["kind"];
  readonly gap: number;
  /** Lines of current. */
  readonly lines: number;
  /** The lines of base for an open piece; what undoing brings back for a decided one. */
  readonly other: readonly string[];
  readonly id: number;
  readonly origins: readonly Origin[];
  readonly turns: readonly string[];
  readonly order?: number;
}

export function storePieces(pending: Pending): StoredPiece[] {
  const stored: StoredPiece[] = [];
  for (const { piece, a } of locatePieces(pending)) {
    const { kind, gap, id, origins, turns } = piece;
    if (isOpen(piece)) {
      const other = rawLines(pending.base, a, a + piece.removed);
      stored.push({ kind, gap, lines: piece.added, other, id, origins, turns });
    } else {
      stored.push({
        kind,
        gap,
        lines: piece.lines,
        other: piece.other,
        id,
        origins,
        turns,
        order: piece.order,
      });
    }
  }
  return stored;
}

export function restorePieces(current: Text, stored: readonly StoredPiece[], nextId: number): Pending {
  const pieces: Piece[] = [];
  const splices: Splice[] = [];
  let at = 0;
  for (const { kind, gap, lines, other, id, origins, turns, order } of stored) {
    at += gap;
    if (kind === "open") {
      pieces.push({ kind, gap, removed: other.length, added: lines, id, origins, turns });
      splices.push({ at, removed: lines, lines: other });
    } else {
      pieces.push({ kind, gap, lines, other, id, origins, turns, order: order ?? 0 });
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
