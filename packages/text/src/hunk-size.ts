// Hunks of a size that a person can judge: at most 80 lines and 8,192 bytes.
//
// A larger one is split where it reads naturally: at blank lines, else where a paragraph begins, else where a line
// ends a sentence. A hunk without such a position is not split, and has the mark `oversized_hunk` in its view.

import { maxHunkBytes, maxHunkLines } from "@stet/protocol/limits";

export interface HunkPart {
  readonly removed: number;
  readonly added: number;
}

const encoder = new TextEncoder();

function byteLength(lines: readonly string[]): number {
  let bytes = 0;
  for (const line of lines) bytes += line.length + 1;
  if (bytes > maxHunkBytes || bytes * 3 <= maxHunkBytes) return bytes;
  return lines.reduce((sum, line) => sum + encoder.encode(line).length + 1, 0);
}

export function fitsOneHunk(lines: readonly string[]): boolean {
  return lines.length <= maxHunkLines && byteLength(lines) <= maxHunkBytes;
}

export function isOversized(old: readonly string[], proposed: readonly string[]): boolean {
  return !fitsOneHunk(old) || !fitsOneHunk(proposed);
}

/** How well a hunk may end after a line: 3 at a blank line, 2 before a new paragraph, 1 after a sentence, 0 not at all. */
function boundaryAfter(lines: readonly string[], index: number): number {
  const line = lines[index] ?? "";
  const next = lines[index + 1];
  if (next === undefined) return 0;
  if (line.trim() === "" && next.trim() !== "") return 3;
  if (/^(\s{2,}|\t|#|[-*+] |\d+[.)] |> )/.test(next) && !/^\s*[)\]}]/.test(next)) return 2;
  if (/[.!?…。！？]["'”’)\]]*\s*$/u.test(line)) return 1;
  return 0;
}

/** The line numbers after which to cut, so that each part fits where that is possible. */
function cutsOf(lines: readonly string[]): number[] {
  const cuts: number[] = [];
  let start = 0;
  while (start < lines.length && !fitsOneHunk(lines.slice(start, start + maxHunkLines + 1))) {
    const cut = bestCut(lines, start);
    if (cut === undefined) break;
    cuts.push(cut);
    start = cut;
  }
  return cuts;
}

/** The last best boundary within the limits, else the first one beyond them. */
function bestCut(lines: readonly string[], start: number): number | undefined {
  let best: { cut: number; quality: number } | undefined;
  let bytes = 0;
  for (let index = start; index < lines.length - 1; index += 1) {
    bytes += encoder.encode(lines[index] ?? "").length + 1;
    const isWithin = index - start < maxHunkLines && bytes <= maxHunkBytes;
    if (!isWithin && best !== undefined) return best.cut;
    const quality = boundaryAfter(lines, index);
    if (quality > 0 && quality >= (best?.quality ?? 0)) best = { cut: index + 1, quality };
    if (!isWithin && best !== undefined) return best.cut;
  }
  return best?.cut;
}

/**
 * Splits a replacement into parts, each of some old and some new lines. The longer side of those that are too large
 * is cut where it reads naturally, the other in proportion; a part that is still too large is split again.
 */
export function splitHunk(old: readonly string[], proposed: readonly string[]): HunkPart[] {
  const whole = [{ removed: old.length, added: proposed.length }];
  if (!isOversized(old, proposed)) return whole;
  const sides = proposed.length >= old.length ? [proposed, old] : [old, proposed];
  const leading = sides.find((side) => cutsOf(side).length > 0);
  if (leading === undefined) return whole;
  const parts: HunkPart[] = [];
  let oldFrom = 0;
  let newFrom = 0;
  for (const cut of [...cutsOf(leading), leading.length]) {
    const oldTo = Math.round((old.length * cut) / leading.length);
    const newTo = Math.round((proposed.length * cut) / leading.length);
    parts.push(...splitHunk(old.slice(oldFrom, oldTo), proposed.slice(newFrom, newTo)));
    oldFrom = oldTo;
    newFrom = newTo;
  }
  return parts;
}
