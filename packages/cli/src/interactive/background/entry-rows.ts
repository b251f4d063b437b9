// Lists of /agents and /jobs: two rows for each entry, as many entries around the selected one as there is room for, and a line
// of a person's own below them.

import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { bothEnds } from "../screen/panel-rows.ts";
import type { SymbolName, TextToken, Theme } from "../theme/theme.ts";

export interface Entry {
  readonly symbol: SymbolName;
  readonly colour: TextToken;
  /** How deep it stands below others. */
  readonly depth: number;
  readonly name: string;
  readonly title: string;
  /** At the other end of the first row. */
  readonly facts: string;
  /** The second row. */
  readonly detail: string;
  readonly detailColour: TextToken;
}

const rowsOfEntry = 2;
const mostDepth = 6;

/** All texts are clean. */
export function entryRows(
  entries: readonly Entry[],
  selected: number,
  { width, height, theme }: { readonly width: number; readonly height: number; readonly theme: Theme },
): string[] {
  const most = Math.max(1, Math.floor(height / rowsOfEntry));
  const from = Math.max(0, Math.min(selected - Math.floor(most / 2), entries.length - most));
  const rows = entries
    .slice(from, from + most)
    .flatMap((entry, index) => rowsOf(entry, from + index === selected, width, theme));
  return rows.slice(0, Math.max(1, height));
}

function rowsOf(entry: Entry, isSelected: boolean, width: number, theme: Theme): string[] {
  const { symbol, colour, name, title, facts, detail, detailColour } = entry;
  const pointer = isSelected ? `${theme.fg("accent", theme.symbol("selected"))} ` : "  ";
  const indent = "  ".repeat(Math.min(mostDepth, entry.depth));
  const sign = theme.fg(colour, theme.symbol(symbol));
  const shownName = isSelected ? theme.emphasis("bold", name) : name;
  const left = `${pointer}${indent}${sign} ${theme.fg("text", shownName)}  ${theme.fg("muted", title)}`;
  const right = theme.fg("muted", facts);
  const more = theme.symbol("more");
  const room = width - cellWidth(right) - 2;
  const first =
    room < 24 ? truncateCells(left, width, more) : bothEnds(truncateCells(left, room, more), right, width);
  const second = `    ${indent}${theme.fg(detailColour, detail)}`;
  return [first, truncateCells(second, width, more)];
}
