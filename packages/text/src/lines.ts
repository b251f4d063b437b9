// A document's text as a list of lines, and splices of that list.
//
// Text is CodeMirror's persistent `Text`. Its raw lines are what stands between line breaks, so "a\n" has two
// raw lines, "a" and "". People and models count lines as `wc -l` and every editor's gutter agree to:
// the empty raw line behind a final line break is not a line, and an empty document has none.
//
//   raw lines        positions in the list, 0-based, at least one; everything in this package computes in them
//   counted lines    what people and models see, 1-based in `Text.line`, never more than `countLines(text)`
//
// In a file with mixed line ends a raw line may end in "\r" (see document.ts). It belongs to the line's end,
// not to its content: `lineContent` leaves it out, and `withLineEnds` gives new lines the ends of the old ones.

import { ChangeSet, Text } from "@codemirror/state";

/** Replaces `removed` raw lines, from index `at`, by `lines`. A list of raw lines never becomes empty. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly lines: readonly string[];
}

export function countLines(text: Text): number {
  const last = text.line(text.lines);
  return last.length === 0 ? text.lines - 1 : text.lines;
}

/** How many of the `count` raw lines from index `at` on are counted lines. */
export function countWithin(text: Text, at: number, count: number): number {
  return Math.max(0, Math.min(at + count, countLines(text)) - at);
}

/** The raw line at a 0-based index. */
export function rawLine(text: Text, index: number): string {
  return text.line(index + 1).text;
}

/** The raw lines of `[from, to)`. */
export function rawLines(text: Text, from: number, to: number): string[] {
  const lines: string[] = [];
  if (to - from < 16) {
    // Setting up an iterator costs more than looking up a few lines.
    for (let line = from + 1; line <= to; line += 1) lines.push(text.line(line).text);
  } else {
    for (const line of text.iterLines(from + 1, to + 1)) lines.push(line);
  }
  return lines;
}

/** What a reader sees of the raw line at a 0-based index. */
export function lineContent(text: Text, index: number): string {
  return withoutReturn(rawLine(text, index));
}

export function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

export const anyLineBreak = /\r\n|\r|\n/;

/** The lines that some content stands for: "" is no line, "a" and "a\n" are one, "\n" is one empty line. */
export function linesOf(content: string, lineBreak = anyLineBreak): string[] {
  if (content === "") return [];
  const lines = content.split(lineBreak);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The characters `[from, to)`, and the text that goes there instead. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: Text;
}

/**
 * A splice as replacements of characters. The line break goes with the lines that are removed or added, so
 * that every line outside the splice keeps its own; removing all lines leaves one empty raw line.
 */
function replacementsOf(text: Text, splice: Splice): Replacement[] {
  const { at, removed, lines } = splice;
  if (removed > 0) {
    if (removed === lines.length) return lineByLine(text, at, lines);
    const from = text.line(at + 1).from;
    const last = text.line(at + removed);
    if (lines.length > 0) return [{ from, to: last.to, insert: Text.of([...lines]) }];
    if (at + removed < text.lines) return [{ from, to: last.to + 1, insert: Text.empty }];
    return [{ from: Math.max(0, from - 1), to: last.to, insert: Text.empty }];
  }
  if (lines.length === 0) return [];
  if (at < text.lines) {
    const from = text.line(at + 1).from;
    return [{ from, to: from, insert: Text.of([...lines, ""]) }];
  }
  return [{ from: text.length, to: text.length, insert: Text.of(["", ...lines]) }];
}

/** As many lines as before: only the characters that differ, so that cursors beside them do not move. */
function lineByLine(text: Text, at: number, lines: readonly string[]): Replacement[] {
  const replacements: Replacement[] = [];
  for (const [index, line] of lines.entries()) {
    const old = text.line(at + index + 1);
    if (old.text === line) continue;
    const most = Math.min(old.length, line.length);
    let start = 0;
    while (start < most && old.text.charCodeAt(start) === line.charCodeAt(start)) start += 1;
    if (start > 0 && isHighSurrogate(line.charCodeAt(start - 1))) start -= 1;
    let end = 0;
    while (
      end < most - start &&
      old.text.charCodeAt(old.length - 1 - end) === line.charCodeAt(line.length - 1 - end)
    ) {
      end += 1;
    }
    if (end > 0 && isLowSurrogate(line.charCodeAt(line.length - end))) end -= 1;
    const insert = Text.of([line.slice(start, line.length - end)]);
    replacements.push({ from: old.from + start, to: old.to - end, insert });
  }
  return replacements;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** Joins splices that stand side by side: only then can each be turned into characters on its own. */
export function joinNeighbours(splices: readonly Splice[]): Splice[] {
  const joined: { at: number; removed: number; lines: string[] }[] = [];
  for (const { at, removed, lines } of splices) {
    const previous = joined.at(-1);
    if (previous !== undefined && previous.at + previous.removed === at) {
      previous.removed += removed;
      for (const line of lines) previous.lines.push(line);
    } else {
      joined.push({ at, removed, lines: [...lines] });
    }
  }
  return joined;
}

/** Splices that do not overlap, in order, as one change. */
export function changeOf(text: Text, splices: readonly Splice[]): ChangeSet {
  return ChangeSet.of(
    joinNeighbours(splices).flatMap((splice) => replacementsOf(text, splice)),
    text.length,
  );
}

/**
 * The splice with its new lines ended as the lines they replace or follow were, where those end in "\r"; for
 * a file with mixed line ends. What becomes the last raw line ends as the last one that it replaces did.
 */
export function withLineEnds(text: Text, splice: Splice): Splice {
  const { at, removed, lines } = splice;
  const neighbour = removed > 0 ? at + removed - 1 : at > 0 ? at - 1 : 0;
  const ends = (index: number) => rawLine(text, index).endsWith("\r");
  const reachesEnd = at + removed >= text.lines;
  const ended = lines.map((line, index) => {
    const isLast = reachesEnd && index === lines.length - 1;
    const endsInReturn = isLast
      ? removed > 0 && ends(neighbour)
      : ends(index < removed ? at + index : neighbour);
    return endsInReturn ? `${line}\r` : line;
  });
  return { at, removed, lines: ended };
}

/**
 * A change as splices of whole raw lines: exactly the lines whose content it alters, adds or removes. A line
 * beside an insertion of whole lines is not among them.
 */
export function splicesOf(before: Text, after: Text, change: ChangeSet): Splice[] {
  const spans: { from: number; to: number; newFrom: number; newTo: number }[] = [];
  change.iterChangedRanges((fromA, toA, fromB, toB) => {
    const first = before.lineAt(fromA);
    const last = toA <= first.to ? first : before.lineAt(toA);
    const newFirst = after.lineAt(fromB);
    const newLast = toB <= newFirst.to ? newFirst : after.lineAt(toB);
    const span = {
      from: first.number - 1,
      to: last.number,
      newFrom: newFirst.number - 1,
      newTo: newLast.number,
    };
    // Of blank lines either could be the target; as in `replacementsOf`, a line comes and goes with the break behind it.
    if (toA === last.from && toB === newLast.from) {
      span.to -= 1;
      span.newTo -= 1;
    }
    if (fromA === first.to && fromB === newFirst.to && span.to > span.from && span.newTo > span.newFrom) {
      span.from += 1;
      span.newFrom += 1;
    }
    const previous = spans.at(-1);
    if (previous !== undefined && span.from < previous.to) {
      previous.to = Math.max(previous.to, span.to);
      previous.newTo = Math.max(previous.newTo, span.newTo);
    } else if (span.to > span.from || span.newTo > span.newFrom) {
      spans.push(span);
    }
  });
  return spans.map(({ from, to, newFrom, newTo }) => ({
    at: from,
    removed: to - from,
    lines: rawLines(after, newFrom, newTo),
  }));
}
