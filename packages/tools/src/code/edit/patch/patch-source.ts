// The lines of a file as hunks are compared with them, in decreasing strictness: exactly, without white space at the end,
// without white space around, and with typographic quotes, dashes and spaces as typed ones. Nothing else is tolerated.

import type { Text } from "@codemirror/state";
import { countLines, rawLines, withoutReturn } from "@stet/text/lines";
import { occurrences } from "@stet/text/unified-apply";

export const strictness = ["exact", "trailing white space", "white space", "punctuation"] as const;

export type Strictness = (typeof strictness)[number];

const typed: Readonly<Record<string, string>> = Object.fromEntries([
  ...[..."‐‑‒–—―−"].map((dash) => [dash, "-"]),
  ...[..."‘’‚‛"].map((quote) => [quote, "'"]),
  ...[..."“”„‟"].map((quote) => [quote, '"']),
  ...[..."\u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"].map((space) => [
    space,
    " ",
  ]),
]);

const typographic = new RegExp(`[${Object.keys(typed).join("")}]`, "gu");

export function loosened(line: string, how: Strictness): string {
  if (how === "exact") return line;
  if (how === "trailing white space") return line.trimEnd();
  if (how === "white space") return line.trim();
  return line.replace(typographic, (character) => typed[character] ?? character).trim();
}

export class PatchSource {
  /** Without line ends. */
  readonly lines: readonly string[];
  private readonly loose = new Map<Strictness, readonly string[]>();

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  at(how: Strictness): readonly string[] {
    if (how === "exact") return this.lines;
    let lines = this.loose.get(how);
    if (lines === undefined) {
      lines = this.lines.map((line) => loosened(line, how));
      this.loose.set(how, lines);
    }
    return lines;
  }
}

/** So many places are looked at one by one; a file of equal lines is searched in another way. */
const maxLooks = 2000;

/** Where some lines stand one after the other. */
export function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  // The longest of them stands at the fewest places, as a rule.
  let pivot = 0;
  for (const [index, line] of wanted.entries()) if (line.length > (wanted[pivot] ?? "").length) pivot = index;
  const places: number[] = [];
  let looks = 0;
  const rarest = wanted[pivot];
  if (rarest === undefined) return places;
  for (let at = lines.indexOf(rarest); at >= 0; at = lines.indexOf(rarest, at + 1)) {
    looks += 1;
    if (looks > maxLooks) return occurrences(lines, wanted);
    const first = at - pivot;
    if (first >= 0 && wanted.every((line, index) => lines[first + index] === line)) places.push(first);
  }
  return places;
}

/** The counted lines of a text. */
export function sourceOf(text: Text): PatchSource {
  return new PatchSource(rawLines(text, 0, countLines(text)).map(withoutReturn));
}

/** A line with what ends it, where a lone CR ends lines, too. */
export interface Piece {
  readonly text: string;
  readonly end: string;
}

/** The lines of a file that ends lines with LF, CRLF and lone CR. */
export function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [, text = "", end = ""] of content.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    if (text !== "" || end !== "") pieces.push({ text, end });
  }
  return pieces;
}
