// What a terminal does with its rows when its size changes, as far as all of them agree, and where the window is then.
//
// The cursor stays with the text it stands on. A screen that becomes lower loses rows below the cursor first, then the upper
// ones go into the history. One that becomes higher shows rows of the history again, or empty ones below: the window keeps its
// rows, and is found from the cursor. A row that is wider than the new width is wrapped by most terminals; rows are never
// joined, because each of ours ends with a line break.

import { stripAnsi } from "../text/ansi.ts";
import { Scanner } from "../text/graphemes.ts";
import { isPrintableAscii } from "../text/width.ts";

/** How many rows of the window went into the history when the screen became lower. */
export function rowsPushedByHeight(cursorRow: number, height: number): number {
  return Math.max(0, cursorRow - (height - 1));
}

/** How many rows on the screen the rows became that now are narrower. */
export function wrappedHeight(rows: readonly string[], width: number): number {
  return rows.reduce((sum, row) => sum + heightOf(row.trimEnd(), width), 0);
}

/** A wide character that does not fit into the last column leaves it empty. */
function heightOf(row: string, width: number): number {
  if (isPrintableAscii(row)) return Math.max(1, Math.ceil(row.length / width));
  const scanner = new Scanner(row);
  let height = 1;
  let column = 0;
  while (scanner.next()) {
    column += scanner.width;
    if (column <= width) continue;
    height++;
    column = scanner.width;
  }
  return height;
}

const letters = /[\p{L}\p{N}]/gu;

/**
 * A component is laid out anew for another width while some of its rows, `before`, are history. Returns how many of the new
 * rows hold nothing but what the old ones said, counted in letters and digits: borders and indentation differ. The row in
 * which the history ends is shown once more, whole: a part of it twice rather than never.
 */
export function rowsWithSameText(before: readonly string[], now: readonly string[]): number {
  const wanted = before.reduce((sum, row) => sum + lettersIn(row), 0);
  let seen = 0;
  let rows = 0;
  while (seen < wanted && rows < now.length) {
    const count = lettersIn(now[rows] ?? "");
    if (seen + count > wanted) break;
    seen += count;
    rows++;
  }
  return rows;
}

function lettersIn(row: string): number {
  return stripAnsi(row).match(letters)?.length ?? 0;
}
