// Anchors: `LINE` and two lower-case letters, such as `41th`, name a line of a revision that the model has seen.
//
// The letters are one of 647 pairs, chosen by a hash of the line without its trailing white space, so an anchor
// survives a changed line end and nothing else. A line of punctuation only is hashed together with its number, and so is
// one that would have the letters of the line above it: every "}" of a file has its own anchor, and a number that is off by
// one does not fit the neighbour. An anchor is verified against the revision that was seen, then the line is mapped
// through the history; two letters are a check against slips, not a proof of identity.

import type { Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { countLines, lineContent } from "./lines.ts";

export interface Anchor {
  /** 1-based. */
  readonly line: number;
  readonly letters: string;
}

/** Pairs that are easily misread for one another, left out of the table. */
const confusable = new Set(
  "ii il ij li ll lj ji jl jj vv vw wv ww nn nm mn mm rn nr uu uv vu cl lc oo qq qg gq gg".split(" "),
);

const letters = "abcdefghijklmnopqrstuvwxyz";

export const pairs: readonly string[] = [...letters]
  .flatMap((first) => [...letters].map((second) => first + second))
  .filter((pair) => !confusable.has(pair));

/** FNV-1a over UTF-16 units: fast, stable, and spread well enough for 647 buckets. */
function hash32(content: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < content.length; index += 1) {
    hash = Math.imul(hash ^ content.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** The letters that a line has by itself. */
export function anchorLetters(content: string, line: number): string {
  const trimmed = content.trimEnd();
  return pairAt(hash32(trimmed, /[\p{L}\p{N}]/u.test(trimmed) ? 0 : line));
}

/** Other letters than those of the line above, for a line that would have the same. */
function lettersBeside(content: string, line: number, above: string): string {
  const hash = hash32(content.trimEnd(), line + 1);
  const found = pairAt(hash);
  return found === above ? pairAt(hash + 1) : found;
}

function pairAt(hash: number): string {
  return pairs[hash % pairs.length] ?? "";
}

export function formatAnchor(anchor: Anchor): string {
  return `${anchor.line}${anchor.letters}`;
}

/** The anchor of a counted line (1-based) of a text. */
export function anchorAt(text: Text, line: number): Anchor {
  const content = lineContent(text, line - 1);
  const own = anchorLetters(content, line);
  const above = line > 1 ? anchorLetters(lineContent(text, line - 2), line - 1) : "";
  return { line, letters: own === above ? lettersBeside(content, line, above) : own };
}

/** `LINEhh|TEXT`, as reads and searches show a line. */
export function anchoredLine(text: Text, line: number): string {
  return `${formatAnchor(anchorAt(text, line))}|${lineContent(text, line - 1)}`;
}

export function parseAnchor(token: string): Anchor | Fault {
  const match = /^([1-9][0-9]{0,8})([a-z]{2})$/.exec(token.trim());
  if (match === null) {
    return new Fault(
      "invalid_anchor",
      `"${token.slice(0, 40)}" is not an anchor; expected a full anchor such as "119sr".`,
      "Copy the line number and the two letters left of the | from a line that was shown.",
      { token },
    );
  }
  return { line: Number(match[1]), letters: match[2] ?? "" };
}

const contextLines = 2;

/** Lines around one line with fresh anchors, the line itself marked with `*`. */
export function anchoredContext(text: Text, line: number, context: number = contextLines): string[] {
  const total = countLines(text);
  const excerpt: string[] = [];
  for (let at = Math.max(1, line - context); at <= Math.min(total, line + context); at += 1) {
    excerpt.push(`${at === line ? "*" : " "}${anchoredLine(text, at)}`);
  }
  return excerpt;
}
