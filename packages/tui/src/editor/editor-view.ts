// Which rows of a text are on the screen, and where the cursor is in them. Lines are wrapped when they are looked at: only the
// rows of the window and of a page around the cursor, however long the text is.

import { truncateCells } from "../text/slice.ts";
import { type ChipLabels, clusterCells, clusterEnd, drawnCluster, isChip } from "./clusters.ts";
import { type LineChange, rowAt, rowStarts, rowStartsAfter } from "./line-rows.ts";
import type { Position, TextBuffer } from "./text-buffer.ts";

/** A row of a wrapped line. */
interface Row {
  readonly line: number;
  readonly row: number;
}

interface WrappedLine {
  readonly text: string;
  readonly starts: readonly number[];
}

const maxWrappedLines = 2000;

export class EditorView {
  readonly #buffer: TextBuffer;
  readonly #labels: ChipLabels;
  readonly #wrapped = new Map<number, WrappedLine>();
  #width = 80;
  #top: Row = { line: 0, row: 0 };
  /** The cell that the cursor wants to stay in when it moves up and down. */
  #goal: number | undefined;
  drawChip: (label: string) => string = (label) => label;

  constructor(buffer: TextBuffer, labels: ChipLabels) {
    this.#buffer = buffer;
    this.#labels = labels;
  }

  set width(width: number) {
    if (width === this.#width) return;
    this.#width = width;
    this.#wrapped.clear();
  }

  /** Called after a change inside one line; other changes are found by comparing the lines. */
  lineChanged(line: number, before: string, change: LineChange): void {
    const known = this.#wrapped.get(line);
    if (known?.text !== before) return;
    const text = this.#buffer.line(line);
    this.#wrapped.set(line, {
      text,
      starts: rowStartsAfter(known.starts, text, change, this.#width, this.#labels),
    });
  }

  forgetGoal(): void {
    this.#goal = undefined;
  }

  /** As many rows up or down as there are; undefined where the cursor is in the first or the last one already. */
  moveRows(cursor: Position, count: number): Position | undefined {
    const from = this.#rowOf(cursor);
    const to = this.#step(from, count);
    if (to.line === from.line && to.row === from.row) return undefined;
    this.#goal ??= this.#cellOf(cursor, from);
    return this.#positionAt(to, this.#goal);
  }

  /** The end of the row that the cursor is in. */
  rowEnd(cursor: Position): Position {
    const row = this.#rowOf(cursor);
    return this.#positionAt(row, Number.POSITIVE_INFINITY);
  }

  /** At most `height` rows, scrolled so that the cursor is among them. */
  rows(
    cursor: Position,
    height: number,
  ): { rows: string[]; cursor: { row: number; cell: number }; isCut: boolean } {
    const at = this.#rowOf(cursor);
    this.#scrollTo(at, height);
    const rows: string[] = [];
    let cursorRow = 0;
    let row: Row | undefined = this.#top;
    let isCut = row.line > 0 || row.row > 0;
    while (row !== undefined && rows.length < height) {
      if (row.line === at.line && row.row === at.row) cursorRow = rows.length;
      rows.push(this.#drawn(row));
      row = this.#after(row);
    }
    isCut ||= row !== undefined;
    return { rows, cursor: { row: cursorRow, cell: Math.min(this.#cellOf(cursor, at), this.#width) }, isCut };
  }

  #scrollTo(at: Row, height: number): void {
    const lastLine = this.#buffer.lines.length - 1;
    if (this.#top.line > lastLine) this.#top = { line: lastLine, row: 0 };
    this.#top = {
      line: this.#top.line,
      row: Math.min(this.#top.row, this.#startsOf(this.#top.line).length - 1),
    };
    if (isAbove(at, this.#top)) this.#top = at;
    const highest = this.#step(at, 1 - height);
    if (isAbove(this.#top, highest)) this.#top = highest;
    // No empty rows below the text while there is some above.
    const end = { line: lastLine, row: this.#startsOf(lastLine).length - 1 };
    const lowest = this.#step(end, 1 - height);
    if (isAbove(lowest, this.#top)) this.#top = lowest;
  }

  #step(from: Row, count: number): Row {
    let { line, row } = from;
    let left = Math.abs(count);
    while (left > 0) {
      const room = count < 0 ? row : this.#startsOf(line).length - 1 - row;
      const steps = Math.min(left, room);
      row += count < 0 ? -steps : steps;
      left -= steps;
      if (left === 0) break;
      const next = count < 0 ? line - 1 : line + 1;
      if (next < 0 || next >= this.#buffer.lines.length) break;
      line = next;
      row = count < 0 ? this.#startsOf(line).length - 1 : 0;
      left--;
    }
    return { line, row };
  }

  #after(row: Row): Row | undefined {
    const next = this.#step(row, 1);
    return next.line === row.line && next.row === row.row ? undefined : next;
  }

  #rowOf(position: Position): Row {
    return { line: position.line, row: rowAt(this.#startsOf(position.line), position.column) };
  }

  #startsOf(line: number): readonly number[] {
    const text = this.#buffer.line(line);
    const known = this.#wrapped.get(line);
    if (known !== undefined && known.text === text) return known.starts;
    if (this.#wrapped.size > maxWrappedLines) this.#wrapped.clear();
    const starts = rowStarts(text, this.#width, this.#labels);
    this.#wrapped.set(line, { text, starts });
    return starts;
  }

  #extent({ line, row }: Row): { text: string; start: number; end: number; isLast: boolean } {
    const starts = this.#startsOf(line);
    const text = this.#buffer.line(line);
    const start = starts[row] ?? 0;
    return { text, start, end: starts[row + 1] ?? text.length, isLast: row === starts.length - 1 };
  }

  #cellOf(position: Position, row: Row): number {
    const { text, start } = this.#extent(row);
    let cells = 0;
    for (let at = start; at < position.column; ) {
      const end = clusterEnd(text, at);
      cells += clusterCells(text.slice(at, end), cells, this.#labels);
      at = end;
    }
    return cells;
  }

  #positionAt(row: Row, cell: number): Position {
    const { text, start, end, isLast } = this.#extent(row);
    let cells = 0;
    let at = start;
    while (at < end) {
      const next = clusterEnd(text, at);
      // The position behind the last cluster of a row that is not the last one belongs to the next row.
      if (next >= end && !isLast) break;
      const taken = clusterCells(text.slice(at, next), cells, this.#labels);
      if (cells + taken > cell) break;
      cells += taken;
      at = next;
    }
    return { line: row.line, column: at };
  }

  #drawn(row: Row): string {
    const { text, start, end } = this.#extent(row);
    let cells = 0;
    let drawn = "";
    for (let at = start; at < end; ) {
      const next = clusterEnd(text, at);
      const cluster = text.slice(at, next);
      const taken = clusterCells(cluster, cells, this.#labels);
      if (cells + taken > this.#width) {
        // A blank behind the last cell, or something that is wider than the whole row.
        if (cells === 0) drawn += truncateCells(drawnCluster(cluster, cells, this.#labels), this.#width);
        break;
      }
      const plain = drawnCluster(cluster, cells, this.#labels);
      drawn += isChip(cluster) ? this.drawChip(plain) : plain;
      cells += taken;
      at = next;
    }
    return drawn;
  }
}

function isAbove(one: Row, other: Row): boolean {
  return one.line < other.line || (one.line === other.line && one.row < other.row);
}
