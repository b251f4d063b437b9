// The output of one command: its end is kept in memory, all of it in a file once it is longer than that.
//
// Whatever a command writes, memory holds at most a few hundred kilobytes, and the file grows to its limit and no further.

import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { CleanText } from "./clean-text.ts";

export const keptBytes = 50 * 1024;
export const keptLines = 3000;
export const maxSpilledBytes = 64 * 1024 ** 2;

export interface OutputSummary {
  /** The end of the output. */
  readonly text: string;
  /** Whether there was more before it. */
  readonly isTruncated: boolean;
  /** As the command wrote them. */
  readonly totalBytes: number;
  readonly totalLines: number;
  /** Where the whole output is, when `text` is only its end; undefined where it could not be kept. */
  readonly spill: Spill | undefined;
}

export interface Spill {
  /** Removed when the commands are closed. */
  readonly path: string;
  /** Whether the file has everything; false where it reached its limit, or could not be written. */
  readonly isComplete: boolean;
}

export interface TailLimits {
  readonly bytes: number;
  readonly lines: number;
}

const limits: TailLimits = { bytes: keptBytes, lines: keptLines };

export class CommandOutput {
  readonly #spillPath: () => string;
  readonly #decoder = new StringDecoder("utf8");
  readonly #clean = new CleanText();
  #tail = "";
  #descriptor: number | undefined;
  #hasSpilled = false;
  #spilledTo: string | undefined;
  #isComplete = true;
  #spilledBytes = 0;
  #totalBytes = 0;
  #totalLines = 0;

  constructor(spillPath: () => string) {
    this.#spillPath = spillPath;
  }

  add(chunk: Buffer): void {
    this.#totalBytes += chunk.length;
    this.#keep(this.#clean.add(this.#decoder.write(chunk)));
  }

  /** The last lines so far. */
  lastLines(bounds: TailLimits): string {
    return tailOf(this.#tail + this.#clean.begun, bounds);
  }

  /** To be called once, when nothing more is wanted. */
  end(): OutputSummary {
    this.#keep(this.#clean.add(this.#decoder.end()));
    this.#keep(this.#clean.end());
    const text = tailOf(this.#tail, limits);
    if (text.length < this.#tail.length) this.#spill("");
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    const totalLines = this.#totalLines + (this.#tail === "" || this.#tail.endsWith("\n") ? 0 : 1);
    const spill =
      this.#spilledTo === undefined ? undefined : { path: this.#spilledTo, isComplete: this.#isComplete };
    return { text, isTruncated: this.#hasSpilled, totalBytes: this.#totalBytes, totalLines, spill };
  }

  #keep(text: string): void {
    if (text === "") return;
    this.#totalLines += countBreaks(text);
    if (this.#hasSpilled) this.#spill(text);
    this.#tail += text;
    if (this.#tail.length <= 4 * keptBytes) return;
    this.#spill("");
    this.#tail = this.#tail.slice(-2 * keptBytes);
  }

  /** The first time it also writes what was kept so far. */
  #spill(text: string): void {
    try {
      if (!this.#hasSpilled) {
        this.#hasSpilled = true;
        const path = this.#spillPath();
        this.#descriptor = openSync(path, "wx", 0o600);
        this.#spilledTo = path;
        this.#write(this.#tail);
      }
      if (text !== "") this.#write(text);
    } catch {
      // A full disk must not end the command; the result says that the file is incomplete.
      this.#isComplete = false;
      this.#spilledBytes = maxSpilledBytes;
    }
  }

  #write(text: string): void {
    if (this.#descriptor === undefined) return;
    const bytes = Buffer.from(text);
    const room = maxSpilledBytes - this.#spilledBytes;
    if (bytes.length > room) this.#isComplete = false;
    let written = 0;
    while (written < Math.min(bytes.length, room)) {
      written += writeSync(this.#descriptor, bytes, written, Math.min(bytes.length, room) - written);
    }
    this.#spilledBytes += written;
  }
}

export function removeSpill(spill: Spill | undefined): void {
  if (spill !== undefined) rmSync(spill.path, { force: true });
}

/** The last lines of a text that fit; of a line that is too long alone, its end. */
export function tailOf(text: string, bounds: TailLimits): string {
  let from = text.length;
  let lines = 0;
  let bytes = 0;
  while (from > 0 && lines < bounds.lines) {
    // A start below 0 would count as 0, and find the break that is the first line itself.
    const start = from === 1 ? 0 : text.lastIndexOf("\n", from - 2) + 1;
    // A line has at least as many bytes as it has units, so a huge one need not be measured.
    const size = from - start > bounds.bytes ? bounds.bytes + 1 : Buffer.byteLength(text.slice(start, from));
    if (bytes + size > bounds.bytes) break;
    bytes += size;
    lines += 1;
    from = start;
  }
  if (from < text.length || text === "") return text.slice(from);
  const end = Buffer.from(text.slice(-bounds.bytes));
  let cut = Math.max(0, end.length - bounds.bytes);
  while (cut < end.length && ((end[cut] ?? 0) & 0xc0) === 0x80) cut += 1;
  return end.subarray(cut).toString("utf8");
}

/** By codes: looking for one break after the other takes ten times as long where lines are short. */
function countBreaks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === 10) count += 1;
  }
  return count;
}
