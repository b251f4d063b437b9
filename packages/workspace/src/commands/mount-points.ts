// Places that something is mounted on and that did not exist: made for as long as a sandbox lives, and taken away after.
//
// What is made is empty, and only what is still empty is taken away, so nothing of a person's can be lost. A record is
// written before anything is made: the next one takes away what a process that was killed has left. Two processes may
// need the same place; the last one takes it away, because the mount of the other would go with it.

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { GuardedPath } from "./guarded-paths.ts";
import { isAlive } from "./processes.ts";

export interface MountPoints {
  release(): void;
}

/** Records of this process whose sandbox lives. */
const held = new Set<string>();

/** Makes what is missing. Throws errno errors. */
export function holdMountPoints(stateFolder: string, paths: readonly GuardedPath[]): MountPoints {
  const folder = join(stateFolder, "mount-points");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeft(folder);
  const others = recordedBy(folder, "");
  const made = paths.flatMap(({ path, kind }) => [...missingAbove(path), { path, kind }]);
  const wanted = made.filter(({ path }) => !exists(path) || others.has(path));
  if (wanted.length === 0) return { release: () => {} };
  const name = `${process.pid}-${uniqueSuffix()}.json`;
  writeFileSync(join(folder, name), JSON.stringify(wanted), { mode: 0o600 });
  held.add(name);
  for (const { path, kind } of wanted) {
    if (exists(path)) continue;
    if (kind === "folder") mkdirSync(path);
    else writeFileSync(path, "", { flag: "wx" });
  }
  return {
    release() {
      if (held.delete(name)) removeRecord(folder, name, wanted);
    },
  };
}

/** Folders that have to be made first, the outermost first. */
function missingAbove(path: string): GuardedPath[] {
  const missing: GuardedPath[] = [];
  for (let folder = dirname(path); !exists(folder); folder = dirname(folder)) {
    missing.unshift({ path: folder, kind: "folder" });
  }
  return missing;
}

function removeLeft(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!isInUse(name)) removeRecord(folder, name);
  }
}

function removeRecord(folder: string, name: string, own = readRecord(folder, name)): void {
  rmSync(join(folder, name), { force: true });
  const others = recordedBy(folder, name);
  for (const { path, kind } of own.toReversed()) {
    if (others.has(path)) continue;
    try {
      if (kind === "folder") rmdirSync(path);
      else if (statSync(path).size === 0) unlinkSync(path);
    } catch {
      // Someone has put something in it, or has removed it.
    }
  }
}

function recordedBy(folder: string, except: string): Set<string> {
  const names = namesIn(folder).filter((name) => name !== except && isInUse(name));
  return new Set(names.flatMap((name) => readRecord(folder, name).map(({ path }) => path)));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The state folder may have been removed under us; then there is no record either.
    return [];
  }
}

function isInUse(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  return pid === process.pid ? held.has(name) : isAlive(pid);
}

function readRecord(folder: string, name: string): GuardedPath[] {
  try {
    const entries: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return Array.isArray(entries) ? entries.filter(isGuardedPath) : [];
  } catch {
    return [];
  }
}

function isGuardedPath(value: unknown): value is GuardedPath {
  if (typeof value !== "object" || value === null || !("path" in value) || !("kind" in value)) return false;
  return typeof value.path === "string" && (value.kind === "folder" || value.kind === "file");
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
