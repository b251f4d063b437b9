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
// not to its content: `lineContent` leaves it out, and `spliceLines` gives new lines the ends of the old ones.

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

/** The raw line at a 0-based index. */
export function rawLine(text: Text, index: number): string {
  return text.line(index + 1).text;
}

/** The raw lines of `[from, to)`. */
export function rawLines(text: Text, from: number, to: number): string[] {
  if (to <= from) return [];
  const lines: string[] = [];
  for (const line of text.iterLines(from + 1, to + 1)) lines.push(line);
  return lines;
}

/** What a reader sees of the raw line at a 0-based index. */
export function lineContent(text: Text, index: number): string {
  return withoutReturn(rawLine(text, index));
}

export function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

/** The lines that some content stands for: "" is no line, "a" and "a\n" are one, "\n" is one empty line. */
export function linesOf(content: string): string[] {
  if (content === "") return [];
  const lines = content.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The characters `[from, to)` that a splice replaces, and the text that goes there. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: Text;
}

/**
 * A splice as a replacement of characters. The line break goes with the lines that are removed or added, so
 * that every line outside the splice keeps its own; removing all lines leaves one empty raw line.
 */
export function replacementOf(text: Text, splice: Splice): Replacement {
  const { at, removed, lines } = splice;
  if (removed > 0) {
    const from = text.line(at + 1).from;
    const last = text.line(at + removed);
    if (lines.length > 0) return { from, to: last.to, insert: Text.of([...lines]) };
    if (at + removed < text.lines) return { from, to: last.to + 1, insert: Text.empty };
    return { from: Math.max(0, from - 1), to: last.to, insert: Text.empty };
  }
  if (lines.length === 0) return { from: 0, to: 0, insert: Text.empty };
  if (at < text.lines) {
    const from = text.line(at + 1).from;
    return { from, to: from, insert: Text.of([...lines, ""]) };
  }
  return { from: text.length, to: text.length, insert: Text.of(["", ...lines]) };
}

/** Splices that do not overlap, in order, as one change. */
export function changeOf(text: Text, splices: readonly Splice[]): ChangeSet {
  return ChangeSet.of(
    splices.map((splice) => replacementOf(text, splice)),
    text.length,
  );
}

export function applySplice(text: Text, splice: Splice): Text {
  const { from, to, insert } = replacementOf(text, splice);
  return text.replace(from, to, insert);
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
    if (fromA === first.to && fromB === newFirst.to) {
      span.from += 1;
      span.newFrom += 1;
    }
    if (toA === last.from && toB === newLast.from && span.to > span.from && span.newTo > span.newFrom) {
      span.to -= 1;
      span.newTo -= 1;
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
