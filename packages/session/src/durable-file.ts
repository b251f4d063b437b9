// Files that are there whole or not at all, also after a power cut: written beside, synced, renamed, folder synced.
// What people say to a model is private: only their own account may read it.

import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makePrivateFolder, privateFile } from "@stet/storage/private-files";

export function makeFolder(path: string): void {
  const firstNew = makePrivateFolder(path);
  if (firstNew === undefined) return;
  // A file is only as safe as the names of the folders above it.
  let parent = dirname(path);
  while (parent.length >= firstNew.length) {
    syncFolder(parent);
    parent = dirname(parent);
  }
  syncFolder(dirname(firstNew));
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

/** Adds to a file of things that were set aside. */
export function setAside(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, "a", privateFile);
  try {
    writeAll(descriptor, bytes);
    writeAll(descriptor, Buffer.from("\n"));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  // Windows cannot open a folder, and does not need it.
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
