// A row as it may be written: no wider than the window, without anything that a terminal would obey but styles, hyperlinks,
// sized text and pictures, closed at its end, and without the cursor marker, whose column is told.
//
// Whoever makes a row from text of others makes control bytes visible there. This is the second line: what still comes here is
// shown as a picture of the byte.

import { cursorMarker } from "../component.ts";
import { Scanner } from "../text/graphemes.ts";
import { truncateCells } from "../text/slice.ts";
import { StyleState } from "../text/style-state.ts";
import { cellWidth, defaultTabWidth, isPrintableAscii, tabCells } from "../text/width.ts";

export interface PreparedRow {
  readonly text: string;
  /** Where the cursor marker stood; undefined where there was none. */
  readonly cursorColumn: number | undefined;
}

/** What may follow ESC: SGR, a hyperlink, and pictures of Kitty (APC G), iTerm2 (OSC 1337) and Sixel (DCS … q). */
const style = /^\[[0-9;:]*m$/;
const hyperlink = /^\]8;[^;\p{Cc}]*;[^\p{Cc}]*\p{Cc}\\?$/u;
const picture = /^(?:_G|\]1337;(?:File|MultipartFile|FilePart|FileEnd)|P[0-9;]*q)/;

/** In a row of a picture also: the cursor saved, moved up to the picture's first row, and put back. */
const steering = /^(?:7|8|\[[0-9]*A)$/;

/** Whether the row holds a picture, or is covered by one: such a row is written whole or not at all. */
export function hasPicture(row: string): boolean {
  return (
    row.includes("\u001b7") ||
    row.includes("\u001b_G") ||
    row.includes("\u001b]1337;") ||
    row.includes("\u001bP")
  );
}

export function prepareRow(row: string, width: number): PreparedRow {
  if (row.length <= width && isPrintableAscii(row)) return { text: row, cursorColumn: undefined };
  const marker = row.indexOf(cursorMarker);
  const cursorColumn =
    marker === -1 ? undefined : Math.min(cellWidth(row.slice(0, marker)), Math.max(0, width - 1));
  const plain = marker === -1 ? row : row.replaceAll(cursorMarker, "");
  const clean = sanitise(plain);
  return { text: cellWidth(clean) > width ? closed(truncateCells(clean, width)) : clean, cursorColumn };
}

function sanitise(row: string): string {
  const state = new StyleState();
  const scanner = new Scanner(row);
  const isOfPicture = row.startsWith("\u001b7") && row.endsWith("\u001b8");
  let text = "";
  let column = 0;
  while (scanner.next()) {
    const { token } = scanner;
    const sequence = token.slice(1);
    if (scanner.kind === "text") text += token;
    else if (scanner.kind === "control") {
      if (token === "\t") {
        const cells = tabCells(column, defaultTabWidth);
        text += " ".repeat(cells);
        column += cells;
      } else {
        text += controlPicture(token);
        column += token.length;
      }
    } else if (style.test(sequence) || hyperlink.test(sequence)) {
      state.apply(token);
      text += token;
    } else if (picture.test(sequence) || (steering.test(sequence) && isOfPicture)) text += token;
    else {
      const shown = [...token].map((character) => controlPicture(character)).join("");
      text += shown;
      column += cellWidth(shown);
    }
    column += scanner.width;
  }
  return text + state.closing;
}

/** Control characters have pictures of their own in Unicode; those of the upper half have one for all. */
function controlPicture(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "\u2421" : "\ufffd";
  });
}

function closed(row: string): string {
  const state = new StyleState();
  const scanner = new Scanner(row);
  while (scanner.next()) if (scanner.kind === "escape") state.apply(scanner.token);
  return row + state.closing;
}
