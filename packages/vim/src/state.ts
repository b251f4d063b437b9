// What a vim buffer remembers between keys and between calls, and the keys that are still to be read.
//
// The keys of a call are carried out as a whole: the first command that cannot be carried out is a fault, and the caller
// puts the state back that was there before the call.

import { Fault, type FaultCode } from "@stet/protocol/fault";
import { columnNear, lastColumn, type Position, VimBuffer, type VimLines } from "./buffer.ts";
import { boundary, formatKeys, type Key } from "./keys.ts";
import { Registers } from "./registers.ts";

export interface Visual {
  readonly kind: "characters" | "lines";
  readonly anchor: Position;
}

/** A change as keys, to be repeated. */
export interface Repeatable {
  readonly keys: readonly Key[];
  readonly count: number | undefined;
  readonly register: string | undefined;
}

export interface Substitution {
  readonly source: string;
  readonly replacement: string;
  readonly flags: string;
}

/** What is asked for the file: to be written, also where most of it goes. */
export type FileWish = "write" | "force";

/** Keys that all macros, repetitions and :normal of one call may carry out. */
const maxKeys = 200_000;

export class Vim {
  buffer: VimBuffer;
  cursor: Position = { line: 0, col: 0 };
  /** The column that up and down keep to. */
  wanted = 0;
  visual: Visual | undefined;
  lastVisual: (Visual & { readonly cursor: Position }) | undefined;
  registers = new Registers();
  lastFind: { readonly key: string; readonly character: string } | undefined;
  lastSearch: { readonly source: string; readonly isForward: boolean } | undefined;
  lastSubstitution: Substitution | undefined;
  lastChange: Repeatable | undefined;
  lastMacro: string | undefined;
  recording: { readonly name: string; readonly keys: Key[] } | undefined;
  /** One step of indentation. */
  indent: string;
  /** The message that a person would have read in the status line. */
  notes: string[] = [];
  wish: FileWish | undefined;
  /** The lines as they were read or saved last. */
  saved: VimLines;
  /** Whether something else carries keys out: then they are not a change to be repeated. */
  isRepeating = false;
  #queue: Key[] = [];
  #at = 0;
  /** Keys read since the present command began. */
  #read: Key[] = [];
  #spent = 0;
  /** Whether the keys ended in the middle of a command: with more of them it may be one. */
  isIncomplete = false;
  /** Where text goes on, if the keys ended while it was typed. */
  typingAt: Position | undefined;
  /** How many macros, repetitions and :normal are inside of each other now. */
  depth = 0;

  constructor(lines: readonly string[], indent: string) {
    this.buffer = new VimBuffer(lines);
    this.saved = this.buffer.snapshot();
    this.indent = indent;
  }

  /** The same with another text. */
  withLines(lines: readonly string[]): Vim {
    const other = this.copy();
    other.buffer = new VimBuffer(lines);
    other.saved = other.buffer.snapshot();
    other.visual = undefined;
    other.lastVisual = undefined;
    other.moveTo(this.cursor);
    return other;
  }

  copy(): Vim {
    const copy = new Vim([], this.indent);
    Object.assign(copy, this, {
      buffer: this.buffer.copy(),
      registers: this.registers.copy(),
      notes: [],
      wish: undefined,
    });
    return copy;
  }

  /** Begins to read these keys. */
  feed(keys: readonly Key[]): void {
    this.#queue = [...keys];
    this.#at = 0;
    this.#spent = 0;
    this.isIncomplete = false;
    this.typingAt = undefined;
    this.buffer.work = 0;
  }

  /** The next key of a command; the ends of strings do not matter to it. */
  next(): Key | undefined {
    while (this.#queue[this.#at] === boundary) this.#at += 1;
    return this.#take();
  }

  peek(): Key | undefined {
    while (this.#queue[this.#at] === boundary) this.#at += 1;
    return this.#queue[this.#at];
  }

  /** The digits of a count, which does not begin with 0, behind those that were read. */
  readDigits(before = ""): string {
    let digits = before;
    for (
      let key = this.peek();
      /^[0-9]$/.test(key ?? "") && (key !== "0" || digits !== "");
      key = this.peek()
    )
      digits += this.next();
    return digits;
  }

  #take(): Key | undefined {
    const key = this.#queue[this.#at];
    if (key === undefined) return undefined;
    this.#at += 1;
    this.#spent += 1;
    this.#read.push(key);
    this.recording?.keys.push(key);
    return key;
  }

  /** A command line or a search, up to <CR>, the end of its string, or the end of the keys. */
  readLine(kind: string): string | Fault {
    let line = "";
    for (;;) {
      if (this.#queue[this.#at] === boundary) {
        this.#at += 1;
        // A repetition has no ends of strings, so it gets the key that ends a line.
        this.#read.push("<CR>");
        return line;
      }
      const key = this.#take();
      if (key === undefined || key === "<CR>") return line;
      if (key === "<Esc>")
        return this.refused("invalid_arguments", `The line that ${kind} began was left with <Esc>`);
      if (key === "<BS>") line = line.slice(0, -1);
      else line += key === "<Tab>" ? "\t" : key;
    }
  }

  /** The keys of the command that is being read. */
  get command(): readonly Key[] {
    return this.#read;
  }

  startCommand(): Fault | undefined {
    this.#read = [];
    if (this.#spent <= maxKeys) return undefined;
    return new Fault(
      "too_large",
      `These keys lead to more than ${maxKeys} others. Nothing was changed.`,
      "Use fewer repetitions, or edit in several calls.",
    );
  }

  /** Carries out other keys before the rest, with something that reads them. */
  within<T>(keys: readonly Key[], action: () => T): T {
    const { recording } = this;
    const queue = this.#queue;
    const at = this.#at;
    const read = this.#read;
    this.#queue = [...keys];
    this.#at = 0;
    this.#read = [];
    this.recording = undefined;
    this.depth += 1;
    const result = action();
    this.depth -= 1;
    this.#queue = queue;
    this.#at = at;
    this.#read = read;
    this.recording = recording;
    return result;
  }

  /** Puts the cursor on a character, or behind the last one where text can be inserted there. */
  moveTo(position: Position, wanted?: number, canPass = false): void {
    const line = Math.max(0, Math.min(position.line, this.buffer.last));
    const text = this.buffer.line(line);
    const limit = canPass ? text.length : Math.max(0, lastColumn(text));
    const col = position.col >= limit ? limit : columnNear(text, position.col);
    this.cursor = { line, col };
    this.wanted = wanted ?? col;
  }

  /** Puts the cursor on the first character of a line that is not blank. */
  moveToLine(line: number): void {
    this.moveTo(this.buffer.firstNonBlank(Math.max(0, Math.min(line, this.buffer.last))));
  }

  /** Puts lines in place of others, and the cursor on a line. */
  replaceLines(at: number, removed: number, lines: readonly string[], cursor: number): Fault | undefined {
    const fault = this.buffer.splice(at, removed, lines);
    if (fault === undefined) this.moveToLine(cursor);
    return fault;
  }

  /** The position from which a jump began. */
  markJump(): void {
    this.buffer.marks.set("'", this.cursor);
  }

  refused(
    code: FaultCode,
    reason: string,
    suggestion = "Look at details.current, which shows the lines there, and correct the keys.",
    at = this.cursor.line,
  ): Fault {
    const typed = formatKeys(this.#read);
    const command = typed === "" ? "" : ` (at ${JSON.stringify(typed)})`;
    const first = Math.max(0, at - 2);
    const current = this.buffer.lines
      .slice(first, at + 3)
      .map((text, index) => `${first + index + 1}|${text.slice(0, 200)}`);
    return new Fault(code, `${reason}${command}. None of the keys was carried out.`, suggestion, {
      keys: typed,
      line: this.cursor.line + 1,
      column: this.cursor.col + 1,
      current,
    });
  }

  /** 0-based. The last lines of the view. */
  noSuchLine(line: number): Fault {
    const { lines, last } = this.buffer;
    const reason = `Line ${line + 1} does not exist: the buffer has ${lines.length} lines`;
    return this.refused("invalid_line_range", reason, undefined, last);
  }

  incomplete(command: string): Fault {
    this.isIncomplete = true;
    return this.refused("invalid_arguments", `The keys end in the middle of ${JSON.stringify(command)}`);
  }
}
