// Turns the rows that the terminal shows into others, with as few bytes as the terminal's own line operations allow.
//
// `old` are the rows of the window; `next` takes their place and may have more: what does not fit scrolls into the history, so
// the caller puts there only what belongs there, and first. Rows that stay the same at the bottom (status line, prompt) are
// moved by the terminal and not written again.

import type { Pen } from "./pen.ts";

export function changeRows(pen: Pen, old: readonly string[], next: readonly string[], height: number): void {
  // The row on which the cursor is always exists.
  const rows = old.length === 0 ? [""] : old;
  const growth = next.length - rows.length;
  const kept = growth === 0 ? 0 : commonEnd(rows, next);
  if (growth > 0 && kept > 0 && growth + kept <= height) growAbove(pen, rows, next, kept);
  else if (growth > 0) growBelow(pen, rows, next);
  else if (growth < 0) shrink(pen, rows, next, kept);
  else patch(pen, rows, next, next.length);
}

function patch(pen: Pen, old: readonly string[], next: readonly string[], count: number): void {
  for (let row = 0; row < count; row++) pen.patchRow(row, old[row] ?? "", next[row] ?? "");
}

/** New rows come above the ones at the bottom, which stay as they are. */
function growAbove(pen: Pen, old: readonly string[], next: readonly string[], kept: number): void {
  const growth = next.length - old.length;
  const at = old.length - kept;
  // Before anything scrolls: the upper ones may leave the screen.
  patch(pen, old, next, at);
  pen.moveTo(old.length - 1, 0);
  pen.lineFeeds(growth);
  pen.moveTo(at, 0);
  pen.insertRows(growth);
  for (let row = at; row < at + growth; row++) {
    const text = next[row] ?? "";
    if (text === "") continue;
    pen.moveTo(row, 0);
    pen.writeRow(text);
  }
}

function growBelow(pen: Pen, old: readonly string[], next: readonly string[]): void {
  patch(pen, old, next, old.length);
  pen.moveTo(old.length - 1, 0);
  for (let row = old.length; row < next.length; row++) {
    pen.newRow();
    pen.writeRow(next[row] ?? "");
  }
}

function shrink(pen: Pen, old: readonly string[], next: readonly string[], kept: number): void {
  if (kept === 0) {
    patch(pen, old, next, next.length);
    // Never from the first row: tmux takes that for a cleared screen and keeps a copy of it in its history.
    if (next.length === 0) pen.patchRow(0, old[0] ?? "", "");
    if (old.length > 1) {
      pen.moveTo(Math.max(1, next.length), 0);
      pen.eraseBelow();
    }
    return;
  }
  const at = next.length - kept;
  patch(pen, old, next, at);
  pen.moveTo(at, 0);
  pen.deleteRows(old.length - next.length);
}

/** How many rows at the end of both are the same. */
function commonEnd(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && one[one.length - 1 - count] === other[other.length - 1 - count]) count++;
  return count;
}
