// Caches of commands in the sandbox: one folder for each workspace, in Stet's own data, so that what tools have downloaded is
// there for the next turn, and nothing of it is the person's.
//
// It is bounded: while commands run, its size is counted in the background, and one that has grown too large is marked. The
// next one to open it begins with an empty one, unless another Stet uses it at that moment.

import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { lstat, opendir, rm } from "node:fs/promises";
import { join } from "node:path";
import { uniqueSuffix } from "@stet/protocol/ids";
import { isAlive } from "../shell/processes.ts";

export interface PrivateCaches {
  readonly folder: string;
  /** Counts what is in it, and marks it where that is too much. */
  readonly counted: Promise<void>;
  release(): void;
}

/** Where the sandbox has it; the usual places of caches in the home folder are links to it. */
export const privateCachesPath = "/run/stet/private-caches";

export const maxCacheBytes = 8 * 1024 ** 3;

/** Users of this process that have not released it. */
const held = new Set<string>();

/** Throws errno errors. */
export function openPrivateCaches(stateFolder: string, maxBytes = maxCacheBytes): PrivateCaches {
  const base = join(stateFolder, "sandbox");
  const folder = join(base, "caches");
  const users = join(base, "users");
  mkdirSync(users, { recursive: true, mode: 0o700 });
  const isUsed = readdirSync(users).filter((name) => isHeld(users, name)).length > 0;
  const names = readdirSync(base);
  if (names.includes("full") && !isUsed) {
    if (names.includes("caches")) renameSync(folder, join(base, `old-${uniqueSuffix()}`));
    rmSync(join(base, "full"));
  }
  for (const name of readdirSync(base)) {
    if (name.startsWith("old-")) void removeOld(join(base, name));
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `${process.pid}-${uniqueSuffix()}`;
  writeFileSync(join(users, name), "", { mode: 0o600 });
  held.add(name);
  const ending = new AbortController();
  return {
    folder,
    counted: markIfFull(base, maxBytes, ending.signal),
    release() {
      ending.abort();
      held.delete(name);
      rmSync(join(users, name), { force: true });
    },
  };
}

function isHeld(users: string, name: string): boolean {
  const pid = Number.parseInt(name, 10);
  if (pid === process.pid ? held.has(name) : isAlive(pid)) return true;
  rmSync(join(users, name), { force: true });
  return false;
}

/** Module caches of Go are read-only folders, which have to be made writable before they can be removed. */
async function removeOld(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    // The next one tries again.
  }
}

async function markIfFull(base: string, maxBytes: number, signal: AbortSignal): Promise<void> {
  let bytes = 0;
  const folders = [join(base, "caches")];
  try {
    for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
      for await (const entry of await opendir(folder)) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else if (entry.isFile()) bytes += (await lstat(path)).size;
        if (bytes > maxBytes) {
          writeFileSync(join(base, "full"), "", { mode: 0o600 });
          return;
        }
      }
    }
  } catch {
    // It changes while it is counted; the next turn counts again.
  }
}
