// A block of code: a line above with its language, its lines, a line below. The lines stand at the edge, so that a selection
// copies code and no border.

import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { Theme } from "../theme/theme.ts";
import { languageName } from "./code-languages.ts";
import { paint, wrapLines } from "./rows.ts";
import { type Piece, Tokenizer } from "./tokenizer.ts";

/** Longer lines are data, and have no colours. */
const maxColouredLine = 2000;

export function codeRows(code: readonly string[], info: string, theme: Theme, width: number): string[] {
  const lines = new CodeLines(info, theme);
  return [
    codeTop(info, theme, width),
    ...code.flatMap((line) => lines.rows(line, width)),
    codeBottom(theme, width),
  ];
}

export function codeTop(info: string, theme: Theme, width: number): string {
  const word = /^[^\s{]*/.exec(info.trim())?.[0] ?? "";
  const line = theme.symbol("line");
  const name = truncateCells(word === "" ? "" : `${line} ${word} `, Math.max(1, width));
  return theme.fg("mdCodeBlockBorder", name + line.repeat(Math.max(0, width - cellWidth(name))));
}

export function codeBottom(theme: Theme, width: number): string {
  return theme.fg("mdCodeBlockBorder", theme.symbol("line").repeat(Math.max(1, width)));
}

/** Lines of code as they come, each drawn once. */
export class CodeLines {
  readonly #tokenizer: Tokenizer;
  readonly #theme: Theme;

  constructor(info: string, theme: Theme) {
    this.#tokenizer = new Tokenizer(languageName(/^[\w+#-]*/.exec(info.trim())?.[0] ?? ""));
    this.#theme = theme;
  }

  rows(line: string, width: number, isWhole = true): string[] {
    return wrapLines([this.line(line, isWhole)], width);
  }

  /** The line in its colours. */
  line(line: string, isWhole = true): string {
    if (line.length > maxColouredLine) return this.#theme.fg("mdCodeBlock", line);
    return paintPieces(this.#theme, this.#tokenizer.line(line, isWhole));
  }
}

function paintPieces(theme: Theme, pieces: readonly Piece[]): string {
  return pieces.map(({ text, token }) => paint(theme, { colour: token ?? "mdCodeBlock" }, text)).join("");
}
