// Where sentences begin within one block's text.
//
// Unicode's rules decide, and what they get wrong in prose is taken back: a title or another abbreviation before a
// name, initials, a number that an abbreviation announces, and speech that the sentence carries on ("What?" he said).
// The usual case, a full stop, blank space and a capital letter, is decided here by those same rules; only the others
// go to `Intl.Segmenter`, which would take four times as long for all of them.
//
// A boundary depends on the characters beside it only, never on where the text that is looked at begins or ends, as
// long as `margin` characters lie between.

import { itemMarker } from "./blocks.ts";

/** How much of the text on either side a boundary may depend on. */
export const margin = 64;

let segmenter: Intl.Segmenter | undefined;

/** One locale for everyone, so that the same text has the same sentences on every machine. */
function segments(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "sentence" });
  return segmenter.segment(text);
}

const titles = new Set(
  (
    "mr mrs ms mx dr st ste prof rev hon capt col gen lt sgt messrs mme mlle gov sen rep vs cf viz e.g i.e al " +
    "tp ts ths gs pgs bs ks"
  ).split(" "),
);
const announcers = new Set("no nos fig figs vol vols ch chap sec secs eq eqs art p pp l ll c ca".split(" "));

/** What may end a sentence: Unicode's sentence terminals, the full stops that are not among them, and separators. */
const terminal = /^[\p{Sentence_Terminal}\u2024\ufe52\uff0e\u0085\u2028\u2029]/u;
const initials = /^(?:\p{Lu}\.)*\p{Lu}$/u;
const opening = /[\p{Ps}\p{Pi}]/u;
const lowerCase = /^\p{Ll}/u;
const upperCase = /^\p{Lu}/u;

/**
 * The block's text as the rules should see it, of the same length: a line break is a space, and marks at the start of
 * a line (of a quote, of a list item) are spaces too.
 */
export function viewOf(raw: string, isItem: boolean): string {
  let view = raw;
  if (isItem) view = view.replace(itemMarker, blank);
  if (view.includes(">")) view = view.replace(/(^|\n)[^\S\n]*(?:>[^\S\n]*)+/g, blank);
  if (view.includes("\n")) view = view.replaceAll("\n", " ");
  return view.includes("\r") ? view.replaceAll("\r", " ") : view;
}

function blank(found: string): string {
  return " ".repeat(found.length);
}

/** Where sentences begin in a view, without its own beginning. */
export function boundariesOf(view: string): number[] {
  const found: number[] = [];
  for (let at = 0; at < view.length; at += 1) {
    if (!isTerminal(view, at)) continue;
    const boundary = boundaryBehind(view, at);
    if (boundary === undefined) continue;
    found.push(boundary);
    at = boundary - 1;
  }
  return found;
}

/** Asking the pattern at every character would take longer than all the rest. */
function isTerminal(view: string, at: number): boolean {
  const unit = view.charCodeAt(at);
  if (unit < 0x80) return unit === 46 || unit === 33 || unit === 63;
  if ((unit >= 0xa0 && unit < 0x589) || (unit >= 0x1e00 && unit < 0x2024)) return false;
  if ((unit >= 0x3003 && unit < 0xa4ff) || (unit >= 0xac00 && unit < 0xd800)) return false;
  return terminal.test(view.slice(at, at + 2));
}

/** Where the next sentence begins, if the mark at `at` ends one. */
function boundaryBehind(view: string, at: number): number | undefined {
  let close = at + 1;
  while (close < view.length && isClosing(view.charCodeAt(close))) close += 1;
  let next = close;
  while (next < view.length && isSpace(view.charCodeAt(next))) next += 1;
  if (next >= view.length) return undefined;
  if (isContinuation(view.charCodeAt(next))) return undefined;
  const letter = letterAt(view, next);
  if (isLower(view, letter))
    return next === at + 1 && !isPlainStop(view, at) ? byUnicode(view, at) : undefined;
  const isUsual = next > close && isPlainStop(view, at) && isUpper(view, letter);
  const boundary = isUsual ? next : byUnicode(view, at);
  if (boundary === undefined || view.charCodeAt(at) !== 46) return boundary;
  return isAbbreviation(view, at, letter) ? undefined : boundary;
}

function byUnicode(view: string, at: number): number | undefined {
  const from = Math.max(0, at - margin / 2);
  const sentence = segments(view.slice(from, at + margin)).containing(at - from);
  if (sentence === undefined) return undefined;
  let end = from + sentence.index + sentence.segment.length;
  if (end >= view.length || end >= at + margin) return undefined;
  // The mark ended nothing when the sentence goes on behind it.
  for (let index = at + 1; index < end; index += 1) {
    const unit = view.charCodeAt(index);
    if (!isSpace(unit) && /[\p{L}\p{N}]/u.test(String.fromCharCode(unit))) return undefined;
  }
  // Where no space stands between sentences, Unicode takes a bracket that opens the next for one that closes this.
  while (end > at + 1 && opening.test(view.charAt(end - 1))) end -= 1;
  return end;
}

/** Whether the full stop at `at` belongs to the word before it, given what the text goes on with. */
function isAbbreviation(view: string, at: number, next: number): boolean {
  let from = at;
  while (from > 0 && at - from < 8 && isWordUnit(view.charCodeAt(from - 1))) from -= 1;
  if (from === at || at - from >= 8) return false;
  const word = view.slice(from, at);
  const lower = word.toLowerCase();
  if (titles.has(lower)) return lower !== "al" || /et\s+$/.test(view.slice(Math.max(0, from - 8), from));
  if (isDigit(view.charCodeAt(next))) return announcers.has(lower);
  return word !== "I" && isUpper(view, next) && initials.test(word);
}

/** Behind quotes and brackets that open. */
function letterAt(view: string, index: number): number {
  let at = index;
  while (at < view.length && isQuoteOrBracket(view.charCodeAt(at))) at += 1;
  return at;
}

function isPlainStop(view: string, at: number): boolean {
  const unit = view.charCodeAt(at);
  return unit === 46 || unit === 33 || unit === 63;
}

function isUpper(view: string, at: number): boolean {
  const unit = view.charCodeAt(at);
  return unit < 128 ? unit >= 65 && unit <= 90 : upperCase.test(view.slice(at, at + 2));
}

function isLower(view: string, at: number): boolean {
  const unit = view.charCodeAt(at);
  return unit < 128 ? unit >= 97 && unit <= 122 : lowerCase.test(view.slice(at, at + 2));
}

/** A comma, colon, semicolon or dash: the sentence goes on. */
function isContinuation(unit: number): boolean {
  return unit === 44 || unit === 45 || unit === 58 || unit === 59 || unit === 0x2013 || unit === 0x2014;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** Of a word with full stops inside, such as "e.g". */
function isWordUnit(unit: number): boolean {
  return (
    unit === 46 ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 97 && unit <= 122) ||
    (unit >= 0xc0 && unit < 0x2000)
  );
}

function isClosing(unit: number): boolean {
  return unit === 34 || unit === 39 || unit === 41 || unit === 93 || unit === 0x201d || unit === 0x2019;
}

function isQuoteOrBracket(unit: number): boolean {
  return isClosing(unit) || unit === 40 || unit === 91 || unit === 0x201c || unit === 0x2018;
}

export function isSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0 || unit === 0x3000 || unit === 0xfeff;
}
