// A line of the editor wrapped into rows: where each row begins.
//
// - Rows break behind blanks, beside wide characters, and inside a word only where it alone is too long.
// - One blank may stand in the cell behind the last one, which is free for the cursor. At the end of the line, an empty row
//   follows it, for the cursor.
// - Where a row begins decides everything behind it. So after a change only the rows around it are wrapped again, up to the
//   first one that begins where one began before: a key in a line of megabytes costs a few rows.

import { type ChipLabels, ClusterWalk, clusterCells } from "./clusters.ts";

export interface LineChange {
  readonly column: number;
  readonly removed: number;
  readonly inserted: number;
}

interface Wrapping {
  readonly line: string;
  readonly walk: ClusterWalk;
  readonly width: number;
  readonly labels: ChipLabels;
}

export function rowStarts(line: string, width: number, labels: ChipLabels): number[] {
  const wrapping = { line, walk: new ClusterWalk(line), width, labels };
  const starts = [0];
  for (let next = nextRow(wrapping, 0); next !== undefined; next = nextRow(wrapping, next)) starts.push(next);
  return starts;
}

/** The same for a line that was changed in one place since `old` was found. */
export function rowStartsAfter(
  old: readonly number[],
  line: string,
  change: LineChange,
  width: number,
  labels: ChipLabels,
): number[] {
  const row = Math.max(0, rowAt(old, change.column) - 1);
  const starts = old.slice(0, row + 1);
  const shift = change.inserted - change.removed;
  const unchangedFrom = change.column + change.inserted;
  let at = row + 1;
  const wrapping = { line, walk: new ClusterWalk(line), width, labels };
  let next = nextRow(wrapping, starts[row] ?? 0);
  while (next !== undefined) {
    if (next >= unchangedFrom) {
      while (at < old.length && (old[at] ?? 0) + shift < next) at++;
      if (at < old.length && (old[at] ?? 0) + shift === next) {
        for (; at < old.length; at++) starts.push((old[at] ?? 0) + shift);
        return starts;
      }
    }
    starts.push(next);
    next = nextRow(wrapping, next);
  }
  return starts;
}

/** The row that a column belongs to: at a break, the later one. */
export function rowAt(starts: readonly number[], column: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= column) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the row behind the one at `start` begins; undefined where there is none. */
function nextRow({ line, walk, width, labels }: Wrapping, start: number): number | undefined {
  let cells = 0;
  let breakAt = start;
  for (let at = start; at < line.length; ) {
    const code = line.charCodeAt(at);
    // Printable ASCII that nothing joins.
    const isPlain = code >= 0x20 && code < 0x7f && !(line.charCodeAt(at + 1) >= 0x7f);
    const end = isPlain ? at + 1 : walk.end(at);
    const isBlank = end === at + 1 && (code === 0x20 || code === 0x09);
    const taken = isPlain ? 1 : clusterCells(line.slice(at, end), cells, labels);
    if (taken === 2 && at > start) breakAt = at;
    if (cells + taken > width) {
      if (isBlank) return end;
      if (breakAt > start) return breakAt;
      if (at > start) return at;
      // Wider than the whole row: it is drawn cut.
      return end < line.length ? end : undefined;
    }
    cells += taken;
    if (isBlank || taken === 2) breakAt = end;
    at = end;
  }
  return undefined;
}
