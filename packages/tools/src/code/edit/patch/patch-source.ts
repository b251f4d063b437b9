// The lines of a file as hunks are compared with them.

import type { Text } from "@codemirror/state";
import { countLines, rawLines, withoutReturn } from "@stet/text/lines";
import { occurrences } from "@stet/text/occurrences";
import { foldedAs, type ToleranceName } from "../../../locate/tolerance.ts";

export class PatchSource {
  /** Without line ends. */
  readonly lines: readonly string[];
  readonly #folded = new Map<ToleranceName, readonly string[]>();

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  /** All lines, with what may differ left out. */
  at(how: ToleranceName): readonly string[] {
    const lines = how === "exact" ? this.lines : (this.#folded.get(how) ?? this.lines.map(foldedAs[how]));
    this.#folded.set(how, lines);
    return lines;
  }

  folded(line: string, how: ToleranceName): string {
    return foldedAs[how](line);
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
