// Lines of a document that a refusal shows as they are now, so that the edit can be written again from the refusal alone. What
// it shows counts as shown.

import { anchorAt, formatAnchor } from "@stet/text/anchors";
import { countLines, lineContent } from "@stet/text/lines";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import type { LineRange } from "./followed-edits.ts";

export interface Row {
  /** Counted, 1-based. */
  readonly line: number;
  /** Cut where the line is long. */
  readonly content: string;
  readonly isWhole: boolean;
}

export interface ExcerptLimits {
  /** Lines around each place. */
  readonly around?: number;
  /** Characters of a line. */
  readonly longest?: number;
}

const maxRows = 60;

/** Counted lines with some around them, in order, each once. Without a sight they are only looked at. */
export function excerptOf(
  sight: Sight | undefined,
  document: SeenDocument,
  places: readonly LineRange[],
  { around = 3, longest = 400 }: ExcerptLimits = {},
): Row[] {
  const { text } = document.history;
  const total = countLines(text);
  const numbers = new Set<number>();
  for (const { from, to } of places) {
    const last = Math.min(total, to + around);
    for (let line = Math.max(1, from - around); line <= last && numbers.size < maxRows; line += 1)
      numbers.add(line);
  }
  return [...numbers]
    .sort((one, other) => one - other)
    .map((line) => {
      const whole = lineContent(text, line - 1);
      const isWhole = whole.length <= longest;
      sight?.show(document, line, line, isWhole);
      return { line, content: isWhole ? whole : whole.slice(0, longest), isWhole };
    });
}

/** Rows such as `*41th|text`, with a gap between places; marked lines have the asterisk. */
export function printed(
  { history: { text } }: SeenDocument,
  rows: readonly Row[],
  { marked, isAnchored }: { readonly marked: ReadonlySet<number>; readonly isAnchored: boolean },
): string[] {
  return rows.flatMap(({ line, content, isWhole }, index) => {
    const isGap = index > 0 && rows[index - 1]?.line !== line - 1;
    const name = isAnchored ? formatAnchor(anchorAt(text, line)) : String(line);
    return [
      ...(isGap ? [" …"] : []),
      `${marked.has(line) ? "*" : " "}${name}|${content}${isWhole ? "" : "…"}`,
    ];
  });
}
