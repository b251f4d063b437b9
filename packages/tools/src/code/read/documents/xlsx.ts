// A workbook as tables in Markdown, a heading for each sheet: values as they were last worked out, dates as dates.

import readWorkbook from "read-excel-file/node";
import { officeParts, repacked } from "./document-parts.ts";
import { markdownTable } from "./markdown-table.ts";

const maxRows = 20_000;
const maxColumns = 200;
const maxSheets = 100;

export async function xlsxMarkdown(bytes: Uint8Array): Promise<string> {
  const parts = await officeParts(bytes);
  if (!parts.has("xl/workbook.xml")) throw new Error("it has no workbook part");
  const sheets = await readWorkbook(await repacked(parts), { trim: false });
  const shown = sheets.slice(0, maxSheets).map(({ sheet, data }) => `## ${sheet}\n\n${sheetTable(data)}`);
  if (sheets.length > maxSheets) shown.push(`[${sheets.length - maxSheets} more sheets are left out]`);
  return shown.join("\n\n");
}

function sheetTable(data: readonly (readonly unknown[])[]): string {
  if (data.length === 0) return "(empty)";
  const rows = data.slice(0, maxRows).map((row) => row.slice(0, maxColumns).map(cellText));
  const notes: string[] = [];
  const widest = data.reduce((most, row) => Math.max(most, row.length), 0);
  if (data.length > maxRows) notes.push(`[${data.length - maxRows} more rows are left out]`);
  if (widest > maxColumns) notes.push(`[${widest - maxColumns} more columns are left out]`);
  return [markdownTable(rows), ...notes].join("\n\n");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!(value instanceof Date)) return String(value);
  const text = value.toISOString();
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
}
