// Where the hunks of a patch belong in a file: at exactly one place each, or nowhere.
//
// A place fits when all context and removed lines stand there, in the strictest way in which they stand anywhere
// (tolerance.ts). Of several places the @@ headers choose, then the stated line number, then the order of the hunks:
// each changes lines behind what the one before it changes. What is still open then is refused.

import { type Hunk, type HunkLine, type NamedHunk, oldLines } from "./hunk.ts";
import { blockAt, nestedHeaderLines } from "./hunk-scope.ts";
import { indentOf, uniformShift } from "./indentation.ts";
import { isMiss, type Miss, quoted } from "./miss.ts";
import { nearestPlaces } from "./nearest-place.ts";
import type { SourceText } from "./source-text.ts";
import { absent, atSeveral, rowsAt, textMiss, unlikeTheFile } from "./text-miss.ts";
import { foldedAs, forgivenFor, type ToleranceName } from "./tolerance.ts";
import { typographyOf } from "./typography.ts";

export interface PlacedHunk extends NamedHunk {
  /** The lines that are compared and changed; without blank ones at the end that only separate. */
  readonly lines: readonly HunkLine[];
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

export function placeHunks(source: SourceText, hunks: readonly NamedHunk[]): PlacedHunk[] | Miss {
  const candidates: Candidate[] = [];
  for (const named of hunks) {
    const candidate = candidatesOf(source, named);
    if (isMiss(candidate)) return candidate;
    candidates.push(candidate);
  }
  const placed = inOrder(candidates);
  return isMiss(placed) ? placed : adapted(source, placed);
}

type Unadapted = Omit<PlacedHunk, "adapt">;

const asItIs = (line: string) => line;

/** What is added follows the file where the hunk does not; refused where nobody can know how. */
function adapted(source: SourceText, placed: readonly Unadapted[]): PlacedHunk[] | Miss {
  const result: PlacedHunk[] = [];
  for (const hunk of placed) {
    const { at, how, lines, words } = hunk;
    const old = oldLines(lines);
    const side = openSide(source, hunk);
    if (side !== undefined) return openEnded(hunk, side, side === "above" ? at : at + old.length - 1);
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
      return unlikeTheFile(words, rowsAt(at, at + old.length - 1));
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
function openSide(source: SourceText, { hunk, lines, at }: Unadapted): "above" | "below" | undefined {
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
function isTelling(lines: readonly HunkLine[]): boolean {
  const start = lines.findLastIndex(({ kind }) => kind === "added") + 1;
  const context = lines.slice(start);
  return context.length >= 3 || (context.length === 2 && /[\p{L}\p{N}]/u.test(context[1]?.text ?? ""));
}

function candidatesOf(source: SourceText, named: NamedHunk): Candidate | Miss {
  const { hunk } = named;
  const headers = nestedHeaderLines(source, hunk.headers);
  if ("missing" in headers) return headerIsMissing(source, named, headers.missing);
  const old = oldLines(hunk.lines);
  if (old.length === 0) return insertion(source, named, headers);
  const bare = hunk.lines.length - hunk.lines.findLastIndex(({ isBare }) => !isBare) - 1;
  // The blank lines may be part of the file or only separate; that matters less than how strictly the rest fits.
  for (const how of forgivenFor("hunk")) {
    for (const cut of bare > 0 ? [0, bare] : [0]) {
      const lines = hunk.lines.slice(0, hunk.lines.length - cut);
      const wanted = old.slice(0, old.length - cut);
      const fits = source
        .placesOf(wanted, how)
        .filter((line) => !hunk.isAtEnd || line + wanted.length === source.lines.length);
      const places = chosen(source, hunk, headers, fits);
      const [only] = places;
      if (only === undefined) continue;
      const other = places.length > 1 ? undefined : withLineLeftOut(source, hunk, wanted, how, only);
      if (other !== undefined) return leavesOutLine(named, only, other);
      return { ...named, lines, how, places, ...coreOf(lines) };
    }
  }
  return doesNotFit(source, named);
}

/**
 * Its stated line, where the hunk would fit there if one line had been left out of it. Models do leave lines out, and what
 * remains can be, letter by letter, a text that stands elsewhere.
 */
function withLineLeftOut(
  source: SourceText,
  { headers, hint }: Hunk,
  wanted: readonly string[],
  how: ToleranceName,
  fits: number,
): number | undefined {
  if (headers.length > 0 || hint === undefined || hint === fits + 1) return undefined;
  const lines = source.at(how);
  const at = hint - 1;
  const folded = wanted.map(foldedAs[how]);
  const offset = folded.findIndex((line, index) => lines[at + index] !== line);
  const rest = folded.slice(offset);
  const fitsThere = offset > 0 && rest.every((line, index) => lines[at + offset + 1 + index] === line);
  return fitsThere ? at : undefined;
}

/** Lines that are added without any context: below a header, at a stated line, or at the end. */
function insertion(source: SourceText, named: NamedHunk, headers: readonly number[]): Candidate | Miss {
  const { hunk } = named;
  const total = source.lines.length;
  const places =
    headers.length > 0 && !hunk.isAtEnd
      ? headers.map((line) => line + 1)
      : [hunk.hint === undefined || hunk.isAtEnd ? total : Math.min(hunk.hint, total)];
  if (places.length > 1) return severalPlaces(named, places);
  return { ...named, lines: hunk.lines, how: "exact", places, coreFrom: 0, coreTo: 0 };
}

/** Of the places that fit, those that headers and numbers leave. */
function chosen(
  source: SourceText,
  hunk: Hunk,
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

function coreOf(lines: readonly HunkLine[]): { coreFrom: number; coreTo: number } {
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
function inOrder(candidates: readonly Candidate[]): Unadapted[] | Miss {
  const earliest: number[] = [];
  let free = 0;
  for (const { places, coreFrom, coreTo } of candidates) {
    const place = places.find((each) => each + coreFrom >= free);
    if (place === undefined) return anyOrder(candidates);
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
      return severalPlaces(candidate, open);
    }
    limit = latest + candidate.coreFrom;
    placed.push(placedAt(candidate, latest));
  }
  return placed.reverse();
}

/** Hunks out of order are fine where each fits at one place only. */
function anyOrder(candidates: readonly Candidate[]): Unadapted[] | Miss {
  const open = candidates.find(({ places }) => places.length > 1);
  if (open !== undefined) return severalPlaces(open, open.places);
  const sorted = candidates
    .map((candidate) => ({ candidate, at: candidate.places[0] ?? 0 }))
    .sort((one, other) => one.at + one.candidate.coreFrom - other.at - other.candidate.coreFrom);
  for (const [index, { candidate, at }] of sorted.entries()) {
    const previous = sorted[index - 1];
    if (previous !== undefined && previous.at + previous.candidate.coreTo > at + candidate.coreFrom)
      return hunksOverlap(candidate, previous.candidate.number, at + 1);
  }
  return sorted.map(({ candidate, at }) => placedAt(candidate, at));
}

function placedAt({ number, hunk, words, lines, how }: Candidate, at: number): Unadapted {
  return { number, hunk, words, lines, how, at };
}

/** What helps to write it again: whether it was applied before, or the nearest place. */
function doesNotFit(source: SourceText, { hunk, words }: NamedHunk): Miss {
  const old = oldLines(hunk.lines);
  const done = appliedAt(source, hunk);
  if (done !== undefined) {
    return textMiss(
      words,
      "no_match",
      `is not in ${words.path}, and what it would lead to stands at line ${done + 1} already.`,
      "If the change was made before, leave this hunk out; if not, read the file again.",
      [rowsAt(done, done + Math.max(1, old.length) - 1)],
    );
  }
  const end = Math.max(0, source.lines.length - old.length);
  return absent(words, source, old, hunk.isAtEnd ? end : hunk.hint);
}

/** Where the hunk's new lines stand at exactly one place. */
function appliedAt(source: SourceText, { lines }: Hunk): number | undefined {
  const fresh = lines.filter(({ kind }) => kind !== "removed").map(({ text }) => text);
  if (!fresh.some((line) => /[\p{L}\p{N}]/u.test(line))) return undefined;
  const places = source.placesOf(fresh, "exact");
  return places.length === 1 ? places[0] : undefined;
}

function headerIsMissing(source: SourceText, { words }: NamedHunk, header: string): Miss {
  return textMiss(
    words,
    "no_match",
    `asks for a place below a line ${quoted(header)}, and there is none.`,
    "Put a line of the file behind @@, or nothing where the hunk's own lines stand at one place only.",
    nearestPlaces(source.lines, [header])
      .slice(0, 1)
      .map(({ first }) => rowsAt(first)),
    { expected: header },
  );
}

function severalPlaces({ words }: NamedHunk, places: readonly number[]): Miss {
  return atSeveral(
    words,
    places.map((line) => rowsAt(line)),
  );
}

/** It fits at one place, and at another one if a line was left out of it. */
function leavesOutLine({ hunk, words }: NamedHunk, fits: number, other: number): Miss {
  const count = oldLines(hunk.lines).length;
  return textMiss(
    words,
    "ambiguous_match",
    `fits at line ${fits + 1}, and at line ${other + 1} if one line was left out of it.`,
    `Give the right line number. ${words.more}`,
    [rowsAt(fits, fits + count), rowsAt(other, other + count)],
    { lines: [fits + 1, other + 1] },
  );
}

function hunksOverlap({ words }: NamedHunk, other: number, line: number): Miss {
  const what = `and hunk ${other} both change line ${line} of ${words.path}.`;
  return textMiss(words, "conflict", what, "Join them into one hunk.", [], { line });
}

/** The hunk begins or ends with added lines, and does not say what stands on their other side. `line` is the one they touch. */
function openEnded({ words }: NamedHunk, side: "above" | "below", line: number): Miss {
  const [verb, which] = side === "above" ? ["begins", "first"] : ["ends", "last"];
  return textMiss(
    words,
    "ambiguous_match",
    `${verb} with added lines, and its ${which} line of the file is line ${line + 1}. Whether they belong right beside that one is not clear.`,
    `${side === "above" ? "Begin" : "End"} the hunk with the line ${side} the added ones.`,
    [rowsAt(line)],
    { open: side },
  );
}

/** Whether that is the miss: what happened since the file was shown does not make it good. */
export function isOpenEnded({ facts }: Miss): boolean {
  return facts?.open !== undefined;
}
