// Names and what they mean, in two columns; below each other where there is no room for two.

import { padCells, truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { wrapText } from "@stet/tui/text/wrap";

export interface ColumnStyle {
  readonly left: (text: string) => string;
  readonly right: (text: string) => string;
}

const gap = 2;
const indent = 2;
const leastRight = 24;

export function columnRows(
  pairs: readonly (readonly [left: string, right: string])[],
  width: number,
  { left: leftStyle, right: rightStyle }: ColumnStyle,
): string[] {
  const longest = Math.max(0, ...pairs.map(([left]) => cellWidth(left)));
  const leftWidth = Math.min(longest, Math.max(12, Math.floor(width * 0.4)));
  const rightWidth = width - indent - leftWidth - gap;
  const margin = " ".repeat(Math.min(indent, Math.max(0, width - 1)));
  return pairs.flatMap(([left, right]) => {
    if (rightWidth < leastRight || cellWidth(left) > leftWidth) {
      const inner = `${margin}${margin}`;
      return [
        ...wrapText(left, Math.max(1, width - margin.length)).map((row) => margin + leftStyle(row)),
        ...wrapText(right, Math.max(1, width - inner.length)).map((row) => inner + rightStyle(row)),
      ].map((row) => truncateCells(row, width));
    }
    return wrapText(right, rightWidth).map(
      (row, at) =>
        `${margin}${leftStyle(padCells(at === 0 ? left : "", leftWidth))}${" ".repeat(gap)}${rightStyle(row)}`,
    );
  });
}
