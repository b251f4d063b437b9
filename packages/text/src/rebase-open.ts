// Lines of base that became others underneath what is open, as when the file of a document was changed by another program
// and the person has settled what that means for current.
//
// Current does not change. A splice of base that meets open pieces joins them: together they are one piece, from the new
// lines of base to the lines that are there. A piece that is left without a difference is gone. A splice that meets no open
// piece is left out: there both texts are what the person decided. Decided pieces that a joined one covers are dropped.

import { commonEnds } from "./common-ends.ts";
import { rawLines, type Splice } from "./lines.ts";
import { isOpen, type Located, linesInBase, locatePieces, type OpenPiece, type Pending } from "./pending.ts";
import { type StoredPiece, storePieces } from "./stored-pieces.ts";

/** Splices and pieces that meet, as raw lines of base. */
interface Joined {
  from: number;
  to: number;
  readonly splices: Splice[];
  readonly pieces: Located<OpenPiece>[];
}

/** A stored piece with the raw lines of current that it stands for. */
interface RebasedPiece {
  readonly from: number;
  readonly to: number;
  readonly piece: StoredPiece;
}

/** The splices are in order and do not overlap. */
export function rebaseOpen(pending: Pending, splices: readonly Splice[]): StoredPiece[] {
  const joined = joinMeeting(pending, splices).filter((one) => one.splices.length > 0);
  const covered = joined.map((one) => placeJoined(pending, one));
  const ids = new Set(joined.flatMap(({ pieces }) => pieces.map(({ piece }) => piece.id)));
  const located: RebasedPiece[] = [];
  let at = 0;
  for (const piece of storePieces(pending)) {
    at += piece.gap;
    const [from, to] = [at, at + piece.lines];
    at = to;
    if (ids.has(piece.id) || covered.some((other) => from < other.to && other.from < to)) continue;
    located.push({ from, to, piece });
  }
  for (const one of covered) if (one.piece !== undefined) located.push({ ...one, piece: one.piece });
  located.sort((one, other) => one.from - other.from || one.to - other.to);
  let end = 0;
  return located.map(({ from, to, piece }) => {
    const gap = from - end;
    end = to;
    return { ...piece, gap };
  });
}

/** Each open piece with the splices and other pieces that it is connected to. */
function joinMeeting(pending: Pending, splices: readonly Splice[]): Joined[] {
  const all: Joined[] = [];
  let next = 0;
  for (const located of locatePieces(pending)) {
    if (!isOpen(located.piece)) continue;
    const piece = { ...located, piece: located.piece };
    const from = piece.a;
    const to = from + linesInBase(piece.piece);
    const last = all.at(-1);
    // A splice that reaches from the piece before into this one makes both one.
    const isConnected = last !== undefined && last.splices.length > 0 && from < last.to;
    const one: Joined = isConnected ? last : { from, to, splices: [], pieces: [] };
    if (!isConnected) all.push(one);
    one.to = Math.max(one.to, to);
    one.pieces.push(piece);
    for (let splice = splices[next]; splice !== undefined; splice = splices[++next]) {
      const end = splice.at + splice.removed;
      if (splice.at > to || (splice.removed > 0 && splice.at === to)) break;
      if (!meets(splice, from, to)) continue;
      one.from = Math.min(one.from, splice.at);
      one.to = Math.max(one.to, end);
      one.splices.push(splice);
    }
  }
  return all;
}

function meets({ at, removed }: Splice, from: number, to: number): boolean {
  if (removed === 0) return at >= from && at <= to;
  return from === to ? at < from && from < at + removed : at < to && from < at + removed;
}

/** As one piece, without the lines at its ends that are the same; undefined where all of them are. */
function placeJoined(
  { base, current }: Pending,
  { from, to, splices, pieces }: Joined,
): { from: number; to: number; piece: StoredPiece | undefined } {
  const parts: (readonly string[])[] = [];
  let at = from;
  for (const splice of splices) {
    parts.push(rawLines(base, at, splice.at), splice.lines);
    at = splice.at + splice.removed;
  }
  const old = [...parts, rawLines(base, at, to)].flat();
  const [first] = pieces;
  const shift = pieces.reduce((sum, { piece }) => sum + piece.added - piece.removed, 0);
  const start = from + (first === undefined ? 0 : first.b - first.a);
  const now = rawLines(current, start, to + start - from + shift);
  const { start: head, end: tail } = commonEnds(old, now);
  const range = { from: start + head, to: start + now.length - tail };
  if (first === undefined || (old.length === head + tail && now.length === head + tail))
    return { ...range, piece: undefined };
  const other = old.slice(head, old.length - tail);
  const origins = [...new Set(pieces.flatMap(({ piece }) => piece.origins))];
  const turns = [...new Set(pieces.flatMap(({ piece }) => piece.turns))];
  const lines = range.to - range.from;
  return { ...range, piece: { kind: "open", gap: 0, lines, other, id: first.piece.id, origins, turns } };
}
