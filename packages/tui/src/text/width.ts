// How many cells a text takes. Everything that measures, wraps, cuts or pads goes through the scanner of graphemes.ts, so that
// a width that was measured is the width that is cut.

import { sequenceEnd } from "./ansi.ts";
import { Scanner } from "./graphemes.ts";

/** Tabs of text that says nothing else: the next multiple of this many cells. */
export const defaultTabWidth = 4;

/** The cells of one row of text. Escape sequences and control characters take none; a tab reaches to the next stop. */
export function cellWidth(text: string, tabWidth: number = defaultTabWidth): number {
  let width = 0;
  let at = 0;
  let letter = -1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) {
      width += 1;
      letter = at;
      at += 1;
    } else if (code === 0x1b && !text.startsWith("\u001b]66;", at)) at = sequenceEnd(text, at);
    else if (letter === at - 1 && letter !== -1) {
      // A mark joins the letter before it.
      return scannedWidth(text, letter, width - 1, tabWidth);
    } else return scannedWidth(text, at, width, tabWidth);
  }
  return width;
}

function scannedWidth(text: string, start: number, widthBefore: number, tabWidth: number): number {
  const scanner = new Scanner(text, start);
  let width = widthBefore;
  while (scanner.nextRun()) {
    width += scanner.width;
    if (scanner.kind === "control" && text.charCodeAt(scanner.start) === 0x09)
      width += tabCells(width, tabWidth);
  }
  return width;
}

/** The cells from a column to the next tab stop. */
export function tabCells(column: number, tabWidth: number): number {
  const width = Math.max(1, Math.floor(tabWidth));
  return width - (column % width);
}

/** The text of one row with spaces in place of its tabs. */
export function expandTabs(text: string, tabWidth: number = defaultTabWidth): string {
  if (!text.includes("\t")) return text;
  const parts: string[] = [];
  const scanner = new Scanner(text);
  let width = 0;
  let from = 0;
  while (scanner.nextRun()) {
    width += scanner.width;
    const code = scanner.kind === "control" ? text.charCodeAt(scanner.start) : 0;
    if (code === 0x09) {
      const cells = tabCells(width, tabWidth);
      parts.push(text.slice(from, scanner.start), " ".repeat(cells));
      from = scanner.end;
      width += cells;
    } else if (code === 0x0a || code === 0x0d) width = 0;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

/** The grapheme clusters of a text, in order. A control character and an escape sequence each are one item. */
export function* graphemes(text: string): Iterable<string> {
  const scanner = new Scanner(text);
  while (scanner.next()) yield scanner.token;
}

/** One cell for each character, and nothing that joins. */
export function isPrintableAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}
