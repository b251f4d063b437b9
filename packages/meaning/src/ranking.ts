// Which passages fit a query: by meaning and by exact words, in one order.
//
//   meaning    the cosine between the vectors of query and passage
//   words      BM25 as a share: 0 without any word of the query, about 1 with each of them once. Rare words weigh most,
//              and names more, so they are not lost among passages that are about similar things
//
// The order follows their weighted sum, evened out a little with the passages beside it: a scene is longer than a
// passage. A passage that has no vector yet counts as average in meaning.

import type { DocumentIndex, IndexedPassage } from "./document-index.ts";
import { countOf, type QueryTerm } from "./terms.ts";

/** The scores of one document for a query; small enough for thousands of documents. */
export interface Evidence {
  readonly passages: readonly IndexedPassage[];
  /** By passage; NaN where there is no vector yet. */
  readonly meaning: Float32Array;
  /** By passage and term: how often it occurs. */
  readonly counts: Uint8Array;
  /** By passage: how many words it has. */
  readonly lengths: Uint32Array;
  /** By term: how often it occurs in the document with a capital. */
  readonly capitals: Uint32Array;
}

export function gatherEvidence(
  index: DocumentIndex,
  vector: Float32Array | undefined,
  terms: readonly QueryTerm[],
): Evidence {
  const { passages } = index;
  const counts = new Uint8Array(passages.length * terms.length);
  const lengths = new Uint32Array(passages.length);
  const capitals = new Uint32Array(terms.length);
  for (const [position, { slot }] of passages.entries()) {
    const words = index.terms[slot];
    if (words === undefined) continue;
    lengths[position] = words.length;
    for (const [term, { id, capitalId }] of terms.entries()) {
      const count = countOf(words, id);
      if (count === 0) continue;
      counts[position * terms.length + term] = count;
      capitals[term] = (capitals[term] ?? 0) + countOf(words, capitalId);
    }
  }
  return { passages, meaning: meaningOf(index, vector), counts, lengths, capitals };
}

/** The cosines of all passages with a query. */
export function meaningOf(index: DocumentIndex, vector: Float32Array | undefined): Float32Array {
  const cosines = new Float32Array(index.passages.length).fill(Number.NaN);
  if (vector === undefined || vector.length !== index.dimensions) return cosines;
  const { vectors, dimensions } = index;
  for (const [position, { slot }] of index.passages.entries()) {
    if (!index.hasVector(slot)) continue;
    let sum = 0;
    const row = slot * dimensions;
    for (let at = 0; at < dimensions; at += 1) sum += (vectors[row + at] ?? 0) * (vector[at] ?? 0);
    cosines[position] = sum;
  }
  return cosines;
}

// The constants of BM25: how soon repetition stops to count, and how much longer passages are held back. Both are lower
// than for whole documents: passages are short, and of about the same length.
const saturation = 0.8;
const lengthShare = 0.3;

/** A name is what a person remembers for sure: it weighs as much as so many other words. */
const nameWeight = 3;

/** How much each term says, over all documents that are searched. */
export interface TermWeights {
  /** By term; rare ones weigh most. */
  readonly weights: readonly number[];
  /** What a passage of average length has that contains each term once. */
  readonly all: number;
  readonly averageLength: number;
}

export function weighTerms(documents: readonly Evidence[], terms: readonly QueryTerm[]): TermWeights {
  const containing = new Uint32Array(terms.length);
  const occurring = new Uint32Array(terms.length);
  const capitals = new Uint32Array(terms.length);
  let passages = 0;
  let words = 0;
  for (const evidence of documents) {
    passages += evidence.lengths.length;
    for (const length of evidence.lengths) words += length;
    for (const [at, count] of evidence.counts.entries()) {
      if (count === 0) continue;
      add(containing, at % terms.length, 1);
      add(occurring, at % terms.length, count);
    }
    for (const [term, count] of evidence.capitals.entries()) add(capitals, term, count);
  }
  const weights = terms.map(({ isCapital }, term) => {
    const count = containing[term] ?? 0;
    // A word that occurs nowhere can be in no passage, and so does not make any passage less fitting.
    if (count === 0) return 0;
    const share = (capitals[term] ?? 0) / (occurring[term] ?? 1);
    const isName = share >= (isCapital ? 0.5 : 0.9);
    return (isName ? nameWeight : 1) * Math.log(1 + (passages - count + 0.5) / (count + 0.5));
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return {
    weights,
    all: sum / (1 + saturation),
    averageLength: Math.max(1, words / Math.max(1, passages)),
  };
}

function add(sums: Uint32Array, at: number, value: number): void {
  sums[at] = (sums[at] ?? 0) + value;
}

/** By passage: how much of the query's words it has. */
export function wordScores({ passages, counts, lengths }: Evidence, known: TermWeights): Float32Array {
  const { weights, all, averageLength } = known;
  const scores = new Float32Array(passages.length);
  if (all === 0) return scores;
  for (let passage = 0; passage < scores.length; passage += 1) {
    const relative = (lengths[passage] ?? 0) / averageLength;
    const norm = saturation * (1 - lengthShare + lengthShare * relative);
    let score = 0;
    for (const [term, weight] of weights.entries()) {
      const count = counts[passage * weights.length + term] ?? 0;
      if (count > 0) score += (weight * count) / (count + norm);
    }
    scores[passage] = score / all;
  }
  return scores;
}

/** How much the words count beside the meaning, and a neighbour beside the passage itself. */
export const wordShare = 0.9;
const neighbourShare = 0.2;

export interface PassageHit {
  /** Indexes into the documents and their passages. */
  readonly document: number;
  readonly passage: number;
  /** From 0 to 1. */
  readonly score: number;
}

/** The best passages, each once: of neighbours that both match, the better one represents the scene. */
export function rank(documents: readonly Evidence[], known: TermWeights, limit: number): PassageHit[] {
  const average = averageMeaning(documents);
  const all = documents.map((evidence) => blend(evidence, wordScores(evidence, known), average));
  const least = leastOf(all, limit * 3);
  const hits: PassageHit[] = [];
  for (const [document, scores] of all.entries()) {
    for (const [passage, score] of scores.entries()) {
      if (score >= least && score > 0) hits.push({ document, passage, score: 1 - Math.exp(-score) });
    }
  }
  hits.sort((a, b) => b.score - a.score || a.document - b.document || a.passage - b.passage);
  return distinct(hits, limit);
}

function averageMeaning(documents: readonly Evidence[]): number {
  let sum = 0;
  let count = 0;
  for (const { meaning } of documents) {
    for (const value of meaning) {
      if (Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
  }
  return count === 0 ? 0 : sum / count;
}

/** By passage; 0 where nothing speaks for it. */
function blend({ meaning }: Evidence, words: Float32Array, average: number): Float32Array {
  const own = words.map((said, passage) => {
    const cosine = meaning[passage] ?? Number.NaN;
    return (Number.isNaN(cosine) ? average : cosine) + wordShare * said;
  });
  return own.map((value, passage) => {
    if (words[passage] === 0 && Number.isNaN(meaning[passage])) return 0;
    let sum = value;
    let weight = 1;
    for (const neighbour of [own[passage - 1], own[passage + 1]]) {
      if (neighbour === undefined) continue;
      sum += neighbourShare * neighbour;
      weight += neighbourShare;
    }
    return Math.max(0, sum / weight);
  });
}

/** The score of the best so many. */
function leastOf(all: readonly Float32Array[], count: number): number {
  const sorted = new Float32Array(all.reduce((sum, scores) => sum + scores.length, 0));
  let at = 0;
  for (const scores of all) {
    sorted.set(scores, at);
    at += scores.length;
  }
  sorted.sort();
  return sorted[Math.max(0, sorted.length - count)] ?? 0;
}

function distinct(hits: readonly PassageHit[], limit: number): PassageHit[] {
  const taken = new Map<number, Set<number>>();
  const chosen: PassageHit[] = [];
  for (const hit of hits) {
    if (chosen.length >= limit) break;
    const passages = taken.get(hit.document) ?? new Set();
    if (passages.has(hit.passage - 1) || passages.has(hit.passage + 1)) continue;
    taken.set(hit.document, passages.add(hit.passage));
    chosen.push(hit);
  }
  return chosen;
}
