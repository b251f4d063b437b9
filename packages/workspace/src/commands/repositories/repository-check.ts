// Whether a repository that was made in the sandbox could make git, run by the person, start a program or go to another
// repository. What is known to be harmless is allowed, everything else is a reason: `core.fsmonitor`, `hooks/post-checkout`.

import { dirname, join } from "node:path";
import { type ConfigEntry, parseGitConfig } from "./git-config.ts";
import { isInside, namesIn, realOf, statsOf, textOf } from "./guard-path.ts";
import { separateFolder } from "./own-git-folder.ts";
import { isGitFolder } from "./repository-survey.ts";

const harmlessKeys = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|worktree)$/,
  /^core\.(autocrlf|eol|safecrlf|quotepath|abbrev|compression|longpaths|sparsecheckout|sparsecheckoutcone)$/,
  /^core\.(whitespace|commentchar|untrackedcache|preloadindex|protectntfs|protecthfs|commitgraph)$/,
  /^(user|author|committer)\.(name|email|useconfigonly)$/,
  /^branch\..+\.(remote|merge|rebase|pushremote|description)$/s,
  /^remote\..+\.(url|fetch|pushurl|push|tagopt|prune|promisor|partialclonefilter)$/s,
  /^submodule\.(active|recurse|.+\.(url|active|branch|ignore))$/s,
  /^(pull\.(rebase|ff)|push\.(default|autosetupremote)|merge\.(ff|conflictstyle)|fetch\.prune|init\.defaultbranch)$/,
  /^(rebase\.(autosquash|autostash)|rerere\.enabled|commit\.gpgsign|tag\.gpgsign)$/,
  /^(gc|pack|color|advice|status|index|feature)\./,
  /^extensions\.(objectformat|refstorage|partialclone)$/,
  /^lfs\.repositoryformatversion$/,
];

/** Written by `git lfs install --local`. */
const lfs: Readonly<Record<string, string>> = {
  "filter.lfs.clean": "git-lfs clean -- %f",
  "filter.lfs.smudge": "git-lfs smudge -- %f",
  "filter.lfs.process": "git-lfs filter-process",
  "filter.lfs.required": "true",
};

const maxDepth = 4;

/** Why what stands at `.git` inside the root is not harmless; undefined where it is. */
export function reasonAgainst(git: string, root: string, guarded: readonly string[]): string | undefined {
  const stats = statsOf(git);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return reasonInFolder(git, 0);
  const folder = stats.isSymbolicLink() ? realOf(git) : separateFolder(git);
  // Outside the root nothing was made by a command.
  if (folder === undefined || !isInside(root, folder)) return undefined;
  const owner = guarded.find((each) => isInside(each, folder));
  if (owner !== undefined) {
    if (dirname(folder) !== join(owner, "worktrees")) return undefined;
    return worktreeReason(folder, owner);
  }
  return statsOf(folder)?.isDirectory() ? reasonInFolder(folder, 0) : undefined;
}

function worktreeReason(folder: string, owner: string): string | undefined {
  const common = textOf(join(folder, "commondir"));
  if (common === undefined || realOf(join(folder, common.trim())) !== owner) return "commondir";
  return textOf(join(folder, "config.worktree")) ? "config.worktree" : undefined;
}

export function reasonInFolder(git: string, depth: number): string | undefined {
  // What cannot be read here, because it is too large or is no file, may yet be read by git.
  for (const name of ["config", "config.worktree", "commondir"]) {
    const path = join(git, name);
    if (statsOf(path) !== undefined && textOf(path) === undefined) return name;
  }
  const entry = parseGitConfig(textOf(join(git, "config")) ?? "").find((each) => !isHarmless(each));
  if (entry !== undefined) return entry.key === "" ? "config" : entry.key;
  if (textOf(join(git, "config.worktree"))) return "config.worktree";
  const common = textOf(join(git, "commondir"));
  if (common !== undefined && common.trim() !== ".") return "commondir";
  const hook = namesIn(join(git, "hooks")).find((name) => !name.endsWith(".sample"));
  if (hook !== undefined) return `hooks/${hook}`;
  return depth < maxDepth ? reasonInModules(join(git, "modules"), depth) : undefined;
}

function reasonInModules(folder: string, depth: number): string | undefined {
  if (depth > maxDepth || statsOf(folder)?.isSymbolicLink()) return "modules";
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const reason = isGitFolder(path) ? reasonInFolder(path, depth + 1) : reasonInModules(path, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function isHarmless({ key, value }: ConfigEntry): boolean {
  if (key === "core.fsmonitor") return /^(true|false|yes|no|on|off|0|1|)$/i.test(value);
  if (/\.(url|pushurl)$/.test(key) && /^(-|[a-z-]+::)/i.test(value)) return false;
  return lfs[key] === value || harmlessKeys.some((pattern) => pattern.test(key));
}
