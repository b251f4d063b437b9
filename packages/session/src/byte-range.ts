// Bytes of a session file, and which of them to read with one call.

import { readSync } from "node:fs";
import type { EntrySlot } from "./entry-index.ts";

/** Entries that lie next to each other are read together, up to this much. */
export const readTogetherBytes = 256 * 1024;

/** Fewer bytes where the file is shorter. They lie in `room` if it is large enough. */
export function readRange(descriptor: number, from: number, to: number, room?: Buffer): Buffer {
  const length = to - from;
  const bytes =
    room !== undefined && room.length >= length ? room.subarray(0, length) : Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

/** The entries from `start` on that one read can bring, and the bytes that they span. */
export function neighbours(slots: readonly (EntrySlot | undefined)[], start: number) {
  let from = 0;
  let to = 0;
  let next = start;
  for (; next < slots.length; next += 1) {
    const location = slots[next]?.location;
    if (location === undefined || location.entry !== undefined) continue;
    const end = location.offset + location.length;
    const isFirst = to === 0;
    // Siblings of other branches may lie in between; reading over a few of them is cheaper than a second call.
    const isNear = location.offset >= to && location.offset - to < 4096 && end - from <= readTogetherBytes;
    if (!isFirst && !isNear) break;
    if (isFirst) from = location.offset;
    to = end;
  }
  return { from, to, next };
}
