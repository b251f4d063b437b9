// Questions of ours where nothing is drawn over: the answers have numbers, and a line chooses.

import type { Component } from "@stet/tui/component";
import { stripAnsi } from "@stet/tui/text/ansi";
import type { Choice, Dialogs } from "../app.ts";

export interface LineInput {
  write(line: string): void;
  /** The next line that is typed; undefined at the end of the input. */
  next(): Promise<string | undefined>;
  /** Writes the question, and takes the next line without echo; undefined also after Ctrl-C. */
  nextSecret(question: string): Promise<string | undefined>;
}

const width = 80;

export class LinearDialogs implements Dialogs {
  readonly isLinear = true;
  readonly #lines: LineInput;

  constructor(lines: LineInput) {
    this.#lines = lines;
  }

  async choose<Value>(question: {
    readonly title: string;
    readonly choices: readonly Choice<Value>[];
  }): Promise<Value | undefined> {
    const { title, choices } = question;
    const lines = this.#lines;
    lines.write(title);
    for (const [index, { label, detail }] of choices.entries())
      lines.write(`${index + 1}: ${stripAnsi(label)}${detail === undefined ? "" : `, ${stripAnsi(detail)}`}`);
    for (;;) {
      lines.write(`A number from 1 to ${choices.length}, or an empty line for none:`);
      const line = (await lines.next())?.trim();
      if (line === undefined || line === "") return undefined;
      const chosen = choices[Number(line) - 1];
      if (chosen !== undefined) return chosen.value;
    }
  }

  async ask({
    title,
    text = "",
    isSecret = false,
  }: Parameters<Dialogs["ask"]>[0]): Promise<string | undefined> {
    if (isSecret) return this.#lines.nextSecret(title);
    this.#lines.write(text === "" ? title : `${title} An empty line keeps: ${text}`);
    const line = await this.#lines.next();
    return line === "" ? text || undefined : line;
  }

  async confirm(question: string): Promise<boolean> {
    this.#lines.write(`${question} y or n:`);
    return /^y/i.test((await this.#lines.next())?.trim() ?? "");
  }

  async page(title: string, content: Component): Promise<void> {
    this.#lines.write(title);
    for (const row of content.render(width)) {
      const line = stripAnsi(row).trimEnd();
      if (line !== "") this.#lines.write(line);
    }
  }

  async panel(): Promise<void> {
    this.#lines.write(
      "This needs the whole screen, which the linear mode does not draw; stet review step goes through changes line by line.",
    );
  }
}
