// What is written to the terminal: colours where a person looks, plain text where a program reads.

import { openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import { styleText } from "node:util";
import type { Fault } from "@stet/protocol/fault";
import { Keyboard } from "./keyboard.ts";

export type Style = Parameters<typeof styleText>[0];

/** The streams and what they can show. Tests put their own in. */
export interface Terminal {
  /** What was asked for. */
  out(text: string): void;
  /** Everything else: progress, notes, errors. */
  note(text: string): void;
  style(style: Style, text: string): string;
  /** What is piped in; empty where a person sits at the keyboard. */
  input(): Promise<string>;
  /** Keys from standard input, typed or piped. */
  readonly keys: Keyboard;
  /** Who can be asked. Undefined where nobody looks at any of the streams. */
  person(): Person | undefined;
  /** Keyboard and screen are both a terminal's. */
  readonly isInteractive: boolean;
  /** Somebody watches the notes, so that a line may be written over. */
  readonly isWatched: boolean;
  /** Somebody reads what was asked for on a screen. */
  readonly isRead: boolean;
  readonly width: number;
}

/** A keyboard, and where its person sees a question. */
export interface Person {
  readonly keys: Keyboard;
  show(text: string): void;
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const isColoured = stderr.hasColors?.() === true && stdout.isTTY === true;
  const keys = new Keyboard(stdin);
  let person: Person | undefined;
  return {
    out: (text) => void stdout.write(text),
    note: (text) => void stderr.write(text),
    style: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
    input: pipedText,
    keys,
    person() {
      person ??= findPerson(keys);
      return person;
    },
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    isWatched: stderr.isTTY === true,
    isRead: stdout.isTTY === true,
    width: stdout.columns ?? stderr.columns ?? 100,
  };
}

/**
 * A pipe on one side (`git diff | stet …`, `stet … | tee log`) leaves the terminal itself to ask on. Where none of the three
 * streams is a terminal, nobody watches, although there may be one that the process was started from.
 */
function findPerson(keys: Keyboard): Person | undefined {
  const { stdin, stdout, stderr } = process;
  if (stdout.isTTY !== true && stderr.isTTY !== true) return undefined;
  try {
    const keyboard = stdin.isTTY === true ? keys : new Keyboard(new ReadStream(openSync("/dev/tty", "r")));
    if (stderr.isTTY === true) return { keys: keyboard, show: (text) => void stderr.write(text) };
    const screen = openSync("/dev/tty", "w");
    return { keys: keyboard, show: (text) => void writeSync(screen, text) };
  } catch {
    // No such device, as on Windows, or none that is ours.
    return undefined;
  }
}

const patience = 2000;

/** Waits for the end of the input, as programs in a pipe do, but not without saying so. */
async function pipedText(): Promise<string> {
  if (process.stdin.isTTY === true) return "";
  const { text } = await import("node:stream/consumers");
  const notice = setTimeout(() => process.stderr.write("Waiting for standard input to end …\n"), patience);
  try {
    return await text(process.stdin);
  } finally {
    clearTimeout(notice);
  }
}

export function showFault(terminal: Terminal, fault: Fault): void {
  terminal.note(`${terminal.style("red", "stet:")} ${printable(fault.message)}\n`);
  if (fault.suggestion !== "") terminal.note(`      ${terminal.style("dim", printable(fault.suggestion))}\n`);
}

/** C0 and C1 controls but for tab and line feed, and what reorders text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be shown
const controls = /\r(?=\n)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text from a file, a command or a model, made safe to print: control characters that could steer the terminal are visible. */
export function printable(text: string): string {
  return text.replace(controls, (found) => {
    if (found === "\r") return "";
    const code = found.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : `\u2039${code.toString(16)}\u203a`;
  });
}
