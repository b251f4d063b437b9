// One file of a group: its names on disk, and the few effects that a group is made of. Each effect goes through the
// opened folder, so it cannot be led elsewhere, and each may be repeated after a crash.

import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { unlink } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt, errnoCode, systemFault } from "@stet/protocol/system-fault";
import { concurrently, diskWaits } from "../files/concurrently.ts";
import type { Root } from "../files/containment.ts";
import { type FileContent, readBytes } from "../files/files.ts";
import { type Folder, withFolder, withFolderOpen } from "../files/folders.ts";
import { type Intent, type IntentFile, keptName, type Step, temporaryName } from "./journal-intent.ts";

export interface Target {
  readonly root: Root;
  readonly file: IntentFile;
  readonly index: number;
  /** The folder of the real file, absolute. */
  readonly folder: string;
  /** Names in that folder: the file, its new bytes, and its old ones. */
  readonly name: string;
  readonly temporary: string;
  readonly kept: string;
}

/** A temporary file beside its target, while it is being written. */
export interface Temporary {
  readonly target: Target;
  readonly descriptor: number;
  readonly bytes: Uint8Array;
  /** Null: as the system gives it to a new file. */
  readonly mode: number | null;
  readonly owner: FileContent["owner"] | undefined;
}

const pieceSize = 256 * 1024;

export function targetsOf(root: Root, intent: Intent): Target[] {
  return intent.files.map((file, index) => targetOf(root, intent.group, file, index));
}

export function targetOf(root: Root, group: string, file: IntentFile, index: number): Target {
  const absolute = join(root.path, file.target);
  return {
    root,
    file,
    index,
    folder: dirname(absolute),
    name: basename(absolute),
    temporary: temporaryName(group, index),
    kept: keptName(group, index),
  };
}

/** What stands under one of the target's names; undefined when nothing does. */
export function readNamed(target: Target, name: string): FileContent | Fault | undefined {
  const location = { path: target.file.path, absolute: join(target.folder, name), exists: true };
  const content = readBytes(target.root, location);
  return isFault(content) && content.error === "file_not_found" ? undefined : content;
}

/** Creates a file beside the target that is not there yet, for `fillTemporary`. Throws errno errors. */
export function openTemporary(folder: Folder, name: string, mode: number | null): number {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  return openSync(folder.entry(name), flags, mode ?? 0o666);
}

/** Writes the bytes and makes the file like the one it stands for. It is not safe before it is synced. Returns its
 * mode. */
export async function fillTemporary({
  target,
  descriptor,
  bytes,
  mode,
  owner,
}: Temporary): Promise<number | Fault> {
  try {
    for (let written = 0; written < bytes.length; ) {
      // A large file must not keep everyone else in the process waiting.
      if (written > 0) await setImmediate();
      written += writeSync(descriptor, bytes, written, Math.min(bytes.length - written, pieceSize));
    }
    return makeAlike(descriptor, mode, owner);
  } catch (error) {
    return systemFault(error, "written", target.file.path);
  }
}

/** Keeps the old file under a second name until the group is safe. Needs no space where files can have two. */
export function keepOld(folder: Folder, target: Target): void {
  const from = folder.entry(target.name);
  try {
    linkSync(from, folder.entry(target.kept));
  } catch (error) {
    if (errnoCode(error) === "ENOENT") throw error;
    copyFileSync(from, folder.entry(target.kept), constants.COPYFILE_EXCL);
  }
}

/** Puts the new bytes, which stand safely in the temporary file, in the target's place. Throws errno errors. */
export function place(folder: Folder, target: Target, bytes: Uint8Array, step: Step): void {
  const temporary = folder.entry(target.temporary);
  const name = folder.entry(target.name);
  if (target.file.method === "copy") copyInto(name, bytes, target, step);
  else if (target.file.method === "replace") renameSync(temporary, name);
  else if (hasLinked(temporary, name)) {
    step(`unlink:${target.index}`);
    unlinkSync(temporary);
  } else renameSync(temporary, name);
}

/** Removes the file from its name; it stands under the name of what is kept, until the group is safe. Throws errno errors. */
export function takeAway(folder: Folder, target: Target): void {
  renameSync(folder.entry(target.name), folder.entry(target.kept));
}

/** Gives a file that was taken away its name back, unless someone has put another one there. Throws errno errors. */
export function giveBack(folder: Folder, target: Target): void {
  const kept = folder.entry(target.kept);
  const name = folder.entry(target.name);
  if (!hasLinked(kept, name)) renameSync(kept, name);
}

/** Unlike a rename, a link never covers a file that someone just made. False where files cannot have two names. */
function hasLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) throw error;
    return false;
  }
}

/** Overwrites a file where it is. Not atomic: `isTorn` recognises what a crash can leave. */
export function copyInto(path: string, bytes: Uint8Array, target: Target, step: Step): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (fstatSync(descriptor).size > bytes.length) ftruncateSync(descriptor, bytes.length);
    for (let written = 0; written < bytes.length; ) {
      step(`copy:${target.index}:${written}`);
      const length = Math.min(bytes.length - written, pieceSize);
      written += writeSync(descriptor, bytes, written, length, written);
    }
    step(`copy-sync:${target.index}`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// Disks write at least this much at once, and a killed process stops between larger pieces.
const sectorSize = 512;

/** Whether `found` can be what is left of `copyInto` writing one of the two over the other: every sector is of one of
 * them, or past the shorter one's end and not yet filled. Anyone else's edit fits this only by a rare accident. */
export function isTorn(found: Uint8Array, before: Uint8Array, after: Uint8Array): boolean {
  const shorter = Math.min(before.length, after.length);
  if (found.length < shorter) return false;
  if (found.length > Math.max(before.length, after.length)) return false;
  for (let start = 0; start < found.length; start += sectorSize) {
    const end = Math.min(start + sectorSize, found.length);
    const sector = found.subarray(start, end);
    const isOf = (bytes: Uint8Array) => Buffer.compare(sector, bytes.subarray(start, end)) === 0;
    const isUnfilled = end > shorter && sector.every((byte) => byte === 0);
    if (!isOf(before) && !isOf(after) && !isUnfilled) return false;
  }
  return true;
}

/** Removes what the journal put beside the targets: a few at a time, because a file system may take its time to give
 * the space of each back to the disk. */
export async function clean(
  targets: readonly Target[],
  step: Step,
  stepName: string,
): Promise<Fault | undefined> {
  for (const run of runsOf(targets)) {
    const fault = await withFolderOpen(run.root, run.folder, (folder) =>
      concurrently(run.targets, diskWaits, async (target) => {
        for (const name of [target.temporary, target.kept]) {
          const path = folder.entry(name);
          if (lstatSync(path, { throwIfNoEntry: false }) === undefined) continue;
          step(`${stepName}:${target.index}:${extname(name).slice(1)}`);
          await unlink(path);
        }
      }),
    );
    // With its folder, everything in it is gone too.
    if (isFault(fault) && fault.error !== "file_not_found") return fault;
  }
  return undefined;
}

/** Runs the action on every target until the first fault, opening a folder once for neighbours in it. Errno errors that
 * the action throws become faults about the target. */
export function eachInFolder<T extends Target>(
  targets: readonly T[],
  action: (folder: Folder, target: T) => Fault | undefined,
): Fault | undefined {
  for (const run of runsOf(targets)) {
    const fault = withFolder(run.root, run.folder, (folder) => {
      for (const target of run.targets) {
        const refusal = attempt("written", target.file.path, () => action(folder, target));
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Neighbours in the list that share a folder. */
function runsOf<T extends Target>(targets: readonly T[]): { root: Root; folder: string; targets: T[] }[] {
  const runs: { root: Root; folder: string; targets: T[] }[] = [];
  for (const target of targets) {
    const last = runs.at(-1);
    if (last?.folder === target.folder) last.targets.push(target);
    else runs.push({ root: target.root, folder: target.folder, targets: [target] });
  }
  return runs;
}

function makeAlike(descriptor: number, mode: Temporary["mode"], owner: Temporary["owner"]): number {
  const made = fstatSync(descriptor);
  const isForeign = owner !== undefined && (made.uid !== owner.user || made.gid !== owner.group);
  if (isForeign) {
    try {
      fchownSync(descriptor, owner.user, owner.group);
    } catch (error) {
      // Only the group can be refused here; the owner is this process's own, or it is root.
      if (errnoCode(error) !== "EPERM") throw error;
    }
  }
  const given = made.mode & 0o7777;
  // After the owner, because a change of owner clears the set-user bits.
  if (mode !== null && (isForeign || mode !== given)) fchmodSync(descriptor, mode);
  return mode ?? given;
}
