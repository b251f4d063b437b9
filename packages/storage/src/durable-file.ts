// Files that are there whole or not at all, also after a power cut: written beside, synced, renamed, folder synced.
// They are private: only the account that they belong to may read them.

import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { errnoCode } from "@stet/protocol/system-fault";
import { makePrivateFolder, privateFile } from "./private-files.ts";

export function makeDurableFolder(path: string): void {
  const firstNew = makePrivateFolder(path);
  if (firstNew === undefined) return;
  // A file is only as safe as the names of the folders above it.
  for (let made = path; made.length >= firstNew.length; made = dirname(made)) syncFolder(dirname(made));
}

/** A write may take fewer bytes than it was given; a line that is half there is what this must not leave. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}

/** `write` fills the new file. `temporary` must be a name that no other process uses at the same time. */
export function replaceFile(path: string, temporary: string, write: (descriptor: number) => void): void {
  const descriptor = openSync(temporary, "w", privateFile);
  try {
    try {
      write(descriptor);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

// What is answered where a folder cannot be made durable, or not by this account. There is nothing more to be had.
const cannotSync = new Set(["EINVAL", "ENOTSUP", "ENOSYS", "EACCES", "EPERM"]);

/** Makes the names in a folder durable before anything else happens. */
export function syncFolder(path: string): void {
  // Windows has no such call; its file systems journal their folders.
  if (process.platform === "win32") return;
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!cannotSync.has(errnoCode(error) ?? "")) throw error;
  }
}
