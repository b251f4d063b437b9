// Where a quoted text stands in a file: exactly, and only if it stands nowhere so, in the next way that is forgiven
// (tolerance.ts). Other indentation is forgiven for whole lines, all of them indented further or less, or with tabs for spaces.

import { fold, foldWithPlaces } from "@stet/text/fold";
import { occurrences } from "@stet/text/occurrences";
import { type Reindent, uniformShift } from "./indentation.ts";
import type { SourceText } from "./source-text.ts";
import { foldedAs, forgivenFor, type ToleranceName } from "./tolerance.ts";

/** Characters `[from, to)` of the content. */
export interface QuotePlace {
  readonly from: number;
  readonly to: number;
  readonly how: ToleranceName;
  readonly reindent: Reindent;
}

const asItIs: Reindent = (line) => line;

/** All places, also such that overlap. */
export function quotePlaces(source: SourceText, wanted: string, isTolerant: boolean): QuotePlace[] {
  const exact = exactPlaces(source.content, wanted);
  if (!isTolerant || wanted.trim() === "") return exact;
  if (exact.length > 0) return exact.length > 1 ? exact : alsoShifted(source, wanted, exact);
  for (const how of forgivenFor("quote").slice(1)) {
    const places =
      how === "indentation"
        ? shiftedPlaces(source, source.at(how), wanted)
        : partialPlaces(source, wanted, how);
    if (places.length > 0) return places;
  }
  return [];
}

/**
 * Several lines, or brackets only, that stand elsewhere with other indentation, too: whoever quotes with the wrong
 * indentation means that place, so there are two.
 */
function alsoShifted(source: SourceText, wanted: string, exact: readonly QuotePlace[]): QuotePlace[] {
  const isWeak = !/[\p{L}\p{N}]/u.test(wanted);
  if (!isWeak && !wanted.trim().includes("\n")) return [...exact];
  const starts = new Set(exact.map(({ from }) => source.lineAt(from)));
  const bare = source.lines.map((line) => line.trim());
  const shifted = shiftedPlaces(source, bare, wanted).filter(({ from }) => !starts.has(source.lineAt(from)));
  return [...exact, ...shifted];
}

function exactPlaces(content: string, wanted: string): QuotePlace[] {
  const places: QuotePlace[] = [];
  for (let from = content.indexOf(wanted); from >= 0; from = content.indexOf(wanted, from + 1))
    places.push({ from, to: from + wanted.length, how: "exact", reindent: asItIs });
  return places;
}

/** It may begin and end within a line; white space at the ends of the lines between does not count. */
function partialPlaces(source: SourceText, wanted: string, how: ToleranceName): QuotePlace[] {
  const { lines } = source;
  const plain = (line: string) => fold(line, "plain");
  const folded = lines.map(plain);
  const [first = "", ...rest] = wanted.split("\n").map(plain);
  const last = rest.pop();
  const head = last === undefined ? first : first.trimEnd();
  const places: QuotePlace[] = [];
  const position = (line: number, at: number) =>
    source.start(line) + foldWithPlaces(lines[line] ?? "", "plain").start(at);
  const take = (from: number, to: number) => places.push({ from, to, how, reindent: asItIs });
  for (const [index, line] of folded.entries()) {
    if (!line.includes(head)) continue;
    if (last === undefined) {
      for (let at = line.indexOf(head); at >= 0; at = line.indexOf(head, at + 1))
        take(position(index, at), position(index, at + head.length));
      continue;
    }
    const length = line.trimEnd().length;
    const end = index + rest.length + 1;
    if (line.slice(length - head.length, length) !== head || !folded[end]?.startsWith(last)) continue;
    if (!rest.every((text, offset) => folded[index + offset + 1]?.trimEnd() === text.trimEnd())) continue;
    take(position(index, length - head.length), position(end, last.length));
  }
  return places;
}

/** `bare` are the lines without their indentation. */
function shiftedPlaces(source: SourceText, bare: readonly string[], wanted: string): QuotePlace[] {
  const { lines } = source;
  const written = wanted.split("\n");
  const hasBreak = written.length > 1 && written.at(-1) === "";
  if (hasBreak) written.pop();
  return occurrences(bare, written.map(foldedAs.indentation)).flatMap((at): QuotePlace[] => {
    const end = at + written.length;
    const reindent = uniformShift(written, lines.slice(at, end));
    if (reindent === undefined || (hasBreak && end >= lines.length)) return [];
    const to = hasBreak ? source.start(end) : source.end(end - 1);
    return [{ from: source.start(at), to, how: "indentation", reindent }];
  });
}
