// How a line is shown to the model: `41th|text` where edits are made by anchors, `41|text` elsewhere.

import type { Text } from "@codemirror/state";
import { anchorAt, formatAnchor } from "@stet/text/anchors";
import { lineContent } from "@stet/text/lines";

export type Display = "anchors" | "numbers";

/** What stands before the bar of a counted line, 1-based. A line that is cut has the anchor of the whole line. */
export function linePrefix(display: Display, text: Text, line: number): string {
  return display === "anchors" ? formatAnchor(anchorAt(text, line)) : String(line);
}

export function shownLine(display: Display, text: Text, line: number): string {
  return `${linePrefix(display, text, line)}|${lineContent(text, line - 1)}`;
}

/** Counted lines, 1-based and inclusive. */
export function shownLines(display: Display, text: Text, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let line = from; line <= to; line += 1) lines.push(shownLine(display, text, line));
  return lines;
}
