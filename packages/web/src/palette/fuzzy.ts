// Finds what a person means by a few letters.
//
//   query    words, each of which has to occur; the letters of a word in their order, not necessarily side by side
//   score    higher is better: letters side by side, at the start of words, in the last part of a path
//   ranges   where the letters are, as [from, to), in order and without overlap, to be marked
//
// The shortest place that ends at the first possible end is taken, as fzf does; that is fast enough to look at 20,000 paths
// with every key.

export interface FuzzyMatch {
  readonly score: number;
  readonly ranges: readonly (readonly [number, number])[];
}

export interface Candidate<T> {
  readonly item: T;
  readonly text: string;
  readonly lower: string;
}

export function candidateOf<T>(item: T, text: string): Candidate<T> {
  return { item, text, lower: text.toLowerCase() };
}

const sideBySide = 8;
const wordStart = 10;
const inName = 24;
const wholeName = 40;

export function fuzzyMatch(query: string, text: string, lower = text.toLowerCase()): FuzzyMatch | undefined {
  const words = wordsOf(query);
  if (words.length === 0) return { score: 0, ranges: [] };
  const found: FuzzyMatch[] = [];
  for (const word of words) {
    const match = matchWord(word, text, lower);
    if (match === undefined) return undefined;
    found.push(match);
  }
  const score = found.reduce((sum, match) => sum + match.score, 0) - text.length / 16;
  return { score, ranges: joined(found.flatMap((match) => match.ranges)) };
}

/** The best first; among equals, in the order given. */
export function rank<T>(
  query: string,
  candidates: readonly Candidate<T>[],
  limit = Number.POSITIVE_INFINITY,
): { readonly item: T; readonly match: FuzzyMatch }[] {
  const found: { item: T; match: FuzzyMatch }[] = [];
  for (const { item, text, lower } of candidates) {
    const match = fuzzyMatch(query, text, lower);
    if (match !== undefined) found.push({ item, match });
  }
  if (wordsOf(query).length > 0) found.sort((one, other) => other.match.score - one.match.score);
  return found.slice(0, limit);
}

function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
}

function matchWord(word: string, text: string, lower: string): FuzzyMatch | undefined {
  const nameStart = lower.lastIndexOf("/") + 1;
  const whole = wholeAt(word, text, lower, nameStart);
  if (whole !== undefined) {
    const bonus = whole >= nameStart ? inName : 0;
    const isAll = whole === nameStart && word.length === lower.length - nameStart;
    return {
      score: scoreOf(text, lower, [[whole, whole + word.length]]) + bonus + (isAll ? wholeName : 0),
      ranges: [[whole, whole + word.length]],
    };
  }
  const place = scattered(word, lower, nameStart) ?? scattered(word, lower, 0);
  if (place === undefined) return undefined;
  const bonus = (place[0]?.[0] ?? 0) >= nameStart ? inName / 2 : 0;
  return { score: scoreOf(text, lower, place) + bonus, ranges: place };
}

/** Where the word stands as it is: rather in the name than above it, rather at the start of a word. */
function wholeAt(word: string, text: string, lower: string, nameStart: number): number | undefined {
  let first: number | undefined;
  let best: number | undefined;
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    const isBetterPlace = at >= nameStart && (first === undefined || first < nameStart);
    if (first === undefined || isBetterPlace) first = at;
    const isBest = best === undefined || (at >= nameStart && best < nameStart);
    if (isWordStart(text, lower, at) && isBest) best = at;
  }
  return best !== undefined && (first === undefined || first < nameStart || best >= nameStart) ? best : first;
}

function scattered(word: string, lower: string, from: number): [number, number][] | undefined {
  let at = from - 1;
  for (const letter of word) {
    at = lower.indexOf(letter, at + 1);
    if (at === -1) return undefined;
  }
  // Backwards from there, so that the letters stand as close together as they can.
  const places: number[] = [];
  for (let index = word.length - 1, place = at; index >= 0; index -= 1, place -= 1) {
    place = lower.lastIndexOf(word[index] ?? "", place);
    places.unshift(place);
  }
  return joined(places.map((place) => [place, place + 1] as const));
}

function joined(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const sorted = [...ranges].sort((one, other) => one[0] - other[0]);
  const result: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else result.push([from, to]);
  }
  return result;
}

function scoreOf(text: string, lower: string, ranges: readonly (readonly [number, number])[]): number {
  let score = 0;
  for (const [from, to] of ranges) {
    score += 1 + (to - from - 1) * sideBySide;
    if (isWordStart(text, lower, from)) score += wordStart;
  }
  return score;
}

function isWordStart(text: string, lower: string, at: number): boolean {
  if (at === 0) return true;
  if (/[\s/\\._\-:()]/.test(lower[at - 1] ?? "")) return true;
  const letter = text[at] ?? "";
  return letter !== lower[at] && text[at - 1] === lower[at - 1];
}
