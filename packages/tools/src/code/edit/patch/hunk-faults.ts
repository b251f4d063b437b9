// Why a hunk has no place, with what helps to write it again: the nearest place, the first line that differs there, and whether
// it looks as if it was applied before.

import { isAbbreviated } from "../../../locate/abbreviated.ts";
import { type Miss, quoted } from "../../../locate/miss.ts";
import { nearestPlaces } from "../../../locate/nearest-place.ts";
import { oldLines, type PatchHunk } from "./patch-hunk.ts";
import { type PatchSource, placesOf } from "./patch-source.ts";

/** A hunk of a file, counted from 1. */
export interface NamedHunk {
  readonly hunk: PatchHunk;
  readonly number: number;
  readonly path: string;
}

const maxListed = 20;

const nameOf = ({ hunk, number, path }: NamedHunk) => `Hunk ${number} of ${path} (patch line ${hunk.line})`;

/** Lines from a 0-based one on, as a place to look at. */
const at = (line: number, count = 1) => ({ from: line + 1, to: line + Math.max(1, count) });

export function doesNotFit(source: PatchSource, named: NamedHunk): Miss {
  const { hunk, number, path } = named;
  const code = "no_match";
  const old = oldLines(hunk);
  const total = source.lines.length;
  const done = appliedAt(source, hunk);
  if (done !== undefined) {
    return {
      code,
      what: `${nameOf(named)} does not fit, and what it would lead to stands at line ${done + 1} already.`,
      suggestion: "If the change was made before, leave this hunk out; if not, read the file again.",
      places: [at(done, old.length)],
      facts: { hunk: number, line: done + 1 },
    };
  }
  const left = old.find((line) => isAbbreviated(line, path));
  if (left !== undefined) {
    return {
      code,
      what: `${nameOf(named)} is abbreviated: ${quoted(left)} is not a line of the file.`,
      suggestion: "Write every line of the hunk in full; to change two places, write two hunks.",
      facts: { hunk: number, expected: left },
    };
  }
  const end = Math.max(0, total - old.length);
  const [nearest] = hunk.isAtEnd
    ? nearestPlaces(source.lines.slice(end), old).map(() => ({ first: end }))
    : nearestPlaces(source.lines, old, hunk.hint);
  const first = hunk.isAtEnd ? end : nearest?.first;
  if (first === undefined) {
    const wanted = old.find((line) => line.trim() !== "") ?? old[0] ?? "";
    return {
      code,
      what: `${nameOf(named)} does not fit anywhere: not one of its lines is in the file, such as ${quoted(wanted)}.`,
      suggestion: "Read the file and write the hunk with lines as they stand there.",
      facts: { hunk: number, expected: wanted },
    };
  }
  const folded = source.at("indentation");
  const offset = old.findIndex((line, index) => folded[first + index] !== source.folded(line, "indentation"));
  const line = first + Math.max(0, offset);
  const expected = old[line - first] ?? "";
  const found = source.lines[line];
  const is = found === undefined ? `the file has ${total} lines` : `it is ${quoted(found)}`;
  const where = hunk.isAtEnd ? " at the end of the file" : "";
  return {
    code,
    what: `${nameOf(named)} does not fit${where}. Nearest are lines ${first + 1}-${Math.min(total, first + old.length)}, where line ${line + 1} should be ${quoted(expected)} but ${is}.`,
    suggestion: "Write the hunk for these lines as they are, if that is the place.",
    places: [at(first, old.length)],
    facts: { hunk: number, line: line + 1, expected, found: found ?? null },
  };
}

/** It fits only since someone changed the file: the model cannot have meant what it has not seen. */
export function notAsShown(named: NamedHunk, line: number): Miss {
  return {
    code: "no_match",
    what: `${nameOf(named)} did not fit at one place of the file as it was shown to you, and fits at line ${line + 1} since someone changed it.`,
    suggestion: "Repeat the patch if that is the place that you mean.",
    places: [at(line, oldLines(named.hunk).length)],
    facts: { hunk: named.number, line: line + 1 },
  };
}

export function headerIsMissing(source: PatchSource, named: NamedHunk, header: string): Miss {
  const [nearest] = nearestPlaces(source.lines, [header]);
  return {
    code: "no_match",
    what: `${nameOf(named)} asks for a place below a line ${quoted(header)}, and there is none.`,
    suggestion:
      "Put a line of the file behind @@, or nothing where the hunk's own lines stand at one place only.",
    places: nearest === undefined ? [] : [at(nearest.first)],
    facts: {
      hunk: named.number,
      expected: header,
      line: nearest === undefined ? null : nearest.first + 1,
    },
  };
}

export function severalPlaces(named: NamedHunk, places: readonly number[]): Miss {
  const lines = places.slice(0, maxListed).map((place) => place + 1);
  const more = places.length > lines.length ? ", …" : "";
  return {
    code: "ambiguous_match",
    what: `${nameOf(named)} fits at ${places.length} places: lines ${lines.join(", ")}${more}.`,
    suggestion: "Give it more context lines, or put the line that begins its function or section behind @@.",
    places: places.map((place) => at(place)),
    facts: { hunk: named.number, lines, total: places.length },
  };
}

/** It fits at one place, and at another one if a line was left out of it. */
export function leavesOutLine(named: NamedHunk, fits: number, other: number): Miss {
  const count = oldLines(named.hunk).length;
  return {
    code: "ambiguous_match",
    what: `${nameOf(named)} fits at line ${fits + 1}, and at line ${other + 1} if one line was left out of it.`,
    suggestion:
      "Give it more context lines, the right line number, or put the line that begins its function or section behind @@.",
    places: [at(fits, count + 1), at(other, count + 1)],
    facts: { hunk: named.number, lines: [fits + 1, other + 1] },
  };
}

export function hunksOverlap(named: NamedHunk, other: number, line: number): Miss {
  const { hunk, number, path } = named;
  return {
    code: "conflict",
    what: `Hunks ${other} and ${number} of ${path} (patch line ${hunk.line}) both change line ${line}.`,
    suggestion: "Join them into one hunk.",
    facts: { hunk: number, line },
  };
}

/** The hunk begins or ends with added lines, and does not say what stands on their other side. `line` is the one they touch. */
export function openEnded(named: NamedHunk, side: "above" | "below", line: number): Miss {
  const [verb, which] = side === "above" ? ["begins", "first"] : ["ends", "last"];
  return {
    code: "ambiguous_match",
    what: `${nameOf(named)} ${verb} with added lines, and its ${which} line of the file is line ${line + 1}. Whether they belong right beside that one is not clear.`,
    suggestion: `${side === "above" ? "Begin" : "End"} the hunk with the line ${side} the added ones.`,
    places: [at(line)],
    facts: { hunk: named.number, line: line + 1, open: side },
  };
}

/** Whether that is the miss: what happened since the file was shown does not make it good. */
export function isOpenEnded({ facts }: Miss): boolean {
  return facts?.open !== undefined;
}

/** It stands there only with other indentation or typography, and how the added lines should be written cannot be known. */
export function unlikeTheFile(named: NamedHunk, line: number, count: number): Miss {
  return {
    code: "no_match",
    what: `${nameOf(named)} fits at line ${line + 1} only with other indentation or punctuation, and how its added lines should be written is not clear.`,
    suggestion: "Write all lines of the hunk with exactly the white space and punctuation of the file.",
    places: [at(line, count)],
    facts: { hunk: named.number, line: line + 1 },
  };
}

/** Where the hunk's new lines stand at exactly one place. */
function appliedAt(source: PatchSource, hunk: PatchHunk): number | undefined {
  const fresh = hunk.lines.filter(({ kind }) => kind !== "removed").map(({ text }) => text);
  if (!fresh.some((line) => /[\p{L}\p{N}]/u.test(line))) return undefined;
  const places = placesOf(source.lines, fresh);
  return places.length === 1 ? places[0] : undefined;
}
