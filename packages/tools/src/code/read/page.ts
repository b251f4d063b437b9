// One answer's worth of lines: which lines of a text are shown, and what is said of the rest.
//
// A page never goes over the bounds of a tool's answer (bound-output.ts), with room left for what is said around it: so the
// hint where to read on always reaches the model. A range that was asked for is shown with a line before it and three
// behind it, on the sides that it bounds; raw, it is shown alone. A line that is too long is cut, and the page names it.

import { maxOutputBytes, maxOutputLines } from "@stet/agent/bound-output";
import type { LineRange } from "./selector.ts";

const leadingContext = 1;
const trailingContext = 3;
/** For what is said around the lines. */
const reservedLines = 20;
const reservedBytes = 2048;
export const maxPageLines = maxOutputLines - reservedLines;
export const maxPageBytes = maxOutputBytes - reservedBytes;
/** Characters of one line, unless it is read raw. */
export const maxLineLength = 2000;

/** Lines that can be looked up, 1-based. */
export interface LineSource {
  readonly total: number;
  content(line: number): string;
}

export interface PageRequest {
  readonly selector: LineRange | undefined;
  readonly isRaw: boolean;
  /** Lines at most, unless a range asks for more. */
  readonly limit: number;
}

export interface PageLine {
  readonly line: number;
  readonly content: string;
  /** How long the whole line is, where only its beginning is shown. */
  readonly fullLength: number | undefined;
}

export interface Page {
  readonly lines: readonly PageLine[];
  readonly isRaw: boolean;
  /** The first line that was asked for and is not shown; undefined where all are. */
  readonly next: number | undefined;
  /** Undefined where it is not known. */
  readonly total: number | undefined;
}

/** The first and last line to show, as far as they exist. */
export function pageSpan({ selector, isRaw, limit }: PageRequest): { from: number; to: number } {
  const wanted = selector?.from ?? 1;
  const from = Math.max(1, wanted - (selector === undefined || isRaw ? 0 : leadingContext));
  if (selector?.to === undefined)
    return { from, to: wanted + Math.max(1, Math.min(limit, maxPageLines - 1)) - 1 };
  return { from, to: Math.min(selector.to + (isRaw ? 0 : trailingContext), from + maxPageLines - 1) };
}

export function pageOf(source: LineSource, request: PageRequest): Page {
  const span = pageSpan(request);
  const to = Math.min(span.to, source.total);
  const builder = new PageBuilder(request);
  for (let line = span.from; line <= to; line += 1) {
    if (!builder.add(line, source.content(line))) break;
  }
  return builder.page(source.total);
}

/** Takes lines until a page is full. */
export class PageBuilder {
  readonly #request: PageRequest;
  readonly #lines: PageLine[] = [];
  #bytes = 0;

  constructor(request: PageRequest) {
    this.#request = request;
  }

  /** Whether it had room for the line. `length`: of the whole line, where only its beginning is given. */
  add(line: number, content: string, length = content.length): boolean {
    const { isRaw } = this.#request;
    // Number, two letters, bar and line break.
    const around = isRaw ? 1 : String(line).length + 4;
    const room = maxPageBytes - this.#bytes - around;
    let kept =
      isRaw || content.length <= maxLineLength ? content : wellFormed(content.slice(0, maxLineLength));
    let size = Buffer.byteLength(kept);
    if (size > room) {
      if (this.#lines.length > 0) return false;
      kept = firstBytes(kept, room);
      size = Buffer.byteLength(kept);
    }
    this.#bytes += size + around;
    this.#lines.push({ line, content: kept, fullLength: kept.length < length ? length : undefined });
    return true;
  }

  page(total: number | undefined): Page {
    const { selector, isRaw } = this.#request;
    const last = this.#lines.at(-1)?.line ?? 0;
    const end = Math.min(selector?.to ?? Number.POSITIVE_INFINITY, total ?? Number.POSITIVE_INFINITY);
    return { lines: this.#lines, isRaw, next: last > 0 && last < end ? last + 1 : undefined, total };
  }
}

/** Without the half of a pair that a cut left at the end. */
function wellFormed(text: string): string {
  const unit = text.charCodeAt(text.length - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? text.slice(0, -1) : text;
}

/** The longest start of a text that fits, never half a character. */
function firstBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text.slice(0, limit));
  let end = Math.min(limit, bytes.length);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** What is said behind the lines. */
export function pageNotes(page: Page, source: string): string[] {
  const notes: string[] = [];
  const cut = page.lines.filter(({ fullLength }) => fullLength !== undefined);
  const [first] = cut;
  if (first !== undefined) {
    const which =
      cut.length === 1
        ? `Line ${first.line} is cut after ${first.content.length} of ${first.fullLength} characters`
        : `${cut.length} long lines are cut (${listed(cut.map(({ line }) => line))})`;
    const more = page.isRaw
      ? "It is longer than one answer; use bash, such as cut -c, for the rest of it"
      : `Read ${source}:${first.line}+1:raw to see more of it`;
    notes.push(`[${which}. ${more}.]`);
  }
  if (page.next !== undefined) {
    const from = page.lines[0]?.line ?? 1;
    const of = page.total === undefined ? "" : ` of ${page.total}`;
    notes.push(`[Shown: lines ${from}-${page.next - 1}${of}. Read ${source}:${page.next} to go on.]`);
  }
  return notes;
}

function listed(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(", ");
  return lines.length > 5 ? `${shown}, …` : shown;
}

/** The answer to a range behind the end: no fault, since a model that pages on finds out this way. */
export function behindEnd(source: string, from: number, total: number): string {
  if (total === 0) return `${source} is empty, so there is no line ${from}. Use :1 once it has lines.`;
  const lines = total === 1 ? "1 line" : `${total} lines`;
  return `Line ${from} is behind the end: ${source} has ${lines}. Use :1 to read from the start, or :${total} for the last line.`;
}
