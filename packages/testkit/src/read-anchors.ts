// The model reads a file of a code fixture, whole: what `read` does for it, without the tool.

import { anchorAt, formatAnchor } from "@stet/text/anchors";
import type { CodeFixture } from "./code-fixture.ts";
import { must } from "./workspace.ts";

/** The anchor of each counted line as it was shown; throws for lines that are not there. */
export function readAnchors({ context }: CodeFixture, path: string): (line: number) => string {
  const file = must(context.files.open(path));
  context.sight.showAll(file);
  return (line) => formatAnchor(anchorAt(file.history.text, line));
}

/** The model is shown these lines only, 1-based and inclusive. */
export function readLines({ context }: CodeFixture, path: string, from: number, to: number): void {
  context.sight.show(must(context.files.open(path)), from, to);
}

/** The lines of a file, 0-based and inclusive, that the model does not know when it writes its next message. */
export function unknownLines({ context }: CodeFixture, path: string): { start: number; end: number }[] {
  context.sight.enter("the next message");
  return context.sight.unknown(must(context.files.open(path)));
}
