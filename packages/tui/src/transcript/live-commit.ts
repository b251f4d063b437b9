// How much of a block that still changes will not change any more. A block taller than the window would otherwise keep its
// first rows out of the history until it ends, and a reader would see neither them there nor on the screen.
//
// Two signals, each enough by itself:
// - append-only: the block grew, and no row but its last one looked different afterwards. Then all but the last row are safe.
//   A rewrite further up suspends this for VOLATILE_REARM_FRAMES frames without another.
// - stable prefix: rows that looked the same for STABLE_PREFIX_COMMIT_FRAMES frames are safe even while those below go on
//   changing (a prompt above a progress tree). A change above that end takes it back to the changed row.
//
// A row that changed after it had been stable for so long is a slow counter, not text that settles. It arms the rewrite floor:
// while the block lives, rows from there on are not taken for stable again. Otherwise each quiet stretch would commit the
// counter, and each tick would leave one more old copy in the history.
//
// Rows are compared as they look: without styles.

import { isSameText } from "../renderer/audit.ts";

export const VOLATILE_REARM_FRAMES = 16;
export const STABLE_PREFIX_COMMIT_FRAMES = 32;

export interface LiveCommitState {
  readonly rows: readonly string[];
  /** Whether it was seen growing at its end. */
  readonly hasGrown: boolean;
  /** Frames without a rewrite that are still wanted before growth counts again. */
  readonly framesToRearm: number;
  /** Rows that were the same in all frames since the count began, and how many frames that are. */
  readonly stableRows: number;
  readonly stableFrames: number;
  /** The rows that were stable for long enough. */
  readonly promoted: number;
  readonly rewriteFloor: number;
  /** The rows from the first one on that may be committed. */
  readonly safeRows: number;
}

export function deriveLiveCommitState(
  before: LiveCommitState | undefined,
  rows: readonly string[],
): LiveCommitState {
  if (before === undefined) {
    return {
      rows,
      hasGrown: false,
      framesToRearm: 0,
      stableRows: rows.length,
      stableFrames: 1,
      promoted: 0,
      rewriteFloor: Number.POSITIVE_INFINITY,
      safeRows: 0,
    };
  }
  const same = before.rows === rows ? rows.length : sameRowsAtStart(before.rows, rows);
  const isAppend = same >= before.rows.length - 1 && rows.length >= before.rows.length;
  const framesToRearm = isAppend ? Math.max(0, before.framesToRearm - 1) : VOLATILE_REARM_FRAMES;
  const hasGrown = before.hasGrown || (isAppend && rows.length > before.rows.length);
  const stable = stablePrefix(before, rows, same);
  const appended = hasGrown && framesToRearm === 0 ? rows.length - 1 : 0;
  return { rows, hasGrown, framesToRearm, ...stable, safeRows: Math.max(0, appended, stable.promoted) };
}

function stablePrefix(before: LiveCommitState, rows: readonly string[], same: number) {
  let { promoted, rewriteFloor } = before;
  rewriteFloor = movedFloor(before, rows, same);
  if (same < promoted) {
    promoted = same;
    rewriteFloor = Math.min(rewriteFloor, same);
  }
  let stableRows = Math.min(before.stableRows, same);
  let stableFrames = before.stableFrames + 1;
  if (stableFrames >= STABLE_PREFIX_COMMIT_FRAMES) {
    promoted = Math.max(promoted, Math.min(stableRows, rewriteFloor));
    stableRows = rows.length;
    stableFrames = 0;
  }
  return { stableRows, stableFrames, promoted, rewriteFloor };
}

/** Rows that were put in above the floor move it down with the row it stands for. */
function movedFloor(before: LiveCommitState, rows: readonly string[], same: number): number {
  const { rewriteFloor } = before;
  const growth = rows.length - before.rows.length;
  if (!Number.isFinite(rewriteFloor) || growth <= 0 || same > rewriteFloor) return rewriteFloor;
  for (let index = rewriteFloor + 1; index < before.rows.length; index++) {
    if (!isSameText(before.rows[index], rows[index + growth])) return rewriteFloor;
  }
  return rewriteFloor + growth;
}

function sameRowsAtStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && isSameText(one[count], other[count])) count++;
  return count;
}
