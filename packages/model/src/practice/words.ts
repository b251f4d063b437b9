// Words of plain text as the practice model counts and replaces them. A word is a run of letters, digits, marks and
// underscores; "Mara's" and "Mara-like" hold the word "Mara", "Marathon" does not.

import { numberText } from "@stet/protocol/number-text";

const wordCharacter = String.raw`[\p{L}\p{N}\p{M}_]`;
const startsInWord = new RegExp(`^${wordCharacter}`, "u");
const endsInWord = new RegExp(`${wordCharacter}$`, "u");

export interface SearchedText {
  readonly text: string;
  readonly isWholeWord: boolean;
  readonly ignoresCase: boolean;
}

function patternOf({ text, isWholeWord, ignoresCase }: SearchedText): RegExp {
  const before = isWholeWord && startsInWord.test(text) ? `(?<!${wordCharacter})` : "";
  const after = isWholeWord && endsInWord.test(text) ? `(?!${wordCharacter})` : "";
  return new RegExp(`${before}${literally(text)}${after}`, ignoresCase ? "giu" : "gu");
}

export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}

export function countIn(text: string, wanted: SearchedText): number {
  return [...text.matchAll(patternOf(wanted))].length;
}

/** A removed word takes one of the spaces around it with it, so that none is left over. */
export function removalOf(wanted: SearchedText): RegExp {
  const { source, flags } = patternOf(wanted);
  return new RegExp(`(?:(?<=\\S)[ ](?:${source})(?=[ ,.;:!?)]|$))|(?:(?:${source})[ ])|(?:${source})`, flags);
}

export function replaceIn(line: string, wanted: SearchedText, to: string): string {
  return to === "" ? line.replace(removalOf(wanted), "") : line.replace(patternOf(wanted), () => to);
}

/** "1 line", "2 lines". */
export function counted(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "a", "a and b", "a, b and c"; beyond `most` only how many more there are. */
export function listed(items: readonly string[], and = "and", most = 12): string {
  const listed = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : items;
  if (listed.length < 2) return listed.join("");
  return `${listed.slice(0, -1).join(", ")} ${and} ${listed.at(-1)}`;
}
