// The change between two passages of prose, word by word.
//
// Words are what Unicode calls words (`Intl.Segmenter`), so Vietnamese, Chinese and emoji sequences stay whole;
// a punctuation mark is a token of its own. Only these are aligned. White space lies between them and follows:
// aligned like a word, the many equal spaces would outvote the few equal words, and tear "big red" → "small green"
// into two changes. An empty line is aligned, so that a change does not run from one paragraph into the next.
//
//   same + removed = before      same + added = after      removed comes before added

import { diffLines } from "./diff.ts";

export interface WordChange {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Above this many characters that differ, only the lines that differ are looked at. About 0.3 s of work. */
const maxCharacters = 1_000_000;

let segmenter: Intl.Segmenter | undefined;

/** One locale for everyone, so that the same texts have the same words on every machine. Making one takes 20 ms. */
function words(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
  return segmenter.segment(text);
}

export function diffWords(before: string, after: string): WordChange[] {
  const changes = new Changes();
  const [head, tail] = commonLines(before, after);
  const old = before.slice(head, before.length - tail);
  const fresh = after.slice(head, after.length - tail);
  changes.add("same", before.slice(0, head));
  if (old.length + fresh.length <= maxCharacters) diffTokens(old, fresh, changes);
  else diffByLines(old, fresh, changes);
  changes.add("same", before.slice(before.length - tail));
  return changes.list;
}

/** Where even the lines that differ are too many, they are one removal and one addition. */
function diffByLines(before: string, after: string, changes: Changes): void {
  const old = before.split(/(?<=\n)/);
  const fresh = after.split(/(?<=\n)/);
  let at = 0;
  let left = maxCharacters;
  for (const change of diffLines(old, fresh)) {
    changes.add("same", old.slice(at, change.at).join(""));
    at = change.at + change.removed;
    const removed = old.slice(change.at, at).join("");
    const added = fresh.slice(change.newAt, change.newAt + change.added).join("");
    left -= removed.length + added.length;
    if (left >= 0) {
      diffTokens(removed, added, changes);
    } else {
      changes.add("removed", removed);
      changes.add("added", added);
    }
  }
  changes.add("same", old.slice(at).join(""));
}

/** How many characters both start and end with, up to a line break: there no word is cut. */
function commonLines(before: string, after: string): [head: number, tail: number] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  if (head === before.length && head === after.length) return [head, 0];
  head = head === 0 ? 0 : before.lastIndexOf("\n", head - 1) + 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  const lineBreak = before.indexOf("\n", before.length - tail);
  return [head, lineBreak < 0 ? 0 : before.length - lineBreak];
}

function diffTokens(before: string, after: string, changes: Changes): void {
  const old = tokensOf(before);
  const fresh = tokensOf(after);
  const oldWords = old.map((token) => token.text);
  const newWords = fresh.map((token) => token.text);
  let at = 0;
  let position = 0;
  let newPosition = 0;
  let shift = 0;
  const keepUntil = (end: number) => {
    for (; at < end; at += 1) {
      const token = old[at];
      const newToken = fresh[at + shift];
      if (token === undefined || newToken === undefined) return;
      addGap(changes, before.slice(position, token.from), after.slice(newPosition, newToken.from));
      changes.add("same", token.text);
      position = token.from + token.text.length;
      newPosition = newToken.from + token.text.length;
    }
  };
  for (const change of diffLines(oldWords, newWords)) {
    keepUntil(change.at);
    at = change.at + change.removed;
    shift = change.newAt + change.added - at;
  }
  keepUntil(old.length);
  addGap(changes, before.slice(position), after.slice(newPosition));
}

interface Token {
  readonly from: number;
  readonly text: string;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let space = "";
  for (const { segment, index } of words(text)) {
    if (segment.trim() === "") {
      space += segment;
      continue;
    }
    if (isEmptyLine(space)) tokens.push({ from: index - space.length, text: space });
    space = "";
    tokens.push({ from: index, text: segment });
  }
  return tokens;
}

function isEmptyLine(space: string): boolean {
  return space.includes("\n") && space.indexOf("\n") !== space.lastIndexOf("\n");
}

/** What lies between two words that stay: equal white space at its ends stays too. */
function addGap(changes: Changes, before: string, after: string): void {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head] && isSpace(before[head])) head += 1;
  let tail = 0;
  while (
    tail < shorter - head &&
    before.at(-1 - tail) === after.at(-1 - tail) &&
    isSpace(before.at(-1 - tail))
  ) {
    tail += 1;
  }
  changes.add("same", before.slice(0, head));
  changes.add("removed", before.slice(head, before.length - tail));
  changes.add("added", after.slice(head, after.length - tail));
  changes.add("same", before.slice(before.length - tail));
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character.trim() === "";
}

/** The list of changes as it grows: neighbours of one kind are one. */
class Changes {
  readonly list: { kind: WordChange["kind"]; text: string }[] = [];

  add(kind: WordChange["kind"], text: string): void {
    if (text === "") return;
    const last = this.list.at(-1);
    if (last?.kind === kind) last.text += text;
    else this.list.push({ kind, text });
  }
}
