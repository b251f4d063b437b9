// What has to be told although nothing failed: a store that was damaged and begun anew, a ledger that is older than it was.
// Stores tell it here once; whoever speaks to a person takes it from here. What was told before anyone listened is kept.

import { type Fault, isFault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { log } from "./operator-log.ts";

const maxKept = 100;
const kept: Fault[] = [];
const listeners = new Set<(notice: Fault) => void>();

export function tellNotice(notice: Fault): void {
  log("warn", "notice", { error: notice.error, message: notice.message });
  for (const listener of listeners) listener(notice);
  if (listeners.size === 0 && kept.length < maxKept) kept.push(notice);
}

/** For what failed and keeps nothing from going on. */
export function tellIfFault(result: unknown): void {
  if (isFault(result)) tellNotice(result);
}

/** The same for a fault that an exception carries; it is told once. A store that is closed already refuses without one. */
export function tellCarriedFault(error: unknown): void {
  const fault = faultOf(error);
  if (fault !== undefined) tellNoticeOnce(fault);
  else log("warn", "background.failed", {}, error);
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
