// What ripgrep writes, put together to results: neighbouring lines of one file with their matches.

import { fromRipgrep } from "./listing.ts";
import { type ProvenPiece, pieceOf } from "./prove-results.ts";

export interface SearchMatch {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export interface SearchResult {
  readonly file_path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly snippet: string;
  /** At most `maxMatchesPerRecord` of one line. */
  readonly matches: readonly SearchMatch[];
}

/** A result with what has to be in its file for it to be shown. */
export interface FoundResult extends SearchResult {
  readonly pieces: readonly ProvenPiece[];
}

export interface ResultLimits {
  readonly limit: number;
  readonly maxSnippetLines: number;
  readonly maxLineLength: number;
}

/** By paths from the root. */
export interface FileChoice {
  readonly isWanted: (path: string) => boolean;
  /** Of those that are wanted. */
  readonly isLeftOut: (path: string) => boolean;
}

const maxMatchesPerRecord = 100;

/** What ripgrep writes with `--json`, as far as it is used here. Text that is not UTF-8 comes as base64. */
export type RipgrepMessage =
  | { type: "begin"; data: { path: RipgrepText } }
  | { type: "match" | "context"; data: RipgrepLines }
  | { type: "end"; data: { binary_offset: number | null } }
  | { type: "summary" };

type RipgrepText = { text: string } | { bytes: string };

interface RipgrepLines {
  lines: RipgrepText;
  line_number: number;
  absolute_offset: number;
  submatches: readonly { start: number; end: number }[];
}

/** The results of a pass: of all that were added the first in the order of the tree, one more than the limit. */
export class Findings {
  isComplete = true;
  isCounted = true;
  hasLeftOut = false;
  lineCount = 0;
  matchCount = 0;
  readonly #limits: ResultLimits;
  #results: FoundResult[] = [];
  #file: FileResults | undefined;

  readonly #choice: FileChoice;
  /** Files with matches whose lines are not shown. */
  readonly leftOut = new Set<string>();
  #leftOutFile: string | undefined;

  constructor(limits: ResultLimits, choice: FileChoice) {
    this.#limits = limits;
    this.#choice = choice;
  }

  get resultCount(): number {
    return this.#results.length;
  }

  add(message: RipgrepMessage): void {
    if (message.type === "begin") {
      const { path } = message.data;
      const name = "text" in path ? fromRipgrep(path.text) : undefined;
      const isWanted = name !== undefined && this.#choice.isWanted(name);
      this.#leftOutFile = isWanted && this.#choice.isLeftOut(name) ? name : undefined;
      const isRead = isWanted && this.#leftOutFile === undefined;
      this.#file = isRead ? new FileResults(name, this.#limits) : undefined;
    } else if (message.type === "match" || message.type === "context") {
      if (message.type === "match") this.lineCount += 1;
      this.#file?.add(message.data);
    } else if (message.type === "end") {
      const isText = message.data.binary_offset === null;
      if (this.#file !== undefined && isText) this.#keep(this.#file);
      if (this.#leftOutFile !== undefined && isText) this.leftOut.add(this.#leftOutFile);
      this.#file = undefined;
      this.#leftOutFile = undefined;
    }
  }

  #keep(file: FileResults): void {
    file.closeResult();
    this.matchCount += file.matchCount;
    if (file.hasLeftOut) this.hasLeftOut = true;
    this.#results.push(...file.results);
    const most = this.#limits.limit + 1;
    if (this.#results.length > 4 * most) this.#results = this.#results.sort(inTreeOrder).slice(0, most);
  }

  take(limit: number, skip = 0): { results: FoundResult[]; isMore: boolean } {
    const results = this.#results.sort(inTreeOrder).slice(skip, limit).sort(inPathOrder);
    return { results, isMore: this.#results.length > limit };
  }
}

/** As a walk of the tree goes, and `ripgrep --sort=path`: name by name, so "a/z" comes before "a.md". */
function inTreeOrder(one: SearchResult, other: SearchResult): number {
  const [path, otherPath] = [one, other].map((result) => result.file_path.replaceAll("/", "\0"));
  return compare(path ?? "", otherPath ?? "") || one.start_line - other.start_line;
}

function inPathOrder(one: SearchResult, other: SearchResult): number {
  return compare(one.file_path, other.file_path) || one.start_line - other.start_line;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Puts the lines of one file together to results. Holds one more than the limit, and only counts from there. */
class FileResults {
  readonly results: FoundResult[] = [];
  matchCount = 0;
  hasLeftOut = false;
  readonly #path: string;
  readonly #limits: ResultLimits;
  #startLine = 0;
  #lines: string[] = [];
  #matches: SearchMatch[] = [];
  #pieces: ProvenPiece[] = [];

  constructor(path: string, limits: ResultLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  add(record: RipgrepLines): void {
    this.matchCount += record.submatches.length;
    if (this.results.length > this.#limits.limit) return;
    if (record.submatches.length > maxMatchesPerRecord) this.hasLeftOut = true;
    const raw = rawBytes(record);
    const piece = pieceOf(raw, record.absolute_offset);
    const bytes = withLineEnds(raw, record);
    const matches = matchesOf(bytes, record);
    const lines = bytes.toString().replace(/\n$/, "").split("\n");
    for (const [index, line] of lines.entries()) {
      const number = record.line_number + index;
      const isFull = this.#lines.length >= this.#limits.maxSnippetLines;
      if (isFull || number !== this.#startLine + this.#lines.length) this.closeResult();
      if (this.#lines.length === 0) this.#startLine = number;
      const own = matches.filter((match) => match.line === number);
      const visible = line.replace(/\r$/, "").replaceAll("\r", " ");
      this.#lines.push(cutLine(visible, this.#limits.maxLineLength, own[0]));
      this.#matches.push(...own);
      if (this.#pieces.at(-1) !== piece) this.#pieces.push(piece);
    }
  }

  /** Lines without a match are left over where a result was full before its context ended. */
  closeResult(): void {
    if (this.#matches.length > 0) {
      this.results.push({
        file_path: this.#path,
        start_line: this.#startLine,
        end_line: this.#startLine + this.#lines.length - 1,
        snippet: this.#lines.join("\n"),
        matches: this.#matches,
        pieces: this.#pieces,
      });
    }
    this.#lines = [];
    this.#matches = [];
    this.#pieces = [];
  }
}

function rawBytes({ lines }: RipgrepLines): Buffer {
  return "bytes" in lines ? Buffer.from(lines.bytes, "base64") : Buffer.from(lines.text);
}

/** For ripgrep a file that ends its lines with CR alone is one line; for a document it is many. */
function withLineEnds(bytes: Buffer, { lines, line_number }: RipgrepLines): Buffer {
  const isWholeFile = line_number === 1 && "text" in lines && !lines.text.includes("\n");
  return isWholeFile ? Buffer.from(lines.text.replaceAll("\r", "\n")) : bytes;
}

/** Ripgrep counts bytes. Each byte is looked at once, however many matches there are. */
function matchesOf(bytes: Buffer, record: RipgrepLines): SearchMatch[] {
  let line = record.line_number;
  let column = 1;
  let at = 0;
  return record.submatches.slice(0, maxMatchesPerRecord).map(({ start, end }) => {
    const lines = bytes.toString("utf8", at, start).split("\n");
    const last = lines.at(-1) ?? "";
    line += lines.length - 1;
    column = lines.length === 1 ? column + last.length : last.length + 1;
    at = start;
    return { line, column, length: bytes.toString("utf8", start, end).replaceAll("\r\n", "\n").length };
  });
}

function cutLine(line: string, maxLength: number, match: SearchMatch | undefined): string {
  if (line.length <= maxLength) return line;
  const room = maxLength - 2;
  const start = match === undefined ? 0 : match.column - 1;
  const middle = start + Math.min(match?.length ?? 0, room) / 2;
  const from = bounded(middle - room / 2, 0, line.length - room);
  const to = from + room;
  const shown = line.slice(isInsidePair(line, from) ? from + 1 : from, isInsidePair(line, to) ? to - 1 : to);
  return `${from > 0 ? "…" : ""}${shown}${to < line.length ? "…" : ""}`;
}

function isInsidePair(line: string, at: number): boolean {
  const unit = line.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000;
}

export function bounded(value: number, least: number, most: number): number {
  return Math.min(Math.max(Math.floor(value), least), most);
}
