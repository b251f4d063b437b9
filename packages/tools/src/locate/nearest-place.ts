// Where lines that were not found were probably meant: the lines of the file that agree with most of them, or with most words
// of the longest one.

import { foldedAs } from "./tolerance.ts";

export interface Nearest {
  /** 0-based and inclusive. */
  readonly first: number;
  readonly last: number;
  /** The first line that differs, and what was looked for instead. */
  readonly differs: { readonly line: number; readonly wanted: string } | undefined;
}

const maxPlaces = 3;
/** Of equal lines so many vote. */
const maxAlike = 8;

const bareLine = foldedAs.indentation;

/** Places that are as near as each other are several; those nearer to the line `hint`, 0-based, come first. */
export function nearestPlaces(
  lines: readonly string[],
  written: readonly string[],
  hint: number | undefined = undefined,
): Nearest[] {
  const bare = written.map(bareLine);
  const byLines = startsByLines(lines, bare);
  const starts = byLines.length > 0 ? byLines : startsByWords(lines, bare);
  if (hint !== undefined) starts.sort((one, other) => Math.abs(one - hint) - Math.abs(other - hint));
  return starts.slice(0, maxPlaces).flatMap((start): Nearest[] => {
    const first = Math.max(0, start);
    const last = Math.min(lines.length, start + bare.length) - 1;
    if (last < first) return [];
    const offset = bare.findIndex((line, index) => bareLine(lines[start + index] ?? "\0") !== line);
    if (offset < 0) return [{ first, last, differs: undefined }];
    return [{ first, last, differs: { line: start + offset, wanted: written[offset] ?? "" } }];
  });
}

/** Every line that agrees votes for the place where the text would begin; one with words says more than a bracket. */
function startsByLines(lines: readonly string[], bare: readonly string[]): number[] {
  const offsets = new Map<string, number[]>();
  for (const [offset, line] of bare.entries()) {
    const known = offsets.get(line) ?? [];
    if (line !== "" && known.length < maxAlike) offsets.set(line, [...known, offset]);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const found = bareLine(line);
    const weight = /[\p{L}\p{N}]/u.test(found) ? 4 : 1;
    for (const offset of offsets.get(found) ?? [])
      votes.set(index - offset, (votes.get(index - offset) ?? 0) + weight);
  }
  // A line that was left out shifts what follows it by one.
  const joined = new Map(
    [...votes].map(([start, own]) => {
      const beside = Math.max(votes.get(start - 1) ?? 0, votes.get(start + 1) ?? 0);
      return [start, 10 * (own + beside) + own];
    }),
  );
  return best(joined, 1);
}

/** Parts of words count, too: a name that was cut or misspelled still leads there. */
function startsByWords(lines: readonly string[], bare: readonly string[]): number[] {
  const offset = bare.reduce(
    (longest, line, index) => (line.length > (bare[longest] ?? "").length ? index : longest),
    0,
  );
  const pieces = piecesOf(bare[offset] ?? "");
  if (pieces.size === 0) return [];
  const scores = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    scores.set(index - offset, likeness(pieces, piecesOf(bareLine(line))));
  }
  return best(scores, 0.5);
}

/** Three letters each, whatever their case. */
export function piecesOf(line: string): Set<string> {
  const text = line.toLowerCase();
  return new Set(Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3)));
}

/** How much of both is in both, 0 to 1. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = one.size + other.size;
  return all === 0 ? 0 : (2 * one.intersection(other).size) / all;
}

/** Those with the highest score, in order. */
function best(scores: ReadonlyMap<number, number>, least: number): number[] {
  let found: number[] = [];
  let highest = least;
  for (const [start, score] of scores) {
    if (score < highest) continue;
    if (score > highest) found = [];
    found.push(start);
    highest = score;
  }
  return found.sort((one, other) => one - other);
}
