// What git, outside of the sandbox, would carry out or follow in the repositories of a folder.
//
//   closed    config, config.worktree, hooks, info/attributes; what leads to another repository: commondir, alternates,
//             remotes, branches, `.git` files, worktrees of the person; what a configuration names inside the folder: hooks,
//             included files, programs
//   open      objects, refs, logs, index, HEAD: `add`, `commit`, `stash`, `rebase`, `gc` go on, and so does `worktree add`
//
// An empty file `commondir` would break git, one that says `.` changes nothing: that is what is mounted there. `.git/modules`
// is closed as a whole, and each submodule in it opened again, because every name in it that does not exist yet would be a
// repository.
//
// Every mount makes the start of a sandbox slower, and more so the more there are: so the guard of a repository inside the
// folder is smaller (`slim`: a name that does not exist is watched, not mounted), and behind the first few they are closed
// as a whole.

import { readdirSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ConfigEntry, pathIn, readGitConfig } from "./git-config.ts";
import { gitlinksOf } from "./git-index.ts";
import {
  type CollectedGuards,
  type GuardedPath,
  guard,
  isInside,
  isReal,
  realOf,
  statsOf,
} from "./guard-path.ts";
import { type GitFolder, separateFolder, worktreeOf } from "./own-git-folder.ts";
import { type FolderSurvey, isGitFolder, surveyFolders } from "./repository-survey.ts";

export interface KnownRepositories {
  /** Git folders whose index may come to name further repositories, with the folder that its paths start from. */
  readonly indexes: readonly {
    readonly git: string;
    readonly workTree: string;
    readonly hashBytes: number;
  }[];
  /** Every `.git`, and every bare repository, that was there before. */
  readonly survey: FolderSurvey;
  readonly gitlinks: readonly string[];
  /** What is guarded inside of the root beside its own repository. */
  readonly inner: readonly string[];
}

/** Repositories inside the folder that commands may commit in; the others can only be read. */
const maxWritable = 6;
/** Repositories inside the folder, and paths that a configuration names, that are mounted at all. */
const maxInner = 24;

export interface RepositoryGuardOptions {
  readonly home: string;
  readonly isGuardedByAll: (path: string) => boolean;
}

export function guardRepositories(
  guards: CollectedGuards,
  root: string,
  { home, isGuardedByAll }: RepositoryGuardOptions,
): KnownRepositories {
  const git = guardRoot(guards, root);
  const survey = surveyFolders(root);
  const config = git === undefined ? undefined : readGitConfig(join(git.common, "config"), home);
  const hashBytes = config?.entries.some(isSha256) ? 32 : 20;
  const gitlinks = git === undefined ? [] : gitlinksOf(join(git.folder, "index"), hashBytes);
  const holders = [...gitlinks.map((each) => join(root, each)), ...survey.holders];
  const named = namedPaths(guards, root, home, config);
  // A link `.git` may lead to a repository of the root that looks like a bare one: that is guarded already.
  const bare = survey.bare.filter((path) => path !== git?.common);
  const inner = [...new Set([...holders, ...bare, ...named.keys()])]
    .filter((path) => path !== root && isInside(root, path) && isReal(path))
    .filter(isGuardedByAll)
    .slice(0, maxInner);
  const budget = { left: maxWritable };
  for (const path of inner) {
    const kind = named.get(path);
    if (kind !== undefined) guard(guards, { path, kind });
    else if (survey.bare.includes(path)) guardGitFolder(guards, path, "slim");
    else guardHolder(guards, root, path, budget);
  }
  pinFoldersAbove(guards, root, inner);
  const indexes = git === undefined ? [] : [{ git: git.folder, workTree: root, hashBytes }];
  return { indexes, survey, gitlinks: gitlinks.map((each) => join(root, each)), inner };
}

/**
 * Otherwise a command could put a link in the place of a folder, and the next sandbox would mount what it leads to. For the
 * same reason nothing inside the root is mounted that another sandbox, which lives, does not guard: a command in it could
 * do that at the moment of the mount.
 */
function pinFoldersAbove(guards: CollectedGuards, root: string, paths: readonly string[]): void {
  const above = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== root && isInside(root, folder); folder = dirname(folder)) {
      if (statsOf(folder) !== undefined) above.add(folder);
    }
  }
  for (const folder of above) if (!guards.pinned.includes(folder)) guards.pinned.push(folder);
}

function isSha256({ key, value }: ConfigEntry): boolean {
  return key === "extensions.objectformat" && value.toLowerCase() === "sha256";
}

/** The repository that the root belongs to; undefined where there is none, or none that may be written. */
function guardRoot(guards: CollectedGuards, root: string): GitFolder | undefined {
  const git = join(root, ".git");
  const stats = statsOf(git);
  if (stats === undefined || (stats.isDirectory() && readdirSync(git).length === 0)) {
    guards.readOnly.push({ path: git, kind: "folder" });
    return undefined;
  }
  if (stats.isDirectory()) return guardWhole(guards, git);
  if (stats.isSymbolicLink()) {
    guards.watched.push({ path: git, target: readlinkSync(git) });
    const real = realOf(git);
    if (real === undefined || !isInside(root, real)) return undefined;
    if (statsOf(real)?.isDirectory()) return guardWhole(guards, real);
    guards.readOnly.push({ path: real, kind: "file" });
    return undefined;
  }
  guards.readOnly.push({ path: git, kind: "file" });
  const worktree = worktreeOf(git);
  if (worktree === undefined) return undefined;
  guardWhole(guards, worktree.common);
  return worktree;
}

function guardWhole(guards: CollectedGuards, git: string): GitFolder {
  guardGitFolder(guards, git, "full");
  guardModules(guards, git, { left: maxWritable });
  guardWorktrees(guards, git);
  return { folder: git, common: git };
}

/** A folder of git that commands work in: commits, branches and the index go on, what git carries out does not. */
function guardGitFolder(guards: CollectedGuards, git: string, how: "full" | "slim"): void {
  guards.pinned.push(git);
  guard(guards, { path: join(git, "config"), kind: "file" });
  guard(guards, { path: join(git, "hooks"), kind: "folder" });
  guard(guards, { path: join(git, "commondir"), kind: "file", content: ".\n" });
  const files = ["config.worktree", "info/attributes", "objects/info/alternates"].map((name) =>
    join(git, name),
  );
  if (how === "slim") {
    for (const path of files) guardOrWatch(guards, { path, kind: "file" });
    return;
  }
  guards.pinned.push(join(git, "info"), join(git, "objects"), join(git, "objects/info"));
  for (const path of files) guard(guards, { path, kind: "file" });
  // Remotes as they were written before there was a configuration for them.
  for (const name of ["remotes", "branches"]) guard(guards, { path: join(git, name), kind: "folder" });
}

/** Where nothing is, nothing is mounted: it is noticed when something comes. */
function guardOrWatch(guards: CollectedGuards, guarded: GuardedPath): void {
  const { path } = guarded;
  if (statsOf(path) !== undefined) guard(guards, guarded);
  else guards.watched.push({ path, target: undefined });
}

/** The git folders of submodules, which may have submodules themselves. A name of one can have several segments. */
function guardModules(guards: CollectedGuards, git: string, budget: { left: number }): void {
  const modules = join(git, "modules");
  const stats = statsOf(modules);
  guard(guards, { path: modules, kind: "folder" });
  if (!stats?.isDirectory()) return;
  const found = gitFoldersIn(modules, 4);
  // All of them or none: which of twenty can be written would be a riddle.
  if (found.length > budget.left) return;
  budget.left -= found.length;
  for (const each of found) {
    guardGitFolder(guards, each, "slim");
    guardModules(guards, each, budget);
  }
}

function gitFoldersIn(folder: string, depth: number): string[] {
  return foldersIn(folder).flatMap((path) => {
    if (isGitFolder(path)) return [path];
    return depth > 1 ? gitFoldersIn(path, depth - 1) : [];
  });
}

/** Those of the person, wherever they are checked out, lead to this repository and to nothing else. */
function guardWorktrees(guards: CollectedGuards, git: string): void {
  const folder = join(git, "worktrees");
  const known = foldersIn(folder);
  if (known.length > maxWritable) {
    guards.readOnly.push({ path: folder, kind: "folder" });
    return;
  }
  if (known.length > 0) guards.pinned.push(folder);
  for (const path of known) {
    guards.pinned.push(path);
    for (const name of ["commondir", "gitdir", "config.worktree"]) {
      guard(guards, { path: join(path, name), kind: "file" });
    }
  }
}

/** A folder inside of the root that is, or by the index stands for, a repository of its own. */
function guardHolder(guards: CollectedGuards, root: string, holder: string, budget: { left: number }): void {
  // Missing: what comes to stand there is looked at (repository-watch.ts).
  if (!statsOf(holder)?.isDirectory()) return;
  const git = join(holder, ".git");
  const stats = statsOf(git);
  if (stats === undefined) {
    // A submodule that was not fetched is an empty folder, and stays one: git takes an empty `.git` in it for damage.
    if (readdirSync(holder).length === 0) guards.readOnly.push({ path: holder, kind: "folder" });
    return;
  }
  guards.pinned.push(holder);
  if (stats.isDirectory() && budget.left > 0 && readdirSync(git).length > 0) {
    budget.left -= 1;
    guardGitFolder(guards, git, "slim");
    guardModules(guards, git, { left: 0 });
    return;
  }
  guard(guards, { path: git, kind: stats.isDirectory() ? "folder" : "file" });
  const elsewhere = stats.isFile() ? separateFolder(git) : undefined;
  if (elsewhere === undefined || !isInside(root, elsewhere) || guards.pinned.includes(elsewhere)) return;
  if (guards.readOnly.some(({ path }) => isInside(path, elsewhere))) return;
  guardGitFolder(guards, elsewhere, "slim");
  pinFoldersAbove(guards, root, [elsewhere]);
}

/** What the configuration, the repository's and the person's, makes git obey or run inside of the folder. */
function namedPaths(
  guards: CollectedGuards,
  root: string,
  home: string,
  config: ReturnType<typeof readGitConfig> | undefined,
): Map<string, GuardedPath["kind"]> {
  const personal = [join(home, ".gitconfig"), join(home, ".config/git/config"), "/etc/gitconfig"];
  const all = [
    ...(config === undefined ? [] : [config]),
    ...personal.map((path) => readGitConfig(path, home)),
  ];
  const isFree = (path: string) =>
    isInside(root, path) && path !== root && !guards.readOnly.some((each) => isInside(each.path, path));
  const named = new Map<string, GuardedPath["kind"]>();
  for (const { entries, files } of all) {
    for (const file of files.filter(isFree)) named.set(file, "file");
    for (const { key, value } of entries) {
      const path = pathIn(root, value, home);
      if (key === "core.hookspath" && isFree(path)) named.set(path, "folder");
      if (isInert(key)) continue;
      for (const word of value.split(/[\s'"`;&|()<>=$!]+/).filter((each) => each !== "")) {
        const file = pathIn(root, word, home);
        if (isFree(file) && isPlainFile(file)) named.set(file, "file");
      }
    }
  }
  return named;
}

/** Says nothing that git would run by itself: an alias is run by who types it. */
function isInert(key: string): boolean {
  return /^(alias|branch|remote|url|user|include|includeif|submodule|color|advice)\./.test(key);
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

function isPlainFile(path: string): boolean {
  return statsOf(path)?.isFile() ?? false;
}
