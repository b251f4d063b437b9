// A table, fitted to the width: each column as wide as its widest cell where there is room, else the widest columns give way
// first, and their cells are wrapped. Where not even a few cells are left for each column, the rows are drawn one below the
// other, as `heading: cell`.

import type { SyntaxNode } from "@lezer/common";
import { padCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { Theme } from "../theme/theme.ts";
import { InlineText } from "./markdown-inline.ts";
import { type Style, wrapLines } from "./rows.ts";

/** Of these first rows, the widest cells make the columns; what comes later is wrapped to fit. */
export const measuredRows = 50;
const minColumn = 4;

type Alignment = "left" | "right" | "centre";

/** What the first rows of a table decide for all of it. */
export class TableDrawing {
  readonly #heads: readonly string[];
  readonly #columns: readonly number[] | undefined;
  readonly #alignments: readonly Alignment[];
  readonly #theme: Theme;
  readonly #width: number;

  constructor(table: SyntaxNode, source: string, theme: Theme, width: number) {
    this.#theme = theme;
    this.#width = width;
    this.#heads = cellsOf(table.getChild("TableHeader"), source, theme, { emphasis: ["bold"] });
    this.#alignments = alignmentsOf(table, source);
    const count = Math.max(1, this.#heads.length);
    const measured = table.getChildren("TableRow").slice(0, measuredRows);
    const cells = measured.map((row) => cellsOf(row, source, theme, {}));
    this.#columns = fittedColumns([this.#heads, ...cells], count, width - 3 * (count - 1));
  }

  head(): string[] {
    const line = this.#theme.symbol("line");
    if (this.#columns === undefined) return [];
    const rule = this.#columns.map((column) => line.repeat(column)).join(line.repeat(3));
    return [...this.#line(this.#heads, this.#columns), this.#theme.fg("mdHr", rule)];
  }

  rows(nodes: readonly SyntaxNode[], source: string): string[] {
    return nodes.flatMap((node) => {
      const cells = cellsOf(node, source, this.#theme, {});
      return this.#columns === undefined ? this.#record(cells) : this.#line(cells, this.#columns);
    });
  }

  #line(cells: readonly string[], columns: readonly number[]): string[] {
    const gap = ` ${this.#theme.fg("mdHr", this.#theme.symbol("vertical"))} `;
    const wrapped = columns.map((column, at) => wrapLines([cells[at] ?? ""], column));
    const height = Math.max(1, ...wrapped.map((rows) => rows.length));
    return Array.from({ length: height }, (_, line) =>
      columns
        .map((column, at) => aligned(wrapped[at]?.[line] ?? "", column, this.#alignments[at] ?? "left"))
        .join(gap)
        .trimEnd(),
    );
  }

  #record(cells: readonly string[]): string[] {
    const theme = this.#theme;
    const fields = cells.map((cell, at) => `${this.#heads[at] ?? ""}${theme.fg("muted", ":")} ${cell}`);
    const rule = theme.symbol("line").repeat(Math.max(1, Math.min(this.#width, 8)));
    return [theme.fg("mdHr", rule), ...wrapLines(fields, this.#width)];
  }
}

export function tableRows(table: SyntaxNode, source: string, theme: Theme, width: number): string[] {
  const drawing = new TableDrawing(table, source, theme, width);
  return [...drawing.head(), ...drawing.rows(table.getChildren("TableRow"), source)];
}

/** A cell's text on one line; a column without a cell in this row is empty. */
function cellsOf(row: SyntaxNode | null, source: string, theme: Theme, style: Style): string[] {
  const cells: string[] = [];
  let isOpen = false;
  for (let child = row?.firstChild ?? null; child !== null; child = child.nextSibling) {
    if (child.name === "TableCell") {
      cells.push(new InlineText(source, theme).lines(child, style).join(" "));
      isOpen = false;
    } else if (child.name === "TableDelimiter") {
      // Two delimiters with nothing between them are an empty cell.
      if (isOpen) cells.push("");
      isOpen = true;
    }
  }
  return cells;
}

function alignmentsOf(table: SyntaxNode, source: string): Alignment[] {
  const line = table.getChild("TableDelimiter");
  const parts =
    line === null
      ? []
      : source
          .slice(line.from, line.to)
          .trim()
          .replace(/^\||\|$/g, "")
          .split("|");
  return parts.map((part) => {
    const mark = part.trim();
    if (!mark.endsWith(":")) return "left";
    return mark.startsWith(":") ? "centre" : "right";
  });
}

/** Undefined where they do not fit. */
function fittedColumns(
  rows: readonly (readonly string[])[],
  count: number,
  room: number,
): number[] | undefined {
  const natural = Array.from({ length: count }, (_, at) =>
    rows.reduce((most, cells) => Math.max(most, cellWidth(cells[at] ?? "")), 1),
  );
  const total = natural.reduce((sum, column) => sum + column, 0);
  if (total <= room) return natural;
  const least = natural.map((column) => Math.min(column, minColumn));
  if (least.reduce((sum, column) => sum + column, 0) > room) return undefined;
  // The height at which all wider columns are cut, so that they fill the room.
  const sorted = natural.toSorted((one, other) => one - other);
  let left = room;
  let limit = minColumn;
  for (const [index, column] of sorted.entries()) {
    limit = Math.floor(left / (sorted.length - index));
    if (column > limit) break;
    left -= column;
  }
  return natural.map((column) => Math.min(column, Math.max(limit, 1)));
}

function aligned(cell: string, column: number, alignment: Alignment): string {
  const free = column - cellWidth(cell);
  if (free <= 0) return cell;
  if (alignment === "right") return " ".repeat(free) + cell;
  return alignment === "centre"
    ? padCells(" ".repeat(Math.floor(free / 2)) + cell, column)
    : padCells(cell, column);
}
