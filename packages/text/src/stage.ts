// Staging: one change of current, carried into base and pending (see pending.ts for the law it keeps).
//
// Pieces and splices are intervals of current's raw lines. Those that share a line form one group and end as one
// open piece. A splice that touches no open piece opens one when it is the agent's, and goes to base as well when it is
// the person's or the disk's. The agent's splices also join what they stand right beside, as long as it fits one hunk
// and is of the same turn.
//
// A range that the agent replaced is staged by its line diff: lines that it wrote again as they were are in no hunk.
// Only the replaced range is diffed, and alignment.ts bounds what that costs.

import type { ChangeSet, Text } from "@codemirror/state";
import { maxHunkLines } from "@stet/protocol/limits";
import { commonEnds } from "./common-ends.ts";
import { diffSplice } from "./diff.ts";
import type { Provenance } from "./history.ts";
import { fitsOneHunk, splitHunk } from "./hunk-size.ts";
import { addLayer, commonInAll, joinLayers, type Layer, type LayeredLines } from "./layers.ts";
import { changeOf, rawLines, type Splice, splicesOf } from "./lines.ts";
import {
  type DecidedPiece,
  isOpen,
  type Located,
  linesInBase,
  linesInCurrent,
  locatePieces,
  type OpenPiece,
  type Pending,
  type Piece,
  settle,
} from "./pending.ts";

/** The state after a change of current. */
export function stage(pending: Pending, change: ChangeSet, provenance: Provenance): Pending {
  const { current } = pending;
  const after = change.apply(current);
  if (pending.pieces.length === 0 && provenance.origin !== "agent")
    return { ...pending, base: after, current: after };
  const whole = splicesOf(current, after, change);
  const isByLine = provenance.origin === "agent";
  const splices = isByLine ? whole.flatMap((splice) => diffSplice(current, splice)) : whole;
  return rebuild(pending, after, groupTouching(pending, splices, provenance), provenance);
}

/** Raw lines `[from, to)` of the old current, with the pieces and splices that meet there. */
interface Group {
  readonly from: number;
  to: number;
  open: Located<OpenPiece>[];
  splices: Splice[];
  marker: Located<DecidedPiece> | undefined;
}

function groupTouching(pending: Pending, splices: readonly Splice[], provenance: Provenance): Group[] {
  const groups: Group[] = [];
  for (const interval of intervalsOf(pending, splices)) {
    const group = groups.at(-1);
    if (group === undefined || !belongs(pending, group, interval, provenance)) {
      groups.push(interval);
    } else if (interval.marker === undefined) {
      join(groups, group, interval);
    }
  }
  return groups;
}

/** A marker that is touched disappears; everything else grows together. */
function join(groups: Group[], group: Group, interval: Group): void {
  if (group.marker !== undefined) {
    groups[groups.length - 1] = interval;
    return;
  }
  group.to = Math.max(group.to, interval.to);
  group.open.push(...interval.open);
  group.splices.push(...interval.splices);
}

function belongs(pending: Pending, group: Group, next: Group, provenance: Provenance): boolean {
  if (next.from < group.to) return true;
  if (next.from > group.to || provenance.origin !== "agent") return false;
  if (group.marker !== undefined || next.marker !== undefined) return false;
  if (![...group.open, ...next.open].every(({ piece }) => isOfTurn(piece, provenance))) return false;
  // Side by side in one change they are one edit; where that is too large, it is split where it reads naturally.
  if (group.open.length === 0 && next.open.length === 0) return true;
  if (next.splices.length === 0 && !endsInSplice(group)) return false;
  const lines = [...newLinesOf(pending, group), ...newLinesOf(pending, next)];
  return removedLinesOf(group) + removedLinesOf(next) <= maxHunkLines && fitsOneHunk(lines);
}

function isOfTurn({ turns }: OpenPiece, { turn }: Provenance): boolean {
  return turn === undefined ? turns.length === 0 : turns.every((one) => one === turn);
}

/** Whether a splice, and not only a piece that it joined, reaches the end of the group. */
function endsInSplice(group: Group): boolean {
  const last = group.splices.at(-1);
  return last !== undefined && last.at + last.removed === group.to;
}

function newLinesOf(pending: Pending, group: Group): string[] {
  const lines = group.splices.flatMap((splice) => splice.lines);
  for (const { piece, b } of group.open) lines.push(...rawLines(pending.current, b, b + piece.added));
  return lines;
}

function removedLinesOf(group: Group): number {
  return group.open.reduce((sum, { piece }) => sum + piece.removed, 0) + sumRemoved(group.splices);
}

function sumRemoved(splices: readonly Splice[]): number {
  return splices.reduce((sum, splice) => sum + splice.removed, 0);
}

function sumAdded(splices: readonly Splice[]): number {
  return splices.reduce((sum, splice) => sum + splice.lines.length, 0);
}

/** Pieces and splices in order; of two that start together, the empty one comes first. */
function* intervalsOf(pending: Pending, splices: readonly Splice[]): Generator<Group> {
  let at = 0;
  for (const located of locatePieces(pending)) {
    const from = located.b;
    const to = from + linesInCurrent(located.piece);
    for (
      let splice = splices[at];
      splice !== undefined && comesFirst(splice, from, to);
      splice = splices[at]
    ) {
      yield spliceGroup(splice);
      at += 1;
    }
    const open = isOpenPiece(located) ? [located] : [];
    yield {
      from,
      to,
      open,
      splices: [],
      marker: isOpenPiece(located) ? undefined : (located as Located<DecidedPiece>),
    };
  }
  for (; at < splices.length; at += 1) {
    const splice = splices[at];
    if (splice !== undefined) yield spliceGroup(splice);
  }
}

function isOpenPiece(located: Located): located is Located<OpenPiece> {
  return isOpen(located.piece);
}

function comesFirst(splice: Splice, from: number, to: number): boolean {
  if (splice.at !== from) return splice.at < from;
  return splice.removed === 0 && to > from;
}

function spliceGroup(splice: Splice): Group {
  return { from: splice.at, to: splice.at + splice.removed, open: [], splices: [splice], marker: undefined };
}

function rebuild(pending: Pending, after: Text, groups: readonly Group[], provenance: Provenance): Pending {
  const pieces = new PieceList(pending.nextId);
  const baseSplices: Splice[] = [];
  /** Line of the old base less line of the old current, behind the groups so far. */
  let offset = 0;
  let shift = 0;
  let baseShift = 0;
  for (const group of groups) {
    const { open, splices, marker } = group;
    const grown = sumAdded(splices) - sumRemoved(splices);
    const offsetBehind = open.reduce((sum, { piece }) => sum + piece.removed - piece.added, offset);
    const a = group.from + offset;
    const span = {
      a: a + baseShift,
      removed: group.to + offsetBehind - a,
      b: group.from + shift,
      added: group.to - group.from + grown,
    };
    const only = open[0];
    if (marker !== undefined) {
      pieces.keep(marker.piece, span.a);
    } else if (splices.length === 0 && only !== undefined) {
      pieces.keep(only.piece, span.a);
    } else if (open.length === 0 && provenance.origin !== "agent") {
      for (const splice of splices) baseSplices.push({ ...splice, at: splice.at + offset });
      baseShift += grown;
    } else {
      const oldLines = rawLines(pending.base, a, a + span.removed);
      const newLines = rawLines(after, span.b, span.b + span.added);
      const layers = layersOf(pending, group, newLines, provenance);
      pieces.open(span, { oldLines, newLines, layers }, open, provenance);
    }
    offset = offsetBehind;
    shift += grown;
  }
  const base =
    baseSplices.length === 0 ? pending.base : changeOf(pending.base, baseSplices).apply(pending.base);
  return settle({ base, current: after, pieces: pieces.list, nextId: pieces.nextId });
}

/** What each turn did within a group; undefined where only one did, or that cannot be separated. */
function layersOf(
  pending: Pending,
  group: Group,
  newLines: string[],
  provenance: Provenance,
): Layer[] | undefined {
  const turns = turnsOf(group.open, provenance);
  if (turns.length < 2) return undefined;
  const runs: LayeredLines[] = [];
  let at = group.from;
  for (const { piece, a, b } of group.open) {
    runs.push({ base: rawLines(pending.current, at, b), layers: [] });
    at = b + piece.added;
    const lines = rawLines(pending.current, b, at);
    const { origins, turns: own } = piece;
    if (piece.layers === undefined && own.length > 1) return undefined;
    const layers = piece.layers ?? [{ turn: own[0], origins, lines }];
    runs.push({ base: rawLines(pending.base, a, a + piece.removed), layers });
  }
  runs.push({ base: rawLines(pending.current, at, group.to), layers: [] });
  const layers = joinLayers(runs);
  const top = { turn: provenance.turn, origins: [provenance.origin], lines: newLines };
  return layers === undefined ? undefined : addLayer(layers, top);
}

function turnsOf(open: readonly Located<OpenPiece>[], provenance: Provenance): string[] {
  const own = provenance.turn === undefined ? [] : [provenance.turn];
  return unique([...open.flatMap(({ piece }) => piece.turns), ...own]);
}

/** The lines of a new or widened piece in both texts, and after each turn in between. */
interface PieceLines {
  readonly oldLines: readonly string[];
  readonly newLines: readonly string[];
  readonly layers: readonly Layer[] | undefined;
}

interface PieceSpan {
  readonly a: number;
  readonly removed: number;
  readonly b: number;
  readonly added: number;
}

/** Pieces of the new state, in order, with their gaps counted as they come. */
class PieceList {
  readonly list: Piece[] = [];
  nextId: number;
  #end = 0;

  constructor(nextId: number) {
    this.nextId = nextId;
  }

  /** An existing piece, at its line of the new base. */
  keep(piece: Piece, a: number): void {
    const gap = a - this.#end;
    this.list.push(gap === piece.gap ? piece : { ...piece, gap });
    this.#end = a + linesInBase(piece);
  }

  /**
   * A new or widened piece, trimmed to the lines that differ and split where it is too large. One with layers is trimmed
   * to the lines that differ in any of them, and is not split.
   */
  open(
    span: PieceSpan,
    { oldLines, newLines, layers }: PieceLines,
    joined: readonly Located<OpenPiece>[],
    provenance: Provenance,
  ): void {
    const net = commonEnds(oldLines, newLines);
    if (net.start + net.end === oldLines.length && oldLines.length === newLines.length) return;
    const { start, end } = layers === undefined ? net : commonInAll(oldLines, layers);
    const middle = (lines: readonly string[]) => lines.slice(start, lines.length - end);
    const origins = unique([...joined.flatMap(({ piece }) => piece.origins), provenance.origin]);
    const turns = turnsOf(joined, provenance);
    const trimmed = layers?.map((layer) => ({ ...layer, lines: middle(layer.lines) }));
    const [old, proposed] = [middle(oldLines), middle(newLines)];
    const whole = [{ removed: old.length, added: proposed.length }];
    let a = span.a + start;
    for (const [index, part] of (trimmed === undefined ? splitHunk(old, proposed) : whole).entries()) {
      const inherited = index === 0 ? joined.map(({ piece }) => piece.id) : [];
      const id = inherited.length > 0 ? Math.min(...inherited) : this.nextId++;
      const { removed, added } = part;
      this.keep(
        { kind: "open", gap: -1, removed, added, id, origins, turns, layers: trimmed, parts: undefined },
        a,
      );
      a += removed;
    }
  }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)].sort();
}
