// Base and pending: what the person has decided on, and what is still open.
//
//   base + open pieces = current, always
//
// A piece says: `removed` raw lines of base became `added` raw lines of current. Between pieces the two texts are the
// same; `gap` is how many lines since the piece before. Nothing is diffed: an edit of the agent opens or widens a
// piece, a person's edit goes to both texts unless it shares a line with an open piece, then it joins that piece.
//
// A decided piece remains as a marker of lines that are the same in both texts, with the lines it would bring back. It
// moves with its surroundings for free, and is dropped as soon as anything touches its lines: then it cannot be undone.
//
// A piece that several turns made keeps a layer for each (layers.ts). Deciding one turn's part leaves the piece open with
// the others', and remembers what it was, so that this can be undone as long as nothing touches its lines.
//
// Side by side pieces never make a text of no lines: an empty text is one empty raw line, and `settle` gives it to a piece.

import type { ChangeSet, Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { type Layer, takeApart } from "./layers.ts";
import { changeOf, rawLines, type Splice } from "./lines.ts";

interface Makers {
  readonly origins: readonly Origin[];
  readonly turns: readonly string[];
  /** What each turn did to it, where several did and that can be separated. The last one's lines are those of current. */
  readonly layers?: readonly Layer[] | undefined;
}

/** The authors of a piece, and the layer of each where they can be separated. */
export interface Authored extends Makers {
  readonly id: number;
  /** Decisions on parts of it that can still be undone, the latest last. */
  readonly parts?: readonly DecidedPart[] | undefined;
}

/** A decision on what some of a piece's turns did, and the piece before it. */
export interface DecidedPart {
  readonly verdict: "accepted" | "rejected";
  readonly turns: readonly string[];
  /** Of base where it was accepted, of current where it was rejected. */
  readonly lines: readonly string[];
  readonly makers: Makers;
}

export interface OpenPiece extends Authored {
  readonly kind: "open";
  readonly gap: number;
  readonly removed: number;
  readonly added: number;
}

export interface DecidedPiece extends Authored {
  readonly kind: "accepted" | "rejected";
  readonly gap: number;
  /** How many lines of both texts it stands for. */
  readonly lines: number;
  /** What undoing brings back: to base when it was accepted, to current when it was rejected. */
  readonly other: readonly string[];
  /** When it was decided, counted up; the oldest markers are dropped first. */
  readonly order: number;
}

export type Piece = OpenPiece | DecidedPiece;

export interface Pending {
  readonly base: Text;
  readonly current: Text;
  readonly pieces: readonly Piece[];
  /** Ids and orders are taken from one counter and never used twice. */
  readonly nextId: number;
}

export const maxDecided = 5000;

export function nothingPending(text: Text, nextId = 1): Pending {
  return { base: text, current: text, pieces: [], nextId };
}

export function isOpen(piece: Piece): piece is OpenPiece {
  return piece.kind === "open";
}

export function hasOpenPieces(pending: Pending): boolean {
  return pending.pieces.some(isOpen);
}

export function linesInBase(piece: Piece): number {
  return piece.kind === "open" ? piece.removed : piece.lines;
}

export function linesInCurrent(piece: Piece): number {
  return piece.kind === "open" ? piece.added : piece.lines;
}

/** A piece with the raw lines of base and current at which it stands. */
export interface Located<P extends Piece = Piece> {
  readonly piece: P;
  readonly a: number;
  readonly b: number;
}

export function* locatePieces(pending: Pending): Generator<Located> {
  let a = 0;
  let b = 0;
  for (const piece of pending.pieces) {
    a += piece.gap;
    b += piece.gap;
    yield { piece, a, b };
    a += linesInBase(piece);
    b += linesInCurrent(piece);
  }
}

/** The pieces with these ids. Nothing is allocated for the others, of which there may be ten thousand. */
export function locateChosen(
  { pieces }: Pending,
  ids: { readonly size: number; has(id: number): boolean },
): Located[] {
  const found: Located[] = [];
  let a = 0;
  let b = 0;
  for (const piece of pieces) {
    if (found.length === ids.size) break;
    a += piece.gap;
    b += piece.gap;
    if (ids.has(piece.id)) found.push({ piece, a, b });
    a += linesInBase(piece);
    b += linesInCurrent(piece);
  }
  return found;
}

/** Everything that is open, as one change from base to current. */
export function pendingChange(pending: Pending): ChangeSet {
  const splices: Splice[] = [];
  for (const { piece, a, b } of locatePieces(pending)) {
    if (!isOpen(piece)) continue;
    splices.push({ at: a, removed: piece.removed, lines: rawLines(pending.current, b, b + piece.added) });
  }
  return changeOf(pending.base, splices);
}

export interface PieceDecision {
  readonly pending: Pending;
  /** What it did to current; empty where only base changed. */
  readonly change: ChangeSet;
  readonly decided: readonly number[];
}

/** Ids of pieces, or each with the turns whose part of it is the target; undefined for all of it. */
export type ChosenPieces = ReadonlySet<number> | ReadonlyMap<number, ReadonlySet<string> | undefined>;

/** Accepting makes the current lines the base; rejecting puts the base lines back. Ids that are not open are left out. */
export function decide(
  pending: Pending,
  verdict: "accepted" | "rejected",
  chosen: ChosenPieces,
): PieceDecision {
  const accepted = verdict === "accepted";
  let order = pending.nextId;
  return replacePieces(pending, accepted ? "base" : "current", chosen, (piece, a, b) => {
    if (!isOpen(piece)) return undefined;
    const old = rawLines(pending.base, a, a + piece.removed);
    const proposed = rawLines(pending.current, b, b + piece.added);
    const wanted = chosen instanceof Map ? chosen.get(piece.id) : undefined;
    if (wanted !== undefined && !coversAll(piece, wanted)) {
      const left = partLeft(piece, old, verdict, wanted);
      if (left === undefined) return undefined;
      // Where the others' parts come to nothing, this one is all that there is to decide.
      if (!isEqual(left.lines, accepted ? proposed : old))
        return leaveRest(piece, left, accepted ? old : proposed, verdict, wanted);
    }
    order += 1;
    const { gap, id, origins, turns, layers, parts } = piece;
    const lines = accepted ? proposed : old;
    const other = accepted ? old : proposed;
    return {
      lines,
      piece: {
        kind: verdict,
        gap,
        lines: lines.length,
        other,
        id,
        origins,
        turns,
        layers,
        parts,
        order: order - 1,
      },
    };
  });
}

function coversAll({ turns }: OpenPiece, wanted: ReadonlySet<string>): boolean {
  return turns.every((turn) => wanted.has(turn));
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

/** What remains open of a piece, and the lines of the decided side, when the part of some turns is decided. */
export interface PartLeft {
  readonly lines: readonly string[];
  readonly layers: readonly Layer[];
}

/** Undefined where the part of these turns cannot be separated from the others'. */
export function partLeft(
  { layers }: OpenPiece,
  base: readonly string[],
  verdict: "accepted" | "rejected",
  wanted: ReadonlySet<string>,
): PartLeft | undefined {
  if (layers === undefined) return undefined;
  const isWanted = ({ turn }: Layer) => turn !== undefined && wanted.has(turn);
  const accepted = verdict === "accepted";
  const apart = takeApart(base, layers, (layer) => isWanted(layer) === accepted);
  if (apart === undefined) return undefined;
  return { lines: apart.middle, layers: accepted ? apart.back : apart.front };
}

function leaveRest(
  piece: OpenPiece,
  left: PartLeft,
  lines: readonly string[],
  verdict: "accepted" | "rejected",
  wanted: ReadonlySet<string>,
): Replaced {
  const { origins, turns, layers, parts = [] } = piece;
  const decided = { verdict, turns: turns.filter((turn) => wanted.has(turn)), lines };
  const size = left.lines.length;
  return {
    lines: left.lines,
    piece: {
      ...piece,
      ...(verdict === "accepted" ? { removed: size } : { added: size }),
      ...makersOf(left.layers),
      parts: [...parts, { ...decided, makers: { origins, turns, layers } }],
    },
  };
}

/** A piece has layers only where there is more than one turn to separate. */
export function makersOf(layers: readonly Layer[]): Makers {
  const turns = [...new Set(layers.flatMap(({ turn }) => turn ?? []))].sort();
  const origins = [...new Set(layers.flatMap((layer) => layer.origins))].sort();
  return { origins, turns, layers: turns.length > 1 ? layers : undefined };
}

/** The decision on a piece that would be undone first. */
export function undoable(
  piece: Piece,
): { verdict: "accepted" | "rejected"; turns: readonly string[] } | undefined {
  if (!isOpen(piece)) return { verdict: piece.kind, turns: piece.turns };
  return piece.parts?.at(-1);
}

/** Undoes decisions whose lines no change has touched since. Ids that cannot be undone are left out. */
export function undecide(
  pending: Pending,
  ids: ReadonlySet<number>,
  verdict: "accepted" | "rejected",
): PieceDecision {
  const accepted = verdict === "accepted";
  return replacePieces(pending, accepted ? "base" : "current", ids, (piece) => {
    if (undoable(piece)?.verdict !== verdict) return undefined;
    if (isOpen(piece)) {
      const part = piece.parts?.at(-1);
      if (part === undefined) return undefined;
      const size = part.lines.length;
      const side = accepted ? { removed: size } : { added: size };
      const parts = piece.parts?.slice(0, -1);
      return { lines: part.lines, piece: { ...piece, ...side, ...part.makers, parts } };
    }
    const { gap, id, origins, turns, layers, parts, other, lines } = piece;
    const removed = accepted ? other.length : lines;
    const added = accepted ? lines : other.length;
    return {
      lines: other,
      piece: { kind: "open", gap, removed, added, id, origins, turns, layers, parts },
    };
  });
}

/** What becomes of one piece: the lines of one text that it stands for, and the piece afterwards. */
interface Replaced {
  readonly lines: readonly string[];
  readonly piece: Piece;
}

/** One pass over all pieces, with nothing allocated for unchanged ones: there may be ten thousand of them. */
function replacePieces(
  pending: Pending,
  side: "base" | "current",
  ids: { has(id: number): boolean },
  replace: (piece: Piece, a: number, b: number) => Replaced | undefined,
): PieceDecision {
  const splices: Splice[] = [];
  const decided: number[] = [];
  const pieces = pending.pieces.slice();
  let a = 0;
  let b = 0;
  for (let index = 0; index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece === undefined) continue;
    a += piece.gap;
    b += piece.gap;
    const replaced = ids.has(piece.id) ? replace(piece, a, b) : undefined;
    if (replaced !== undefined) {
      const removed = side === "base" ? linesInBase(piece) : linesInCurrent(piece);
      splices.push({ at: side === "base" ? a : b, removed, lines: replaced.lines });
      pieces[index] = replaced.piece;
      decided.push(piece.id);
    }
    a += linesInBase(piece);
    b += linesInCurrent(piece);
  }
  return conclude(pending, side, splices, pieces, decided);
}

function conclude(
  pending: Pending,
  side: "base" | "current",
  splices: readonly Splice[],
  pieces: readonly Piece[],
  decided: readonly number[],
): PieceDecision {
  const change = changeOf(pending[side], splices);
  const changed = change.apply(pending[side]);
  const base = side === "base" ? changed : pending.base;
  const current = side === "current" ? changed : pending.current;
  const next = settle({ base, current, pieces: dropOldest(pieces), nextId: pending.nextId + decided.length });
  return { pending: next, change: side === "current" ? change : changeOf(pending.current, []), decided };
}

/**
 * Gives the one raw line of an empty text to an open piece, where the pieces say that there is no line at all; and
 * lets both texts be one value where nothing is open.
 */
export function settle(pending: Pending): Pending {
  let inBase = 0;
  let inCurrent = 0;
  let anyOpen = false;
  for (const piece of pending.pieces) {
    inBase += piece.gap + linesInBase(piece);
    inCurrent += piece.gap + linesInCurrent(piece);
    anyOpen ||= isOpen(piece);
  }
  if (!anyOpen) return { ...pending, base: pending.current };
  // What follows the last piece is equally long in both texts, except for that one line.
  const shift = pending.base.lines - inBase - (pending.current.lines - inCurrent);
  if (shift === 0) return pending;
  let given = false;
  const pieces = pending.pieces.map((piece) => {
    if (given || !isOpen(piece)) return piece;
    given = true;
    // The line is in none of its layers.
    const whole = { ...piece, layers: undefined, parts: undefined };
    return shift > 0
      ? { ...whole, removed: piece.removed + shift }
      : { ...whole, added: piece.added - shift };
  });
  return { ...pending, pieces };
}

/** Keeps the number of markers bounded; a dropped marker is only lines that both texts share. */
function dropOldest(pieces: readonly Piece[]): readonly Piece[] {
  const orders: number[] = [];
  for (const piece of pieces) if (!isOpen(piece)) orders.push(piece.order);
  if (orders.length <= maxDecided) return pieces;
  const oldestUndoable =
    orders.sort((one, other) => one - other)[orders.length - Math.floor(maxDecided * 0.8)] ?? 0;
  const remaining: Piece[] = [];
  let carried = 0;
  for (const piece of pieces) {
    if (!isOpen(piece) && piece.order < oldestUndoable) {
      carried += piece.gap + piece.lines;
    } else {
      remaining.push(carried === 0 ? piece : { ...piece, gap: piece.gap + carried });
      carried = 0;
    }
  }
  return remaining;
}
