// Reads the lines of a session file into an index, without parsing the content of every entry.
//
// A long file is checked by what is cheap: it is UTF-8, each line has a head and an end, and no line has a zero byte
// (what a crash of the whole machine leaves). A short file, and every line that looks odd, is parsed.
// Damage that only parsing finds in a long file is reported when the entry is first read.
// Bytes after the last "\n" are not a line yet: they are handed back as the torn end.

import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import type { SessionHeader } from "./entry.ts";
import type { EntryIndex } from "./entry-index.ts";
import { asEntry, asHeader, type EntryHead, headBytes, headOf, parseLine, quickHead } from "./entry-line.ts";

/** Something in the file that cannot be used. Its bytes are still there. */
export interface Damage {
  /** From 1. */
  readonly line: number;
  readonly reason: string;
  /** Known where the head of the line is readable; such an entry keeps its position in the tree. */
  readonly entryId?: string;
  /** A file that got the damaged bytes, where they had to be removed. */
  readonly keptIn?: string;
}

export interface ScanState {
  readonly index: EntryIndex;
  readonly damage: Damage[];
  header: SessionHeader | undefined;
  /** Lines read so far. */
  lines: number;
  /** Up to here the file is indexed: the byte after the last "\n". */
  end: number;
  /** CRC-32 of the bytes up to there. */
  sum: number;
}

const chunkBytes = 512 * 1024;
/** Files up to this size are parsed whole when they are opened, so that all their damage is known at once. */
const thoroughBytes = 4 * 1024 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const closingBrace = 0x7d;

/** Indexes the bytes from `state.end` to `size`, and returns how many bytes at the end belong to no whole line. */
export function scan(descriptor: number, size: number, state: ScanState): number {
  const isThorough = size - state.end <= thoroughBytes;
  let buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - state.end));
  let filled = 0;
  while (state.end + filled < size) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    const count = readSync(descriptor, buffer, filled, buffer.length - filled, state.end + filled);
    if (count === 0) break;
    filled += count;
    const lastFeed = buffer.lastIndexOf(lineFeed, filled - 1);
    if (lastFeed < 0) continue;
    const lines = buffer.subarray(0, lastFeed + 1);
    scanLines(lines, isThorough, state);
    state.sum = crc32(lines, state.sum);
    buffer.copyWithin(0, lastFeed + 1, filled);
    filled -= lastFeed + 1;
  }
  return filled;
}

function scanLines(chunk: Buffer, isThorough: boolean, state: ScanState): void {
  const isSuspect = isThorough || !isUtf8(chunk) || chunk.includes(0);
  let start = 0;
  while (start < chunk.length) {
    const feed = chunk.indexOf(lineFeed, start);
    let end = feed;
    if (end > start && chunk[end - 1] === carriageReturn) end -= 1;
    state.lines += 1;
    if (end > start) scanLine(chunk, start, end, isSuspect, state);
    state.end += feed + 1 - start;
    start = feed + 1;
  }
}

function scanLine(chunk: Buffer, start: number, end: number, isSuspect: boolean, state: ScanState): void {
  const line = state.lines;
  const head = quickHead(chunk.toString("latin1", start, Math.min(end, start + headBytes)));
  if (head !== undefined && !isSuspect && line > 1 && chunk[end - 1] === closingBrace) {
    addSlot(state, head, start, end);
    return;
  }
  const bytes = chunk.subarray(start, end);
  const record = isUtf8(bytes) ? parseLine(bytes.toString("utf8")) : undefined;
  if (line === 1) {
    state.header = asHeader(record);
    if (state.header !== undefined) return;
    state.damage.push({ line, reason: "the header of the session cannot be read" });
    if (record === undefined) return;
  }
  // A line whose head can be read keeps its entry in the tree, so that what follows stays attached to what precedes.
  const parsedHead = record === undefined ? head : headOf(record);
  if (parsedHead === undefined || parsedHead.type === "session") {
    state.damage.push({ line, reason: whyUnreadable(record) });
    return;
  }
  if (record === undefined || asEntry(record) === undefined) {
    state.damage.push({ line, reason: whyUnreadable(record), entryId: parsedHead.id });
  }
  addSlot(state, parsedHead, start, end);
}

function addSlot(state: ScanState, head: EntryHead, start: number, end: number): void {
  const { lines: line, end: offset, index, damage } = state;
  if (!index.add(head, { entry: undefined, line, offset, length: end - start })) {
    damage.push({ line, reason: `the id ${head.id} is taken by an earlier entry` });
  }
}

function whyUnreadable(record: unknown): string {
  return record === undefined ? "the line is not JSON" : "the line is JSON, but not an entry";
}
