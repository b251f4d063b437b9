// What panels have in common: a part of long rows, the row of keys at the bottom, and a window that is always full.

import { padCells, truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { Theme } from "../theme/theme.ts";

/** `offset`, moved into what there is to scroll. */
export function scrolled(offset: number, rows: number, height: number): number {
  return Math.max(0, Math.min(offset, rows - height));
}

/** The part of the rows from `offset` on, filled up to the height. */
export function rowsFrom(rows: readonly string[], offset: number, height: number): string[] {
  const part = rows.slice(offset, offset + height);
  return [...part, ...Array.from({ length: Math.max(0, height - part.length) }, () => "")];
}

export interface KeyHint {
  readonly key: string;
  readonly help: string;
}

/** As many keys as fit. The last ones, which say how to leave and where the others are, stay. */
export function hintRow(hints: readonly KeyHint[], width: number, theme: Theme, lastKept = 0): string {
  const gap = 2;
  const sizeOf = (list: readonly KeyHint[]) =>
    list.reduce((sum, { key, help }) => sum + cellWidth(`${key} ${help}`) + gap, -gap);
  const kept = [...hints];
  while (kept.length > Math.max(1, lastKept) && sizeOf(kept) > width) kept.splice(-1 - lastKept, 1);
  const row = kept.map(({ key, help }) => `${theme.fg("accent", key)} ${theme.fg("muted", help)}`);
  return truncateCells(row.join(" ".repeat(gap)), width);
}

/** A rule with a title in it. */
export function ruleRow(title: string, width: number, theme: Theme): string {
  const shown = title === "" ? "" : ` ${truncateCells(title, Math.max(1, width - 5))} `;
  const line = theme.symbol("line");
  const rest = Math.max(0, width - cellWidth(shown) - 2);
  return truncateCells(
    `${theme.fg("borderMuted", line.repeat(2))}${shown}${theme.fg("borderMuted", line.repeat(rest))}`,
    width,
    "",
  );
}

/** `left`, and `right` at the other end of the row where there is room for it. */
export function bothEnds(left: string, right: string, width: number): string {
  const gap = width - cellWidth(left) - cellWidth(right);
  return gap < 2 ? left : `${padCells(left, width - cellWidth(right))}${right}`;
}
