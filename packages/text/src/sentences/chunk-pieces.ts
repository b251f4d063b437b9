// The pieces of chunks: paragraphs, the sentences of a paragraph, and what a sentence over the budget is cut into.
// The blank space behind a piece belongs to it, so that pieces tile the document.

import type { Text } from "@codemirror/state";
import { blocksFrom } from "./blocks.ts";
import { margin } from "./boundaries.ts";
import { graphemeStart, sentencesOf } from "./sentences.ts";

export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** What ends with it; a part is what a sentence over the budget is cut into. */
  readonly end: "paragraph" | "line" | "sentence" | "part";
  /** Whether it is a paragraph that was not looked into yet. */
  readonly isParagraph: boolean;
}

type Measure = (text: string) => number;

/** All of the document as paragraphs, none of which goes across one of the `cuts`. */
export function paragraphsOf(text: Text, cuts: readonly number[], measure: Measure): Segment[] {
  const pieces: Segment[] = [];
  let from = 0;
  let passed = 0;
  const add = (to: number) => {
    if (to > from)
      pieces.push({
        from,
        to,
        size: measure(text.sliceString(from, to)),
        end: "paragraph",
        isParagraph: true,
      });
    from = Math.max(from, to);
  };
  const addUpTo = (to: number) => {
    for (let cut = cuts[passed]; cut !== undefined && cut < to; cut = cuts[passed]) {
      add(cut);
      passed += 1;
    }
    add(to);
  };
  let isFirst = true;
  for (const block of blocksFrom(text, 0, text.length)) {
    // Blank lines before the first paragraph belong to it: there is none before them.
    if (!isFirst) addUpTo(block.from);
    isFirst = false;
  }
  addUpTo(text.length);
  return pieces;
}

/** A paragraph as sentences; the last of them ends as the paragraph does. */
export function piecesOf(text: Text, paragraph: Segment, measure: Measure): Segment[] {
  const { from, to } = paragraph;
  const raw = text.sliceString(from, to);
  const pieces: Segment[] = [];
  let start = from;
  const add = (next: number) => {
    const sentence = raw.slice(start - from, next - from);
    const end = next === to ? paragraph.end : /\n\s*$/.test(sentence.slice(-margin)) ? "line" : "sentence";
    pieces.push({ from: start, to: next, size: measure(sentence), end, isParagraph: false });
    start = next;
  };
  let isFirst = true;
  for (const block of blocksFrom(text, from, to)) {
    for (const sentence of sentencesOf(text, block, block.from, to)) {
      if (!isFirst) add(sentence.from);
      isFirst = false;
    }
  }
  add(to);
  return pieces;
}

/** A sentence that is over the budget, as parts that are not. */
export function piecesOfLong(text: Text, piece: Segment, measure: Measure, budget: number): Segment[] {
  const parts: Segment[] = [];
  const perCharacter = piece.size / (piece.to - piece.from);
  let from = piece.from;
  while (from < piece.to) {
    let length = Math.max(1, Math.floor(budget / perCharacter));
    for (;;) {
      const to = from + length >= piece.to ? piece.to : cutBefore(text, from, from + length);
      const size = measure(text.sliceString(from, to));
      const isSmallest = to <= graphemeEnd(text, from, piece.to);
      if (size <= budget || isSmallest) {
        parts.push({ from, to, size, end: to === piece.to ? piece.end : "part", isParagraph: false });
        from = to;
        break;
      }
      length = Math.max(1, Math.min(to - from - 1, Math.floor((to - from) * 0.8)));
    }
  }
  return parts;
}

/** The last line's end, gap between words or end of a character in `(from, to]`; at least one character. */
function cutBefore(text: Text, from: number, to: number): number {
  const half = from + Math.floor((to - from) / 2);
  const raw = text.sliceString(half, to);
  const lineEnd = raw.lastIndexOf("\n");
  if (lineEnd >= 0) return half + lineEnd + 1;
  const space = raw.search(/\s\S*$/);
  if (space >= 0) return half + space + 1;
  const start = graphemeStart(text, to);
  return start > from ? start : graphemeEnd(text, from, text.length);
}

function graphemeEnd(text: Text, from: number, most: number): number {
  for (let end = from + 1; end < most; end += 1) {
    if (graphemeStart(text, end) === end) return end;
  }
  return most;
}
