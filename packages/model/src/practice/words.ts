// Words and sentences of plain text, as the practice model counts and finds them. A word is a run of letters, digits,
// marks and underscores; "Mara's" and "Mara-like" hold the word "Mara", "Marathon" does not.

const wordCharacter = String.raw`[\p{L}\p{N}\p{M}_]`;
const startsInWord = new RegExp(`^${wordCharacter}`, "u");
const endsInWord = new RegExp(`${wordCharacter}$`, "u");

export interface Wanted {
  readonly text: string;
  readonly isWholeWord: boolean;
  readonly ignoresCase: boolean;
}

export function patternOf({ text, isWholeWord, ignoresCase }: Wanted): RegExp {
  const literal = literally(text);
  const before = isWholeWord && startsInWord.test(text) ? `(?<!${wordCharacter})` : "";
  const after = isWholeWord && endsInWord.test(text) ? `(?!${wordCharacter})` : "";
  return new RegExp(`${before}${literal}${after}`, ignoresCase ? "giu" : "gu");
}

export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, (character) => `\\${character}`);
}

export function countIn(text: string, wanted: Wanted): number {
  return [...text.matchAll(patternOf(wanted))].length;
}

/** What is taken away takes one of the spaces around it with it, so that none is left over. */
export function removalOf(wanted: Wanted): RegExp {
  const { source, flags } = patternOf(wanted);
  return new RegExp(`(?:(?<=\\S)[ ](?:${source})(?=[ ,.;:!?)]|$))|(?:(?:${source})[ ])|(?:${source})`, flags);
}

export function replaceIn(line: string, wanted: Wanted, to: string): string {
  return to === "" ? line.replace(removalOf(wanted), "") : line.replace(patternOf(wanted), () => to);
}

export function countWords(lines: readonly string[]): number {
  return lines.reduce((count, line) => count + (line.match(/\S+/g)?.length ?? 0), 0);
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });

export function sentencesOf(paragraph: string): string[] {
  return [...segmenter.segment(paragraph)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== "");
}

/** "1 line", "2 lines". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** "a", "a and b", "a, b and c"; beyond `most` only how many more there are. */
export function listed(items: readonly string[], most = 6): string {
  const shown = items.length > most ? [...items.slice(0, most), `${items.length - most} more`] : items;
  if (shown.length < 2) return shown.join("");
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}
