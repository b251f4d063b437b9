// Looks after a command at what could not be mounted over, and puts back what it changed.

import { lstatSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { WatchedPath } from "./guarded-paths.ts";

/** The paths that had been changed. What the command made there is kept beside, under a name that no program obeys. */
export function putBack(watched: readonly WatchedPath[]): string[] {
  const changed: string[] = [];
  for (const { path, target } of watched) {
    if (linkOf(path) === target) continue;
    changed.push(path);
    try {
      if (linkOf(path) !== undefined) renameSync(path, `${path}-refused-${uniqueSuffix()}`);
      if (target !== undefined) symlinkSync(target, path);
    } catch {
      // Told as changed; who reads that looks at it.
    }
  }
  return changed;
}

/** Where a link leads; the empty text for something that is not a link, undefined for nothing. */
function linkOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isSymbolicLink() ? readlinkSync(path) : "";
}
