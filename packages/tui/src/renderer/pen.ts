// Collects the bytes of one frame and knows where the terminal's cursor is meanwhile. Rows are counted from the first row of
// the window, and the cursor only moves relatively: where the window lies on the screen is never assumed.

import { type Cell, cellsOf, isSameCell, styleChange } from "./cells.ts";
import { hasPicture } from "./prepare-row.ts";

/** Cells between two changes that are rather written again than skipped: a jump has about as many bytes. */
const shortestSkip = 5;

/** Stands for a row of which nobody knows what it shows. */
export const unknownRow = "\u0000";

export class Pen {
  #output: string[] = [];
  row: number;
  /** Undefined where it is not known: behind the last column, a terminal's cursor may be in one of two states. */
  column: number | undefined;
  readonly #width: number;

  constructor(row: number, column: number | undefined, width: number) {
    this.row = row;
    this.column = column;
    this.#width = width;
  }

  get isEmpty(): boolean {
    return this.#output.length === 0;
  }

  get output(): string {
    return this.#output.join("");
  }

  raw(text: string): void {
    if (text !== "") this.#output.push(text);
  }

  moveTo(row: number, column: number): void {
    const down = row - this.row;
    if (down > 0) this.raw(`\u001b[${countOf(down)}B`);
    else if (down < 0) this.raw(`\u001b[${countOf(-down)}A`);
    this.row = row;
    this.#moveToColumn(column);
  }

  #moveToColumn(column: number): void {
    if (column === this.column) return;
    let shortest = column === 0 ? "\r" : `\u001b[${countOf(column + 1)}G`;
    if (this.column !== undefined) {
      const right = column - this.column;
      const relative =
        right > 0 ? `\u001b[${countOf(right)}C` : right >= -3 ? "\b".repeat(-right) : `\u001b[${-right}D`;
      if (relative.length < shortest.length) shortest = relative;
    }
    this.raw(shortest);
    this.column = column;
  }

  /** Erases this row and everything below it. In two steps: tmux keeps a copy of a screen that is erased from its first row. */
  eraseFromRow(): void {
    this.raw("\r\u001b[K\u001b7\u001b[B\u001b[J\u001b8");
    this.column = 0;
  }

  /** Goes on below the last row; the terminal scrolls where there is none. */
  newRow(): void {
    this.raw("\r\n");
    this.row++;
    this.column = 0;
  }

  /** Makes rows below the last one, on which the cursor is. */
  lineFeeds(count: number): void {
    this.raw("\n".repeat(count));
    this.row += count;
    this.column = undefined;
  }

  /** Pushes this row and those below it down. */
  insertRows(count: number): void {
    this.raw(`\u001b[${countOf(count)}L`);
    this.column = undefined;
  }

  /** Takes this row and those below it out; what follows moves up. */
  deleteRows(count: number): void {
    this.raw(`\u001b[${countOf(count)}M`);
    this.column = undefined;
  }

  /** Only for a full paint: the screen is empty, and the cursor at its first row. */
  clearScreen(): void {
    this.raw("\u001b[2J\u001b[H");
    this.row = 0;
    this.column = 0;
  }

  /** Only for a full paint that a person asked for: the history is empty, too. */
  clearScrollback(): void {
    this.clearScreen();
    this.raw("\u001b[3J");
  }

  eraseToEndOfRow(): void {
    this.raw("\u001b[K");
  }

  eraseBelow(): void {
    this.raw("\u001b[J");
  }

  /** Writes a row where nothing is, from its first column: as it is, since it was prepared. */
  writeRow(text: string): void {
    if (text === "") return;
    this.raw(text.endsWith(" ") ? text.trimEnd() : text);
    this.column = undefined;
  }

  /** Turns one row into another: only the cells that differ are written. */
  patchRow(row: number, from: string, to: string): void {
    if (from === to) return;
    if (from === unknownRow || hasPicture(from) || hasPicture(to)) {
      this.moveTo(row, 0);
      this.eraseToEndOfRow();
      this.writeRow(to);
      return;
    }
    const old = cellsOf(from);
    const next = cellsOf(to);
    let at = 0;
    while (at < next.width) {
      if (isSameCell(old.cells[at], next.cells[at])) {
        at += next.cells[at]?.width ?? 1;
        continue;
      }
      const end = this.#changeEnd(old.cells, next.cells, at, next.width);
      this.moveTo(row, at);
      this.#writeCells(next.cells, at, end);
      at = end;
    }
    if (old.width > next.width) {
      this.moveTo(row, next.width);
      this.eraseToEndOfRow();
    }
  }

  /** The column behind the last change of a run of changes. */
  #changeEnd(
    old: readonly (Cell | undefined)[],
    next: readonly (Cell | undefined)[],
    start: number,
    width: number,
  ): number {
    let end = start;
    let column = start;
    while (column < width && column - end < shortestSkip) {
      const cell = next[column];
      const cells = cell?.width ?? 1;
      if (!isSameCell(old[column], cell)) end = column + cells;
      column += cells;
    }
    return end;
  }

  #writeCells(cells: readonly (Cell | undefined)[], start: number, end: number): void {
    let style = "";
    let text = "";
    for (let column = start; column < end; column++) {
      const cell = cells[column];
      if (cell === undefined) continue;
      text += styleChange(style, cell.style) + cell.text;
      style = cell.style;
    }
    this.raw(text + styleChange(style, ""));
    this.column = end < this.#width ? end : undefined;
  }
}

/** The parameter of a sequence, which is 1 where nothing is written. */
function countOf(count: number): string {
  return count === 1 ? "" : String(count);
}
