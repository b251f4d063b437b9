// The lines around a match: about 5 before and 10 behind, in a size that leaves room for other matches.

import type { Text } from "@codemirror/state";
import { lineContent } from "@stet/text/lines";
import type { LineSpan } from "../sight/spans.ts";
import { excerpt } from "./excerpt.ts";

export interface SearchContext {
  readonly start_line: number;
  readonly end_line: number;
  readonly line_count: number;
  readonly content: string;
}

const linesBefore = 5;
const linesBehind = 10;
/** A long passage is shown so far. */
const passageLines = 30;
const maxCharacters = 6000;
/** A longer line is cut: to its beginning, or to so much on either side of a match. */
const lineCharacters = 800;

/** Lines 0-based; columns in the line on which the match begins. */
export interface MatchPosition {
  readonly line: number;
  readonly lastLine: number;
  readonly from: number;
  readonly to: number;
}

/** The context, and which of its lines are shown whole. */
export function contextOf(
  text: Text,
  total: number,
  place: MatchPosition,
): { context: SearchContext; whole: LineSpan[] } {
  const wanted = Math.max(place.line + linesBehind, Math.min(place.lastLine, place.line + passageLines));
  let start = place.line;
  let end = place.line;
  const show = (line: number) => {
    const content = lineContent(text, line);
    if (line === place.line) return excerpt(content, place.from, place.to, lineCharacters / 2);
    return excerpt(content, 0, 0, lineCharacters);
  };
  const shown = [show(place.line)];
  let size = shown[0]?.text.length ?? 0;
  /** Grows by a line on either side in turn, until both are as far as wanted or there is no more room. */
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    if (end < Math.min(wanted, total - 1)) {
      const next = show(end + 1);
      if (size + next.text.length <= maxCharacters) {
        shown.push(next);
        size += next.text.length;
        end += 1;
        isGrowing = true;
      }
    }
    if (start > Math.max(0, place.line - linesBefore)) {
      const next = show(start - 1);
      if (size + next.text.length <= maxCharacters) {
        shown.unshift(next);
        size += next.text.length;
        start -= 1;
        isGrowing = true;
      }
    }
  }
  const whole = shown.flatMap(({ isWhole }, index) => {
    return isWhole ? [{ start: start + index, end: start + index }] : [];
  });
  const content = shown.map((line) => line.text).join("\n");
  return { context: { start_line: start, end_line: end, line_count: end - start + 1, content }, whole };
}
