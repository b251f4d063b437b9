// Find, and find and replace, in a document.
//
// Line numbers are counted lines. A search in a scope sees these lines and the line breaks between them, so no match
// and no replacement reaches beyond. A "\r" at the end of a raw line belongs to the line's end and not to its
// content: patterns do not see it, a replacement keeps it, and line breaks that a replacement brings get one where
// the line they come to has one.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { commonEnds } from "./common-ends.ts";
import { checkContent } from "./document.ts";
import { countLines, type Splice } from "./lines.ts";
import { nearMisses } from "./near-miss.ts";
import { type Content, type Pattern, type PatternMatch, plainPattern, regexPattern } from "./pattern.ts";
import { groupTemplate, literalTemplate } from "./replacement-template.ts";
import { boundaryFinder } from "./word-boundary.ts";

export interface FindOptions {
  /** False unless given. */
  readonly isRegex?: boolean;
  /** True unless given. */
  readonly caseSensitive?: boolean;
  /** False unless given. */
  readonly wholeWord?: boolean;
  /** Lines, 1-based and inclusive; the whole document unless given. */
  readonly scope?: { readonly fromLine: number; readonly toLine: number };
  /** How many matches are returned or replaced; all of them unless given. */
  readonly max?: number;
}

export interface Match {
  readonly from: number;
  readonly to: number;
  /** The line on which it begins, 1-based. */
  readonly line: number;
  /** What the groups of a regular expression matched, the first at index 0. */
  readonly groups?: readonly (string | undefined)[];
}

export interface FoundMatches {
  readonly matches: readonly Match[];
  /** Also those that `max` cut off. */
  readonly total: number;
}

export interface ReplacePlan {
  readonly replacements: readonly { readonly from: number; readonly to: number; readonly insert: string }[];
  /** Also those that `max` cut off. */
  readonly matchesFound: number;
  /** The same change by whole raw lines; without unchanged lines. */
  readonly splices: readonly Splice[];
}

export function findMatches(text: Text, query: string, options: FindOptions = {}): FoundMatches | Fault {
  const pattern = patternOf(query, options);
  if (isFault(pattern)) return pattern;
  const source = sourceOf(text, options.scope);
  if (isFault(source)) return source;
  const matches: Match[] = [];
  const total = search(source, pattern, options, ({ groups }, from, to, line) => {
    matches.push(pattern.groupCount === 0 ? { from, to, line } : { from, to, line, groups });
  });
  return isFault(total) ? total : { matches, total };
}

export function planReplace(
  text: Text,
  query: string,
  replacement: string,
  options: FindOptions = {},
): ReplacePlan | Fault {
  const pattern = patternOf(query, options);
  if (isFault(pattern)) return pattern;
  const refusal = checkContent(replacement);
  if (refusal !== undefined) return refusal;
  const template = options.isRegex ? groupTemplate(replacement, pattern) : literalTemplate(replacement);
  if (isFault(template)) return template;
  const source = sourceOf(text, options.scope);
  if (isFault(source)) return source;
  const replacements: { from: number; to: number; insert: string }[] = [];
  const lines = new LineRuns(source);
  const total = search(source, pattern, options, (hit, from, to, line) => {
    const insert = withLineEnds(source, hit.from, template(hit, source.content.text.slice(hit.from, hit.to)));
    replacements.push({ from, to, insert });
    lines.replace(from, to, line, insert);
  });
  if (isFault(total)) return total;
  if (total === 0)
    return nearMisses(text, query, options, (other, wanted) => findMatches(text, wanted, other));
  return { replacements, matchesFound: total, splices: lines.finish() };
}

function patternOf(query: string, options: FindOptions): Pattern | Fault {
  const { isRegex = false, caseSensitive = true } = options;
  if (query !== "") return (isRegex ? regexPattern : plainPattern)(query, caseSensitive);
  return new Fault(
    "content_required",
    "There is nothing to search for: the query is empty.",
    "Give the text to find, or a regular expression.",
  );
}

/** The part of the document that is searched. */
interface Source {
  /** As it is, with the "\r" at the ends of lines. */
  readonly raw: string;
  /** Where it begins in the document. */
  readonly offset: number;
  readonly content: Content;
  /** Where in the content a "\r" was left out, in order. */
  readonly returns: readonly number[];
}

function sourceOf(text: Text, scope: FindOptions["scope"]): Source | Fault {
  const total = countLines(text);
  const { fromLine, toLine } = scope ?? { fromLine: 1, toLine: total };
  if (scope !== undefined) {
    const isInRange =
      Number.isInteger(fromLine) &&
      Number.isInteger(toLine) &&
      fromLine >= 1 &&
      fromLine <= toLine &&
      toLine <= total;
    if (!isInRange) return outOfRange(fromLine, toLine, total);
  }
  const offset = scope === undefined ? 0 : text.line(fromLine).from;
  const raw = text.sliceString(offset, scope === undefined ? text.length : text.line(toLine).to);
  const returns: number[] = [];
  const stripped = raw.includes("\r")
    ? raw.replace(/\r(?=\n|$)/g, (_, position: number) => {
        returns.push(position - returns.length);
        return "";
      })
    : raw;
  return {
    raw,
    offset,
    content: { text: stripped, firstLine: fromLine, lines: toLine - fromLine + 1 },
    returns,
  };
}

/** Calls for each match up to `max`, with its range in the document, and returns how many there are. */
function search(
  source: Source,
  pattern: Pattern,
  options: FindOptions,
  onMatch: (hit: PatternMatch, from: number, to: number, line: number) => void,
): number | Fault {
  const { text, firstLine } = source.content;
  const isBoundary = options.wholeWord ? boundaryFinder(text) : () => true;
  const max = options.max ?? Number.POSITIVE_INFINITY;
  const position = positionFinder(source);
  let total = 0;
  let line = firstLine;
  let lineBreak = text.indexOf("\n");
  const fault = pattern.search(source.content, (hit) => {
    if (!isBoundary(hit.from) || !isBoundary(hit.to)) return false;
    for (; lineBreak >= 0 && lineBreak < hit.from; lineBreak = text.indexOf("\n", lineBreak + 1)) line += 1;
    // Behind the last line break there is no line, so nothing can match there.
    if (hit.from === hit.to && line >= firstLine + source.content.lines) return true;
    total += 1;
    if (total <= max) onMatch(hit, position(hit.from), position(hit.to), line);
    return true;
  });
  return fault ?? total;
}

/** Turns rising positions in the content into positions in the document. */
function positionFinder({ offset, returns }: Source): (position: number) => number {
  let passed = 0;
  return (position) => {
    while (passed < returns.length && (returns[passed] ?? 0) < position) passed += 1;
    return offset + position + passed;
  };
}

/** New line breaks as in the line that they come to. */
function withLineEnds({ content, returns }: Source, position: number, insert: string): string {
  if (returns.length === 0 || !insert.includes("\n")) return insert;
  let lineBreak = content.text.indexOf("\n", position);
  if (lineBreak < 0 && position > 0) lineBreak = content.text.lastIndexOf("\n", position - 1);
  let low = 0;
  let high = returns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((returns[middle] ?? 0) < lineBreak) low = middle + 1;
    else high = middle;
  }
  return returns[low] === lineBreak ? insert.replaceAll("\n", "\r\n") : insert;
}

/** Replacements, in order, as splices of the runs of lines that they touch. */
class LineRuns {
  readonly #source: Source;
  readonly #splices: Splice[] = [];
  /** The present run: its first raw line, and where it begins and ends in the raw text. */
  #at = 0;
  #from = 0;
  #to = -2;
  /** What it becomes, as far as `#done`. */
  #content = "";
  #done = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** Offsets are in the document; `line` is the counted line of `from`. */
  replace(from: number, to: number, line: number, insert: string): void {
    const { raw, offset } = this.#source;
    const start = from - offset;
    const end = to - offset;
    if (start > this.#to) {
      const lineStart = start === 0 ? 0 : raw.lastIndexOf("\n", start - 1) + 1;
      if (lineStart !== this.#to + 1) {
        this.#close();
        this.#at = line - 1;
        this.#from = lineStart;
        this.#done = lineStart;
        this.#content = "";
      }
    }
    if (end > this.#to) {
      const lineEnd = raw.indexOf("\n", end);
      this.#to = lineEnd < 0 ? raw.length : lineEnd;
    }
    this.#content += raw.slice(this.#done, start) + insert;
    this.#done = end;
  }

  finish(): Splice[] {
    this.#close();
    return this.#splices;
  }

  #close(): void {
    if (this.#to < 0) return;
    const { raw } = this.#source;
    const before = raw.slice(this.#from, this.#to).split("\n");
    const after = (this.#content + raw.slice(this.#done, this.#to)).split("\n");
    const { start, end } = commonEnds(before, after);
    const removed = before.length - start - end;
    const lines = after.slice(start, after.length - end);
    if (removed > 0 || lines.length > 0) this.#splices.push({ at: this.#at + start, removed, lines });
  }
}

function outOfRange(fromLine: number, toLine: number, total: number): Fault {
  const reason =
    fromLine > toLine
      ? `Line range ${fromLine}-${toLine} ends before it starts.`
      : `Line range ${fromLine}-${toLine} is not within the ${total} lines of the document.`;
  return new Fault(
    "invalid_line_range",
    reason,
    "Give lines of the document, or leave the range out to search all.",
    {
      requested_start: fromLine,
      requested_end: toLine,
      document_lines: total,
    },
  );
}
