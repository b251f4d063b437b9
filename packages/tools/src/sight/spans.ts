// Spans of lines, and where they are after changes.

import type { Text } from "@codemirror/state";
import { countLines, type Splice } from "@stet/text/lines";

/** Lines, 0-based and inclusive. */
export interface LineSpan {
  readonly start: number;
  readonly end: number;
}

/** Raw lines `[from, to)`. */
export interface Known {
  readonly from: number;
  readonly to: number;
}

/** Line numbers from `number` on, as they were shown, and the raw lines from `line` on that they stand for. */
export interface Numbered {
  readonly number: number;
  /** 0-based; undefined where the lines were changed since. */
  readonly line: number | undefined;
  readonly count: number;
  /** Whether others moved the lines since the number was shown, which the model does not know. */
  readonly isMoved: boolean;
  /** Whether the model knows that lines have moved, so that it may mean the old or the new number. */
  readonly isDoubtful: boolean;
}

export function spanAt(line: number, count: number): Numbered {
  return { number: line + 1, line, count, isMoved: false, isDoubtful: false };
}

export function wholeText(text: Text): Numbered {
  return spanAt(0, countLines(text));
}

/** The spans without the numbers that another one gives anew. */
export function without(spans: readonly Numbered[], { number, count }: Numbered): Numbered[] {
  return spans.flatMap((span) => {
    const head = Math.min(span.count, number - span.number);
    const tail = number + count - span.number;
    return [part(span, 0, head), part(span, Math.max(0, tail), span.count)].filter((one) => one.count > 0);
  });
}

/** The numbers `[from, to)` of a span, counted from its first. */
function part(span: Numbered, from: number, to: number): Numbered {
  const line = span.line === undefined ? undefined : span.line + from;
  return { ...span, number: span.number + from, line, count: to - from };
}

/** What a move means for a number: nothing where the lines get new numbers anyway. */
export type Move = "unnoticed" | "known" | "renumbered";

/** Where numbered lines are after some splices; those that were touched stand for nothing. */
export function followed(spans: readonly Numbered[], splices: readonly Splice[], move: Move): Numbered[] {
  return spans.flatMap((span) => followedSpan(span, splices, move));
}

function followedSpan(span: Numbered, splices: readonly Splice[], move: Move): Numbered[] {
  const { line: first } = span;
  if (first === undefined) return [span];
  const parts: Numbered[] = [];
  const end = first + span.count;
  /** Up to here the old lines are done with. */
  let done = first;
  let shift = 0;
  const take = (until: number, line: number | undefined): void => {
    if (until <= done) return;
    const isMoved = span.isMoved || (move === "unnoticed" && shift !== 0);
    const isDoubtful = span.isDoubtful || (move === "known" && shift !== 0);
    parts.push({ ...part(span, done - first, until - first), line, isMoved, isDoubtful });
    done = until;
  };
  for (const { at, removed, lines } of splices) {
    if (at >= end) break;
    take(at, done + shift);
    take(Math.min(at + removed, end), undefined);
    shift += lines.length - removed;
  }
  take(end, done + shift);
  return parts;
}

/** The span that a number is in; the newest one counts. */
export function spanOf(spans: readonly Numbered[], number: number): Numbered | undefined {
  return spans.findLast((one) => one.number <= number && number < one.number + one.count);
}

/** The raw line that a number stands for. */
export function lineOf(spans: readonly Numbered[], number: number): number | "changed" | undefined {
  const span = spanOf(spans, number);
  if (span === undefined) return undefined;
  return span.line === undefined ? "changed" : span.line + number - span.number;
}

/** The lines that splices bring, as they count afterwards. */
export function writtenLines(splices: readonly Splice[]): Known[] {
  let shift = 0;
  return splices.map(({ at, removed, lines }) => {
    const from = at + shift;
    shift += lines.length - removed;
    return { from, to: from + lines.length };
  });
}

/** Known lines after some splices. New lines are known only where they can be worked out from known ones. */
export function carried(known: readonly Known[], splices: readonly Splice[], canWorkOut: boolean): Known[] {
  const after: Known[] = [];
  let index = 0;
  let shift = 0;
  /** Up to here the old lines are done with. */
  let done = 0;
  const keepUntil = (line: number): void => {
    for (let span = known[index]; span !== undefined && span.from < line; span = known[index]) {
      const from = Math.max(span.from, done);
      const to = Math.min(span.to, line);
      if (from < to) after.push({ from: from + shift, to: to + shift });
      if (span.to > line) break;
      index += 1;
    }
    done = Math.max(done, line);
  };
  for (const { at, removed, lines } of splices) {
    keepUntil(at);
    const span = known[index];
    const isKnown = span !== undefined && span.from <= at && span.to >= at + removed;
    if (canWorkOut && removed > 0 && isKnown) after.push({ from: at + shift, to: at + shift + lines.length });
    done = Math.max(done, at + removed);
    shift += lines.length - removed;
  }
  keepUntil(Number.POSITIVE_INFINITY);
  return united(after);
}

export function united(spans: readonly Known[]): Known[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (from >= to) continue;
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** Those of some lines that are not among the known ones. */
export function unknownAmong(known: readonly Known[], { start, end }: LineSpan): LineSpan[] {
  const unknown: LineSpan[] = [];
  let next = start;
  for (const { from, to } of known) {
    if (from > next && next <= end) unknown.push({ start: next, end: Math.min(from - 1, end) });
    next = Math.max(next, to);
  }
  if (next <= end) unknown.push({ start: next, end });
  return unknown;
}
