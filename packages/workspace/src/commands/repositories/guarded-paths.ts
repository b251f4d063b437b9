// What a command may read but not change, because a program that is not in the sandbox would later carry it out or obey
// it: what git reads in a repository (guarded-repositories.ts), and Stet's own folders. Also where they do not exist yet.
//
//   read-only     mounted so. Something that is missing needs a place to be mounted on, which is made and taken away again
//                 (mount-points.ts)
//   pinned        can be written, but neither moved nor replaced: otherwise `mv .git x; mkdir -p .git/hooks` would do
//   watched       cannot be mounted over (a link), or is not worth a mount: it is looked at while commands run and after
//                 them, and put back (watched-paths.ts)

import { join } from "node:path";
import {
  type CollectedGuards,
  type GuardedPath,
  guard,
  isInside,
  isReal,
  type WatchedPath,
} from "./guard-path.ts";
import { guardRepositories, type KnownRepositories } from "./guarded-repositories.ts";

export interface Guards {
  readonly readOnly: readonly GuardedPath[];
  readonly pinned: readonly string[];
  readonly watched: readonly WatchedPath[];
}

export interface GuardedRoot extends Guards {
  readonly repositories: KnownRepositories;
}

export interface GuardOptions {
  /** Folders of Stet, and what else must stay as it is. */
  readonly own: readonly string[];
  readonly home: string;
  /** Whether every other sandbox that lives over the root guards a repository inside of it, too. */
  readonly isGuardedByAll: (path: string) => boolean;
}

export function guardsOf(root: string, { own, home, isGuardedByAll }: GuardOptions): GuardedRoot {
  const guards: CollectedGuards = { readOnly: [], pinned: [], watched: [] };
  const repositories = guardRepositories(guards, root, { home, isGuardedByAll });
  guard(guards, { path: join(root, ".stet"), kind: "folder" });
  for (const path of own) {
    // Outside the root nothing can be written anyway.
    if (isInside(root, path)) guard(guards, { path, kind: "folder" });
  }
  return {
    readOnly: guards.readOnly.filter(({ path }) => isReal(path)),
    pinned: guards.pinned.filter(isReal),
    watched: guards.watched,
    repositories,
  };
}
