// get_context_lines: lines around places, each line once, in order, as many as the model can be shown.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { lineContent } from "@stet/text/lines";
import { cut } from "./cut.ts";
import { bytesOf, isShownWhole, mostBytes } from "./long-line.ts";
import type { Paper } from "./paper.ts";

export interface LineRange {
  readonly line?: number | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

export interface ContextParams {
  readonly lineNumber?: number | undefined;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  readonly ranges?: readonly LineRange[] | undefined;
}

export interface ContextLine {
  readonly lineNumber: number;
  readonly content: string;
  readonly isTarget: boolean;
  /** White space characters that the line begins with. */
  readonly leadingSpaces: number;
  /** Where the line is too long to be shown whole. */
  readonly isPart?: boolean;
}

export interface ProcessedRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly targetLine: number | null;
}

export interface ContextFound {
  readonly contextLines: readonly ContextLine[];
  readonly processedRanges: readonly ProcessedRange[];
  /** Of the lines returned. */
  readonly totalLines: number;
  /** Of the lines of the paper. */
  readonly rows: number;
  readonly rev: number;
  readonly notes: readonly string[];
}

const defaultContext = 3;
const mostLines = 400;
/** What is shown of a line that would not fit alone. */
const longLineChars = 6_000;

export function getContextLines(paper: Paper, params: ContextParams): ContextFound | Fault {
  const history = paper.history();
  if (isFault(history)) return history;
  const { text, revision } = history;
  const ranges = rangesOf(params);
  if (isFault(ranges)) return ranges;
  const clipped = ranges.map((range) => ({
    ...range,
    startLine: Math.max(1, range.startLine),
    endLine: Math.min(text.lines, range.endLine),
  }));
  const inside = clipped.filter(({ startLine, endLine }) => startLine <= endLine);
  if (inside.length === 0) return allOutside(ranges, text.lines);
  const { lines, notes } = collect(text, inside);
  if (inside.length < ranges.length) {
    notes.push(`Some ranges are outside: the paper has ${text.lines} lines.`);
  }
  return {
    contextLines: lines,
    processedRanges: inside,
    totalLines: lines.length,
    rows: text.lines,
    rev: revision,
    notes,
  };
}

/** All ranges that were asked for, not yet clipped. */
function rangesOf({ lineNumber, before, after, ranges = [] }: ContextParams): ProcessedRange[] | Fault {
  const asked = lineNumber === undefined ? ranges : [{ line: lineNumber, before, after }, ...ranges];
  if (asked.length === 0) {
    return invalid(
      "No line was named.",
      "Give lineNumber, or ranges of {line, before, after} or {start, end}.",
    );
  }
  const found: ProcessedRange[] = [];
  for (const { line, start, end, ...around } of asked) {
    if (line !== undefined) {
      const { before = defaultContext, after = defaultContext } = around;
      found.push({ startLine: line - before, endLine: line + after, targetLine: line });
    } else if (start === undefined || end === undefined) {
      return invalid("A range names no lines.", "Each range needs line, or both start and end.");
    } else if (start > end) {
      return invalid(`The range ${start}-${end} ends before it starts.`, "Give start before end.");
    } else {
      found.push({ startLine: start, endLine: end, targetLine: null });
    }
  }
  return found;
}

function collect(text: Text, ranges: readonly ProcessedRange[]): { lines: ContextLine[]; notes: string[] } {
  const targets = new Set(ranges.map(({ targetLine }) => targetLine));
  const sorted = ranges.toSorted((one, other) => one.startLine - other.startLine);
  const lines: ContextLine[] = [];
  let next = 1;
  let bytes = 0;
  for (const { startLine, endLine } of sorted) {
    for (let number = Math.max(next, startLine); number <= endLine; number += 1) {
      const whole = lineContent(text, number - 1);
      const isWhole = isShownWhole(whole);
      const content = isWhole ? whole : cut(whole, longLineChars);
      bytes += bytesOf(content);
      if (lines.length >= mostLines || (bytes > mostBytes && lines.length > 0)) {
        return { lines, notes: [`The lines from ${number} on did not fit; ask for them separately.`] };
      }
      const isTarget = targets.has(number);
      const part = isWhole ? {} : { isPart: true };
      lines.push({ lineNumber: number, content, isTarget, leadingSpaces: indentOf(whole).length, ...part });
    }
    next = Math.max(next, endLine + 1);
  }
  return { lines, notes: [] };
}

export function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

function invalid(message: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", message, suggestion);
}

function allOutside(ranges: readonly ProcessedRange[], rows: number): Fault {
  const [first] = ranges;
  const asked = first?.targetLine ?? `${first?.startLine}-${first?.endLine}`;
  return new Fault(
    "invalid_line_range",
    `Line number ${asked} out of range. Paper has only ${rows} ${rows === 1 ? "line" : "lines"}.`,
    "Try search_paper('keyword') to find exact line number first",
    { rows },
  );
}
