// Searching for whole sentences.
//
// The query is looked for as typed (case does not count), then with accents folded, and if it has several words,
// for sentences that hold them all, in any order. The first of these that finds anything is the answer. A gap
// between words may be any blank space, also one line break, so a query is found across the end of a wrapped line.
// Matches in the same sentence, or in sentences that a match joins, are one result.
//
// What is too long for one sentence (a list, a table, code, a log: text without full stops) is taken line by line: the
// result is the line that holds the keyword.

import type { Text } from "@codemirror/state";
import { type Folding, fold } from "../fold.ts";
import { withoutReturn } from "../lines.ts";
import { type Occurrence, occurrences, patternOf } from "./sentence-search-scan.ts";
import { type SentenceRange, sentenceAround, sentencesIn } from "./sentences.ts";

export interface SentenceMatch {
  /** The sentence, or the line, as one line; where that is too long, the part around the keyword, with "…" where it is cut. */
  readonly match: string;
  /** What was found, as the document spells it. */
  readonly keyword: string;
  readonly from: number;
  readonly to: number;
  /** The lines that it is on, counted from 1. */
  readonly lines: readonly { readonly line: number; readonly content: string }[];
  /** Whether it was found only because accents and the like do not count. */
  readonly isFolded: boolean;
}

export interface SentenceSearch {
  readonly results: readonly SentenceMatch[];
  /** How many sentences or lines match, also those beyond the limit. */
  readonly totalMatches: number;
}

export interface SentenceSearchOptions {
  /** 5 unless given. */
  readonly limit?: number;
  /** How long `match` and the content of a line may be; 500 unless given. */
  readonly maxChars?: number;
}

/** How far apart two positions are looked up one by one. */
const nearby = 512;

interface Found extends SentenceRange {
  /** The first occurrence in it. */
  readonly keyword: Occurrence;
  /** The sentence, also where it is too long to be the result. */
  readonly sentence: SentenceRange;
}

export function searchSentences(
  text: Text,
  query: string,
  options: SentenceSearchOptions = {},
): SentenceSearch {
  const { limit = 5, maxChars = 500 } = options;
  const wanted = query.trim();
  if (wanted === "") return { results: [], totalMatches: 0 };
  const foldings: readonly Folding[] = ["typed", "loose"];
  const bounds = { limit, maxChars };
  const passes = [
    ...foldings.map((folding) => ({ folding, found: () => sentencesWith(text, wanted, folding, bounds) })),
    ...foldings.map((folding) => ({ folding, found: () => sentencesWithAll(text, wanted, folding, bounds) })),
  ];
  for (const { folding, found } of passes) {
    const { first, total } = found();
    if (total === 0) continue;
    const isFolded = folding === "loose";
    return { results: first.map((each) => matchOf(text, each, isFolded, maxChars)), totalMatches: total };
  }
  return { results: [], totalMatches: 0 };
}

interface Finding {
  readonly first: readonly Found[];
  readonly total: number;
}

type Bounds = Required<SentenceSearchOptions>;

function sentencesWith(text: Text, wanted: string, folding: Folding, { limit, maxChars }: Bounds): Finding {
  const pattern = patternOf(wanted, folding);
  if (pattern === undefined) return { first: [], total: 0 };
  const first: Found[] = [];
  let total = 0;
  const sentenceAt = sentenceFinder(text);
  let last: { from: number; to: number; keyword: Occurrence; sentence: SentenceRange } | undefined;
  for (const occurrence of occurrences(text, pattern, folding)) {
    if (last !== undefined && occurrence.to <= last.to) continue;
    const sentence = sentenceOf(sentenceAt, occurrence);
    const { from, to } = sentence.to - sentence.from <= maxChars ? sentence : linesAround(text, occurrence);
    if (last !== undefined && from < last.to) {
      last.to = to;
      continue;
    }
    last = { from, to, keyword: occurrence, sentence };
    total += 1;
    if (total <= limit) first.push(last);
  }
  return { first, total };
}

/** The whole lines that an occurrence is on. */
function linesAround(text: Text, { from, to }: Occurrence): SentenceRange {
  const first = text.lineAt(from);
  return { from: first.from, to: to <= first.to ? first.to : text.lineAt(to).to };
}

type SentenceAt = (position: number) => SentenceRange | undefined;

/** The sentence, or the sentences, that an occurrence is in. */
function sentenceOf(sentenceAt: SentenceAt, { from, to }: Occurrence): SentenceRange {
  const start = sentenceAt(from);
  if (start !== undefined && to <= start.to) return start;
  const end = sentenceAt(to - 1);
  return { from: Math.min(from, start?.from ?? from), to: Math.max(to, end?.to ?? to) };
}

/** For rising positions: where they are close to each other, going from sentence to sentence is quicker. */
function sentenceFinder(text: Text): SentenceAt {
  let current: SentenceRange | undefined;
  let following: Iterator<SentenceRange> | undefined;
  return (position) => {
    if (current !== undefined && position < current.to) return current;
    if (current === undefined || position - current.to > nearby) {
      following = undefined;
      current = sentenceAround(text, position);
      return current;
    }
    following ??= sentencesIn(text, current.to);
    while (current !== undefined && current.to <= position) current = following.next().value;
    return current;
  };
}

/**
 * Sentences that hold every word: those with the longest word are looked at, as far around it as a result may reach. In a list
 * without full stops the words must so be near each other, and not just anywhere in the list.
 */
function sentencesWithAll(text: Text, wanted: string, folding: Folding, bounds: Bounds): Finding {
  const words = new Set<string>();
  for (const word of wanted.split(/\s+/)) {
    const folded = fold(word, folding).replace(/^\p{P}+|\p{P}+$/gu, "");
    if (folded !== "") words.add(folded);
  }
  const [longest, ...others] = [...words].sort((one, other) => other.length - one.length);
  if (longest === undefined || others.length === 0) return { first: [], total: 0 };
  const { limit, maxChars } = bounds;
  const found = sentencesWith(text, longest, folding, { limit: Number.POSITIVE_INFINITY, maxChars });
  const first: Found[] = [];
  let total = 0;
  for (const each of found.first) {
    const near = rangeAround(each.sentence, each.keyword, maxChars);
    const sentence = fold(text.sliceString(near.from, near.to), folding);
    if (!others.every((word) => sentence.includes(word))) continue;
    total += 1;
    if (total <= limit) first.push(each);
  }
  return { first, total };
}

function matchOf(text: Text, found: Found, isFolded: boolean, maxChars: number): SentenceMatch {
  const { from, to, keyword } = found;
  const range = rangeAround(found, keyword, maxChars);
  let match = onOneLine(text.sliceString(range.from, range.to));
  if (range.from > from) match = `…${match}`;
  if (range.to < to) match = `${match}…`;
  return {
    match,
    keyword: onOneLine(text.sliceString(keyword.from, keyword.to)).slice(0, maxChars),
    from,
    to,
    lines: linesOf(text, found, maxChars),
    isFolded,
  };
}

/** At most `length` characters of a range, with the keyword in the middle where that is possible. */
function rangeAround(range: SentenceRange, keyword: SentenceRange, length: number): SentenceRange {
  if (range.to - range.from <= length) return range;
  const spare = Math.max(0, length - (Math.min(keyword.to, range.to) - Math.max(keyword.from, range.from)));
  const from = Math.max(range.from, Math.min(keyword.from - Math.floor(spare / 2), range.to - length));
  return { from, to: Math.min(range.to, from + length) };
}

function onOneLine(content: string): string {
  return content.replace(/\s*\n[^\S\n]*(?:>[^\S\n]*)*/g, " ").trim();
}

function linesOf(text: Text, found: Found, maxChars: number): { line: number; content: string }[] {
  const lines: { line: number; content: string }[] = [];
  for (let line = text.lineAt(found.from); ; line = text.line(line.number + 1)) {
    // The cut goes around the keyword, and on another line around the sentence.
    const holdsKeyword = found.keyword.from <= line.to && found.keyword.to > line.from;
    const { from, to } = rangeAround(line, holdsKeyword ? found.keyword : found, maxChars);
    lines.push({
      line: line.number,
      content: withoutReturn(line.text).slice(from - line.from, to - line.from),
    });
    if (line.to >= found.to) return lines;
  }
}
