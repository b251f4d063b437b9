// A mark beside a store, outside of its file: that the store existed, which one it was, and how far it had come. With it an
// emptied, removed or exchanged file is distinguished from one that never existed.
//
// A mark never runs ahead of its store: it is written after what it records. It is not synced, so after a power cut it may be
// older than the store, which is harmless. One that cannot be read counts as none.

import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { Fault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { writePrivateFile } from "./private-files.ts";

export interface StoreMark {
  /** Names the store, wherever its file goes. */
  readonly id: string;
  /** What it held: entries, prompts, bytes. It only ever grows. */
  readonly count: number;
  /** When that was, as ISO time. */
  readonly at: string;
}

function markPath(path: string): string {
  return `${path}.mark`;
}

export function readMark(path: string): StoreMark | undefined {
  try {
    const { id, count, at }: StoreMark = JSON.parse(readFileSync(markPath(path), "utf8"));
    const isMark = typeof id === "string" && typeof count === "number" && typeof at === "string";
    return isMark ? { id, count, at } : undefined;
  } catch {
    return undefined;
  }
}

/** A mark that cannot be written is no failure of the store. */
export function writeMark(path: string, id: string, count: number): void {
  const draft = `${markPath(path)}.${uniqueSuffix()}`;
  try {
    writePrivateFile(draft, JSON.stringify({ id, count, at: new Date().toISOString() }));
    renameSync(draft, markPath(path));
  } catch {
    rmSync(draft, { force: true });
  }
}

export function removeMark(path: string): void {
  rmSync(markPath(path), { force: true });
}

/** What stands where a store should be, as the end of a sentence; undefined where a file with content does, or nothing ever did. */
export function whatIsLost(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) return "is not a file";
  const mark = readMark(path);
  if (mark === undefined || mark.count === 0 || (stats !== undefined && stats.size > 0)) return undefined;
  const was = `although it held ${mark.count} entries on ${mark.at.slice(0, 10)}`;
  return stats === undefined ? `is gone, ${was}` : `is empty, ${was}`;
}

/** The words of a notice about a damaged store. */
export interface StoreName {
  readonly path: string;
  /** Such as "The ledger". */
  readonly what: string;
  readonly error: "ledger_damaged" | "store_damaged";
}

export const repairAdvice =
  "Run stet doctor --repair: it keeps the damaged file, and brings back what can be read and what the newest backup has. Your own files are not affected.";

export function damaged({ path, what, error }: StoreName, how: string): Fault {
  return new Fault(error, `${what} ${path} ${how}.`, repairAdvice, { path });
}
