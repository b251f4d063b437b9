// The words of a text as terms that can be compared: for exact words beside meaning.
//
//   "Mice's"           mouse's plural is not understood, but "cats", "cat's" and "Cat" are one term
//   "followDocuments"  also "follow" and "document"; as is "follow_documents"
//   "昨天下雨了"        has no spaces: words as `Intl.Segmenter` finds them
//   "tiếng Việt"       syllables, with their marks; composed and decomposed letters are the same
//
// A term is stored as a hash of 32 bits. A collision of two words happens once in many books, and then costs one rank in a
// list of results; a table of all words would grow with every document.

/** Letters, marks and digits; an apostrophe or an underscore only within a word. */
const wordPattern = /[\p{L}\p{M}\p{N}]+(?:['’_][\p{L}\p{M}\p{N}]+)*/gu;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const capital = /^\p{Lu}/u;
const notAscii = /[^\p{ASCII}]/u;
const humps = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|\p{L}\p{M}*/gu;
const hasParts = /_|\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;

let segmenter: Intl.Segmenter | undefined;

/** Calls back with every word as it is written, in order. */
function eachWord(text: string, onWord: (word: string) => void): void {
  const composed = notAscii.test(text) ? text.normalize("NFC") : text;
  for (const [word] of composed.matchAll(wordPattern)) {
    if (!unspaced.test(word)) {
      onWord(word);
      continue;
    }
    segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
    for (const { segment, isWordLike } of segmenter.segment(word)) if (isWordLike === true) onWord(segment);
  }
}

/** The term of a word: small letters, without the endings that English grammar adds. */
export function termOf(word: string): string {
  const lower = word.toLowerCase().replace(/['’](?:s|d|ll|m|re|t|ve)?$/u, "");
  return /^[a-z]{3,}$/.test(lower) ? withoutEnding(lower) : lower;
}

function withoutEnding(word: string): string {
  let stem = withoutPlural(word);
  if (stem.endsWith("ly") && stem.length > 4) stem = stem.slice(0, -2);
  for (const ending of ["ing", "ed"]) {
    const rest = stem.slice(0, -ending.length);
    if (!stem.endsWith(ending) || rest.length < 3 || !/[aeiouy]/.test(rest)) continue;
    stem = /([bdfgkmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest;
    break;
  }
  if (stem.length > 3 && stem.endsWith("e")) stem = stem.slice(0, -1);
  return stem.length > 2 && stem.endsWith("y") ? `${stem.slice(0, -1)}i` : stem;
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}

/** All terms of a text, in order, with repetitions. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachWord(text, (word) => {
    for (const term of termsOfWord(word)) terms.push(term);
  });
  return terms;
}

/** A word of several parts gives the whole and the parts. */
function termsOfWord(word: string): string[] {
  const parts = hasParts.test(word) ? (word.match(humps) ?? []) : [];
  return parts.length > 1 ? [word, ...parts].map(termOf) : [termOf(word)];
}

export interface QueryTerm {
  readonly term: string;
  readonly id: number;
  /** Of the same term where it is written with a capital. */
  readonly capitalId: number;
  /** Whether the query has it with a capital. */
  readonly isCapital: boolean;
}

const functionWords = new Set(
  `a about after again all also am an and any are as at be because been before being both but by can could did do does
  doing down each else every few for from get gets getting got had has have having he her here hers herself him himself
  his how i if in into is it its itself just let like may me might more most must my myself no nor not now of off on
  once only or other our out over own put same shall she should so some such than that the their them themselves then
  there these they this those through to too under until up upon us very was we were what when where which while who
  whom whose why will with without would you your`
    .split(/\s+/)
    .map(termOf),
);

/** What a query asks for, each term once. Function words count only where there is nothing else. */
export function queryTerms(query: string): QueryTerm[] {
  const terms = new Map<string, boolean>();
  eachWord(query, (word) => {
    const isCapital = capital.test(word);
    for (const term of termsOf(word)) terms.set(term, isCapital || terms.get(term) === true);
  });
  const telling = [...terms].filter(([term]) => !functionWords.has(term));
  return (telling.length > 0 ? telling : [...terms]).map(([term, isCapital]) => ({
    term,
    id: termId(term),
    capitalId: capitalIdOf(term),
    isCapital,
  }));
}

/** Terms that are written with a capital are counted once more, to know names from other words. */
function capitalIdOf(term: string): number {
  return termId(`^${term}`);
}

/** FNV-1a over the UTF-16 units, with its bits mixed once more. */
export function termId(term: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < term.length; index += 1) {
    hash = Math.imul(hash ^ term.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The terms of one passage, counted. */
export interface TermCounts {
  /** Ascending. */
  readonly ids: Uint32Array;
  /** How often each occurs; 255 stands for more, too. */
  readonly counts: Uint8Array;
  readonly length: number;
}

export function countTerms(text: string): TermCounts {
  const all: number[] = [];
  let length = 0;
  eachWord(text, (word) => {
    for (const term of termsOfWord(word)) {
      all.push(termId(term));
      length += 1;
    }
    if (capital.test(word)) all.push(capitalIdOf(termOf(word)));
  });
  const sorted = Uint32Array.from(all).sort();
  const ids = new Uint32Array(new Set(sorted).size);
  const counts = new Uint8Array(ids.length);
  let at = -1;
  for (const [index, id] of sorted.entries()) {
    if (index === 0 || id !== sorted[index - 1]) at += 1;
    ids[at] = id;
    counts[at] = Math.min(255, (counts[at] ?? 0) + 1);
  }
  return { ids, counts, length };
}

/** How often a term occurs. */
export function countOf({ ids, counts }: TermCounts, id: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = ids[middle] ?? 0;
    if (found === id) return counts[middle] ?? 0;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}
