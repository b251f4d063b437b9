// Lines that a model names by their numbers, where they are now.
//
//   shown        a number means the line that was last shown under it, followed exactly (sight.ts)
//   known        what goes was shown whole, or the call confirms it by the hash of exactly these lines
//   otherwise    a miss, with the lines to look at
//
// Each dialect says by what it confirms: a hash, a version of the document, or a flag.

import type { Text } from "@codemirror/state";
import { type FaultCode, isFault } from "@stet/protocol/fault";
import { hashLines } from "@stet/text/hash";
import { changesSince, mapSpan } from "@stet/text/history";
import { countLines, rawLines, withoutReturn } from "@stet/text/lines";
import { occurrences } from "@stet/text/occurrences";
import type { NumberedLines, SeenDocument, Sight } from "../sight/sight.ts";
import type { LineRange } from "./followed-edits.ts";

const codes = {
  /** There are no such lines. */
  outside: "invalid_line_range",
  /** They are not as they were shown. */
  changed: "conflict",
  /** They were not shown whole, and nothing confirms them. */
  unseen: "partly_read",
  /** The hash is of other lines; these are listed behind the first place. */
  "other hash": "conflict",
  /** The model knows that lines have moved, so it may mean either of the places. */
  moved: "stale_anchor",
} as const satisfies Record<string, FaultCode>;

export interface LinesMiss {
  readonly reason: keyof typeof codes;
  readonly code: FaultCode;
  /** Counted lines of the newest text, the first where these numbers lead. */
  readonly places: readonly LineRange[];
}

/** Counted lines, 1-based and inclusive. */
export interface LinesAim extends LineRange {
  readonly hash?: string | undefined;
}

export function isLinesMiss(found: object): found is LinesMiss {
  return "reason" in found;
}

export function linesMiss(reason: LinesMiss["reason"], ...places: readonly LineRange[]): LinesMiss {
  return { reason, code: codes[reason], places };
}

/** Lines that were shown whole, or that the hash is of. */
export function locateLines(
  sight: Sight,
  document: SeenDocument,
  { from, to, hash }: LinesAim,
): NumberedLines | LinesMiss {
  const { text } = document.history;
  const found = from > to ? "outside" : sight.numbered(document, from, to);
  if (typeof found === "string") return missAt(sight, document, { from, to }, found);
  if (hash !== undefined && hashLines(text, found.from, found.to) !== hash)
    return linesMiss("other hash", found, ...placesWith(text, found, hash));
  // Of lines that stand there more than once, a hash alone does not say which are meant.
  const isSure = hash === undefined ? found.isKnown : found.isShown || isOnly(text, found);
  return isSure ? found : linesMiss("unseen", found);
}

/**
 * The line that something comes before: known by the line above it, or else by itself. The hash is of the line itself; what
 * comes between two lines is meant for both. Nothing stands before the first line.
 */
export function locateInsertion(
  sight: Sight,
  document: SeenDocument,
  { from: line, hash }: LinesAim,
): LineRange | LinesMiss {
  const own = { from: line, to: line };
  const above = line === 1 ? undefined : sight.numbered(document, line - 1, line - 1);
  if (hash !== undefined) {
    const hashed = locateLines(sight, document, { ...own, hash });
    return above !== "changed" || isLinesMiss(hashed) ? hashed : missAt(sight, document, own, above);
  }
  if (above === undefined) return own;
  if (above === "outside") return missAt(sight, document, own, above);
  if (above !== "changed" && above.isShown) return { from: above.to + 1, to: above.to + 1 };
  const behind = sight.numbered(document, line, line);
  if (typeof behind !== "string" && behind.isShown) return behind;
  return above === "changed" || behind === "changed"
    ? missAt(sight, document, own, "changed")
    : linesMiss("unseen", above);
}

/**
 * The line that a number means, known or not. One that was never shown must have stood for the same line ever since a revision:
 * whichever state it comes from.
 */
export function locateNumber(
  sight: Sight,
  document: SeenDocument,
  { line, since }: { readonly line: number; readonly since: number },
): number | LinesMiss {
  const { history } = document;
  const own = { from: line, to: line };
  const found = sight.numbered(document, line, line);
  if (found === "changed") return linesMiss("changed", own);
  if (found !== "outside" && found.isShown)
    return found.isDoubtful ? linesMiss("moved", own, found) : found.from;
  const changes = changesSince(history, since);
  if (isFault(changes) || line > history.text.lines) return linesMiss("outside", own);
  let at = line - 1;
  for (const { before, splices } of changes) {
    const hadLine = before.length > 0 && at < before.lines;
    const mapped = hadLine ? mapSpan({ first: at, last: at }, splices) : { first: at };
    if ("at" in mapped) return linesMiss("changed", own);
    at = mapped.first;
  }
  return at === line - 1 ? line : linesMiss("moved", own, { from: at + 1, to: at + 1 });
}

/** About where numbers lead that stand for no line. */
function missAt(
  sight: Sight,
  document: SeenDocument,
  { from, to }: LineRange,
  reason: "outside" | "changed",
): LinesMiss {
  const total = countLines(document.history.text);
  const near = reason === "outside" ? from : sight.nearest(document, from);
  const first = Math.max(1, Math.min(near, total));
  const last = reason === "outside" ? first : Math.max(first, Math.min(near + to - from, total));
  return linesMiss(reason, { from: first, to: last });
}

function isOnly(text: Text, { from, to }: LineRange): boolean {
  const lines = rawLines(text, 0, text.lines).map(withoutReturn);
  return occurrences(lines, lines.slice(from - 1, to)).length === 1;
}

/** Lines with the hash are looked for so far away, and so many of them are told. */
const nearby = 200;
const maxPlaces = 3;

function placesWith(text: Text, { from, to }: LineRange, hash: string): LineRange[] {
  const total = countLines(text);
  const found: LineRange[] = [];
  for (let distance = 1; distance <= nearby; distance += 1) {
    for (const shift of [-distance, distance]) {
      const place = { from: from + shift, to: to + shift };
      if (found.length === maxPlaces || place.from < 1 || place.to > total) continue;
      if (hashLines(text, place.from, place.to) === hash) found.push(place);
    }
  }
  return found;
}
