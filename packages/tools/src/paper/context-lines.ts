// get_context_lines: lines around places, each line once, in order, as many as the model can be shown.

import type { Text } from "@codemirror/state";
import { defineTool, type Tool } from "@stet/agent/tool";
import { cutTextCounted } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import { lineContent } from "@stet/text/lines";
import * as z from "zod";
import { cut as cutWords } from "../call-words.ts";
import { prompt } from "../prompt.ts";
import { outOfRange } from "./line-number.ts";
import { bytesOf, isShownWhole, mostBytes } from "./long-line.ts";
import type { CurrentLine, Paper } from "./paper.ts";
import { outcome } from "./paper-events.ts";

const defaultContext = 3;
const mostLines = 400;
/** What is shown of a line that would not fit alone. */
const longLineChars = 6_000;

const before = z.number().int().min(0).optional().describe("So many lines before it; 3 unless given");
const after = z.number().int().min(0).optional().describe("So many lines after it; 3 unless given");

const range = z.object({
  line: z.number().int().optional().describe("A line, with before and after around it"),
  before,
  after,
  start: z.number().int().optional().describe("First line of a range, instead of line"),
  end: z.number().int().optional().describe("Last line of that range, inclusive"),
});

const schema = z.object({
  lineNumber: z.number().int().optional().describe("A line, from 1, with before and after around it"),
  before,
  after,
  ranges: z.array(range).max(100).optional().describe("More places: {line, before, after} or {start, end}"),
});

interface ContextLine extends CurrentLine {
  readonly isTarget: boolean;
  /** White space characters that the line begins with. */
  readonly leadingSpaces: number;
  /** Where the line is too long to be shown whole. */
  readonly isPart?: boolean;
}

interface WantedLines {
  readonly startLine: number;
  readonly endLine: number;
  readonly targetLine: number | null;
}

export function getContextLines(paper: Paper): Tool {
  return defineTool({
    name: "get_context_lines",
    description: prompt(import.meta.url, "get_context_lines"),
    traits: ["reads", "exclusive"],
    words: ({ lineNumber }) =>
      lineNumber === undefined ? "Look at some lines" : `Look around line ${cutWords(lineNumber)}`,
    schema,
    async execute(params) {
      const history = paper.history();
      if (isFault(history)) return history;
      const wanted = wantedLines(params);
      const context = isFault(wanted) ? wanted : collect(history.text, wanted);
      if (isFault(context)) return context;
      const { lines, notes } = context;
      paper.failures.clear();
      paper.show(history, lines);
      const { lineNumber = null, ranges = [] } = params;
      const rows = history.text.lines;
      return outcome(
        {
          success: true,
          params,
          ranges: ranges.length + (lineNumber === null ? 0 : 1),
          rows,
          rev: history.revision,
          lines,
          ...(notes.length > 0 ? { note: notes.join(" ") } : {}),
        },
        {
          type: "context.retrieved",
          data: {
            lineNumber,
            context: lines.map(({ lineNumber, content }) => ({ lineNumber, text: content })),
            totalLines: rows,
          },
        },
      );
    },
  });
}

/** All lines that were asked for, also those that the paper does not have. */
function wantedLines({
  lineNumber,
  before,
  after,
  ranges = [],
}: z.infer<typeof schema>): WantedLines[] | Fault {
  const asked = lineNumber === undefined ? ranges : [{ line: lineNumber, before, after }, ...ranges];
  if (asked.length === 0) {
    return invalid(
      "No line was named.",
      "Give lineNumber, or ranges of {line, before, after} or {start, end}.",
    );
  }
  const found: WantedLines[] = [];
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

function collect(
  text: Text,
  wanted: readonly WantedLines[],
): { lines: ContextLine[]; notes: string[] } | Fault {
  const inside = wanted.flatMap((range) => {
    const startLine = Math.max(1, range.startLine);
    const endLine = Math.min(text.lines, range.endLine);
    return startLine <= endLine ? [{ ...range, startLine, endLine }] : [];
  });
  if (inside.length === 0) {
    const [first] = wanted;
    return outOfRange(first?.targetLine ?? `${first?.startLine}-${first?.endLine}`, text.lines);
  }
  const outside =
    inside.length < wanted.length ? [`Some ranges are outside: the paper has ${text.lines} lines.`] : [];
  const targets = new Set(inside.map(({ targetLine }) => targetLine));
  const sorted = inside.toSorted((one, other) => one.startLine - other.startLine);
  const lines: ContextLine[] = [];
  let next = 1;
  let bytes = 0;
  for (const { startLine, endLine } of sorted) {
    for (let number = Math.max(next, startLine); number <= endLine; number += 1) {
      const whole = lineContent(text, number - 1);
      const isWhole = isShownWhole(whole);
      const content = isWhole ? whole : cutTextCounted(whole, longLineChars);
      bytes += bytesOf(content);
      if (lines.length >= mostLines || (bytes > mostBytes && lines.length > 0)) {
        const rest = `The lines from ${number} on did not fit; ask for them separately.`;
        return { lines, notes: [rest, ...outside] };
      }
      const isTarget = targets.has(number);
      const part = isWhole ? {} : { isPart: true };
      lines.push({ lineNumber: number, content, isTarget, leadingSpaces: indentOf(whole).length, ...part });
    }
    next = Math.max(next, endLine + 1);
  }
  return { lines, notes: outside };
}

export function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

function invalid(message: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", message, suggestion);
}
