// What has to be told although nothing failed: a store that was damaged and begun anew, a ledger that is older than it was.
// Stores tell it here once; whoever speaks to a person takes it from here. What was told before anyone listened is kept.

import type { Fault } from "@stet/protocol/fault";

const maxKept = 100;
const kept: Fault[] = [];
const listeners = new Set<(notice: Fault) => void>();

export function tellNotice(notice: Fault): void {
  for (const listener of listeners) listener(notice);
  if (listeners.size === 0 && kept.length < maxKept) kept.push(notice);
}

const toldOnce = new Set<string>();

/** For what is met again and again while it lasts. */
export function tellNoticeOnce(notice: Fault): void {
  if (toldOnce.has(notice.message) || toldOnce.size >= maxKept) return;
  toldOnce.add(notice.message);
  tellNotice(notice);
}

/** Returns what ends it. */
export function onNotice(listener: (notice: Fault) => void): () => void {
  for (const notice of kept.splice(0)) listener(notice);
  listeners.add(listener);
  return () => listeners.delete(listener);
}
