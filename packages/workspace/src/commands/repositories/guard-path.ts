// One path that commands in the sandbox must not change, and how it is kept from them.

import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { dirname, sep } from "node:path";

export interface GuardedPath {
  readonly path: string;
  /** What is made in its place where it is missing. */
  readonly kind: "folder" | "file";
  /** What the file that is made says; nothing, where that is left out. */
  readonly content?: string | undefined;
}

export interface WatchedPath {
  readonly path: string;
  /** Where the link leads; undefined where nothing may be. */
  readonly target: string | undefined;
}

export interface CollectedGuards {
  readonly readOnly: GuardedPath[];
  readonly pinned: string[];
  readonly watched: WatchedPath[];
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

export function guard(guards: CollectedGuards, guarded: GuardedPath): void {
  const { path } = guarded;
  const stats = statsOf(path);
  if (!stats?.isSymbolicLink()) {
    guards.readOnly.push(guarded);
    return;
  }
  guards.watched.push({ path, target: readlinkSync(path) });
  const real = realOf(path);
  if (real !== undefined) guards.readOnly.push({ path: real, kind: guarded.kind });
}

/** Undefined where nothing is, or nothing that can be looked at: a file may stand where a folder was. */
export function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}

const maxTextBytes = 1024 * 1024;

/** The text of a file, however it got there: of a named pipe nothing is waited for, and what is too large is not read. */
export function textOf(path: string, maxBytes = maxTextBytes): string | undefined {
  return bytesOf(path, maxBytes)?.toString("utf8");
}

export function bytesOf(path: string, maxBytes: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** None where there is no folder any more, or none that may be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

export function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Whether no link is on the way. A mount on one would show and open what it leads to, outside of the root as well. */
export function isReal(path: string): boolean {
  const isThere = statsOf(path) !== undefined;
  return isThere ? realOf(path) === path : isReal(dirname(path));
}
