// The line of a passage that answers a query: a passage is found as a whole, but a person or a model wants to know where in
// it to look. Each line is compared like a passage is, by meaning and by words; where its vector does not come in time, by
// words alone.

import type { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { PassageExcerpt } from "./excerpt.ts";
import { type TermWeights, wordShare } from "./ranking.ts";
import { countOf, countTerms, type QueryTerm } from "./terms.ts";

export interface LineQuery {
  readonly terms: readonly QueryTerm[];
  readonly known: TermWeights;
  /** None where the query could not be embedded in time. */
  readonly vector: Float32Array | undefined;
}

/** More lines than this are compared by their words alone. */
const mostEmbedded = 24;

/** Returns a raw line of the excerpt, 0-based. */
export async function bestLine(
  text: Text,
  { startLine, endLine }: PassageExcerpt,
  query: LineQuery,
  embed: (lines: readonly string[]) => Promise<readonly Float32Array[] | Fault>,
): Promise<number> {
  const lines: { number: number; content: string; score: number }[] = [];
  for (let number = startLine; number <= endLine; number += 1) {
    const content = text.line(number + 1).text.trim();
    if (content !== "") lines.push({ number, content, score: wordShare * wordsIn(content, query) });
  }
  const { vector } = query;
  if (lines.length > 1 && lines.length <= mostEmbedded && vector !== undefined) {
    const vectors = await embed(lines.map(({ content }) => content));
    if (!isFault(vectors)) {
      for (const [index, line] of lines.entries()) line.score += cosine(vectors[index], vector);
    }
  }
  let best = lines[0];
  for (const line of lines) if (best === undefined || line.score > best.score) best = line;
  return best?.number ?? startLine;
}

/** From 0 to 1: how much of the query's words a line has, by what they weigh. */
function wordsIn(content: string, { terms, known }: LineQuery): number {
  const counted = countTerms(content);
  let has = 0;
  let all = 0;
  for (const [term, { id }] of terms.entries()) {
    const weight = known.weights[term] ?? 0;
    all += weight;
    if (countOf(counted, id) > 0) has += weight;
  }
  return all === 0 ? 0 : has / all;
}

function cosine(one: Float32Array | undefined, other: Float32Array): number {
  if (one === undefined || one.length !== other.length) return 0;
  let sum = 0;
  for (const [at, value] of one.entries()) sum += value * (other[at] ?? 0);
  return sum;
}
