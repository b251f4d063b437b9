// Rows that keys are meant for, as they were read: `41|text`. Who counts wrong, or means another line, is told before anything
// changes.
//
// Each row must be what stands at its number, and the keys must change, delete or insert behind it; and wherever they change
// something, a row must say so.

import { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { startHistory } from "@stet/text/history";
import type { VimLines } from "@stet/vim/buffer";
import { changesBetween } from "@stet/vim/line-identity";
import { quoted, refusalOf } from "../../../locate/miss.ts";

interface Row {
  /** 0-based. */
  readonly line: number;
  readonly text: string;
}

export function expectedFault(
  path: string,
  buffer: VimLines,
  after: VimLines,
  expected: readonly string[],
): Fault | undefined {
  if (expected.length === 0) return undefined;
  const rows: Row[] = [];
  for (const given of expected) {
    const match = /^[ *>]?(\d+)\|(.*)$/s.exec(given);
    if (match === null) return notARow(given);
    rows.push({ line: Number(match[1]) - 1, text: match[2] ?? "" });
  }
  const before = buffer.lines;
  const other = rows.find(({ line, text }) => before[line]?.trimEnd() !== text.trimEnd());
  if (other !== undefined) return isAnother(path, before, other);
  const spans = touchedSpans(buffer, after);
  const isIn = ({ line }: Row, span: Span) => line >= span.first && line <= span.last;
  const untouched = rows.find((row) => !spans.some((span) => isIn(row, span)));
  const unsaid = spans.find((span) => !rows.some((row) => isIn(row, span)));
  if (untouched === undefined && unsaid === undefined) return undefined;
  return misses(path, before, rows, spans, untouched ?? { line: unsaid?.first ?? 0, text: "" });
}

/** Lines, 0-based and inclusive. */
interface Span {
  readonly first: number;
  readonly last: number;
}

/** Lines that are changed, written again or go, and those that new ones come behind. */
function touchedSpans(before: VimLines, after: VimLines): Span[] {
  return changesBetween(before, after).map(({ at, removed, among }) => {
    if (among !== undefined) return { first: among.from, last: among.to - 1 };
    const first = removed > 0 ? at : Math.max(0, at - 1);
    return { first, last: removed > 0 ? at + removed - 1 : first };
  });
}

function notARow(given: string): Fault {
  return new Fault(
    "invalid_arguments",
    `expect has ${JSON.stringify(given.slice(0, 80))}, which is no row. None of the keys was carried out.`,
    "Give rows as they were read, with number and bar: 41|text.",
  );
}

/** Shows lines of the buffer, which the file need not have. */
function refused(
  path: string,
  lines: readonly string[],
  what: string,
  suggestion: string,
  at: number[],
): Fault {
  const document = { path, history: startHistory(Text.of([...lines, ""])) };
  return refusalOf(
    { sight: undefined, display: "numbers" },
    document,
  )({
    code: "no_match",
    what: `${what} None of the keys was carried out.`,
    suggestion,
    places: at.map((line) => ({ from: line + 1, to: line + 1 })),
    facts: { line: (at[0] ?? 0) + 1, lines: [...new Set(at.map((line) => line + 1))] },
  });
}

function isAnother(path: string, lines: readonly string[], { line, text }: Row): Fault {
  const found = lines[line];
  const is = found === undefined ? `the file has ${lines.length} lines` : `it is ${quoted(found)}`;
  return refused(
    path,
    lines,
    `Line ${line + 1} of ${path} should be ${quoted(text)}, but ${is}.`,
    "Look where the line is now, and send the keys and the rows for that.",
    [line],
  );
}

function misses(
  path: string,
  lines: readonly string[],
  rows: readonly Row[],
  spans: readonly Span[],
  at: Row,
): Fault {
  const touched = spans.map(({ first, last }) =>
    first === last ? `${first + 1}` : `${first + 1}-${last + 1}`,
  );
  const about = touched.length === 0 ? "no line" : `line ${touched.join(", ")}`;
  const named = rows.map(({ line }) => line);
  return refused(
    path,
    lines,
    `The keys are about ${about} of ${path}, and expect names line ${named.map((line) => line + 1).join(", ")}.`,
    "Correct the line numbers in the keys, or the rows.",
    [...named, at.line],
  );
}
