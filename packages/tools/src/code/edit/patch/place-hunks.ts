// Where the hunks of a patch belong in a file: at exactly one place each, or nowhere.
//
// A place fits when all context and removed lines stand there, in the strictest way in which they stand anywhere
// (tolerance.ts). Of several places the @@ headers choose, then the stated line number, then the order of the hunks:
// each changes lines behind what the one before it changes. What is still open then is refused.

import { indentOf, uniformShift } from "../../../locate/indentation.ts";
import type { Miss } from "../../../locate/miss.ts";
import { type ToleranceName, tolerances } from "../../../locate/tolerance.ts";
import { typographyOf } from "../../../locate/typography.ts";
import {
  doesNotFit,
  headerIsMissing,
  hunksOverlap,
  leavesOutLine,
  type NamedHunk,
  openEnded,
  severalPlaces,
  unlikeTheFile,
} from "./hunk-faults.ts";
import { blockAt, nestedHeaderLines } from "./hunk-scope.ts";
import { oldLines, type PatchHunk, type PatchLine } from "./patch-hunk.ts";
import { type PatchSource, placesOf } from "./patch-source.ts";

export interface PlacedHunk {
  /** Counted from 1. */
  readonly number: number;
  readonly hunk: PatchHunk;
  /** The lines that are compared and changed; without blank ones at the end that only separate. */
  readonly lines: readonly PatchLine[];
  /** The first line, 0-based. */
  readonly at: number;
  readonly how: ToleranceName;
  /** An added line as it belongs there, where the hunk was written with other indentation or typography. */
  readonly adapt: (line: string) => string;
}

interface Candidate extends Omit<PlacedHunk, "at" | "adapt"> {
  readonly places: readonly number[];
  /** Old lines before its first change, and up to the end of its last one. */
  readonly coreFrom: number;
  readonly coreTo: number;
}

export function placeHunks(
  source: PatchSource,
  hunks: readonly PatchHunk[],
  path: string,
): PlacedHunk[] | Miss {
  const candidates: Candidate[] = [];
  for (const [index, hunk] of hunks.entries()) {
    const candidate = candidatesOf(source, { hunk, number: index + 1, path });
    if (isMiss(candidate)) return candidate;
    candidates.push(candidate);
  }
  const placed = inOrder(candidates, path);
  return isMiss(placed) ? placed : adapted(source, placed, path);
}

type Unadapted = Omit<PlacedHunk, "adapt">;

const asItIs = (line: string) => line;

/** What is added follows the file where the hunk does not; refused where nobody can know how. */
function adapted(source: PatchSource, placed: readonly Unadapted[], path: string): PlacedHunk[] | Miss {
  const result: PlacedHunk[] = [];
  for (const hunk of placed) {
    const { at, how, lines } = hunk;
    const old = lines.filter(({ kind }) => kind !== "added").map(({ text }) => text);
    const side = openSide(source, hunk);
    if (side !== undefined)
      return openEnded({ ...hunk, path }, side, side === "above" ? at : at + old.length - 1);
    if (how === "exact" || how === "trailing white space") {
      result.push({ ...hunk, adapt: asItIs });
      continue;
    }
    const found = source.lines.slice(at, at + old.length);
    const reindent = indentedAs(old, found);
    const typography = typographyOf(found, old);
    const fresh = (line: string) => {
      const indented = reindent(line);
      return indented === undefined ? undefined : typography(indented);
    };
    if (lines.some(({ kind, text }) => kind === "added" && fresh(text) === undefined))
      return unlikeTheFile({ ...hunk, path }, at, old.length);
    result.push({ ...hunk, adapt: (line) => fresh(line) ?? line });
  }
  return result;
}

/**
 * Indents a line as the file does: shifted with the rest. One that has tabs where the rest of the hunk has none, or spaces, is
 * written as the file is already. Undefined where that may be or not: its indentation is one of the file's own there, and none
 * of the hunk's.
 */
function indentedAs(old: readonly string[], found: readonly string[]): (line: string) => string | undefined {
  const shift = uniformShift(old, found);
  const written = new Set(old.filter((line) => line.trim() !== "").map(indentOf));
  const there = new Set(found.filter((line) => line.trim() !== "").map(indentOf));
  return (line) => {
    if (line.trim() === "") return line;
    const shifted = shift?.(line);
    const indent = indentOf(line);
    const isOfFile = there.has(indent) && !written.has(indent);
    if (!isOfFile || shifted === line) return shifted;
    const known = [...written].join("");
    const isOfOtherKind = known !== "" && [...indent].some((space) => !known.includes(space));
    return isOfOtherKind ? line : undefined;
  };
}

/**
 * Whether lines come before the first line that the hunk names, or behind its last one, and that is not an end of the file: a
 * line between them that was left out would put them beside their place. A header says that none was, or a number that
 * fits; below, so does context that is long enough.
 */
function openSide(source: PatchSource, { hunk, lines, at }: Unadapted): "above" | "below" | undefined {
  const old = lines.filter(({ kind }) => kind !== "added").length;
  if (old === 0) return undefined;
  if (hunk.headers.length > 0) return undefined;
  const first = lines.findIndex(({ kind }) => kind !== "added");
  const last = lines.findLastIndex(({ kind }) => kind !== "added");
  const isOpenAbove = first > 0 && at > 0 && hunk.hint !== at + 1;
  if (isOpenAbove) return "above";
  const isInsertion = last < lines.length - 1 && lines[last]?.kind === "context";
  const isOpenBelow = isInsertion && at + old < source.lines.length;
  return isOpenBelow && !isTelling(lines.slice(0, last + 1)) ? "below" : undefined;
}

/** Three lines of context, as patches have, or two of which the last says something. */
function isTelling(lines: readonly PatchLine[]): boolean {
  const start = lines.findLastIndex(({ kind }) => kind === "added") + 1;
  const context = lines.slice(start);
  return context.length >= 3 || (context.length === 2 && /[\p{L}\p{N}]/u.test(context[1]?.text ?? ""));
}

function candidatesOf(source: PatchSource, named: NamedHunk): Candidate | Miss {
  const { hunk, number } = named;
  const headers = nestedHeaderLines(source, hunk.headers);
  if ("missing" in headers) return headerIsMissing(source, named, headers.missing);
  const old = oldLines(hunk);
  if (old.length === 0) return insertion(source, named, headers);
  const bare = hunk.lines.length - hunk.lines.findLastIndex(({ isBare }) => !isBare) - 1;
  // The blank lines may be part of the file or only separate; that matters less than how strictly the rest fits.
  for (const { name: how, fold } of tolerances) {
    for (const cut of bare > 0 ? [0, bare] : [0]) {
      const lines = hunk.lines.slice(0, hunk.lines.length - cut);
      const wanted = old.slice(0, old.length - cut).map(fold);
      const fits = placesOf(source.at(how), wanted).filter(
        (place) => !hunk.isAtEnd || place + wanted.length === source.lines.length,
      );
      const places = chosen(source, hunk, headers, fits);
      const [only] = places;
      if (only === undefined) continue;
      const other = places.length > 1 ? undefined : withLineLeftOut(source, hunk, wanted, how, only);
      if (other !== undefined) return leavesOutLine(named, only, other);
      return { number, hunk, lines, how, places, ...coreOf(lines) };
    }
  }
  return doesNotFit(source, named);
}

/**
 * Its stated line, where the hunk would fit there if one line had been left out of it. Models do leave lines out, and what
 * remains can be, letter by letter, a text that stands elsewhere.
 */
function withLineLeftOut(
  source: PatchSource,
  { headers, hint }: PatchHunk,
  wanted: readonly string[],
  how: ToleranceName,
  fits: number,
): number | undefined {
  if (headers.length > 0 || hint === undefined || hint === fits + 1) return undefined;
  const lines = source.at(how);
  const at = hint - 1;
  const offset = wanted.findIndex((line, index) => lines[at + index] !== line);
  const rest = wanted.slice(offset);
  const fitsThere = offset > 0 && rest.every((line, index) => lines[at + offset + 1 + index] === line);
  return fitsThere ? at : undefined;
}

/** Lines that are added without any context: below a header, at a stated line, or at the end. */
function insertion(source: PatchSource, named: NamedHunk, headers: readonly number[]): Candidate | Miss {
  const { hunk, number } = named;
  const total = source.lines.length;
  const places =
    headers.length > 0 && !hunk.isAtEnd
      ? headers.map((line) => line + 1)
      : [hunk.hint === undefined || hunk.isAtEnd ? total : Math.min(hunk.hint, total)];
  if (places.length > 1) return severalPlaces(named, places);
  return { number, hunk, lines: hunk.lines, how: "exact", places, coreFrom: 0, coreTo: 0 };
}

/** Of the places that fit, those that headers and numbers leave. */
function chosen(
  source: PatchSource,
  hunk: PatchHunk,
  headers: readonly number[],
  fits: readonly number[],
): readonly number[] {
  let places = fits;
  if (headers.length > 0) {
    const blocks = headers.map((line) => blockAt(source, line));
    const inside = places.filter((place) => blocks.some(({ from, to }) => place >= from && place < to));
    const first = Math.min(...headers);
    places = inside.length > 0 ? inside : places.filter((place) => place >= first);
  }
  if (places.length > 1 && hunk.hint !== undefined) {
    const stated = places.filter((place) => place === (hunk.hint ?? 0) - 1);
    if (stated.length > 0) return stated;
  }
  if (places.length > 1 && hunk.heading !== undefined) {
    const headings = nestedHeaderLines(source, [hunk.heading]);
    if ("missing" in headings) return places;
    const blocks = headings.map((line) => blockAt(source, line));
    const inside = places.filter((place) => blocks.some(({ from, to }) => place >= from && place < to));
    if (inside.length > 0) return inside;
  }
  return places;
}

function coreOf(lines: readonly PatchLine[]): { coreFrom: number; coreTo: number } {
  let old = 0;
  let coreFrom: number | undefined;
  let coreTo = 0;
  for (const { kind } of lines) {
    if (kind !== "context") coreFrom ??= old;
    if (kind !== "added") old += 1;
    if (kind !== "context") coreTo = old;
  }
  return { coreFrom: coreFrom ?? 0, coreTo };
}

/** The only way to give each hunk a place such that their changes follow each other. */
function inOrder(candidates: readonly Candidate[], path: string): Unadapted[] | Miss {
  const earliest: number[] = [];
  let free = 0;
  for (const { places, coreFrom, coreTo } of candidates) {
    const place = places.find((each) => each + coreFrom >= free);
    if (place === undefined) return anyOrder(candidates, path);
    earliest.push(place);
    free = place + coreTo;
  }
  const placed: Unadapted[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (const [index, candidate] of [...candidates.entries()].reverse()) {
    const latest = candidate.places.findLast((each) => each + candidate.coreTo <= limit) ?? -1;
    const first = earliest[index] ?? latest;
    if (first !== latest) {
      const open = candidate.places.filter((place) => place >= first && place <= latest);
      return severalPlaces({ ...candidate, path }, open);
    }
    limit = latest + candidate.coreFrom;
    placed.push(placedAt(candidate, latest));
  }
  return placed.reverse();
}

/** Hunks out of order are fine where each fits at one place only. */
function anyOrder(candidates: readonly Candidate[], path: string): Unadapted[] | Miss {
  const open = candidates.find(({ places }) => places.length > 1);
  if (open !== undefined) return severalPlaces({ ...open, path }, open.places);
  const sorted = candidates
    .map((candidate) => ({ candidate, at: candidate.places[0] ?? 0 }))
    .sort((one, other) => one.at + one.candidate.coreFrom - other.at - other.candidate.coreFrom);
  for (const [index, { candidate, at }] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous !== undefined && previous.at + previous.candidate.coreTo > at + candidate.coreFrom)
      return hunksOverlap({ ...candidate, path }, previous.candidate.number, at + 1);
  }
  return sorted.map(({ candidate, at }) => placedAt(candidate, at));
}

function placedAt({ number, hunk, lines, how }: Candidate, at: number): Unadapted {
  return { number, hunk, lines, how, at };
}

/** Whether lines have no place. */
export function isMiss<Placed extends object>(found: Placed | Miss): found is Miss {
  return "what" in found;
}
