// A block of code: a line above with its language, its lines, a line below. The lines stand at the edge, so that a selection
// copies code and no border.

import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { Theme } from "../theme/theme.ts";
import { languageName } from "./code-languages.ts";
import { codeParser } from "./code-parsers.ts";
import { parsedLines } from "./parsed-code.ts";
import { paint, wrapLines } from "./rows.ts";
import { type Piece, Tokenizer } from "./tokenizer.ts";

/** Longer lines are data, and have no colours. */
const maxColouredLine = 2000;

/** More is data. */
const maxParsedCharacters = 60_000;

/** Code that is whole. */
export function codeRows(code: readonly string[], info: string, theme: Theme, width: number): string[] {
  return [codeTop(info, theme, width), ...wholeCodeRows(code, info, theme, width), codeBottom(theme, width)];
}

/** Without the border. */
export function wholeCodeRows(code: readonly string[], info: string, theme: Theme, width: number): string[] {
  const lines = new CodeLines(info, theme);
  const length = code.reduce((sum, line) => sum + line.length + 1, 0);
  const isData = length > maxParsedCharacters || code.some((line) => line.length > maxColouredLine);
  const parser = isData ? undefined : codeParser(languageOf(info));
  if (parser === undefined) return code.flatMap((line) => lines.rows(line, width));
  const painted = parsedLines(parser, code).map((pieces) => paintPieces(theme, pieces));
  return wrapLines(painted, width);
}

function languageOf(info: string): string {
  return languageName(/^[\w+#-]*/.exec(info.trim())?.[0] ?? "");
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
    this.#tokenizer = new Tokenizer(languageOf(info));
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
