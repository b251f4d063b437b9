// The lines that a monitored command prints to its standard output, from chunks of what it writes.
//
// A line counts when its newline has come; of one that is longer than `maxLine` until then, the middle is left out. What the
// command wrote to its standard error comes behind a line with the end mark, and is no line: it tells why a monitor has ended.

import { StringDecoder } from "node:string_decoder";
import { CleanText } from "@stet/workspace/commands/clean-text";

const maxErrors = 8 * 1024;
/** More than is ever told of a line. */
const maxLine = 64 * 1024;

export class MonitorLines {
  readonly #end: string;
  readonly #onLine: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  readonly #clean = new CleanText();
  #pending = "";
  #errors = "";
  #hasEnded = false;

  constructor(end: string, onLine: (line: string) => void) {
    this.#end = end;
    this.#onLine = onLine;
  }

  /** What came behind the end. */
  get errors(): string {
    return this.#errors.trim();
  }

  add(chunk: Buffer): void {
    const lines = (this.#pending + this.#clean.add(this.#decoder.write(chunk))).split("\n");
    // A very long line is passed on in parts, of which only the last has its newline.
    const pending = lines.pop() ?? "";
    this.#pending =
      pending.length <= 2 * maxLine ? pending : pending.slice(0, maxLine) + pending.slice(-this.#end.length);
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    if (this.#hasEnded) this.#errors = `${this.#errors}${line}\n`.slice(-maxErrors);
    // What stands before it in the same line had no newline of its own.
    else if (line.endsWith(this.#end)) this.#hasEnded = true;
    else this.#onLine(line);
  }
}
