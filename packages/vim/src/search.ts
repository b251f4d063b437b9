// Finding a pattern in a buffer: the next match from a position, and all matches of some lines.

import { Fault, isFault } from "@stet/protocol/fault";
import type { PatternMatch } from "@stet/text/pattern";
import type { Position, VimBuffer } from "./buffer.ts";
import type { VimPattern } from "./vim-pattern.ts";

export interface VimMatch {
  readonly from: Position;
  /** Not part of it. */
  readonly to: Position;
  readonly text: string;
  /** What the pattern's groups matched, the first at index 0. */
  readonly groups: readonly string[];
}

const maxMatches = 500_000;

/** The matches that begin in the lines `[first, end)`, in order. */
export function matchesIn(
  buffer: VimBuffer,
  { pattern, isMultiline, lead, tail, groups }: VimPattern,
  first: number,
  end: number,
): VimMatch[] | Fault {
  const { lines } = buffer;
  const searched = lines.slice(first, isMultiline ? lines.length : end);
  // A line that is matched costs about a hundred times what one costs that is moved.
  const tooMuch = buffer.charge(searched.length * 100);
  if (tooMuch !== undefined) return tooMuch;
  const text = searched.join("\n");
  const matches: VimMatch[] = [];
  let count = 0;
  let line = first;
  let start = 0;
  const at = (position: number): Position => {
    let lineBreak = text.indexOf("\n", start);
    while (lineBreak >= 0 && lineBreak < position) {
      line += 1;
      start = lineBreak + 1;
      lineBreak = text.indexOf("\n", start);
    }
    return { line, col: position - start };
  };
  const take = (hit: PatternMatch): boolean => {
    const group = (number: number | undefined) =>
      number === undefined ? "" : (hit.groups[number - 1] ?? "");
    const from = hit.from + group(lead).length;
    const to = Math.max(from, hit.to - group(tail).length);
    const begin = at(from);
    if (begin.line >= end) return true;
    count += 1;
    if (count > maxMatches) return true;
    const content = text.slice(from, to);
    const breaks = content.split("\n");
    const stop =
      breaks.length === 1
        ? { line: begin.line, col: begin.col + content.length }
        : { line: begin.line + breaks.length - 1, col: breaks.at(-1)?.length ?? 0 };
    matches.push({ from: begin, to: stop, text: content, groups: groups.map(group) });
    return true;
  };
  const fault = pattern.search({ text, firstLine: first + 1, lines: searched.length }, take);
  return fault ?? (count > maxMatches ? tooMany(count) : matches);
}

function tooMany(count: number): Fault {
  return new Fault(
    "too_large",
    `The pattern matches ${count} times, more than ${maxMatches}. None of the keys was carried out.`,
    "Give a smaller range, or a pattern that matches less often.",
  );
}

const firstWindow = 200;

/** The next match behind a position, or the one before it; around the end, once. */
export function findNext(
  buffer: VimBuffer,
  pattern: VimPattern,
  from: Position,
  isForward: boolean,
): VimMatch | undefined | Fault {
  const { lines } = buffer;
  // Most matches are near, so the search looks at few lines first.
  const windows = pattern.isMultiline ? [lines.length] : [firstWindow, lines.length];
  for (const size of windows) {
    const begin = isForward ? from.line : Math.max(0, from.line - size);
    const end = isForward ? Math.min(lines.length, from.line + size) : from.line + 1;
    const matches = matchesIn(buffer, pattern, begin, end);
    if (isFault(matches)) return matches;
    const found = isForward
      ? matches.find((match) => isBehind(match.from, from))
      : matches.findLast((match) => isBehind(from, match.from));
    if (found !== undefined) return found;
  }
  const matches = isForward
    ? matchesIn(buffer, pattern, 0, from.line + 1)
    : matchesIn(buffer, pattern, from.line, lines.length);
  if (isFault(matches)) return matches;
  return isForward ? matches[0] : matches.at(-1);
}

export function isBehind(one: Position, other: Position): boolean {
  return one.line > other.line || (one.line === other.line && one.col > other.col);
}
