// How far a session had come, written down beside its file, so that a file that was emptied, cut off at the end of a line or
// changed inside a line is noticed: none of these shows in the lines that are left.

import { Fault } from "@stet/protocol/fault";
import { readMark, writeMark } from "@stet/storage/mark";

interface Extent {
  /** Bytes of whole lines. */
  readonly end: number;
  /** CRC-32 of them. */
  readonly sum: number;
}

export function markSession(path: string, { end, sum }: Extent): void {
  writeMark(path, sum.toString(16), end);
}

/** What the mark knows and the file no longer has; undefined where it has all of it, or more. */
export function lostPart(path: string, { end, sum }: Extent): string | undefined {
  const mark = readMark(path);
  if (mark === undefined || end > mark.count) return undefined;
  if (end < mark.count)
    return `the file ends after ${end} bytes, and had ${mark.count} on ${mark.at.slice(0, 10)}`;
  return sum.toString(16) === mark.id ? undefined : "something in the file was changed by another program";
}

/** The same for a list, from its size alone. */
export function isShorter(path: string, bytes: number): boolean {
  return bytes < (readMark(path)?.count ?? 0);
}

export function emptied(path: string): Fault {
  return new Fault(
    "session_damaged",
    `The session ${path} holds nothing that can be read any more.`,
    "Bring the file back from a backup of yours, or remove it: stet sessions remove ID.",
    { path },
  );
}
