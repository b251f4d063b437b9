// The first rows of a new conversation: what this is, and what one can type.

import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import { shortFolder } from "./status-line.ts";
import type { Theme } from "./theme/theme.ts";

const hints = [
  ["a request", "what to change, in your own words"],
  ["@", "a file or a picture"],
  ["/", "commands; /help lists them and all keys"],
  ["!", "a command of your shell"],
] as const;

export class Welcome implements Component {
  readonly #theme: Theme;
  readonly #folder: string;

  constructor(theme: Theme, folder: string) {
    this.#theme = theme;
    this.#folder = folder;
  }

  render(width: number): readonly string[] {
    const theme = this.#theme;
    const title = theme.emphasis("bold", theme.fg("accent", "Stet"));
    const rows = [`${title} ${theme.fg("muted", `in ${shortFolder(this.#folder)}`)}`];
    for (const [what, meaning] of hints)
      rows.push(`  ${theme.fg("text", what.padEnd(10))}${theme.fg("dim", meaning)}`);
    return rows.map((row) => truncateCells(row, width));
  }
}
