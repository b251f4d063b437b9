// Keys and lines from one stream, for as long as the command runs.
//
// What is typed before somebody asks for it waits in a queue, in its order, so nothing of a chunk is lost between one question
// and the next. Only while a read waits is the terminal in raw mode and the stream flowing: otherwise Ctrl-C is a signal, and
// a process with nothing left to do can end.

import type { Readable } from "node:stream";
import { visible } from "@stet/protocol/visible";
import { stepBack } from "./screen-text.ts";

export type KeySource = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(isRaw: boolean): unknown;
  ref?(): unknown;
  unref?(): unknown;
};

export const ctrlC = "\u0003";
export const ctrlD = "\u0004";

/** A letter as people see it, an escape sequence (an arrow, a function key), or a control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: keys are made of them
const keyPattern = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O.|.)?|\r\n|[\s\S]/gu;

export class Keyboard {
  readonly #source: KeySource;
  readonly #queue: string[] = [];
  #hasEnded = false;
  #isListening = false;
  #isHeld = false;
  #wake: () => void = () => {};

  constructor(source: KeySource) {
    this.#source = source;
  }

  /** The next key, without Enter; undefined at the end of the input, and when the signal aborts. */
  async key(signal?: AbortSignal): Promise<string | undefined> {
    if (this.#queue.length === 0) await this.#more(signal);
    if (signal?.aborted) return undefined;
    const key = this.#queue.shift();
    return key === ctrlD ? undefined : key;
  }

  /** A line up to Enter, with `echo` for what a terminal in raw mode does not show itself. Ctrl-C is the line `ctrlC`. */
  async line(echo: (text: string) => void, signal?: AbortSignal): Promise<string | undefined> {
    const typed: string[] = [];
    const show = this.#source.isTTY === true ? echo : () => {};
    const erase = (count: number) => {
      for (const key of typed.splice(typed.length - Math.min(count, typed.length)))
        show(stepBack().repeat(columnsOf(key)));
    };
    for (;;) {
      const key = await this.key(signal);
      if (key === undefined || key === ctrlC) {
        show("\n");
        return key ?? (typed.length > 0 && !signal?.aborted ? typed.join("") : undefined);
      }
      if (key === "\r" || key === "\n" || key === "\r\n") {
        show("\n");
        return typed.join("");
      }
      if (key === "\u007f" || key === "\b") erase(1);
      else if (key === "\u0015") erase(typed.length);
      else if (key >= " ") {
        typed.push(key);
        show(key);
      }
    }
  }

  /**
   * A line that nobody sees. The terminal is in raw mode from before the question until after the end of the line: between two
   * keys it would show what comes then.
   */
  async secretLine(
    question: string,
    show: (text: string) => void,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    this.#isHeld = true;
    this.#listen();
    show(question);
    try {
      return await this.line(() => {}, signal);
    } finally {
      this.#isHeld = false;
      this.#rest();
      show("\n");
    }
  }

  /** Waits until the queue has something, the input ends or the signal aborts. */
  async #more(signal: AbortSignal | undefined): Promise<void> {
    while (this.#queue.length === 0 && !this.#hasEnded && !signal?.aborted) {
      this.#listen();
      const woken = new Promise<void>((wake) => {
        this.#wake = wake;
      });
      signal?.addEventListener("abort", this.#wake, { once: true });
      await woken;
      signal?.removeEventListener("abort", this.#wake);
    }
    this.#rest();
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    const source = this.#source;
    source.setEncoding("utf8");
    source.ref?.();
    if (source.isTTY) source.setRawMode?.(true);
    source.on("data", this.#onData).on("end", this.#onEnd).on("error", this.#onEnd).on("close", this.#onEnd);
    source.resume();
  }

  #rest(): void {
    if (!this.#isListening || this.#isHeld) return;
    this.#isListening = false;
    const source = this.#source;
    source
      .off("data", this.#onData)
      .off("end", this.#onEnd)
      .off("error", this.#onEnd)
      .off("close", this.#onEnd);
    if (source.isTTY) source.setRawMode?.(false);
    source.pause();
    // A terminal that was opened, unlike standard input, would otherwise keep the process from ending.
    source.unref?.();
  }

  readonly #onData = (data: string | Buffer): void => {
    this.#queue.push(...(String(data).match(keyPattern) ?? []));
    this.#wake();
  };

  readonly #onEnd = (): void => {
    this.#hasEnded = true;
    this.#wake();
  };
}

/** How far the cursor moved for a key that was shown. */
function columnsOf(key: string): number {
  const shown = visible(key, "everything");
  if (shown !== key) return shown.length;
  return /\p{Mark}/u.test(key)
    ? 0
    : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/u.test(
          key,
        )
      ? 2
      : 1;
}
