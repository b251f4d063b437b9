// Short texts ranked by a query: by their words (BM25), and by meaning where an embedder can be used.

import { cutTextCounted } from "@stet/protocol/cut-text";
import type { Embedder } from "@stet/protocol/embedding";
import { isFault } from "@stet/protocol/fault";
import { wordScores } from "../bm25.ts";

export interface CardSource {
  readonly id: string;
  /** Who says it: user, assistant, tool or rule. */
  readonly role: string;
  readonly text: string;
}

export interface Card extends CardSource {
  /** 0 to 1; the best word match has 1 where only words count. */
  readonly score: number;
}

export interface RankOptions {
  readonly limit: number;
  readonly embedder?: Embedder | undefined;
  readonly signal?: AbortSignal | undefined;
}

const snippetChars = 500;
/** More of a text does not change what it is about, and embedding takes time by length. */
const meaningChars = 500;
/** Looked at by meaning: the best by words, and the newest. */
const meaningCandidates = 24;
/** Texts that have less in common than this with the query have nothing to do with it. */
const leastSimilarity = 0.35;

export async function rankCards(
  sources: readonly CardSource[],
  query: string,
  { limit, embedder, signal }: RankOptions,
): Promise<Card[]> {
  const words = wordScores(
    sources.map(({ text }) => wordsOf(text)),
    wordsOf(query),
  );
  const best = words.reduce((most, score) => Math.max(most, score), 0);
  const byWords = words.map((score) => (best === 0 ? 0 : score / best));
  const byMeaning =
    embedder === undefined ? undefined : await meaningScores(sources, byWords, query, embedder, signal);
  return (
    sources
      .map((source, index) => {
        const word = byWords[index] ?? 0;
        const score = byMeaning === undefined ? word : (word + (byMeaning.get(index) ?? 0)) / 2;
        return { source, index, score };
      })
      .filter(({ score }) => score > 0)
      // Where two are equally good, the newer one is what was meant.
      .sort((one, other) => other.score - one.score || other.index - one.index)
      .slice(0, limit)
      .map(({ source, score }) => ({
        ...source,
        text: snippet(source.text, query),
        score: Math.round(score * 1000) / 1000,
      }))
  );
}

let segmenter: Intl.Segmenter | undefined;

function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  const words: string[] = [];
  // "write_replace_line" is three words to whoever searches for one of them.
  for (const part of segmenter.segment(text.normalize("NFC").toLowerCase().replaceAll("_", " "))) {
    if (part.isWordLike) words.push(part.segment);
  }
  return words;
}

/** Undefined where no embedding can be had: then words have to do. */
async function meaningScores(
  sources: readonly CardSource[],
  words: readonly number[],
  query: string,
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Map<number, number> | undefined> {
  const all = sources.map((_, index) => index);
  const byWords = all.filter((index) => (words[index] ?? 0) > 0);
  const best = byWords.sort((one, other) => (words[other] ?? 0) - (words[one] ?? 0));
  const candidates = [...new Set([...best.slice(0, meaningCandidates), ...all.slice(-meaningCandidates)])];
  const texts = candidates.map((index) => (sources[index]?.text ?? "").slice(0, meaningChars));
  const vectors = await embedder.embed([query, ...texts], signal);
  if (isFault(vectors)) return undefined;
  const [wanted, ...others] = vectors;
  const scores = new Map<number, number>();
  for (const [at, vector] of others.entries()) {
    const index = candidates[at];
    const similarity = dotProduct(wanted, vector);
    if (index !== undefined && similarity >= leastSimilarity) scores.set(index, similarity);
  }
  return scores;
}

function dotProduct(one: Float32Array | undefined, other: Float32Array): number {
  return other.reduce((sum, value, index) => sum + value * (one?.[index] ?? 0), 0);
}

/** The part of a text around the query's first word that occurs in it. */
function snippet(text: string, query: string): string {
  if (text.length <= snippetChars) return text;
  const lower = text.toLowerCase();
  const places = wordsOf(query).map((word) => lower.indexOf(word));
  const first = Math.min(...places.filter((place) => place >= 0));
  if (!Number.isFinite(first) || first < snippetChars / 2) return cutTextCounted(text, snippetChars);
  return `…${cutTextCounted(text.slice(first - snippetChars / 4).replace(/^[\udc00-\udfff]/, ""), snippetChars)}`;
}
