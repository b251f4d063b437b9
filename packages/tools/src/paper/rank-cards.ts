// Short texts ranked by a query: by their words (BM25), and by meaning where an embedder can be used.

import { cutTextCounted } from "@stet/protocol/cut-text";
import type { Embedder } from "@stet/protocol/embedding";
import { isFault } from "@stet/protocol/fault";

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
  const words = wordScores(sources, query);
  const best = Math.max(...words.values(), 0);
  const byWords = new Map([...words].map(([index, score]) => [index, score / best]));
  const byMeaning =
    embedder === undefined ? undefined : await meaningScores(sources, byWords, query, embedder, signal);
  const scores = byMeaning === undefined ? byWords : joined(byWords, byMeaning);
  // Where two are equally good, the newer one is what was meant.
  const ranked = [...scores].sort(([a, one], [b, other]) => other - one || b - a);
  return ranked.slice(0, limit).flatMap(([index, score]) => {
    const source = sources[index];
    if (source === undefined) return [];
    return [{ ...source, text: snippet(source.text, query), score: Math.round(score * 1000) / 1000 }];
  });
}

function joined(words: ReadonlyMap<number, number>, meaning: ReadonlyMap<number, number>) {
  const scores = new Map<number, number>();
  for (const index of new Set([...words.keys(), ...meaning.keys()])) {
    scores.set(index, ((words.get(index) ?? 0) + (meaning.get(index) ?? 0)) / 2);
  }
  return scores;
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

/** BM25 with its usual constants. Texts without any of the words have no score. */
function wordScores(sources: readonly CardSource[], query: string): Map<number, number> {
  const wanted = new Set(wordsOf(query));
  const counts = sources.map(({ text }) => {
    const words = wordsOf(text);
    const found = new Map<string, number>();
    for (const word of words) if (wanted.has(word)) found.set(word, (found.get(word) ?? 0) + 1);
    return { length: words.length, found };
  });
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  const scores = new Map<number, number>();
  for (const word of wanted) {
    const having = counts.filter(({ found }) => found.has(word)).length;
    const rarity = Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
    for (const [index, { length, found }] of counts.entries()) {
      const times = found.get(word) ?? 0;
      if (times === 0) continue;
      const score = (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / average));
      scores.set(index, (scores.get(index) ?? 0) + score);
    }
  }
  return scores;
}

/** Undefined where no embedding can be had: then words have to do. */
async function meaningScores(
  sources: readonly CardSource[],
  words: ReadonlyMap<number, number>,
  query: string,
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<Map<number, number> | undefined> {
  const best = [...words].sort(([, one], [, other]) => other - one).slice(0, meaningCandidates);
  const newest = sources.map((_, index) => index).slice(-meaningCandidates);
  const candidates = [...new Set([...best.map(([index]) => index), ...newest])];
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
