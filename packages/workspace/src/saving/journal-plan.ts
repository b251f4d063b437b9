// What a group save is going to do, worked out before anything is written: every target resolved again, compared
// with what the caller expects to be there, and given the method that keeps its links and its owner.

import { accessSync, constants } from "node:fs";
import { dirname, relative, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { attempt } from "@stet/protocol/system-fault";
import { type Location, type Root, resolveInside } from "../files/containment.ts";
import { type FileContent, readBytes } from "../files/files.ts";
import { missingFolders } from "../files/folders.ts";
import type { Intent, IntentFile } from "./journal-intent.ts";

export type GroupWrite = FileWrite | FileRemoval;

interface Wanted {
  readonly location: Location;
  /** For a new file. An existing one keeps its own. */
  readonly mode?: number;
  /** Opaque: recovery returns it with the file. */
  readonly tag?: string;
}

interface FileWrite extends Wanted {
  readonly bytes: Uint8Array;
  /** Of the bytes. */
  readonly hash: string;
  /** What must be on disk now: its hash, or null when the file must not exist. */
  readonly expected: string | null;
}

interface FileRemoval extends Wanted {
  readonly bytes: null;
  readonly expected: string;
}

export interface PlannedWrite {
  readonly file: IntentFile;
  readonly index: number;
  /** Null for a file that is removed. */
  readonly bytes: Uint8Array | null;
  /** What is replaced, without its bytes; undefined for a new file. */
  readonly before: Omit<FileContent, "bytes"> | undefined;
  /** The old bytes were written so recently that a second write might not show in the identity. */
  readonly isFresh: boolean;
}

export interface Plan {
  readonly intent: Intent;
  readonly writes: readonly PlannedWrite[];
}

export interface Difference {
  readonly path: string;
  readonly expected: string | null;
  readonly found: string | null;
}

// The clocks that stamp files tick every 1 to 10 ms on Linux and every 16 ms on Windows; FAT's every two seconds is
// beyond guarding.
const clockTick = 40;

// Hashing more than this at once would keep everyone else in the process waiting.
const largeSize = 1024 * 1024;

export async function planGroup(
  root: Root,
  writes: readonly GroupWrite[],
  tag: string | undefined,
): Promise<Plan | Fault> {
  const planned: PlannedWrite[] = [];
  const differences: Difference[] = [];
  const folders = new Set<string>();
  for (const [index, write] of writes.entries()) {
    const askedAt = Date.now();
    const before = examine(root, write);
    if (isFault(before)) return before;
    const found = before.content?.hash ?? null;
    if (found !== write.expected || before.hasMoved) {
      differences.push({ path: write.location.path, expected: write.expected, found });
      continue;
    }
    if (before.content === undefined) {
      const missing = missingFolders(root, dirname(write.location.absolute));
      if (isFault(missing)) return missing;
      for (const folder of missing) folders.add(inRoot(root, folder));
    }
    const isFresh = askedAt - (before.content?.modified ?? 0) < clockTick;
    planned.push(planWrite(root, write, index, before.content, isFresh));
    if ((write.bytes?.length ?? 0) > largeSize || (before.content?.size ?? 0) > largeSize)
      await setImmediate();
  }
  if (differences.length > 0) return changedFault(differences);
  const files = planned.map((write) => write.file);
  const intent: Intent = {
    group: uniqueSuffix(),
    root: root.path,
    tag: tag ?? null,
    folders: [...folders].sort(),
    files,
  };
  return overlapFault(planned, folders) ?? { intent, writes: planned };
}

/** The refusal to write over what someone else did, listing every file that differs. */
export function changedFault(differences: readonly Difference[]): Fault {
  const names = differences.map((difference) => difference.path).join(", ");
  const verb = differences.length === 1 ? "is" : "are";
  const message = `${names} ${verb} not on disk as last read, so nothing was saved.`;
  const suggestion = "Read the changed files again, bring both changes together, and save again.";
  return new Fault("external_change", message, suggestion, { differences });
}

interface Examined {
  content: FileContent | undefined;
  /** A link on the way leads elsewhere since the location was resolved. */
  hasMoved: boolean;
}

function examine(root: Root, write: GroupWrite): Examined | Fault {
  const location = resolveInside(root, write.location.path, "found");
  if (isFault(location)) return location;
  const hasMoved = location.absolute !== write.location.absolute;
  if (!location.exists) return { content: undefined, hasMoved };
  const content = readBytes(root, location);
  if (isFault(content)) {
    return content.error === "file_not_found" ? { content: undefined, hasMoved } : content;
  }
  // Renaming would get past the mark with which someone said that this file is not to be written.
  const allowed = attempt("written", location.path, () => accessSync(location.absolute, constants.W_OK));
  return allowed ?? { content, hasMoved };
}

function planWrite(
  root: Root,
  write: GroupWrite,
  index: number,
  content: FileContent | undefined,
  isFresh: boolean,
): PlannedWrite {
  const file = {
    path: write.location.path,
    target: inRoot(root, write.location.absolute),
    old: write.expected,
    new: write.bytes === null ? null : write.hash,
    tag: write.tag ?? null,
  };
  if (content === undefined) {
    const created: IntentFile = { ...file, mode: write.mode ?? null, method: "create" };
    return { file: created, index, bytes: write.bytes, before: undefined, isFresh: false };
  }
  const method =
    write.bytes === null ? "remove" : content.links > 1 || !canKeepOwner(content) ? "copy" : "replace";
  const { bytes: _, ...before } = content;
  return { file: { ...file, mode: content.mode, method }, index, bytes: write.bytes, before, isFresh };
}

/** Whether a file made by this process can be given to the owner of the old one. */
function canKeepOwner(content: FileContent): boolean {
  const user = process.geteuid?.();
  return user === undefined || user === 0 || user === content.owner.user;
}

/** Two writes to one file, or a file where another needs a folder, cannot both be right. */
function overlapFault(writes: readonly PlannedWrite[], folders: ReadonlySet<string>): Fault | undefined {
  const seen = new Set<string>();
  for (const { file, before } of writes) {
    const names = before === undefined ? [file.target] : [file.target, before.identity];
    if (names.some((name) => seen.has(name)) || folders.has(file.target)) {
      const message = `${file.path} is written twice in one group, or is a file and a folder at once.`;
      const suggestion = "Write each file once; two names of one file count as one.";
      return new Fault("invalid_path", message, suggestion, { path: file.path });
    }
    for (const name of names) seen.add(name);
  }
  return undefined;
}

function inRoot(root: Root, absolute: string): string {
  return relative(root.path, absolute).split(sep).join("/");
}
