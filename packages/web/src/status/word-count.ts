// How long a text is, for people: in words. "don't" and "well-known" are one word each.

import type { Text } from "@codemirror/state";

const word = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

/** Above this many characters, counting would be felt while typing. */
export const maxCounted = 4_000_000;

export function countWords(text: Text): number {
  let count = 0;
  // A word does not go over the end of a line, so lines are counted for themselves.
  for (const lines = text.iterLines(); !lines.next().done; ) count += wordsIn(lines.value);
  return count;
}

export function wordsIn(text: string): number {
  let count = 0;
  for (word.lastIndex = 0; word.test(text); ) count += 1;
  return count;
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
