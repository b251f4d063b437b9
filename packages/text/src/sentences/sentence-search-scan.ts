// All matches of a query in a document, read in windows of bounded size: a document of 100 MB is never one string.

import type { Text } from "@codemirror/state";
import { type Folded, type Folding, fold, foldWithPlaces } from "../fold.ts";

export interface Occurrence {
  readonly from: number;
  readonly to: number;
}

/** Finds the query in a folded text, from an offset on. */
export interface QueryPattern {
  /** How long a match may be in the document. */
  readonly longest: number;
  next(folded: string, from: number): { readonly at: number; readonly length: number } | undefined;
}

const windowLength = 65_536;
/** Blank space, with at most one line break in it and the quote marks behind that. */
const gap = "(?:[^\\S\\n]+|[^\\S\\n]*\\n[^\\S\\n]*(?:>[^\\S\\n]*)*)";
const unspaced =
  /(?<=[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])(?=[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}])/u;
const mark = /^\p{M}/u;

/** Undefined if folding leaves nothing of the query. */
export function patternOf(query: string, folding: Folding): QueryPattern | undefined {
  const wanted = fold(query, folding).trim();
  if (wanted === "") return undefined;
  const words = wanted.split(/\s+/);
  // Decomposed letters take up to four times the room, and gaps may be wide.
  const longest = 4 * wanted.length + 256 * words.length;
  const [only] = words;
  if (words.length === 1 && only !== undefined && !unspaced.test(only)) {
    return {
      longest,
      next(folded, from) {
        const at = folded.indexOf(only, from);
        return at < 0 ? undefined : { at, length: only.length };
      },
    };
  }
  const source = words
    .map((word) => word.split(unspaced).map(escaped).join("(?:[^\\S\\n]*\\n[^\\S\\n]*)?"))
    .join(gap);
  const pattern = new RegExp(source, "g");
  return {
    longest,
    next(folded, from) {
      pattern.lastIndex = from;
      const hit = pattern.exec(folded);
      return hit === null ? undefined : { at: hit.index, length: hit[0].length };
    },
  };
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** In order, without overlap. */
export function* occurrences(text: Text, pattern: QueryPattern, folding: Folding): Generator<Occurrence> {
  let from = 0;
  let done = 0;
  while (from < text.length) {
    const core = cutBefore(text, from + windowLength, from);
    const end = Math.min(text.length, core + pattern.longest);
    const folded = foldWithPlaces(text.sliceString(from, end), folding);
    for (const { at, length } of hits(folded, pattern)) {
      const start = from + folded.start(at);
      if (start >= core && core < text.length) break;
      if (start < done) continue;
      done = from + folded.end(at + length);
      yield { from: start, to: done };
    }
    from = core;
  }
}

function* hits(folded: Folded, pattern: QueryPattern): Generator<{ at: number; length: number }> {
  for (let hit = pattern.next(folded.text, 0); hit !== undefined; ) {
    const end = hit.at + hit.length;
    // A letter whose accent comes behind it as a character of its own is another letter.
    const isWhole = folded.text.charCodeAt(end) < 0x300 || !mark.test(folded.text.slice(end, end + 2));
    if (isWhole) yield hit;
    hit = pattern.next(folded.text, isWhole ? end : hit.at + 1);
  }
}

/** An offset at or a little before `position` where no letter is cut, if there is blank space nearby. */
function cutBefore(text: Text, position: number, least: number): number {
  if (position >= text.length) return text.length;
  const before = text.sliceString(Math.max(least + 1, position - 1024), position);
  const space = Math.max(before.lastIndexOf(" "), before.lastIndexOf("\n"));
  if (space >= 0) return position - before.length + space;
  const unit = before.charCodeAt(before.length - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? position - 1 : position;
}
