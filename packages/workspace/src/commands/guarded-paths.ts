// What a command may read but not change, because a program that is not in the sandbox would later carry it out or obey
// it: git's configuration and hooks, and Stet's own folders. Also where they do not exist yet.
//
//   read-only     mounted so. Something that is missing needs a place to be mounted on, which is made and taken away again
//                 (mount-points.ts)
//   pinned        can be written, but neither moved nor replaced: otherwise `mv .git x; mkdir -p .git/hooks` would do
//   watched       cannot be mounted over (a link, or a file whose mere existence means something): it is looked at after
//                 each command, and put back

import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve, sep } from "node:path";

export interface Guards {
  readonly readOnly: readonly GuardedPath[];
  readonly pinned: readonly string[];
  readonly watched: readonly WatchedPath[];
}

export interface GuardedPath {
  readonly path: string;
  /** What is made in its place where it is missing. */
  readonly kind: "folder" | "file";
}

export interface WatchedPath {
  readonly path: string;
  /** Where the link leads; undefined where nothing may be. */
  readonly target: string | undefined;
}

interface Collected {
  readOnly: GuardedPath[];
  pinned: string[];
  watched: WatchedPath[];
}

/** `own` are folders of Stet, and what else must stay as it is. */
export function guardsOf(root: string, own: readonly string[]): Guards {
  const guards: Collected = { readOnly: [], pinned: [], watched: [] };
  guardGit(guards, root, join(root, ".git"));
  guard(guards, join(root, ".stet"), "folder");
  for (const path of own) {
    // Outside the root nothing can be written anyway.
    if (isInside(root, path)) guard(guards, path, "folder");
  }
  return guards;
}

export function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function guard(guards: Collected, path: string, kind: GuardedPath["kind"]): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isSymbolicLink()) {
    guards.readOnly.push({ path, kind });
    return;
  }
  guards.watched.push({ path, target: readlinkSync(path) });
  const real = realOf(path);
  if (real !== undefined) guards.readOnly.push({ path: real, kind });
}

function guardGit(guards: Collected, root: string, git: string): void {
  const stats = lstatSync(git, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(git).length === 0)) {
    guards.readOnly.push({ path: git, kind: "folder" });
  } else if (stats.isDirectory()) {
    guardGitFolder(guards, git);
  } else if (stats.isSymbolicLink()) {
    guards.watched.push({ path: git, target: readlinkSync(git) });
    const real = realOf(git);
    if (real === undefined || !isInside(root, real)) return;
    if (statSync(real).isDirectory()) guardGitFolder(guards, real);
    else guards.readOnly.push({ path: real, kind: "file" });
  } else {
    guards.readOnly.push({ path: git, kind: "file" });
    const worktree = worktreeOf(git);
    if (worktree !== undefined) guardWorktree(guards, worktree);
  }
}

/** A folder of git that commands work in: commits, branches and the index go on, what git carries out does not. */
function guardGitFolder(guards: Collected, git: string): void {
  guards.pinned.push(git);
  guard(guards, join(git, "config"), "file");
  guard(guards, join(git, "config.worktree"), "file");
  guard(guards, join(git, "hooks"), "folder");
  const info = join(git, "info");
  guards.pinned.push(info);
  guard(guards, join(info, "attributes"), "file");
  // An empty file of this name would already break git, so its place cannot be taken.
  const common = join(git, "commondir");
  if (existsSync(common)) guard(guards, common, "file");
  else guards.watched.push({ path: common, target: undefined });
}

interface Worktree {
  readonly folder: string;
  readonly common: string;
}

function guardWorktree(guards: Collected, { folder, common }: Worktree): void {
  guardGitFolder(guards, common);
  guards.pinned.push(folder);
  for (const name of ["commondir", "gitdir", "config.worktree"]) guard(guards, join(folder, name), "file");
}

/**
 * Where the file `.git` of a linked worktree leads. Anyone can write such a file, so it is believed only when the folder it
 * names leads back to it: then the repository knows of this worktree.
 */
function worktreeOf(git: string): Worktree | undefined {
  try {
    const [, named] = /^gitdir: (.+?)\s*$/.exec(readFileSync(git, "utf8")) ?? [];
    if (named === undefined) return undefined;
    const folder = realpathSync.native(resolve(dirname(git), named));
    const back = readFileSync(join(folder, "gitdir"), "utf8").trim();
    if (realpathSync.native(isAbsolute(back) ? back : resolve(folder, back)) !== git) return undefined;
    const common = realpathSync.native(
      resolve(folder, readFileSync(join(folder, "commondir"), "utf8").trim()),
    );
    return dirname(folder) === join(common, "worktrees") ? { folder, common } : undefined;
  } catch {
    return undefined;
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
