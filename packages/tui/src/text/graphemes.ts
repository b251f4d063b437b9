// A text as the terminal sees it: grapheme clusters with the cells they take, and escape sequences, which take none.
//
// A cluster is as wide as its widest character (UAX #11, ambiguous is narrow). An emoji presentation selector and a pair of
// regional indicators make it two cells wide. Combining marks and format characters take no cell of their own. A consonant
// that a virama joins to the one before it (UAX #29 GB9c) stays in the cluster and adds its own cells, as terminals draw it.
// A text presentation selector does not make an emoji narrow: most terminals do not either.
//
// Two plain characters beside each other are always two clusters, so only runs with a character that may join (marks, joiners,
// selectors, jamo, regional indicators) are given to Intl.Segmenter, which is slow.

import { eastAsianWidth } from "get-east-asian-width";
import { sequenceEnd, sizedText } from "./ansi.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What a code point is: 0 takes no cell, 1 and 2 are its cells; with `joins` it may be in one cluster with a neighbour. */
const cellBits = 3;
const joins = 4;
const isKnown = 8;

const joiningCharacter =
  /[\p{M}\p{Cf}\p{Emoji_Modifier}\p{Regional_Indicator}\u0e33\u0eb3\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7fb\uff9e\uff9f\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}\u0d4e\u{111c2}\u{111c3}]/u;
const withoutCell = /[\p{Cc}\p{Cf}\p{Mn}\p{Me}\p{Zl}\p{Zp}]/u;
/** Format characters that are drawn: Arabic and other number signs, and the soft hyphen. */
const drawnFormat = /[\u00ad\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;

const knownUnits = new Uint8Array(0x10000);
/** Emoji live here; other code points above the basic plane are classified each time. */
const astralStart = 0x1f000;
const knownAstral = new Uint8Array(0x1000);

function classify(codePoint: number): number {
  const table = codePoint < 0x10000 ? knownUnits : knownAstral;
  const index = codePoint < 0x10000 ? codePoint : codePoint - astralStart;
  const known = table[index] ?? 0;
  if (known !== 0) return known;
  const character = String.fromCodePoint(codePoint);
  const isLoneSurrogate = codePoint >= 0xd800 && codePoint <= 0xdfff;
  let kind = isKnown;
  if (joiningCharacter.test(character)) kind |= joins;
  if (!withoutCell.test(character) || drawnFormat.test(character)) {
    kind |= isLoneSurrogate ? 1 : eastAsianWidth(codePoint);
  }
  if (index >= 0 && index < table.length) table[index] = kind;
  return kind;
}

interface Cluster {
  readonly text: string;
  readonly width: number;
}

const cachedLength = 64;
const cacheSize = 4096;
const cachedRuns = new Map<string, readonly Cluster[]>();

/** The clusters of a run. Short ones, which come again and again, are kept; the cache is emptied when it is full. */
function clustersOf(run: string): Iterator<Cluster> {
  if (run.length > cachedLength) return measuredClusters(run);
  let clusters = cachedRuns.get(run);
  if (clusters === undefined) {
    clusters = [...measuredClusters(run)];
    if (cachedRuns.size >= cacheSize) cachedRuns.clear();
    cachedRuns.set(run, clusters);
  }
  return clusters.values();
}

function* measuredClusters(run: string): Generator<Cluster> {
  for (const { segment } of segmenter.segment(run)) yield { text: segment, width: measureCluster(segment) };
}

function measureCluster(cluster: string): number {
  let total = 0;
  let widest = 0;
  let regionalIndicators = 0;
  let afterMark = false;
  let base = "";
  for (const character of cluster) {
    const codePoint = character.codePointAt(0) ?? 0;
    const kind = classify(codePoint);
    let cells = kind & cellBits;
    if (afterMark && isConjunct(character, kind)) {
      total += widest;
      widest = 0;
      base = "";
    }
    if (base === "") base = character;
    if (codePoint === 0xfe0f && /\p{Emoji}/u.test(base)) cells = 2;
    if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff && ++regionalIndicators === 2) cells = 2;
    widest = Math.max(widest, cells);
    afterMark = /\p{M}|\u200d/u.test(character);
  }
  return total + widest;
}

/** A letter after a mark stands for itself: it is in the cluster only because of a virama between the two. */
function isConjunct(character: string, kind: number): boolean {
  return (kind & joins) === 0 && /\p{Lo}/u.test(character);
}

export type TokenKind = "text" | "control" | "escape";

/** Goes through a text token by token without allocating: a cluster, a control character or an escape sequence each. */
export class Scanner {
  readonly #text: string;
  #segments: Iterator<Cluster> | undefined;
  #segmentsEnd = 0;
  kind: TokenKind = "text";
  start = 0;
  end = 0;
  /** Cells of the token; a tab has none here, its width depends on where it stands. */
  width = 0;
  isRun = false;

  constructor(text: string, start = 0) {
    this.#text = text;
    this.end = start;
  }

  /** The token's characters. */
  get token(): string {
    return this.#text.slice(this.start, this.end);
  }

  /** Goes to the next token; false at the end. */
  next(): boolean {
    const text = this.#text;
    this.start = this.end;
    if (this.start >= text.length) return false;
    if (this.start < this.#segmentsEnd) return this.#nextSegment();
    const code = text.charCodeAt(this.start);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return this.#control(code);
    const codePoint = code < 0xd800 ? code : (text.codePointAt(this.start) ?? code);
    const length = codePoint > 0xffff ? 2 : 1;
    const kind = codePoint < 0x7f ? 1 : classify(codePoint);
    if ((kind & joins) === 0 && !mayJoin(text, this.start + length)) {
      this.kind = "text";
      this.end = this.start + length;
      this.width = kind & cellBits;
      return true;
    }
    this.#segmentsEnd = joinedRunEnd(text, this.start);
    this.#segments = clustersOf(text.slice(this.start, this.#segmentsEnd));
    return this.#nextSegment();
  }

  /**
   * Goes to the next token, where a run of spaces or of other printable ASCII is one: its width is its length, and it may be cut
   * anywhere. Whoever must cut it looks for `isRun`.
   */
  nextRun(): boolean {
    this.isRun = false;
    const text = this.#text;
    const start = this.end;
    if (start < this.#segmentsEnd) return this.next();
    const first = text.charCodeAt(start);
    let at = start;
    if (first === 0x20) while (text.charCodeAt(at) === 0x20) at++;
    else while (isGraphic(text.charCodeAt(at))) at++;
    // The last one may be the base of a mark.
    if (mayJoin(text, at)) at--;
    if (at <= start + 1) return this.next();
    this.kind = "text";
    this.isRun = true;
    this.start = start;
    this.end = at;
    this.width = at - start;
    return true;
  }

  #control(code: number): boolean {
    const text = this.#text;
    this.width = 0;
    if (code === 0x1b) {
      this.end = sequenceEnd(text, this.start);
      this.kind = this.end === this.start + 1 ? "control" : "escape";
      const sized = sizedText(text, this.start, this.end);
      if (sized !== undefined) {
        this.kind = "text";
        this.width = sized.scale * (sized.width > 0 ? sized.width : plainWidth(sized.text));
      }
      return true;
    }
    this.kind = "control";
    this.end = this.start + (code === 0x0d && text.charCodeAt(this.start + 1) === 0x0a ? 2 : 1);
    return true;
  }

  #nextSegment(): boolean {
    const next = this.#segments?.next();
    this.kind = "text";
    const isDone = next === undefined || next.done === true;
    this.end = isDone ? this.#segmentsEnd : this.start + next.value.text.length;
    this.width = isDone ? 0 : next.value.width;
    return true;
  }
}

/** Printable ASCII but the space. */
function isGraphic(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** Whether the character at `at` may belong to the cluster before it. */
function mayJoin(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (!(code >= 0xa0)) return false;
  return (classify(code < 0xd800 ? code : (text.codePointAt(at) ?? code)) & joins) !== 0;
}

/** The end of a run that begins at `start` and may hold clusters of several characters: it ends between two that do not join. */
function joinedRunEnd(text: string, start: number): number {
  let at = start;
  let previousJoins = true;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) break;
    const codePoint = code < 0xd800 ? code : (text.codePointAt(at) ?? code);
    const isJoining = codePoint >= 0x7f && (classify(codePoint) & joins) !== 0;
    if (!previousJoins && !isJoining) break;
    previousJoins = isJoining;
    at += codePoint > 0xffff ? 2 : 1;
  }
  // The last one that does not join may begin a cluster of its own with nothing behind it; that is the same either way.
  return at;
}

function plainWidth(text: string): number {
  const scanner = new Scanner(text);
  let width = 0;
  while (scanner.nextRun()) width += scanner.width;
  return width;
}
