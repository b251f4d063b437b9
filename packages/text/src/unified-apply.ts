// A unified diff applied to a text: strictly, or not at all.
//
// All context and removed lines of a hunk must stand where it says, or else at exactly one other place. There is
// no fuzz: a line that differs is a conflict, and several places are an ambiguous match.
//
// Line ends: a "\r" at the end of a line is not content. Where the lines fit with it, new lines are taken as they
// are; where they only fit without it, new lines get the ends of the lines they replace or follow. A patch that
// never says "No newline at end of file" does not know how the document ends, so that stays as it is.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, rawLine, rawLines, type Splice, withLineEnds, withoutReturn } from "./lines.ts";
import type { UnifiedFile, UnifiedHunk, UnifiedLine } from "./unified-parse.ts";

interface Source {
  readonly text: Text;
  /** The counted lines, without "\r". */
  readonly lines: readonly string[];
  readonly endsInNewline: boolean;
  /** Whether the patch says how the document ends. */
  readonly isEndNamed: boolean;
}

/** The splices that the hunks of one file stand for, in the order of the document. */
export function applyUnified(text: Text, file: UnifiedFile): Splice[] | Fault {
  const total = countLines(text);
  const source: Source = {
    text,
    lines: rawLines(text, 0, total).map(withoutReturn),
    endsInNewline: total < text.lines,
    isEndNamed: file.hunks.some((hunk) => hunk.lines.some((line) => !line.hasNewline)),
  };
  const splices: Splice[] = [];
  let free = 0;
  for (const [index, hunk] of file.hunks.entries()) {
    const at = placeOf(source, hunk, index + 1);
    if (isFault(at)) return at;
    if (at < free) return overlaps(index + 1, at + 1);
    free = at + hunk.oldCount;
    const hunkSplices = splicesOfHunk(source, hunk, at, index + 1);
    if (isFault(hunkSplices)) return hunkSplices;
    splices.push(...hunkSplices);
  }
  return splices;
}

/** The index of the line at which the hunk begins. */
function placeOf(source: Source, hunk: UnifiedHunk, number: number): number | Fault {
  const old = hunk.lines.filter(({ kind }) => kind !== "added");
  const stated = old.length === 0 ? hunk.oldStart : Math.max(0, hunk.oldStart - 1);
  const difference = firstDifference(source, old, stated);
  if (difference === undefined && stated <= source.lines.length) return stated;
  const places = occurrences(
    source.lines,
    old.map(({ text }) => withoutReturn(text)),
  ).filter((place) => firstDifference(source, old, place) === undefined);
  const [only] = places;
  if (only !== undefined && places.length === 1) return only;
  if (only !== undefined) return severalPlaces(number, places);
  return doesNotFit(source, number, stated + (difference ?? 0), old[difference ?? 0]);
}

/** How many lines of the hunk fit before one does not, or undefined when all do. */
function firstDifference(source: Source, old: readonly UnifiedLine[], at: number): number | undefined {
  const index = old.findIndex(({ text, hasNewline }, offset) => {
    const found = source.lines[at + offset];
    if (found === undefined || found !== withoutReturn(text)) return true;
    const isEnded = source.endsInNewline || at + offset < source.lines.length - 1;
    return isEnded !== hasNewline && (isEnded || source.isEndNamed);
  });
  return index < 0 ? undefined : index;
}

/** Where `wanted` occurs in `lines` as a whole, by Knuth, Morris and Pratt: a file of equal lines stays linear. */
export function occurrences(lines: readonly string[], wanted: readonly string[]): number[] {
  if (wanted.length === 0) return [];
  const fallback = [0];
  for (let index = 1, length = 0; index < wanted.length; index += 1) {
    while (length > 0 && wanted[index] !== wanted[length]) length = fallback[length - 1] ?? 0;
    if (wanted[index] === wanted[length]) length += 1;
    fallback.push(length);
  }
  const found: number[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    while (length > 0 && line !== wanted[length]) length = fallback[length - 1] ?? 0;
    if (line === wanted[length]) length += 1;
    if (length < wanted.length) continue;
    found.push(index + 1 - length);
    length = fallback[length - 1] ?? 0;
  }
  return found;
}

function splicesOfHunk(source: Source, hunk: UnifiedHunk, at: number, number: number): Splice[] | Fault {
  const old = hunk.lines.filter(({ kind }) => kind !== "added");
  const isExact = old.every(({ text }, offset) => rawLine(source.text, at + offset) === text);
  const splices: Splice[] = [];
  for (let index = 0; index < hunk.lines.length; ) {
    const first = index;
    while (index < hunk.lines.length && hunk.lines[index]?.kind !== "context") index += 1;
    const run = hunk.lines.slice(first, index);
    if (run.length === 0) {
      index += 1;
      at += 1;
      continue;
    }
    const removed = run.filter(({ kind }) => kind === "removed").length;
    const added = run.filter(({ kind }) => kind === "added");
    const splice = rawSplice(source, at, removed, added, number);
    if (isFault(splice)) return splice;
    splices.push(
      isExact ? splice : withLineEnds(source.text, { ...splice, lines: splice.lines.map(withoutReturn) }),
    );
    at += removed;
  }
  return splices;
}

/** Counted lines as raw lines: at the end of the document, the line break there may come or go. */
function rawSplice(
  source: Source,
  at: number,
  removed: number,
  added: readonly UnifiedLine[],
  number: number,
): Splice | Fault {
  const lines = added.map(({ text }) => text);
  const total = source.lines.length;
  const lastAdded = added.at(-1);
  if (at + removed < total) {
    if (lastAdded?.hasNewline === false) return endsTooEarly(number, at + removed + 1, lastAdded.text);
    return { at, removed, lines };
  }
  const hadPhantom = source.endsInNewline || total === 0;
  const hasPhantom =
    source.isEndNamed || total === 0 ? (lastAdded?.hasNewline ?? true) : source.endsInNewline;
  if (hadPhantom === hasPhantom) return { at, removed, lines };
  return hasPhantom ? { at, removed, lines: [...lines, ""] } : { at, removed: removed + 1, lines };
}

function doesNotFit(source: Source, hunk: number, index: number, line: UnifiedLine | undefined): Fault {
  const total = source.lines.length;
  const found = source.lines[index];
  const expected = line?.text;
  let reason: string;
  if (expected === undefined) reason = `it adds after line ${index}, but the document has ${total} lines`;
  else if (found === undefined)
    reason = `line ${index + 1} should be ${quoted(expected)}, but the document has ${total} lines`;
  else if (found !== withoutReturn(expected))
    reason = `line ${index + 1} should be ${quoted(expected)} but is ${quoted(found)}`;
  else if (line?.hasNewline)
    reason = `line ${index + 1} should end in a newline, but it is the last and has none`;
  else reason = `line ${index + 1} should be the last and have no newline at its end, but it has one`;
  return new Fault(
    "conflict",
    `Hunk ${hunk} does not fit: ${reason}, and its lines stand nowhere else.`,
    "Read the document again and write the hunk for the lines that are there now.",
    { hunk, line: index + 1, expected: expected ?? null, found: found ?? null },
  );
}

function severalPlaces(hunk: number, places: readonly number[]): Fault {
  const lines = places.slice(0, 20).map((place) => place + 1);
  return new Fault(
    "ambiguous_match",
    `Hunk ${hunk} does not fit where it says, and fits at ${places.length} other places: lines ${lines.join(", ")}.`,
    "Correct the line numbers of the hunk, or give it more context so that only one place fits.",
    { hunk, lines, total: places.length },
  );
}

function overlaps(hunk: number, line: number): Fault {
  return new Fault(
    "conflict",
    `Hunk ${hunk} fits at line ${line}, which lies before the end of the hunk before it.`,
    "Put the hunks in the order of the document, and join those that meet.",
    { hunk, line, expected: null, found: null },
  );
}

function endsTooEarly(hunk: number, line: number, expected: string): Fault {
  return new Fault(
    "conflict",
    `Hunk ${hunk} says that ${quoted(expected)} ends the document without a newline, but line ${line} follows.`,
    "Take out the line about the missing newline, or remove what follows too.",
    { hunk, line, expected, found: null },
  );
}

function quoted(line: string): string {
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);
}
