// Finds out whether committed rows were changed after all. A component must not do that, and some do: an answer that is taken
// back, a picture that becomes one line. The history cannot be mended, but nothing may be missing from it either.
//
// Only the end of the committed rows is looked at: up to 8 rows that are not blank among the last 24, without their styles. A
// row that was edited in place disturbs itself only, and is ignored: the history keeps the old copy. Rows that were put in or
// taken out move everything below them, so at least two rows differ: commits begin again at the first row that changed. Then
// the history has an old copy and a new one; no row is missing.

import { stripAnsi } from "../text/ansi.ts";

/** How many of the last committed rows are looked at, and how many of them, at most, are compared. */
export const auditRows = 24;
const auditSamples = 8;

/** Rows by their index in the frame; undefined where a row is not kept any more. */
export type RowAt = (index: number) => string | undefined;

/**
 * The first changed row among the committed ones, where commits have to begin again; undefined where they are in order.
 * `from` is the first row that both sides still have.
 */
export function findCommittedPrefixResync(
  committed: number,
  from: number,
  before: RowAt,
  now: RowAt,
): number | undefined {
  const first = Math.max(from, committed - auditRows);
  let samples = 0;
  let mismatches = 0;
  for (let index = committed - 1; index >= first && samples < auditSamples; index--) {
    const old = before(index);
    if (old === undefined || isBlank(old)) continue;
    samples++;
    if (!isSameText(old, now(index))) mismatches++;
  }
  if (mismatches <= 1) return undefined;
  for (let index = from; index < committed; index++) {
    if (!isSameText(before(index), now(index))) return index;
  }
  return undefined;
}

function isBlank(row: string): boolean {
  return row === "" || stripAnsi(row).trim() === "";
}

export function isSameText(one: string | undefined, other: string | undefined): boolean {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  return stripAnsi(one).trimEnd() === stripAnsi(other).trimEnd();
}
