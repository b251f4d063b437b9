// Why a hunk was refused, with what helps to write it again: the nearest place, the first line that differs there, the
// lines as they are, and whether it looks as if it was applied before.

import { Fault } from "@stet/protocol/fault";
import { isAbbreviated } from "../abbreviated.ts";
import { oldLines, type PatchHunk } from "./patch-hunk.ts";
import { loosened, type PatchSource, placesOf } from "./patch-source.ts";

const around = 4;
const maxShown = 60;
const maxLength = 400;
const maxListed = 20;

export function doesNotFit(source: PatchSource, hunk: PatchHunk, number: number, path: string): Fault {
  const old = oldLines(hunk);
  const total = source.lines.length;
  const name = hunkName(hunk, number, path);
  const done = appliedAt(source, hunk);
  if (done !== undefined) {
    return new Fault(
      "no_match",
      `${name} does not fit, and what it would lead to stands at line ${done + 1} already. Nothing was changed.`,
      "If the change was made before, leave this hunk out; if not, read the file again.",
      { path, hunk: number, line: done + 1, current: shown(source, done, done + old.length) },
    );
  }
  const left = old.find((line) => isAbbreviated(line, path));
  if (left !== undefined) {
    return new Fault(
      "no_match",
      `${name} is abbreviated: ${quoted(left)} is not a line of the file. Nothing was changed.`,
      "Write every line of the hunk in full; to change two places, write two hunks.",
      { path, hunk: number, expected: left },
    );
  }
  const atEnd = hunk.isAtEnd ? Math.max(0, total - old.length) : undefined;
  const nearest = atEnd ?? nearestPlace(source, old, hunk.hint);
  if (nearest === undefined) {
    const wanted = old.find((line) => line.trim() !== "") ?? old[0] ?? "";
    return new Fault(
      "no_match",
      `${name} does not fit anywhere: not one of its lines is in the file, such as ${quoted(wanted)}. Nothing was changed.`,
      "Read the file and write the hunk with lines as they stand there.",
      { path, hunk: number, expected: wanted },
    );
  }
  const offset = old.findIndex(
    (line, index) => source.at("punctuation")[nearest + index] !== loosened(line, "punctuation"),
  );
  const differs = Math.max(0, offset);
  const expected = old[differs] ?? "";
  const found = source.lines[nearest + differs];
  const is = found === undefined ? `the file has ${total} lines` : `it is ${quoted(found)}`;
  const last = hunk.isAtEnd ? " at the end of the file" : "";
  return new Fault(
    "no_match",
    `${name} does not fit${last}. Nearest are lines ${nearest + 1}-${Math.min(total, nearest + old.length)}, where line ` +
      `${nearest + differs + 1} should be ${quoted(expected)} but ${is}. Nothing was changed.`,
    "Look at details.current, which shows these lines as they are, and write the hunk for them.",
    {
      path,
      hunk: number,
      line: nearest + differs + 1,
      expected,
      found: found ?? null,
      current: shown(source, nearest, nearest + old.length),
    },
  );
}

/** It fits only since someone changed the file: the model cannot have meant what it has not seen. */
export function notAsShown(
  source: PatchSource,
  { hunk, number, at }: { readonly hunk: PatchHunk; readonly number: number; readonly at: number },
  path: string,
): Fault {
  return new Fault(
    "no_match",
    `${hunkName(hunk, number, path)} did not fit at one place of the file as it was shown to you, and fits at line ${at + 1} ` +
      "since someone changed it. Nothing was changed.",
    "Look at details.current, which shows the place as it is now. Repeat the patch if that is the one that you mean.",
    { path, hunk: number, line: at + 1, current: shown(source, at, at + oldLines(hunk).length) },
  );
}

export function headerIsMissing(
  source: PatchSource,
  hunk: PatchHunk,
  number: number,
  path: string,
  header: string,
): Fault {
  const nearest = nearestLine(source, header);
  return new Fault(
    "no_match",
    `${hunkName(hunk, number, path)} asks for a place below a line ${quoted(header)}, and there is none` +
      `${nearest === undefined ? "" : `; nearest is line ${nearest + 1}, ${quoted(source.lines[nearest] ?? "")}`}. ` +
      "Nothing was changed.",
    "Put a line of the file behind @@, or nothing where the hunk's own lines stand at one place only.",
    { path, hunk: number, expected: header, line: nearest === undefined ? null : nearest + 1 },
  );
}

export function severalPlaces(
  source: PatchSource,
  hunk: PatchHunk,
  number: number,
  path: string,
  places: readonly number[],
): Fault {
  const lines = places.slice(0, maxListed).map((place) => place + 1);
  const more = places.length > lines.length ? ", …" : "";
  return new Fault(
    "ambiguous_match",
    `${hunkName(hunk, number, path)} fits at ${places.length} places: lines ${lines.join(", ")}${more}. Nothing was changed.`,
    "Give it more context lines, or put the line that begins its function or section behind @@.",
    {
      path,
      hunk: number,
      lines,
      total: places.length,
      current: places.slice(0, 4).map((place) => shown(source, place, place + 1)),
    },
  );
}

/** It fits at one place, and at another one if a line was left out of it. */
export function leavesOutLine(
  source: PatchSource,
  hunk: PatchHunk,
  number: number,
  path: string,
  { fits, other }: { readonly fits: number; readonly other: number },
): Fault {
  const count = oldLines(hunk).length;
  return new Fault(
    "ambiguous_match",
    `${hunkName(hunk, number, path)} fits at line ${fits + 1}, and at line ${other + 1} if one line was left out of it. ` +
      "Nothing was changed.",
    "Give it more context lines, the right line number, or put the line that begins its function or section behind @@.",
    {
      path,
      hunk: number,
      lines: [fits + 1, other + 1],
      current: [fits, other].map((place) => shown(source, place, place + count + 1)),
    },
  );
}

export function hunksOverlap(hunk: PatchHunk, one: number, other: number, path: string, line: number): Fault {
  return new Fault(
    "conflict",
    `Hunks ${one} and ${other} of ${path} (patch line ${hunk.line}) both change line ${line}. Nothing was changed.`,
    "Join them into one hunk.",
    { path, hunk: other, line },
  );
}

/** The hunk begins or ends with added lines, and does not say what stands on their other side. `at` is the line they touch. */
export function openEnded(
  source: PatchSource,
  hunk: PatchHunk,
  number: number,
  path: string,
  side: "above" | "below",
  at: number,
): Fault {
  const verb = side === "above" ? "begins" : "ends";
  const which = side === "above" ? "first" : "last";
  return new Fault(
    "ambiguous_match",
    `${hunkName(hunk, number, path)} ${verb} with added lines, and its ${which} line of the file is line ${at + 1}. Whether they ` +
      `belong right beside that one is not clear. Nothing was changed.`,
    `${side === "above" ? "Begin" : "End"} the hunk with the line ${side} the added ones; details.current shows it.`,
    { path, hunk: number, line: at + 1, open: side, current: shown(source, at, at + 1) },
  );
}

export function isOpenEnded({ details }: Fault): boolean {
  return details.open !== undefined;
}

/** It stands there only with other indentation or typography, and how the added lines should be written cannot be known. */
export function unlikeTheFile(
  source: PatchSource,
  hunk: PatchHunk,
  number: number,
  path: string,
  at: number,
  count: number,
): Fault {
  return new Fault(
    "no_match",
    `${hunkName(hunk, number, path)} fits at line ${at + 1} only with other indentation or punctuation, and how its added ` +
      "lines should be written is not clear. Nothing was changed.",
    "Look at details.current, and write all lines of the hunk with exactly the white space and punctuation of the file.",
    { path, hunk: number, line: at + 1, current: shown(source, at, at + count) },
  );
}

function hunkName(hunk: PatchHunk, number: number, path: string): string {
  return `Hunk ${number} of ${path} (patch line ${hunk.line})`;
}

/** Where the hunk's new lines stand at exactly one place. */
function appliedAt(source: PatchSource, hunk: PatchHunk): number | undefined {
  const fresh = hunk.lines.filter(({ kind }) => kind !== "removed").map(({ text }) => text);
  if (!fresh.some((line) => /[\p{L}\p{N}]/u.test(line))) return undefined;
  const places = placesOf(source.lines, fresh);
  return places.length === 1 ? places[0] : undefined;
}

/** The place at which most of the lines stand, nearest to the stated one; where none does, that of the most similar line. */
function nearestPlace(
  source: PatchSource,
  old: readonly string[],
  hint: number | undefined,
): number | undefined {
  const distance = (place: number) => Math.abs(place - ((hint ?? 1) - 1));
  const offsets = new Map<string, number[]>();
  for (const [offset, line] of old.entries()) {
    const key = loosened(line, "punctuation");
    const known = offsets.get(key);
    if (key === "" || (known?.length ?? 0) >= 8) continue;
    if (known === undefined) offsets.set(key, [offset]);
    else known.push(offset);
  }
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (const [index, line] of source.at("punctuation").entries()) {
    for (const offset of offsets.get(line) ?? []) {
      const place = index - offset;
      if (place < 0) continue;
      // A line with words says more about the place than a bracket.
      const count = (votes.get(place) ?? 0) + (/[\p{L}\p{N}]/u.test(line) ? 4 : 1);
      votes.set(place, count);
    }
  }
  // A line that was left out shifts what follows it by one.
  let bestScore = 0;
  for (const [place, own] of votes) {
    const beside = Math.max(votes.get(place - 1) ?? 0, votes.get(place + 1) ?? 0);
    const score = 10 * (own + beside) + own;
    const isNearer = best !== undefined && score === bestScore && distance(place) < distance(best);
    if (score <= bestScore && !isNearer) continue;
    best = place;
    bestScore = score;
  }
  if (best !== undefined) return best;
  const first = old.findIndex((line) => line.trim() !== "");
  const similar = first < 0 ? undefined : nearestLine(source, old[first] ?? "");
  return similar === undefined ? undefined : Math.max(0, similar - first);
}

/** The line that has most of its beginning and end in common with another one, if that is most of it. */
function nearestLine(source: PatchSource, wanted: string): number | undefined {
  const target = loosened(wanted, "punctuation");
  let best: number | undefined;
  let bestScore = 0.6;
  for (const [index, line] of source.at("punctuation").entries()) {
    const longest = Math.max(line.length, target.length);
    const shortest = Math.min(line.length, target.length);
    if (shortest / Math.max(1, longest) < bestScore) continue;
    let same = 0;
    while (same < shortest && line.charCodeAt(same) === target.charCodeAt(same)) same += 1;
    let tail = 0;
    while (
      tail < shortest - same &&
      line.charCodeAt(line.length - 1 - tail) === target.charCodeAt(target.length - 1 - tail)
    )
      tail += 1;
    const score = (same + tail) / Math.max(1, longest);
    if (score <= bestScore) continue;
    best = index;
    bestScore = score;
  }
  return best;
}

/** Lines `[from, to)` and some around, numbered. */
function shown(source: PatchSource, from: number, to: number): string[] {
  const first = Math.max(0, from - around);
  const end = Math.min(source.lines.length, to + around, first + maxShown);
  return source.lines.slice(first, end).map((line, index) => `${first + index + 1}|${cut(line)}`);
}

function cut(line: string): string {
  return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
}

function quoted(line: string): string {
  return JSON.stringify(line.length > 120 ? `${line.slice(0, 120)}…` : line);
}
