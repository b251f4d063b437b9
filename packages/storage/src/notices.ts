// Notices for people although no operation failed: a store that was damaged and begun anew, a ledger that is older than it
// was. Stores publish them here; front ends subscribe. What is published before the first listener is buffered.

import { type Fault, isFault } from "@stet/protocol/fault";
import { faultOf } from "@stet/protocol/fault-error";
import { log } from "./operator-log.ts";

const maxBuffered = 100;
const buffered: Fault[] = [];
const listeners = new Set<(notice: Fault) => void>();

export function tellNotice(notice: Fault): void {
  log("warn", "notice", { error: notice.error, message: notice.message });
  for (const listener of listeners) listener(notice);
  if (listeners.size === 0 && buffered.length < maxBuffered) buffered.push(notice);
}

/** For what failed and keeps nothing from going on. */
export function tellIfFault(result: unknown): void {
  if (isFault(result)) tellNotice(result);
}

/** The same for a fault that an exception carries, once for each message. A store that is closed throws without a fault. */
export function tellCarriedFault(error: unknown): void {
  const fault = faultOf(error);
  if (fault !== undefined) tellNoticeOnce(fault);
  else log("warn", "background.failed", {}, error);
}

const published = new Set<string>();

/** For what recurs while its cause lasts: each message is published once. */
export function tellNoticeOnce(notice: Fault): void {
  if (published.has(notice.message) || published.size >= maxBuffered) return;
  published.add(notice.message);
  tellNotice(notice);
}

/** Subscribes a listener. Returns how to unsubscribe it. */
export function onNotice(listener: (notice: Fault) => void): () => void {
  for (const notice of buffered.splice(0)) listener(notice);
  listeners.add(listener);
  return () => listeners.delete(listener);
}
