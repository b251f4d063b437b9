// Looks for repositories in the folders of a root: each `.git`, and each folder that git would take for a bare repository.
// Breadth first and bounded, because it is done before the first command and after the last one of a turn. Links are not
// followed.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { statsOf } from "./guard-path.ts";

export interface FolderSurvey {
  /** Folders with a `.git` in them, the root itself left out. */
  readonly holders: readonly string[];
  readonly bare: readonly string[];
  /** Folders that were looked into, the outer ones first. */
  readonly folders: readonly string[];
  /** Whether there was nothing more to look into. */
  readonly isComplete: boolean;
}

const skipped = new Set([".git", ".stet", "node_modules"]);
const maxFolders = 400;

export function surveyFolders(root: string, limit = maxFolders): FolderSurvey {
  const folders = [root];
  const holders: string[] = [];
  const bare: string[] = [];
  let isComplete = true;
  for (let index = 0; index < folders.length; index += 1) {
    const folder = folders[index] ?? root;
    const names = new Map(entriesIn(folder));
    if (names.has(".git") && folder !== root) holders.push(folder);
    if (names.has("HEAD") && names.get("objects") && names.get("refs")) {
      bare.push(folder);
      if (folder !== root) continue;
    }
    for (const [name, isFolder] of names) {
      if (!isFolder || skipped.has(name)) continue;
      if (folders.length < limit) folders.push(join(folder, name));
      else isComplete = false;
    }
  }
  return { holders, bare, folders, isComplete };
}

/** Whether git would take a folder for the inside of a repository. */
export function isGitFolder(path: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => statsOf(join(path, name)) !== undefined);
}

function entriesIn(folder: string): [string, boolean][] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => [entry.name, entry.isDirectory()]);
  } catch {
    return [];
  }
}
