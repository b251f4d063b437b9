// After a change of the width the components have other rows, and the history still has the old ones. The index at which the
// history ends stays what it was; each component's rows are moved so that what is not history begins there.

import type { Frame, PlacedPart } from "./frame.ts";
import { rowsWithSameText } from "./resize.ts";

/** `old` is the frame of the old width, whose parts were rendered for the new one. */
export function shiftParts(old: Frame, committed: number): void {
  for (const placed of old.parts) {
    const { part, from, end } = placed;
    if (committed <= from) part.shift = 0;
    else {
      const total = part.released + part.rows.length;
      const own = committed >= end ? total : ownRowsCommitted(old, placed, committed);
      part.shift = Math.min(committed, end) - from - own;
    }
    part.told = -1;
  }
}

/** How many rows of the part, by its own count, the history holds. */
function ownRowsCommitted(old: Frame, placed: PlacedPart, committed: number): number {
  const { part, rows, firstRow } = placed;
  const isLive = part.liveStart !== undefined && old.liveStart !== undefined && committed >= old.liveStart;
  const oldFrom = isLive ? (old.liveStart ?? firstRow) : firstRow;
  const newFrom = isLive ? (part.liveStart ?? part.released) - part.released : 0;
  const before = rows.slice(Math.max(0, oldFrom - firstRow), Math.max(0, committed - firstRow));
  return part.released + newFrom + rowsWithSameText(before, part.rows.slice(newFrom));
}
