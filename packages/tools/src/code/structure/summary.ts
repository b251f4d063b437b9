// Long code with its bodies left out: what a file declares, on a page.
//
// A summary is a list of parts that cover all lines in order. A kept part is shown as it is. An elided part is shown as
// `...`. A folded part is an opening line, what is left out, and the closing line, shown as one line: `f() { ... }`.
// Only kept lines are ever shown whole, so only they are known to the one who reads a summary.

import type { Text } from "@codemirror/state";
import { countLines, lineContent } from "@stet/text/lines";
import { languageOf } from "./languages.ts";
import { type SymbolItem, symbolsOf } from "./symbols.ts";

/** Counted lines, 1-based and inclusive. */
export type SummaryPart =
  | { readonly kind: "kept"; readonly from: number; readonly to: number }
  | { readonly kind: "elided"; readonly from: number; readonly to: number }
  | { readonly kind: "folded"; readonly from: number; readonly to: number; readonly text: string };

export interface Summary {
  readonly parts: readonly SummaryPart[];
  /** Lines that are shown, counting `...` as one. */
  readonly lines: number;
  readonly elidedLines: number;
  readonly elidedSpans: number;
}

export const maxSummaryBytes = 2 * 1024 * 1024;
export const maxSummaryLines = 20_000;
const minLines = 80;
/** Less than this is shown rather than left out. */
const minSpan = 4;
/** What a reader gains at least, as a share of the lines. */
const minShare = 0.25;
const maxData = 12;
const maxLoose = 8;

/** Undefined where a summary is not worth it: a short file, no code, nothing to leave out, or too much to parse. */
export async function summarise(path: string, text: Text): Promise<Summary | undefined> {
  const total = countLines(text);
  if (languageOf(path) === undefined || total < minLines || total > maxSummaryLines) return undefined;
  if (text.length > maxSummaryBytes || Buffer.byteLength(text.toString()) > maxSummaryBytes) return undefined;
  const symbols = await symbolsOf(path, text);
  const spans = spansOf(text, symbols, total);
  const elidedLines = spans.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (elidedLines < total * minShare) return undefined;
  const parts = partsOf(text, spans, total);
  const lines = parts.reduce((sum, part) => sum + (part.kind === "kept" ? part.to - part.from + 1 : 1), 0);
  return { parts, lines, elidedLines, elidedSpans: spans.length };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** What is left out, in order; spans neither overlap nor touch. */
function spansOf(text: Text, symbols: readonly SymbolItem[], total: number): Span[] {
  const spans: Span[] = [];
  let covered = 0;
  const leave = (from: number, to: number): void => {
    if (to - from + 1 < minSpan || from <= covered) return;
    spans.push({ from, to });
    covered = to;
  };
  let declared = 0;
  for (const [index, item] of symbols.entries()) {
    if (item.from <= covered) continue;
    if (item.from > declared) leaveLoose(text, declared + 1, item.from - 1, leave);
    const codeLine = text.lineAt(item.codeStart).number;
    // Of a long comment in front: its first two lines, and the last, which closes it.
    leave(item.from + 2, codeLine - 2);
    const next = symbols[index + 1];
    const hasMembers = next !== undefined && next.start < item.end;
    const body = bodySpan(text, item, hasMembers);
    if (body !== undefined) leave(body.from, body.to);
    declared = Math.max(declared, item.to);
  }
  leaveLoose(text, declared + 1, total, leave);
  return spans;
}

/** Statements outside of every symbol: of long ones what is indented is left out. */
function leaveLoose(text: Text, from: number, to: number, leave: (from: number, to: number) => void): void {
  let first: number | undefined;
  for (let line = from; line <= to + 1; line += 1) {
    const isInner = line <= to && /^(?:\s|$)/.test(lineContent(text, line - 1));
    if (isInner) first ??= line;
    else if (first !== undefined) {
      if (line - first >= maxLoose) leave(first, line - 1);
      first = undefined;
    }
  }
}

const memberKinds = new Set([
  "class",
  "interface",
  "module",
  "impl",
  "trait",
  "struct",
  "enum",
  "type",
  "rule",
]);

function bodySpan(text: Text, item: SymbolItem, hasMembers: boolean): Span | undefined {
  const { body, kind } = item;
  if (body === undefined || (memberKinds.has(kind) && hasMembers)) return undefined;
  const first = text.lineAt(body.start).number;
  const last = text.lineAt(body.end).number;
  if (kind === "constant" || kind === "field" || memberKinds.has(kind)) {
    return last - first > maxData ? inner(text, first, last, body.isBraced) : undefined;
  }
  return inner(text, first, last, body.isBraced);
}

function inner(text: Text, first: number, last: number, isBraced: boolean): Span {
  if (isBraced) return { from: first + 1, to: last - 1 };
  // What a function of Python says about itself is worth its first line.
  const isDocumented = /^\s*[rub]*("""|''')/i.test(lineContent(text, first - 1));
  return { from: isDocumented ? first + 1 : first, to: last };
}

function partsOf(text: Text, spans: readonly Span[], total: number): SummaryPart[] {
  const parts: SummaryPart[] = [];
  let next = 1;
  const keep = (from: number, to: number): void => {
    if (from <= to) parts.push({ kind: "kept", from, to });
  };
  for (const { from, to } of spans) {
    const folded = from - 1 >= next ? foldedText(text, from - 1, to + 1, total) : undefined;
    if (folded === undefined) {
      keep(next, from - 1);
      parts.push({ kind: "elided", from, to });
      next = to + 1;
    } else {
      keep(next, from - 2);
      parts.push({ kind: "folded", from: from - 1, to: to + 1, text: folded });
      next = to + 2;
    }
  }
  keep(next, total);
  return parts;
}

/** The line that opens and the line that closes as one; undefined where they are not a pair of brackets. */
function foldedText(text: Text, opener: number, closer: number, total: number): string | undefined {
  if (closer > total) return undefined;
  const opening = lineContent(text, opener - 1).trimEnd();
  const closing = lineContent(text, closer - 1).trim();
  const pairs: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };
  if (pairs[opening.at(-1) ?? ""] !== closing.charAt(0) || !/^[}\])]+[;,)]*$/.test(closing)) return undefined;
  return `${opening} ... ${closing}`;
}
