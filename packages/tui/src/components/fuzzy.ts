// Fuzzy search: how well a text fits what somebody typed.
//
// The query is cut into words at its blanks; all of them must fit. A word fits where its characters stand in the text in their
// order. Better is: together rather than scattered, at the beginning of a word or of the last part of a path rather than inside
// one, early rather than late, in a short text rather than a long one. Case never matters.

const wholeWord = 1000;
const atBoundary = 60;
const inLastPart = 80;
const together = 16;

/** A query made ready, since it is compared with many texts. */
export class FuzzyQuery {
  readonly #words: readonly string[];

  constructor(query: string) {
    this.#words = query.toLowerCase().split(/\s+/).filter(Boolean);
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** Higher is better; undefined where it does not fit. The text is in lower case already. */
  score(text: string): number | undefined {
    let sum = 0;
    for (const word of this.#words) {
      const score = wordScore(word, text);
      if (score === undefined) return undefined;
      sum += score;
    }
    return sum - text.length / 16;
  }
}

/** Those that fit, the best first; in their order where they fit equally well. */
export function fuzzyFilter<Item>(
  items: readonly Item[],
  query: string,
  textOf: (item: Item) => string,
): Item[] {
  const fuzzy = new FuzzyQuery(query);
  if (fuzzy.isEmpty) return [...items];
  const found: { item: Item; score: number }[] = [];
  for (const item of items) {
    const score = fuzzy.score(textOf(item).toLowerCase());
    if (score !== undefined) found.push({ item, score });
  }
  return found.sort((one, other) => other.score - one.score).map(({ item }) => item);
}

function wordScore(word: string, text: string): number | undefined {
  const lastPart = text.lastIndexOf("/", text.length - 2) + 1;
  const whole = text.indexOf(word, lastPart);
  const at = whole === -1 ? text.indexOf(word) : whole;
  if (at !== -1) {
    const boundary = isBoundary(text, at) ? atBoundary : 0;
    return (
      wholeWord + boundary + (at >= lastPart ? inLastPart : 0) + word.length * together - Math.min(at, 50)
    );
  }
  return scatteredScore(word, text, lastPart);
}

/** The last possible end of a match is found forwards, and the shortest match up to it backwards. */
function scatteredScore(word: string, text: string, lastPart: number): number | undefined {
  let end = -1;
  for (let index = 0; index < word.length; index++) {
    end = text.indexOf(word.charAt(index), end + 1);
    if (end === -1) return undefined;
  }
  let score = 0;
  let previous = text.length + 1;
  for (let index = word.length - 1, at = end; index >= 0; index--, at--) {
    at = text.lastIndexOf(word.charAt(index), at);
    if (isBoundary(text, at)) score += atBoundary / 2;
    if (at >= lastPart) score += inLastPart / 8;
    score += previous - at === 1 ? together : -Math.min(previous - at, 8);
    previous = at;
  }
  return score;
}

function isBoundary(text: string, at: number): boolean {
  if (at === 0) return true;
  const code = text.charCodeAt(at - 1);
  const isLetterOrDigit = (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 0x7f;
  return !isLetterOrDigit;
}
