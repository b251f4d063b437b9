// Moving one file, folder or link on disk. Nothing is ever replaced, and a link is never followed.
//
// Both folders are held open and proved to be inside the root (see folders.ts). A file gets its new name as a second one
// before it loses the old one: unlike a rename, that fails where someone has just made a file of that name. A folder can
// only be renamed over an empty one, so nothing is lost there either.

import { linkSync, lstatSync, readdirSync, renameSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { syncFolder } from "@stet/storage/durable-file";
import type { Step } from "../ledger/database.ts";
import { fileExists } from "../tabs/tab-faults.ts";
import { type PathEntry, protectedFault, type Root } from "./containment.ts";
import { makeFolder, missingFolders, withFolder } from "./folders.ts";
import { isProtectedName } from "./protected-names.ts";

export interface Contents {
  /** Everything that is not a folder. */
  readonly files: number;
  readonly bytes: number;
}

/** What is in a place. Refused where git's or Stet's own things are below it: they are not moved in passing. */
export async function contentsOf({ path, absolute }: PathEntry): Promise<Contents | Fault> {
  let files = 0;
  let bytes = 0;
  const folders = [{ path, absolute }];
  try {
    const stats = await lstat(absolute);
    if (!stats.isDirectory()) return { files: 1, bytes: stats.size };
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      for await (const entry of await opendir(folder.absolute)) {
        const inside = `${folder.path}/${entry.name}`;
        if (isProtectedName(entry.name)) return protectedFault(inside, entry.name);
        const found = join(folder.absolute, entry.name);
        if (entry.isDirectory()) folders.push({ path: inside, absolute: found });
        else {
          files += 1;
          bytes += (await lstat(found)).size;
        }
      }
    }
    return { files, bytes };
  } catch (error) {
    return systemFault(error, "looked through", path);
  }
}

/** Whether something has this name; a link that leads nowhere is something, too. */
export function isThere(absolute: string): boolean {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file where a folder would have to be.
    if (errnoCode(error) === undefined) throw error;
    return false;
  }
}

/** Whether a folder lists this very name: where case does not count, a file can be found under others, too. */
export function isListed(absolute: string): boolean {
  try {
    return readdirSync(dirname(absolute)).includes(basename(absolute));
  } catch (error) {
    if (errnoCode(error) === undefined) throw error;
    return false;
  }
}

/** Whether both are one thing that is found under two spellings, so that a move only changes how it is written. */
export function isOtherSpelling(from: PathEntry, to: PathEntry): boolean {
  return isSame(from.stats, to.stats) && !isListed(to.absolute);
}

/** Makes the folders above a place, durably; returns those that were not there, outermost first. */
export function makeParents(root: Root, place: PathEntry): string[] | Fault {
  const missing = missingFolders(root, dirname(place.absolute));
  if (isFault(missing)) return missing;
  for (const folder of missing) {
    const fault = makeFolder(root, folder);
    if (fault !== undefined) return fault;
    syncFolder(dirname(folder));
  }
  return missing;
}

/** Takes back what `makeParents` made, as far as nothing is in it. */
export function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      if (errnoCode(error) === undefined) throw error;
      return;
    }
  }
}

/** Moves what is at one place of the workspace to another, and makes it durable. */
export function movePlace(root: Root, from: PathEntry, to: PathEntry, step: Step): Fault | undefined {
  const folders = [dirname(from.absolute), dirname(to.absolute)] as const;
  return withFolder(root, folders[0], (source) =>
    withFolder(root, folders[1], (target) => {
      const names = [source.entry(basename(from.absolute)), target.entry(basename(to.absolute))] as const;
      const fault = isOtherSpelling(from, to)
        ? rename(...names, to.path, step)
        : moveName(...names, to.path, step);
      if (fault === undefined) for (const folder of new Set(folders)) syncFolder(folder);
      return fault;
    }),
  );
}

/** Throws errno errors, such as EXDEV where the two are on different disks. */
export function moveName(from: string, to: string, path: string, step: Step): Fault | undefined {
  const stats = lstatSync(from);
  step("link");
  if (stats.isFile() && hasLinked(from, to)) {
    step("unlink");
    // What was put there a moment ago is not what got the new name: it stays.
    if (isSame(stats, lstatSync(from, { throwIfNoEntry: false }))) unlinkOr(from, () => unlinkSync(to));
    return undefined;
  }
  return lstatSync(to, { throwIfNoEntry: false }) === undefined
    ? rename(from, to, path, step)
    : fileExists(path);
}

function rename(from: string, to: string, path: string, step: Step): Fault | undefined {
  step("rename");
  try {
    renameSync(from, to);
    return undefined;
  } catch (error) {
    const code = errnoCode(error);
    return code === "ENOTEMPTY" || code === "EEXIST" ? fileExists(path) : rethrow(error);
  }
}

function unlinkOr(path: string, takeBack: () => void): void {
  try {
    unlinkSync(path);
  } catch (error) {
    takeBack();
    throw error;
  }
}

function rethrow(error: unknown): never {
  throw error;
}

/** False where the file cannot have two names, or the new one is taken. */
function hasLinked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (errnoCode(error) === undefined || errnoCode(error) === "EXDEV") throw error;
    return false;
  }
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
}

export function nothingThere(path: string): Fault {
  return new Fault("file_not_found", `There is nothing at ${path}.`, "List the files to see what is there.", {
    path,
  });
}
