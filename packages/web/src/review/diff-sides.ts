// The two sides of a document's diff: what is decided, and what is there now.
//
// What is decided is the text with every open hunk turned back. The changes between the two are found by lines first and by
// words within them: the merge view's own comparison takes seconds where a document has hundreds of changes.

import type { Text } from "@codemirror/state";
import { diffLines } from "@stet/text/diff";
import { diffWords } from "@stet/text/words";
import type { HunkRange } from "./hunk-ranges.ts";

export interface Sides {
  readonly before: string;
  readonly after: string;
}

/** Without carriage returns: line ends are no part of what is compared. */
export function sidesOf(text: Text, hunks: readonly HunkRange[]): Sides {
  const lines: string[] = [];
  let next = 1;
  const keepUntil = (end: number) => {
    if (end <= next) return;
    for (const line of text.iterLines(next, end)) lines.push(line);
    next = end;
  };
  for (const { hunk, from, to, isEmpty, isAtEnd } of hunks) {
    keepUntil(isAtEnd ? text.lines + 1 : text.lineAt(from).number);
    lines.push(...hunk.removed);
    if (!isEmpty) next = text.lineAt(to).number + 1;
  }
  keepUntil(text.lines + 1);
  return { before: withoutReturns(lines.join("\n")), after: withoutReturns(text.toString()) };
}

function withoutReturns(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n").replace(/\r$/, "") : text;
}

export interface ChangedRange {
  readonly fromA: number;
  readonly toA: number;
  readonly fromB: number;
  readonly toB: number;
}

/** Words are compared within changed lines up to this many characters in all. */
const maxCompared = 400_000;

export function changedRanges(before: string, after: string): ChangedRange[] {
  const old = before.split("\n");
  const fresh = after.split("\n");
  const oldStarts = startsOf(old);
  const newStarts = startsOf(fresh);
  const ranges: ChangedRange[] = [];
  let left = maxCompared;
  for (const { at, removed, newAt, added } of diffLines(old, fresh)) {
    // At the end there is no line break behind the last line; the one before it goes or comes instead.
    const back = at + removed === old.length && at > 0 ? 1 : 0;
    const whole = {
      fromA: (oldStarts[at] ?? 0) - back,
      toA: Math.min(oldStarts[at + removed] ?? 0, before.length),
      fromB: (newStarts[newAt] ?? 0) - back,
      toB: Math.min(newStarts[newAt + added] ?? 0, after.length),
    };
    left -= whole.toA - whole.fromA + (whole.toB - whole.fromB);
    if (removed === 0 || added === 0 || left < 0) ranges.push(whole);
    else addWords(ranges, before, after, whole);
  }
  return ranges;
}

/** Where each line starts; behind the last one, where a next one would. */
function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  return starts;
}

function addWords(ranges: ChangedRange[], before: string, after: string, whole: ChangedRange): void {
  let a = whole.fromA;
  let b = whole.fromB;
  let open: ChangedRange | undefined;
  for (const { kind, text } of diffWords(before.slice(a, whole.toA), after.slice(b, whole.toB))) {
    const { length } = text;
    if (kind === "same") {
      if (open !== undefined) ranges.push(open);
      open = undefined;
      a += length;
      b += length;
    } else {
      open ??= { fromA: a, toA: a, fromB: b, toB: b };
      if (kind === "removed") a += length;
      else b += length;
      open = { ...open, toA: a, toB: b };
    }
  }
  if (open !== undefined) ranges.push(open);
}
