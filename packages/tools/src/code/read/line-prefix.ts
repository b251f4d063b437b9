import { anchorAt, formatAnchor } from "@stet/text/anchors";
import type { OpenFile } from "../code-files.ts";
import type { Display } from "../display.ts";

/** What stands before a line's bar. A line that is cut has the anchor of the whole line. */
export function linePrefix(display: Display, { history }: Pick<OpenFile, "history">, line: number): string {
  return display === "anchors" ? formatAnchor(anchorAt(history.text, line)) : String(line);
}
