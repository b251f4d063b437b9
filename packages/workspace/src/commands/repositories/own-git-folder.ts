// Which git folder a working tree has. Anyone can write what `.git` and `commondir` say, so neither is believed where it leads
// out of the tree, unless what is there leads back.

import { dirname, isAbsolute, join, resolve } from "node:path";
import { isInside, realOf, statsOf, textOf } from "./guard-path.ts";

export interface GitFolder {
  /** What belongs to this working tree alone. */
  readonly folder: string;
  /** What belongs to all of them. */
  readonly common: string;
}

/** The git folder of a root; undefined where it has none, or none that is known to be its own. */
export function ownGitFolder(root: string): GitFolder | undefined {
  const git = join(root, ".git");
  const isFile = statsOf(git)?.isFile() ?? false;
  const linked = isFile ? worktreeOf(git) : undefined;
  if (linked !== undefined) return linked;
  const folder = isFile ? separateFolder(git) : realOf(git);
  if (folder === undefined || !isInside(root, folder)) return undefined;
  const shared = join(folder, "commondir");
  if (statsOf(shared) === undefined) return { folder, common: folder };
  const named = textOf(shared)?.trim();
  const common = named === undefined ? undefined : realOf(resolve(folder, named));
  return common !== undefined && isInside(root, common) ? { folder, common } : undefined;
}

/**
 * Where the file `.git` of a linked worktree leads. Anyone can write such a file, so it is believed only when the folder it
 * names leads back to it: then the repository knows of this worktree.
 */
export function worktreeOf(git: string): GitFolder | undefined {
  const folder = separateFolder(git);
  if (folder === undefined) return undefined;
  const [back, shared] = ["gitdir", "commondir"].map((name) => textOf(join(folder, name))?.trim());
  if (back === undefined || shared === undefined) return undefined;
  if (realOf(isAbsolute(back) ? back : resolve(folder, back)) !== git) return undefined;
  const common = realOf(resolve(folder, shared));
  return common !== undefined && dirname(folder) === join(common, "worktrees")
    ? { folder, common }
    : undefined;
}

/** The folder that a file `.git` names. */
export function separateFolder(git: string): string | undefined {
  const [, named] = /^gitdir: (.+)$/s.exec(textOf(git)?.trim() ?? "") ?? [];
  return named === undefined ? undefined : realOf(resolve(dirname(git), named));
}
