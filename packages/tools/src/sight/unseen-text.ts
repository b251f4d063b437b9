// One guard for every edit that takes text away: what the model was not shown goes only where the call says so.
//
//   by lines    an edit that names lines: none of them may be unseen, but for blank ones
//   by pattern  an edit that says what the text looks like names what it takes away, as long as that is little: not more
//               than a sentence in one place, and not most of what was never shown
//
// `remove_unseen` is the parameter that says so, in every tool that can take text away by itself. Lines that stand for others
// (see abbreviated.ts) are another matter: nobody means these.

import type { Text } from "@codemirror/state";
import type { Change } from "@stet/text/history";
import { lineContent, withoutReturn } from "@stet/text/lines";
import * as z from "zod";
import type { LineSpan } from "./spans.ts";

export const removeUnseen = z
  .boolean()
  .optional()
  .describe("Confirms that text which you were not shown may go; only after a refusal said so");

/** What a refusal says of it. */
export const confirmHint = "to take them away unseen, repeat the call with remove_unseen: true";

/** Characters that a pattern may take away unseen in one place. */
const maxInPlace = 200;

/** Lines among these, 0-based and inclusive, that hold something. */
export function filledLines(text: Text, spans: readonly LineSpan[]): LineSpan[] {
  return spans.filter(({ start, end }) => {
    for (let line = start; line <= Math.min(end, text.lines - 1); line += 1) {
      if (lineContent(text, line).trim() !== "") return true;
    }
    return false;
  });
}

/** How many characters an edit by a pattern takes away unseen; 0 where that is little. */
export function unseenLoss(change: Change, unknown: readonly LineSpan[]): number {
  let total = 0;
  let mostInPlace = 0;
  for (const { at, removed, lines } of change.splices) {
    const end = at + removed - 1;
    const parts = unknown.filter((span) => span.start <= end && at <= span.end);
    const gone = parts.reduce(
      (sum, span) =>
        sum + weight(change.before, { start: Math.max(span.start, at), end: Math.min(span.end, end) }),
      0,
    );
    const come = lines.reduce((sum, line) => sum + weightOf(withoutReturn(line)), 0);
    total += Math.max(0, gone - come);
    mostInPlace = Math.max(mostInPlace, gone - come);
  }
  const unseen = unknown.reduce((sum, span) => sum + weight(change.before, span), 0);
  return mostInPlace > maxInPlace || total * 2 > unseen ? total : 0;
}

/** White space is no loss. */
function weight(text: Text, { start, end }: LineSpan): number {
  let sum = 0;
  for (let line = start; line <= Math.min(end, text.lines - 1); line += 1)
    sum += weightOf(lineContent(text, line));
  return sum;
}

function weightOf(line: string): number {
  return line.replace(/\s+/g, "").length;
}
