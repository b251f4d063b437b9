// The part of a passage that is worth showing: without blank lines around it, and one paragraph if it has all the words.

import type { Text } from "@codemirror/state";
import type { Passage } from "./passages.ts";
import type { TermWeights } from "./ranking.ts";
import { countOf, countTerms, type QueryTerm } from "./terms.ts";

export interface PassageExcerpt {
  /** Raw lines, 0-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** A paragraph stands for its passage if it has this share of what the words of the query weigh in the passage. */
const enough = 0.8;

export function excerptOf(
  text: Text,
  passage: Passage,
  terms: readonly QueryTerm[],
  known: TermWeights,
): PassageExcerpt {
  const paragraphs = paragraphsOf(text, passage);
  const whole = spanOf(paragraphs, passage);
  const weightOf = ({ from, to }: { from: number; to: number }) => {
    const counted = countTerms(text.sliceString(from, to));
    return terms.reduce(
      (sum, { id }, term) => (countOf(counted, id) > 0 ? sum + (known.weights[term] ?? 0) : sum),
      0,
    );
  };
  const total = weightOf(whole);
  let best = whole;
  if (total > 0 && paragraphs.length > 1) {
    const found = paragraphs.find((paragraph) => weightOf(paragraph) >= total * enough);
    if (found !== undefined) best = found;
  }
  return {
    startLine: text.lineAt(best.from).number - 1,
    endLine: text.lineAt(best.to).number - 1,
    text: text.sliceString(best.from, best.to),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The runs of lines that are not blank, as far as they are part of the passage. */
function paragraphsOf(text: Text, { from, to, startLine, endLine }: Passage): Span[] {
  const spans: Span[] = [];
  let open: { from: number; to: number } | undefined;
  for (let number = startLine + 1; number <= endLine + 1; number += 1) {
    const line = text.line(number);
    const span = { from: Math.max(from, line.from), to: Math.min(to, line.to) };
    if (span.to <= span.from || text.sliceString(span.from, span.to).trim() === "") {
      open = undefined;
    } else if (open === undefined) {
      open = span;
      spans.push(open);
    } else {
      open.to = span.to;
    }
  }
  return spans;
}

function spanOf(spans: readonly Span[], passage: Passage): Span {
  return { from: spans[0]?.from ?? passage.from, to: spans.at(-1)?.to ?? passage.to };
}
