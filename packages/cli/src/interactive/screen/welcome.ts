// The first rows of a new conversation: what this is, and what one can type.

import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import { columnRows } from "../commands/columns.ts";
import type { Theme } from "../theme/theme.ts";
import { shortFolder } from "./status-line.ts";

const hints = [
  ["text", "what to change, in your own words"],
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
    const style = {
      left: (text: string) => theme.fg("text", text),
      right: (text: string) => theme.fg("dim", text),
    };
    return [...rows.map((row) => truncateCells(row, width)), ...columnRows(hints, width, style)];
  }
}
