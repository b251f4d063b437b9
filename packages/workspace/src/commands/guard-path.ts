// One path that commands in the sandbox must not change, and how it is kept from them.

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { sep } from "node:path";

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
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isSymbolicLink()) {
    guards.readOnly.push(guarded);
    return;
  }
  guards.watched.push({ path, target: readlinkSync(path) });
  const real = realOf(path);
  if (real !== undefined) guards.readOnly.push({ path: real, kind: guarded.kind });
}

export function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
