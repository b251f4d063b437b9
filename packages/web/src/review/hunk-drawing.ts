// How a hunk looks in the text. Prose shows which words went and came; code, and everything large, shows whole lines.

import type { Text } from "@codemirror/state";
import { Decoration, type WidgetType } from "@codemirror/view";
import { diffWords, type WordChange } from "@stet/text/words";
import type { HunkRange } from "./hunk-ranges.ts";

/** Above this many characters words are not compared: it would be felt while typing. */
const maxCompared = 20_000;
/** Where less than this share stayed the same, mixed words are harder to read than one text after the other. */
const leastSame = 0.25;

export interface Drawn {
  readonly from: number;
  readonly to: number;
  readonly value: Decoration;
}

export interface Look {
  readonly removedWords: (text: string, isWhole: boolean) => WidgetType;
}

export const addedWords = Decoration.mark({ class: "review-added-words" });
const addedLine = Decoration.line({ class: "review-added-line" });

/** Whether its words are drawn between each other; otherwise the removed lines stand above the added ones. */
export function isDrawnByWord(placed: HunkRange, isProse: boolean): boolean {
  return isProse && placed.hunk.oversized_hunk !== true && canBeCompared(placed);
}

function canBeCompared({ hunk, from, to, isEmpty }: HunkRange): boolean {
  return !isEmpty && hunk.removed.length > 0 && to - from <= maxCompared && !isLong(hunk.removed);
}

export function isLong(lines: readonly string[]): boolean {
  return lines.reduce((sum, line) => sum + line.length + 1, 0) > maxCompared;
}

/** What is drawn of a hunk besides its removed lines; lines out of sight are left out. */
export function drawHunk(
  text: Text,
  placed: HunkRange,
  isProse: boolean,
  look: Look,
  seen: { readonly from: number; readonly to: number },
): Drawn[] {
  if (placed.isEmpty) return [];
  const compared = comparedWords(text, placed);
  if (compared !== undefined && isDrawnByWord(placed, isProse)) return drawWords(placed.from, compared, look);
  const drawn: Drawn[] = [];
  const first = text.lineAt(Math.max(placed.from, seen.from)).number;
  const last = text.lineAt(Math.min(placed.to, seen.to)).number;
  for (let number = first; number <= last; number += 1) {
    const { from } = text.line(number);
    drawn.push({ from, to: from, value: addedLine });
  }
  if (compared === undefined || shareOfSame(compared) < leastSame) return drawn;
  let at = placed.from;
  for (const { kind, text: part } of compared) {
    if (kind === "removed") continue;
    if (kind === "added") drawn.push({ from: at, to: at + part.length, value: addedWords });
    at += part.length;
  }
  return drawn;
}

function drawWords(start: number, compared: readonly WordChange[], look: Look): Drawn[] {
  const isMixed = shareOfSame(compared) >= leastSame;
  const drawn: Drawn[] = [];
  const widget = (at: number, text: string, isWhole: boolean) => {
    const value = Decoration.widget({ widget: look.removedWords(text, isWhole), side: -1 });
    drawn.push({ from: at, to: at, value });
  };
  if (!isMixed) {
    const removed = compared.filter(({ kind }) => kind !== "added").map(({ text }) => text);
    const added = compared.filter(({ kind }) => kind !== "removed").map(({ text }) => text);
    widget(start, removed.join(""), true);
    const length = added.join("").length;
    if (length > 0) drawn.push({ from: start, to: start + length, value: addedWords });
    return drawn;
  }
  let at = start;
  for (const { kind, text } of compared) {
    if (kind === "removed") widget(at, text, false);
    else {
      if (kind === "added") drawn.push({ from: at, to: at + text.length, value: addedWords });
      at += text.length;
    }
  }
  return drawn;
}

const cache = new WeakMap<object, { readonly after: string; readonly words: readonly WordChange[] }>();

/** The words of a hunk before and now; undefined where they are too many, or nothing was there before. */
export function comparedWords(text: Text, placed: HunkRange): readonly WordChange[] | undefined {
  if (!canBeCompared(placed)) return undefined;
  const { hunk, from, to } = placed;
  const after = text.sliceString(from, to);
  const known = cache.get(hunk);
  if (known?.after === after) return known.words;
  // Lines that end in a carriage return do so on both sides.
  const end = after.endsWith("\r") ? "\r" : "";
  const before = hunk.removed.map((line) => line + end).join("\n");
  const words = diffWords(before, after);
  cache.set(hunk, { after, words });
  return words;
}

function shareOfSame(words: readonly WordChange[]): number {
  let same = 0;
  let all = 0;
  for (const { kind, text } of words) {
    const letters = text.trim().length;
    all += letters;
    // It stands on both sides.
    if (kind === "same") {
      same += 2 * letters;
      all += letters;
    }
  }
  return all === 0 ? 1 : same / all;
}
