// Reading regular files, such that not one byte from outside the root is ever returned.
//
// A location was resolved earlier, and links may have been swapped since. So: the file is opened without following
// a last link and without waiting (a FIFO would wait for a writer for ever), what was opened must be a regular file,
// and only then, before the first byte is read, it is proved to be inside the root.

import { hash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { type Location, type Root, replacedFault, verifyOpened } from "./containment.ts";

export interface FileContent {
  readonly bytes: Uint8Array;
  /** Permission bits only. */
  readonly mode: number;
  readonly size: number;
  /** `sha256:<hex>` of the bytes. */
  readonly hash: string;
  /** Changes whenever the file is written, replaced or gets another mode. Two writes within one tick of the file
   * system's clock that leave the size alone look the same: hash a file whose `modified` is only just past. */
  readonly identity: string;
  /** When the bytes were last written, in milliseconds. */
  readonly modified: number;
  /** How many names the file has. */
  readonly links: number;
  readonly owner: { readonly user: number; readonly group: number };
}

export interface ReadOptions {
  /** Default: 256 MiB. */
  maxBytes?: number;
  /** Called between opening and proving, where a test swaps things. */
  opened?: () => void;
}

const defaultMaxBytes = 256 * 1024 * 1024;
// A file that is written to each time it is read is not a document; a log is.
const maxAttempts = 3;

export function hashBytes(bytes: Uint8Array): string {
  return `sha256:${hash("sha256", bytes, "hex")}`;
}

export function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.mode}`;
}

export function readBytes(root: Root, location: Location, options: ReadOptions = {}): FileContent | Fault {
  const opened = openRegular(root, location, options);
  if (isFault(opened)) return opened;
  try {
    return readStable(opened, location.path, options.maxBytes ?? defaultMaxBytes);
  } catch (error) {
    return systemFault(error, "read", location.path);
  } finally {
    closeSync(opened.descriptor);
  }
}

export interface Opened {
  readonly descriptor: number;
  readonly stats: BigIntStats;
}

/** Opens a file to read parts of it. The caller closes the descriptor. */
export function openRegular(root: Root, location: Location, options: ReadOptions = {}): Opened | Fault {
  const { path, absolute } = location;
  let descriptor: number | undefined;
  try {
    // Opening a device can do things to it, so it is not even tried.
    const found = lstatSync(absolute);
    if (found.isSymbolicLink()) return replacedFault(path);
    if (!found.isFile()) return notAFile(path);
    descriptor = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    options.opened?.();
    const stats = fstatSync(descriptor, { bigint: true });
    const refusal = stats.isFile() ? verifyOpened(root, descriptor, absolute, path) : notAFile(path);
    if (refusal === undefined) return { descriptor, stats };
    closeSync(descriptor);
    return refusal;
  } catch (error) {
    if (descriptor !== undefined) closeSync(descriptor);
    if (errnoCode(error) === "ELOOP") return replacedFault(path);
    return systemFault(error, "opened", path);
  }
}

/** Reads until the file is the same before and after, so that half of someone's write is never taken for a file. */
function readStable({ descriptor, stats }: Opened, path: string, maxBytes: number): FileContent | Fault {
  let before = stats;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (before.size > maxBytes) return tooLarge(path, before.size, maxBytes);
    const bytes = readWhole(descriptor, Number(before.size));
    const after = fstatSync(descriptor, { bigint: true });
    if (identityOf(before) === identityOf(after) && bytes.length === Number(after.size)) {
      return {
        bytes,
        mode: Number(after.mode & 0o7777n),
        size: bytes.length,
        hash: hashBytes(bytes),
        identity: identityOf(after),
        modified: Number(after.mtimeNs / 1_000_000n),
        links: Number(after.nlink),
        owner: { user: Number(after.uid), group: Number(after.gid) },
      };
    }
    before = after;
  }
  const message = `${path} is being written to while it is read.`;
  return new Fault("external_change", message, "Try again when the other program is done.", { path });
}

function readWhole(descriptor: number, size: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(descriptor, bytes, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

function notAFile(path: string): Fault {
  return new Fault("not_a_file", `${path} is not a regular file.`, "Name a regular file.", { path });
}

function tooLarge(path: string, size: bigint, maxBytes: number): Fault {
  const message = `${path} has ${size} bytes, more than the ${maxBytes} that can be opened.`;
  const suggestion = "Split the file, or work on a part of it in another program.";
  return new Fault("unsupported_file_type", message, suggestion, { path, size: Number(size), maxBytes });
}
