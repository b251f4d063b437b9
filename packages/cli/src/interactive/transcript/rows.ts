// Rows of the transcript. Foreign text (of a model, a tool, a file, a person) becomes part of a row through `cleanText` or
// `cleanLine` and no other way: what would steer a terminal is a picture or a number in it, and a tab is spaces. Colours,
// emphasis and hyperlinks are put around clean text, piece by piece, so that no piece depends on another one's.

import { visible, visibleName } from "@stet/protocol/visible";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import { wrapText } from "@stet/tui/text/wrap";
import type { Emphasis, TextToken, Theme } from "../theme/theme.ts";

const tabStop = 4;

/** Foreign text of several lines. */
export function cleanText(text: string): string {
  const shown = visible(text);
  return shown.includes("\t") ? shown.split("\n").map(withoutTabs).join("\n") : shown;
}

/** Foreign text in one line: a name, a title, a reason. */
export function cleanLine(text: string): string {
  return visibleName(text.replace(/\s+/g, " ").trim());
}

function withoutTabs(line: string): string {
  let shown = "";
  for (const [index, part] of line.split("\t").entries()) {
    if (index > 0) shown += " ".repeat(tabStop - (cellWidth(shown) % tabStop));
    shown += part;
  }
  return shown;
}

export interface Style {
  readonly colour?: TextToken | undefined;
  readonly emphasis?: readonly Emphasis[];
}

/** Clean text in a style. */
export function paint(theme: Theme, { colour, emphasis = [] }: Style, text: string): string {
  if (text === "") return "";
  let painted = text;
  for (const kind of emphasis) painted = theme.emphasis(kind, painted);
  return colour === undefined ? painted : theme.fg(colour, painted);
}

/** Lines, wrapped to the width. */
export function wrapLines(lines: readonly string[], width: number): string[] {
  return lines.flatMap((line) => (line === "" ? [""] : wrapText(line, Math.max(1, width))));
}

/** Rows below each other behind a sign: `first` before the first one, `rest` before the others; dropped where it leaves no room. */
export function behind(
  first: string,
  rest: string,
  width: number,
  rowsFor: (width: number) => readonly string[],
): string[] {
  const room = width - Math.max(cellWidth(first), cellWidth(rest));
  if (room < 1) return [...rowsFor(width)];
  const rows = rowsFor(room);
  if (rows.length === 0) return [first];
  return rows.map((row, index) => {
    const sign = index === 0 ? first : rest;
    return row === "" ? sign.trimEnd() : sign + row;
  });
}

/** A sign, and lines that are wrapped to the right of it. */
export function hanging(sign: string, lines: readonly string[], width: number): string[] {
  return behind(sign, " ".repeat(cellWidth(sign)), width, (room) => wrapLines(lines, room));
}

/** The last line of defence of a component: no row is wider than it may be. */
export function fitted(rows: readonly string[], width: number): readonly string[] {
  return rows.some((row) => cellWidth(row) > width)
    ? rows.map((row) => (cellWidth(row) > width ? truncateCells(row, width, "") : row))
    : rows;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Facts beside a title; a number is not separated from its unit at a row's end. */
export function factsText(facts: readonly string[]): string {
  return facts.map((fact) => fact.replaceAll(" ", "\u00a0")).join(", ");
}
