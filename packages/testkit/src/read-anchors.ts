// The model reads a file of a code desk, whole: what `read` does for it, without the tool.

import { anchorAt, formatAnchor } from "@stet/text/anchors";
import type { CodeDesk } from "./code-desk.ts";
import { must } from "./workspace.ts";

/** The anchor of each counted line as it was shown; throws for lines that are not there. */
export function readAnchors({ context }: CodeDesk, path: string): (line: number) => string {
  const { document, history } = must(context.files.open(path));
  context.seen.showAll(document, history);
  return (line) => formatAnchor(anchorAt(history.text, line));
}

/** The model is shown these lines only, 1-based and inclusive. */
export function readLines({ context }: CodeDesk, path: string, from: number, to: number): void {
  const { document, history } = must(context.files.open(path));
  context.seen.show(document, history, from, to);
}
