// What keys did to lines, by the identity of the lines. Of two equal lines the one that was deleted is gone, not the other.
//
// Where lines were written anew, what stands between those that stayed is compared by its text.

import { commonEnds } from "@stet/text/common-ends";
import { diffLines, type LineDiff } from "@stet/text/diff";
import type { VimLines } from "./buffer.ts";

/** Lines before, 0-based; the second one not included. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

export interface VimChange extends LineDiff {
  /** The lines in which it was found by text, where some of them stayed. */
  readonly among: Gap | undefined;
}

export function changesBetween(before: VimLines, after: VimLines): VimChange[] {
  const { start, end } = commonEnds(before.ids, after.ids);
  const [oldEnd, newEnd] = [before.ids.length - end, after.ids.length - end];
  const oldLines = new Map<number, number>();
  for (let at = start; at < oldEnd; at += 1) oldLines.set(before.ids[at] ?? -1, at);
  const changes: VimChange[] = [];
  let [oldFrom, newFrom] = [start, start];
  const close = (oldTo: number, newTo: number) => {
    if (oldTo > oldFrom || newTo > newFrom) {
      const old = before.lines.slice(oldFrom, oldTo);
      const fresh = after.lines.slice(newFrom, newTo);
      const among = { from: oldFrom, to: oldTo };
      for (const change of diffLines(old, fresh)) {
        const isAll = change.removed === old.length && change.added === fresh.length;
        const moved = { ...change, at: change.at + oldFrom, newAt: change.newAt + newFrom };
        changes.push({ ...moved, among: isAll ? undefined : among });
      }
    }
    [oldFrom, newFrom] = [oldTo + 1, newTo + 1];
  };
  for (let at = start; at < newEnd; at += 1) {
    const oldLine = oldLines.get(after.ids[at] ?? -1);
    if (oldLine !== undefined && oldLine >= oldFrom) close(oldLine, at);
  }
  close(oldEnd, newEnd);
  return changes;
}
