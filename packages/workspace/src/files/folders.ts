// Folders held open while something is created, replaced or removed in them.
//
// A folder is opened without following a last link and proved to be inside the root and not protected. On Linux its
// entries are then reached through the descriptor: whatever is renamed or linked above it meanwhile, the effect
// lands in the folder that was proved. Elsewhere plain paths are used, proved before and after.

import { closeSync, constants, fsync, lstatSync, mkdirSync, openSync } from "node:fs";
import { basename, dirname, relative, sep } from "node:path";
import { promisify } from "node:util";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { entryPath, type Root, replacedFault, verifyOpened } from "./containment.ts";

export interface Folder {
  /** The path by which to reach an entry while the folder is open. */
  entry(name: string): string;
}

const syncDescriptor = promisify(fsync);

// What file systems without durable folders answer to fsync. There is nothing more to be had from them.
const cannotSync = new Set(["EINVAL", "ENOTSUP", "ENOSYS"]);

/** Runs the action on the proved folder. Errno errors that the action throws become faults. */
export function withFolder<T>(
  root: Root,
  absolute: string,
  action: (folder: Folder) => T | Fault,
): T | Fault {
  const descriptor = openFolder(root, absolute);
  if (isFault(descriptor)) return descriptor;
  try {
    const result = action(folderAt(root, descriptor, absolute));
    return verifyAfter(root, descriptor, absolute) ?? result;
  } catch (error) {
    return systemFault(error, "changed", folderName(root, absolute));
  } finally {
    closeSync(descriptor);
  }
}

/** The same for an action that takes its time. */
export async function withFolderOpen<T>(
  root: Root,
  absolute: string,
  action: (folder: Folder) => Promise<T | Fault>,
): Promise<T | Fault> {
  const descriptor = openFolder(root, absolute);
  if (isFault(descriptor)) return descriptor;
  try {
    const result = await action(folderAt(root, descriptor, absolute));
    return verifyAfter(root, descriptor, absolute) ?? result;
  } catch (error) {
    return systemFault(error, "changed", folderName(root, absolute));
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the entries of a folder durable. A folder that is gone needs nothing. */
export async function syncFolder(root: Root, absolute: string): Promise<Fault | undefined> {
  // Windows has no such call; its file systems journal their folders.
  if (process.platform === "win32") return undefined;
  const descriptor = openFolder(root, absolute);
  if (isFault(descriptor)) return descriptor.error === "file_not_found" ? undefined : descriptor;
  try {
    await syncDescriptor(descriptor);
    return undefined;
  } catch (error) {
    if (cannotSync.has(errnoCode(error) ?? "")) return undefined;
    return systemFault(error, "made durable", folderName(root, absolute));
  } finally {
    closeSync(descriptor);
  }
}

/** The folders that have to be made before `absolute` exists, outermost first. */
export function missingFolders(root: Root, absolute: string): string[] | Fault {
  const missing: string[] = [];
  try {
    for (
      let folder = absolute;
      folder !== root.path && folder !== dirname(folder);
      folder = dirname(folder)
    ) {
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) break;
      missing.unshift(folder);
    }
    return missing;
  } catch (error) {
    return systemFault(error, "found", folderName(root, absolute));
  }
}

/** Makes one folder in its proved parent. One that is there already is fine: it is proved when it is used. */
export function makeFolder(root: Root, absolute: string): Fault | undefined {
  return withFolder(root, dirname(absolute), (parent) => {
    try {
      mkdirSync(parent.entry(basename(absolute)));
      return undefined;
    } catch (error) {
      if (errnoCode(error) === "EEXIST") return undefined;
      return systemFault(error, "made", folderName(root, absolute));
    }
  });
}

function folderAt(root: Root, descriptor: number, absolute: string): Folder {
  return { entry: (name) => entryPath(root, descriptor, absolute, name) };
}

/** Through a descriptor nothing can have gone astray; through plain paths it can. */
function verifyAfter(root: Root, descriptor: number, absolute: string): Fault | undefined {
  if (root.proof === "descriptor") return undefined;
  return verifyOpened(root, descriptor, absolute, folderName(root, absolute));
}

function openFolder(root: Root, absolute: string): number | Fault {
  const path = folderName(root, absolute);
  try {
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const descriptor = openSync(absolute, flags);
    const refusal = verifyOpened(root, descriptor, absolute, path);
    if (refusal === undefined) return descriptor;
    closeSync(descriptor);
    return refusal;
  } catch (error) {
    const code = errnoCode(error);
    if (code === "ELOOP") return replacedFault(path);
    if (code !== "ENOTDIR") return systemFault(error, "opened", path);
    // With O_DIRECTORY, Linux calls a link in the last place "not a directory" too.
    const message = `${path} is not a folder any more.`;
    return new Fault("external_change", message, "Look at what is there now and try again.", { path });
  }
}

function folderName(root: Root, absolute: string): string {
  return relative(root.path, absolute).split(sep).join("/") || ".";
}
