// The sentences of a document, found from any offset in it without reading the rest.
//
//   - Sentences do not overlap, are in order, and hold every character but blank space.
//   - No sentence reaches beyond its block (see blocks.ts): a blank line always ends one, a line break
//     within a block never does.
//   - What would be longer than `longestSentence` is not prose (a table, minified code): it is taken line by line, and
//     a line in pieces of that length, give or take a word, at offsets that are counted from the line's start.
//   - `sentenceAround` gives the very sentences that `sentencesIn` does.

import type { Text } from "@codemirror/state";
import { blockAround, blocksFrom, type SentenceBlock } from "./blocks.ts";
import { boundariesOf, isSpace, margin, viewOf } from "./boundaries.ts";

export interface SentenceRange {
  readonly from: number;
  readonly to: number;
}

export const longestSentence = 8192;

const firstReach = 256;
const furthestReach = longestSentence + 2 * margin;
const windowLength = 2 * longestSentence;

/** The sentence at a position, or the one before it in the same block; undefined on a blank line. */
export function sentenceAround(text: Text, position: number): SentenceRange | undefined {
  return locate(text, position).sentence;
}

interface Located {
  readonly sentence: SentenceRange | undefined;
  /** Whether it is a piece of something longer. */
  readonly isPiece: boolean;
}

function locate(text: Text, position: number): Located {
  for (let reach = firstReach; ; reach = Math.min(reach * 4, furthestReach)) {
    const part = blockAround(text, position, reach);
    if (part === undefined) return { sentence: undefined, isPiece: false };
    const raw = text.sliceString(part.from, part.to);
    const starts = startsOf(raw, part);
    let from = part.isStart ? part.from : undefined;
    let to = part.isEnd ? part.to : undefined;
    const least = part.isStart ? part.from : part.from + margin;
    const most = part.isEnd ? part.to : part.to - margin;
    for (const start of starts) {
      if (start < least || start > most) continue;
      if (start <= position) {
        from = start;
      } else {
        to = start;
        break;
      }
    }
    if (from !== undefined && to !== undefined && to - from <= longestSentence) {
      return { sentence: trimmed(raw, part.from, from, to), isPiece: false };
    }
    if (reach < furthestReach) continue;
    return { sentence: pieceAround(text, position, from ?? part.from, to ?? part.to), isPiece: true };
  }
}

/** The sentences that have a character in `[from, to)`, each whole. */
export function* sentencesIn(text: Text, from = 0, to = text.length): Generator<SentenceRange> {
  if (from >= to) return;
  const { sentence: first, isPiece } = locate(text, from);
  if (first !== undefined && first.to > from && first.from < to) yield first;
  let start = Math.max(from, first?.to ?? from);
  let isLongerOne = isPiece;
  for (const block of blocksFrom(text, start, to, windowLength)) {
    if (isLongerOne) {
      // The rest of what the first is a piece of: however short, it goes in pieces too.
      const next = nextStart(text, block, start, start, to);
      for (const piece of piecesOf(text, start, next)) {
        if (piece.from >= to) return;
        yield piece;
      }
      start = next;
      isLongerOne = false;
    }
    yield* sentencesOf(text, block, Math.max(start, block.from), to);
  }
}

/** The sentences of a block from an offset on where one begins, up to those that begin at or behind `to`. */
export function* sentencesOf(
  text: Text,
  block: SentenceBlock,
  from = block.from,
  to = block.to,
): Generator<SentenceRange> {
  let start = from;
  while (start < block.to && start < to) {
    const offset = start;
    const end = Math.min(block.to, offset + windowLength);
    const isEnd = end === block.to;
    const part = { from: offset, to: end, kind: block.kind, isStart: offset === block.from };
    const raw = text.sliceString(offset, end);
    const starts = startsOf(raw, part);
    if (isEnd) starts.push(end);
    for (const next of starts) {
      if (!isEnd && next > end - margin) break;
      if (next - start > longestSentence) {
        for (const piece of piecesOf(text, start, next)) {
          if (piece.from >= to) return;
          yield piece;
        }
      } else {
        const sentence = trimmed(raw, offset, start, next);
        if (sentence !== undefined && sentence.from < to) yield sentence;
      }
      start = next;
      if (start >= to) return;
    }
    if (isEnd) return;
    if (start > offset) continue;
    // Not one boundary in a whole window: everything up to the next one goes in pieces.
    const next = nextStart(text, block, end, end - margin, to);
    for (const piece of piecesOf(text, start, next)) {
      if (piece.from >= to) return;
      yield piece;
    }
    start = next;
  }
}

/**
 * The first sentence start at or behind `least`, or the end of the block; beyond `to` it does not matter which. It is
 * looked for from `from` on, and in the margin before that.
 */
function nextStart(text: Text, block: SentenceBlock, from: number, least: number, to: number): number {
  let position = from;
  while (position < block.to && position < to + longestSentence) {
    const end = Math.min(block.to, position + windowLength);
    const part = {
      from: Math.max(block.from, position - 2 * margin),
      to: end,
      kind: block.kind,
      isStart: false,
    };
    const most = end === block.to ? end : end - margin;
    const raw = text.sliceString(part.from, end);
    const next = startsOf(raw, part).find(
      (start) => start >= Math.max(least, position - margin) && start <= most,
    );
    if (next !== undefined) return next;
    position = end;
  }
  return position;
}

/** Where sentences begin in a part of a block, without the part's own beginning. */
function startsOf(raw: string, part: SentenceBlock & { readonly isStart: boolean }): number[] {
  if (part.kind === "single") return [];
  const starts = boundariesOf(viewOf(raw, part.isStart && part.kind === "item"));
  if (!raw.includes(">")) return starts.map((start) => part.from + start);
  return starts.map((start) => part.from + withQuoteMarks(raw, start));
}

/** A sentence that begins a quoted line begins with its quote marks. */
function withQuoteMarks(raw: string, start: number): number {
  let at = start;
  let from = start;
  while (at > 0) {
    const unit = raw.charCodeAt(at - 1);
    if (unit === 10) return from;
    if (unit === 62) from = at - 1;
    else if (!isSpace(unit)) break;
    at -= 1;
  }
  return start;
}

function* piecesOf(text: Text, from: number, to: number): Generator<SentenceRange> {
  let position = from;
  while (position < to) {
    const line = text.lineAt(position);
    const cell = line.length > longestSentence ? cellAround(text, line, position) : line;
    const piece = pieceOf(text, Math.max(position, cell.from), Math.min(to, cell.to));
    if (piece !== undefined) yield piece;
    position = cell.to >= line.to ? line.to + 1 : cell.to;
  }
}

function pieceAround(text: Text, position: number, from: number, to: number): SentenceRange | undefined {
  const line = text.lineAt(position);
  const cell = line.length > longestSentence ? cellAround(text, line, position) : line;
  return pieceOf(text, Math.max(from, cell.from), Math.min(to, cell.to));
}

function pieceOf(text: Text, from: number, to: number): SentenceRange | undefined {
  return trimmed(text.sliceString(from, to), from, from, to);
}

/** The part of a very long line around a position. */
function cellAround(text: Text, line: SentenceRange, position: number): SentenceRange {
  let index = Math.floor((position - line.from) / longestSentence);
  if (cutAt(text, line, index + 1) <= position) index += 1;
  return { from: cutAt(text, line, index), to: Math.min(line.to, cutAt(text, line, index + 1)) };
}

function cutAt(text: Text, line: SentenceRange, index: number): number {
  const at = line.from + index * longestSentence;
  if (index === 0 || at >= line.to) return Math.min(at, line.to);
  const before = text.sliceString(at - 4 * margin, at);
  const space = before.search(/\s\S*$/);
  return space < 0 ? graphemeStart(text, at) : at - before.length + space + 1;
}

let graphemes: Intl.Segmenter | undefined;

/** The start of the character, as a reader sees it, that `position` is in. */
export function graphemeStart(text: Text, position: number): number {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  let from = Math.max(0, position - margin);
  const around = text.sliceString(from, Math.min(text.length, position + margin));
  // A slice must not begin with half a character.
  if (isLowSurrogate(around.charCodeAt(0))) from += 1;
  const slice = from === position - margin || from === 0 ? around : around.slice(1);
  const found = graphemes.segment(slice).containing(position - from);
  return found === undefined ? position : from + found.index;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** `[from, to)` without blank space around it, of a text that begins at `offset`; undefined if nothing is left. */
function trimmed(raw: string, offset: number, from: number, to: number): SentenceRange | undefined {
  let start = from;
  while (start < to && isSpace(raw.charCodeAt(start - offset))) start += 1;
  let end = to;
  while (end > start && isSpace(raw.charCodeAt(end - 1 - offset))) end -= 1;
  return start < end ? { from: start, to: end } : undefined;
}
