// Lines that are typed into the linear mode, and keys of providers, which are typed without echo.

import { createInterface } from "node:readline";
import { ctrlC, ctrlD } from "../../keyboard.ts";
import type { LineInput } from "./linear-dialogs.ts";

/** Lines as the terminal gives them; what nobody waits for yet is kept in its order. */
export class TypedLines implements LineInput {
  readonly write: (line: string) => void;
  readonly #reader;
  readonly #waiting: string[] = [];
  #wake: () => void = () => {};
  #isOver = false;
  /** Ctrl-C as it was handled before. */
  readonly #before = process.listeners("SIGINT");

  constructor(write: (line: string) => void, onInterrupt: () => void) {
    this.write = write;
    this.#reader = createInterface({ input: process.stdin, terminal: false });
    this.#reader.on("line", (line) => {
      this.#waiting.push(line);
      this.#wake();
    });
    this.#reader.on("close", () => {
      this.#isOver = true;
      process.off("SIGINT", onInterrupt);
      for (const listener of this.#before) process.on("SIGINT", listener);
      this.#wake();
    });
    for (const listener of this.#before) process.off("SIGINT", listener);
    process.on("SIGINT", onInterrupt);
  }

  async next(): Promise<string | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#waiting.shift();
  }

  /** In raw mode the terminal shows nothing of it, and Ctrl-C comes as a character. */
  async nextSecret(question: string): Promise<string | undefined> {
    const { stdin } = process;
    // Before the question: what is typed right behind it would be shown.
    if (stdin.isTTY === true) stdin.setRawMode(true);
    this.write(question);
    if (stdin.isTTY !== true) return this.next();
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<undefined>();
    const watch = (data: string | Buffer) => {
      if (String(data).includes(ctrlC) || String(data).includes(ctrlD)) leave(undefined);
    };
    stdin.on("data", watch);
    try {
      const line = await Promise.race([this.next(), isLeft]);
      return line === undefined ? undefined : withoutErased(line);
    } finally {
      stdin.off("data", watch);
      stdin.setRawMode(false);
    }
  }

  close(): void {
    this.#reader.close();
  }
}

/** What backspace and Ctrl-U took away is in the line, too. */
function withoutErased(line: string): string {
  let kept = "";
  for (const character of line) {
    if (character === "\u007f" || character === "\b") kept = kept.slice(0, -1);
    else if (character === "\u0015") kept = "";
    else if (character >= " ") kept += character;
  }
  return kept;
}
