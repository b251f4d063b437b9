// The range of an ex command: numbers, . $ % 'm /pattern/ ?pattern?, each with + and - offsets, joined by , or ;

import { type Fault, isFault } from "@stet/protocol/fault";
import { findNext } from "./search.ts";
import type { Vim } from "./state.ts";
import { vimPattern } from "./vim-pattern.ts";

/** Lines, 0-based and inclusive; -1 is above the first line, where a command takes that. */
export interface ExRange {
  readonly from: number;
  readonly to: number;
  /** How many addresses were given. */
  readonly given: 0 | 1 | 2;
}

export class ExReader {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get rest(): string {
    return this.text.slice(this.at);
  }

  take(pattern: RegExp): RegExpExecArray | undefined {
    const found = pattern.exec(this.rest);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  /** Text up to a delimiter that is not escaped; the delimiter is passed, too. */
  until(delimiter: string): string {
    let text = "";
    while (this.at < this.text.length) {
      const character = this.text[this.at] ?? "";
      this.at += 1;
      if (character === "\\" && this.at < this.text.length) {
        const escaped = this.text[this.at] ?? "";
        this.at += 1;
        // An escaped delimiter is the delimiter itself.
        text += escaped === delimiter && delimiter !== "\\" ? escapedDelimiter(delimiter) : `\\${escaped}`;
      } else if (character === delimiter) return text;
      else text += character;
    }
    return text;
  }
}

/** A slash needs no backslash in a pattern; other delimiters may mean something there. */
function escapedDelimiter(delimiter: string): string {
  return /[\w\s/#,;:@!"'=]/.test(delimiter) ? delimiter : `\\${delimiter}`;
}

export function readRange(vim: Vim, reader: ExReader): ExRange | Fault {
  const { buffer, cursor } = vim;
  reader.take(/^[\s:]+/);
  if (reader.take(/^%\s*/) !== undefined) return { from: 0, to: buffer.last, given: 2 };
  let current = cursor.line;
  const addresses: number[] = [];
  for (;;) {
    const address = readAddress(vim, reader, current);
    if (isFault(address)) return address;
    const separator = reader.take(/^\s*([,;])\s*/)?.[1];
    if (address === undefined && separator === undefined) break;
    addresses.push(address ?? current);
    if (separator === ";") current = address ?? current;
    if (separator === undefined) break;
    if (reader.rest === "" || /^[a-zA-Z&<>=]/.test(reader.rest)) {
      addresses.push(cursor.line);
      break;
    }
  }
  const to = addresses.at(-1);
  if (to === undefined) return { from: cursor.line, to: cursor.line, given: 0 };
  const from = addresses.length > 1 ? (addresses.at(-2) ?? to) : to;
  const highest = Math.max(from, to);
  if (highest > buffer.last || Math.min(from, to) < -1) return vim.noSuchLine(highest);
  if (from > to)
    return vim.refused("invalid_line_range", `The range ${from + 1},${to + 1} ends before it starts`);
  return { from, to, given: addresses.length > 1 ? 2 : 1 };
}

/** A line, 0-based; undefined where there is no address. */
export function readAddress(vim: Vim, reader: ExReader, current: number): number | undefined | Fault {
  const base = readBase(vim, reader, current);
  if (isFault(base)) return base;
  let line = base;
  for (
    let offset = reader.take(/^\s*([+-])\s*(\d*)/);
    offset !== undefined;
    offset = reader.take(/^\s*([+-])\s*(\d*)/)
  ) {
    const by = offset[2] === "" ? 1 : Number(offset[2]);
    line = (line ?? current) + (offset[1] === "+" ? by : -by);
  }
  return line;
}

function readBase(vim: Vim, reader: ExReader, current: number): number | undefined | Fault {
  const { buffer } = vim;
  const number = reader.take(/^\d+/);
  if (number !== undefined) return Number(number[0]) - 1;
  if (reader.take(/^\./) !== undefined) return current;
  if (reader.take(/^\$/) !== undefined) return buffer.last;
  const mark = reader.take(/^'(.)/)?.[1];
  if (mark !== undefined) {
    const position = buffer.marks.get(mark);
    if (position === undefined) return vim.refused("no_match", `The mark ${mark} is not set`);
    return Math.min(position.line, buffer.last);
  }
  const delimiter = reader.take(/^[/?]/)?.[0];
  if (delimiter === undefined) return undefined;
  const source = reader.until(delimiter);
  const wanted = source === "" ? vim.lastSearch?.source : source;
  if (wanted === undefined) return vim.refused("no_match", "There is no search to repeat");
  vim.lastSearch = { source: wanted, isForward: delimiter === "/" };
  const pattern = vimPattern(wanted);
  if (isFault(pattern)) return pattern;
  const isForward = delimiter === "/";
  const start = { line: current, col: isForward ? Number.MAX_SAFE_INTEGER : 0 };
  const found = findNext(buffer, pattern, start, isForward);
  if (isFault(found)) return found;
  if (found === undefined)
    return vim.refused("no_match", `The pattern ${JSON.stringify(wanted)} is not in the buffer`);
  return found.from.line;
}
