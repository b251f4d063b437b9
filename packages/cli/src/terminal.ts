// What is written to the terminal: colours where a person looks, plain text where a program reads. Everything leaves through
// the exits that are made here, and nothing else in this package may write to a stream; `npm run check` looks for that.

import { openSync, writeSync } from "node:fs";
import { ReadStream } from "node:tty";
import type { Fault } from "@stet/protocol/fault";
import { visibleJson } from "@stet/protocol/visible";
import { Keyboard } from "./keyboard.ts";
import { exitTo, type Style, styled } from "./screen-text.ts";

export type { Style } from "./screen-text.ts";

/** The streams and what they can show. */
export interface Terminal {
  /** What was asked for. */
  out(text: string): void;
  /** What was asked for, for programs: one line, which can be read by a person, too. */
  json(value: unknown): void;
  /** Contents that were asked for as they are: a pipe gets every byte. */
  data(text: string): void;
  /** Everything else: progress, notes, errors. */
  note(text: string): void;
  style(style: Style, text: string): string;
  /** What is piped in; empty where a person sits at the keyboard. */
  input(): Promise<string>;
  /** Keys from standard input, typed or piped. */
  readonly keys: Keyboard;
  /** Who can be asked. Undefined where nobody looks at any of the streams. */
  person(): TerminalInput | undefined;
  /** Keyboard and screen are both a terminal's. */
  readonly isInteractive: boolean;
  /** Somebody watches the notes, so that a line may be written over. */
  readonly isWatched: boolean;
  /** Somebody reads what was asked for on a screen. */
  readonly isRead: boolean;
  readonly width: number;
}

/** A keyboard, and where its person sees a question. What a question shows has nothing hidden in it. */
export interface TerminalInput {
  readonly keys: Keyboard;
  show(text: string): void;
}

/** What a terminal is made of. Nothing but the terminal itself writes to these. */
export interface TerminalStreams {
  out(text: string): void;
  note(text: string): void;
  input(): Promise<string>;
  readonly keys: Keyboard;
  person(): TerminalInput | undefined;
  readonly isColoured: boolean;
  readonly isInteractive: boolean;
  readonly isWatched: boolean;
  readonly isRead: boolean;
  readonly width: number;
}

export function terminalOver(streams: TerminalStreams): Terminal {
  const { isColoured, isRead, isWatched } = streams;
  const out = exitTo(streams.out, isRead ? "reading" : "steering");
  let person: TerminalInput | undefined;
  return {
    ...streams,
    out,
    json: (value) => streams.out(`${visibleJson(JSON.stringify(value))}\n`),
    data: isRead ? out : streams.out,
    note: exitTo(streams.note, isWatched ? "reading" : "steering"),
    style: (style, text) => (isColoured ? styled(style, text) : text),
    person() {
      if (person === undefined) {
        const found = streams.person();
        person = found && { keys: found.keys, show: exitTo(found.show, "everything") };
      }
      return person;
    },
  };
}

export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const keys = new Keyboard(stdin);
  return terminalOver({
    out: (text) => void stdout.write(text),
    note: (text) => void stderr.write(text),
    input: pipedText,
    keys,
    person: () => findPerson(keys),
    isColoured: stderr.hasColors?.() === true && stdout.isTTY === true,
    isInteractive: stdin.isTTY === true && stdout.isTTY === true,
    isWatched: stderr.isTTY === true,
    isRead: stdout.isTTY === true,
    width: stdout.columns ?? stderr.columns ?? 100,
  });
}

/**
 * A pipe on one side (`git diff | stet …`, `stet … | tee log`) leaves the terminal itself to ask on. Where none of the three
 * streams is a terminal, nobody watches, although there may be one that the process was started from.
 */
function findPerson(keys: Keyboard): TerminalInput | undefined {
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

/** Called when the output cannot be written: its reader has closed the pipe, or the disk is full. */
export function onOutputError(action: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on("error", action);
  // Where it cannot be written, there is no other channel.
  process.stderr.on("error", () => {});
}

export function showFault(terminal: Terminal, fault: Fault): void {
  terminal.note(`${terminal.style("red", "stet:")} ${fault.message}\n`);
  if (fault.suggestion !== "") terminal.note(`      ${terminal.style("dim", fault.suggestion)}\n`);
}
