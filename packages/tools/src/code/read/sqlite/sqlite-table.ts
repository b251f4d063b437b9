// Rows as text: a table of at most 120 characters across, or one row with a line for each column.

import { cutText } from "@stet/protocol/cut-text";
import { sqliteLimits } from "./sqlite-job.ts";

export type SqliteCell = string | number | bigint | Uint8Array | null;

const { columnWidth, tableWidth } = sqliteLimits;
const gap = " | ";
/** Characters of a value where one row is shown. */
const maxValue = 4000;

export function formatTable(columns: readonly string[], rows: readonly (readonly SqliteCell[])[]): string {
  if (columns.length === 0) return "(no columns)";
  const cells = rows.map((row) =>
    columns.map((_, index) => cutText(inOneLine(shown(row[index] ?? null)), columnWidth)),
  );
  const heads = columns.map((name) => cutText(inOneLine(name), columnWidth));
  const widths = heads.map((head, index) =>
    Math.max(head.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const fitting = fittingColumns(widths);
  const line = (row: readonly string[]) =>
    row
      .slice(0, fitting)
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join(gap)
      .trimEnd();
  const rule = widths
    .slice(0, fitting)
    .map((width) => "-".repeat(width))
    .join("-+-");
  const lines = [line(heads), rule, ...cells.map(line)];
  const hidden = columns.slice(fitting);
  if (hidden.length > 0)
    lines.push(`[${hidden.length} more columns: ${hidden.map(inOneLine).join(", ").slice(0, 400)}]`);
  if (rows.length === 0) lines.push("(no rows)");
  return lines.join("\n");
}

/** How many columns fit side by side; at least one. */
function fittingColumns(widths: readonly number[]): number {
  let total = 0;
  for (const [index, width] of widths.entries()) {
    total += width + (index === 0 ? 0 : gap.length);
    if (total > tableWidth) return Math.max(1, index);
  }
  return widths.length;
}

export function formatRow(columns: readonly string[], row: readonly SqliteCell[]): string {
  return columns
    .map((name, index) => {
      const text = shown(row[index] ?? null);
      const kept = text.length > maxValue ? `${text.slice(0, maxValue)}… [${text.length} characters]` : text;
      return `${name}: ${kept.replaceAll("\n", "\n  ")}`;
    })
    .join("\n");
}

function shown(value: SqliteCell): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) {
    const start = Buffer.from(value.subarray(0, 16)).toString("hex");
    return value.length <= 16 ? `x'${start}'` : `x'${start}…' (${value.length} bytes)`;
  }
  return String(value);
}

function inOneLine(text: string): string {
  return text
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(/\p{Cc}/gu, "�");
}
