// Where a text stands in a file. Exactly, and only if it stands nowhere so, with other white space or typography:
//
//   exact     character for character; line ends never count
//   typed     as anyone would type it: quotes, dashes, spaces, composed letters, and white space at line ends
//   shifted   whole lines, all of them indented further or less, or with tabs for spaces
//
// A text that is only similar is never found.

import type { Text } from "@codemirror/state";
import { rawLines, withoutReturn } from "@stet/text/lines";
import { foldText, isPlain, placesOf } from "../../../locate/folded-text.ts";
import { type Reindent, uniformShift } from "../../../locate/indentation.ts";

/** A file's text with plain line breaks, and where each raw line of it begins. */
export interface PlainText {
  readonly content: string;
  readonly lines: readonly string[];
  readonly starts: readonly number[];
}

export function plainText(text: Text): PlainText {
  const lines = rawLines(text, 0, text.lines).map(withoutReturn);
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return { content: lines.join("\n"), lines, starts };
}

/** The raw line, 0-based, that a place of the content is in. */
export function lineOf({ starts }: PlainText, place: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Characters `[from, to)` of the content. */
export interface FoundPlace {
  readonly from: number;
  readonly to: number;
  readonly kind: "exact" | "typed" | "shifted";
  readonly reindent: Reindent;
}

const asItIs: Reindent = (line) => line;

/** All places, also such that overlap. */
export function findPlaces(file: PlainText, wanted: string, isTolerant: boolean): FoundPlace[] {
  const exact = exactPlaces(file.content, wanted);
  if (!isTolerant || wanted.trim() === "") return exact;
  if (exact.length > 0) return exact.length > 1 ? exact : alsoShifted(file, wanted, exact);
  const folded = isPlain(file.content) ? file.lines : file.lines.map(foldText);
  const typed = typedPlaces(file, folded, wanted);
  return typed.length > 0 ? typed : shiftedPlaces(file, folded, wanted);
}

/**
 * Several lines, or brackets only, that stand elsewhere with other indentation, too: whoever quotes with the wrong
 * indentation means that place, so there are two.
 */
function alsoShifted(file: PlainText, wanted: string, exact: readonly FoundPlace[]): FoundPlace[] {
  const isWeak = !/[\p{L}\p{N}]/u.test(wanted);
  if (!isWeak && !wanted.trim().includes("\n")) return [...exact];
  const starts = new Set(exact.map(({ from }) => lineOf(file, from)));
  const shifted = shiftedPlaces(file, file.lines, wanted).filter(
    ({ from }) => !starts.has(lineOf(file, from)),
  );
  return [...exact, ...shifted];
}

function exactPlaces(content: string, wanted: string): FoundPlace[] {
  const places: FoundPlace[] = [];
  let from = content.indexOf(wanted);
  while (from >= 0) {
    places.push({ from, to: from + wanted.length, kind: "exact", reindent: asItIs });
    from = content.indexOf(wanted, from + 1);
  }
  return places;
}

function typedPlaces({ lines, starts }: PlainText, folded: readonly string[], wanted: string): FoundPlace[] {
  const [first = "", ...rest] = wanted.split("\n").map(foldText);
  const last = rest.pop();
  const head = last === undefined ? first : first.trimEnd();
  const places: FoundPlace[] = [];
  for (const [index, line] of folded.entries()) {
    if (!line.includes(head)) continue;
    const start = starts[index] ?? 0;
    const place = placesOf(lines[index] ?? "");
    if (last === undefined) {
      for (let at = line.indexOf(head); at >= 0; at = line.indexOf(head, at + 1)) {
        const to = start + place(at + head.length);
        places.push({ from: start + place(at), to, kind: "typed", reindent: asItIs });
      }
      continue;
    }
    const length = line.trimEnd().length;
    const end = index + rest.length + 1;
    if (line.slice(length - head.length, length) !== head || !folded[end]?.startsWith(last)) continue;
    if (!rest.every((text, offset) => folded[index + offset + 1]?.trimEnd() === text.trimEnd())) continue;
    const to = (starts[end] ?? 0) + placesOf(lines[end] ?? "")(last.length);
    places.push({ from: start + place(length - head.length), to, kind: "typed", reindent: asItIs });
  }
  return places;
}

function shiftedPlaces(file: PlainText, folded: readonly string[], wanted: string): FoundPlace[] {
  const { lines, starts, content } = file;
  const written = wanted.split("\n");
  const hasBreak = written.length > 1 && written.at(-1) === "";
  if (hasBreak) written.pop();
  const bare = written.map((line) => foldText(line).trim());
  const key = bare.findIndex((line) => line !== "");
  const places: FoundPlace[] = [];
  for (const [index, line] of folded.entries()) {
    if (!line.includes(bare[key] ?? "")) continue;
    const at = index - key;
    const end = at + bare.length;
    if (at < 0 || end > lines.length) continue;
    if (!bare.every((text, offset) => folded[at + offset]?.trim() === text)) continue;
    const reindent = uniformShift(written, lines.slice(at, end));
    if (reindent === undefined || (hasBreak && end >= lines.length)) continue;
    const to = hasBreak
      ? (starts[end] ?? content.length)
      : (starts[end - 1] ?? 0) + (lines[end - 1] ?? "").length;
    places.push({ from: starts[at] ?? 0, to, kind: "shifted", reindent });
  }
  return places;
}
