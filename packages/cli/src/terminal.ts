// What is written to the terminal: colours where a person looks, plain text where a program reads.

import type { Readable } from "node:stream";
import { styleText } from "node:util";
import type { Fault } from "@stet/protocol/fault";

type Style = Parameters<typeof styleText>[0];

export type KeySource = Readable & {
  readonly isTTY?: boolean;
  readonly isRaw?: boolean;
  setRawMode?(isRaw: boolean): unknown;
};

/** The two streams and what they can show. Tests put their own in. */
export interface Terminal {
  /** What was asked for. */
  out(text: string): void;
  /** Everything else: progress, notes, errors. */
  note(text: string): void;
  style(style: Style, text: string): string;
  /** What is piped in; empty where a person sits at the keyboard. */
  input(): Promise<string>;
  /** Where keys come from. */
  readonly keys: KeySource;
  readonly isInteractive: boolean;
  readonly width: number;
}

export function processTerminal(): Terminal {
  const isColoured = process.stderr.hasColors?.() === true && process.stdout.isTTY === true;
  return {
    out: (text) => void process.stdout.write(text),
    note: (text) => void process.stderr.write(text),
    style: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
    input: pipedText,
    keys: process.stdin,
    isInteractive: process.stdin.isTTY === true && process.stdout.isTTY === true,
    width: process.stdout.columns ?? 100,
  };
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
  terminal.note(`${terminal.style("red", "stet:")} ${fault.message}\n`);
  if (fault.suggestion !== "") terminal.note(`      ${terminal.style("dim", fault.suggestion)}\n`);
}

/** Text from a file or a model, made safe to print: no control characters that could steer the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "\ufffd");
}
