// Which files a word of a command reaches: those that a pattern finds, and those that lie below a folder that is walked.
//
// - A pattern finds at least what bash's would: hidden names only where it begins with a dot, `**` in any depth (as with
//   globstar), a bracket as anything. Links on the way are followed.
// - A walk looks for files that matter: those that may hold secrets, and those that a rule is about. A folder that a rule is
//   about counts as a whole. Links are followed only where the program does.
// - Both are bounded. What is beyond the bound is not known, and "too many" is said instead of a list.

import { isSecretPath } from "@stet/workspace/files/secret-names";
import type { FolderEntry } from "./folder-entries.ts";

export type EntriesIn = (absolute: string) => readonly FolderEntry[];

const maxMatches = 2000;
const maxEntries = 50_000;
const maxFound = 20;

const wild = /[*?[]/;

export function hasWildcard(text: string): boolean {
  return wild.test(text);
}

/** The paths that fit a pattern: absolute. */
export function expandPattern(entriesIn: EntriesIn, pattern: string): readonly string[] | "too many" {
  let folders = ["/"];
  let left = maxEntries;
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next: string[] = [];
    for (const folder of folders) {
      const within = folder === "/" ? "" : folder;
      if (!wild.test(part)) {
        next.push(`${within}/${part}`);
        continue;
      }
      const entries = part === "**" ? below(entriesIn, folder, left) : entriesIn(folder);
      if (entries === "too many") return entries;
      left -= entries.length;
      if (left < 0) return "too many";
      const fits = part === "**" ? undefined : namePattern(part);
      if (part === "**" && !isLast) next.push(folder);
      for (const { name, kind } of entries) {
        if (
          fits !== undefined &&
          (!fits.test(name) || (name.startsWith(".") && !part.startsWith(".") && !part.startsWith("[")))
        )
          continue;
        if (isLast || kind !== "file") next.push(`${within}/${name}`);
      }
    }
    if (next.length > maxMatches) return "too many";
    folders = next;
  }
  return folders;
}

/** Everything below a folder, with names relative to it. */
function below(entriesIn: EntriesIn, folder: string, most: number): readonly FolderEntry[] | "too many" {
  const found: FolderEntry[] = [];
  const pending = [""];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const entry of entriesIn(`${folder}/${at}`)) {
      if (entry.name.startsWith(".")) continue;
      const name = at === "" ? entry.name : `${at}/${entry.name}`;
      found.push({ ...entry, name });
      if (found.length > most) return "too many";
      if (entry.kind === "folder") pending.push(name);
    }
  }
  return found;
}

/** A name's pattern, as a regular expression that fits no less. */
export function namePattern(part: string): RegExp {
  const body = part
    .replace(/\[.*\]/s, "*")
    .replace(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".");
  return new RegExp(`^${body}$`, "is");
}

/** How a program goes through folders. */
export interface Walk {
  /** Whether it shows what is in files, or only which there are. */
  readonly shows: "contents" | "names";
  /** Patterns of the names that it looks at; all where there are none. */
  readonly only: readonly string[];
  /** Patterns of names that it passes by. */
  readonly excludedFiles: readonly string[];
  readonly excludedFolders: readonly string[];
  readonly hidden: boolean;
  /** Whether it passes by what git ignores. */
  readonly ignores: boolean;
  readonly followsLinks: boolean;
  /** Whether files with secrets can be among what it looks at. */
  readonly findsSecrets: boolean;
}

export const everything: Walk = {
  shows: "contents",
  only: [],
  excludedFiles: [],
  excludedFolders: [],
  hidden: true,
  ignores: false,
  followsLinks: false,
  findsSecrets: true,
};

export const namesOnly: Walk = { ...everything, shows: "names" };

export interface WalkedTree {
  readonly entriesIn: EntriesIn;
  /** The path as rules and names know it: from the root, or absolute. */
  readonly shown: (absolute: string) => string;
  /** Whether a rule forbids reading this path, or has it asked for. */
  readonly isRuled: (path: string) => boolean;
  readonly hasRules: boolean;
}

/** Dependencies come with keys of their tests: those are nobody's secrets. */
const dependencies = new Set(["node_modules", "site-packages", ".venv", "venv", ".tox", "vendor", ".cargo"]);

/** Absolute paths below a folder that matter: as many as `most`. */
export function walkedPaths(
  tree: WalkedTree,
  folder: string,
  walk: Walk,
  most = maxFound,
): readonly string[] | "too many" {
  const only = walk.only.map(namePattern);
  const excludedFiles = exclusionOf(walk.excludedFiles);
  const excludedFolders = exclusionOf(walk.excludedFolders);
  const found: string[] = [];
  const pending = [{ path: folder.replace(/\/+$/, ""), isDependency: false }];
  let left = maxEntries;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const { name, kind } of tree.entriesIn(at.path === "" ? "/" : at.path)) {
      left -= 1;
      if (left < 0) return "too many";
      if (name === ".git" || (!walk.hidden && name.startsWith("."))) continue;
      if ((kind === "folder" ? excludedFolders : excludedFiles).some((pattern) => pattern.test(name)))
        continue;
      if (kind === "link" && !walk.followsLinks) continue;
      const path = `${at.path}/${name}`;
      const shown = tree.shown(path);
      const isDependency = at.isDependency || dependencies.has(name);
      if (kind !== "file" && tree.isRuled(`${shown}/`)) {
        found.push(path);
      } else if (kind === "folder") {
        if (!isDependency || tree.hasRules) pending.push({ path, isDependency });
      } else if (kind === "link") {
        found.push(path);
      } else if (
        walk.shows === "contents" &&
        (only.length === 0 || only.some((pattern) => pattern.test(name)))
      ) {
        const isSecret = walk.findsSecrets && !isDependency && isSecretPath(shown);
        if (isSecret || tree.isRuled(shown)) found.push(path);
      }
      if (found.length >= most) return found;
    }
  }
  return found;
}

/** Only patterns of which it is certain what they exclude. */
function exclusionOf(patterns: readonly string[]): readonly RegExp[] {
  return patterns
    .map((pattern) => pattern.replace(/^\.?\/|\/(?:\*\*)?$/g, ""))
    .filter((pattern) => /^[\w.*-]+$/.test(pattern))
    .map((pattern) => new RegExp(`^${pattern.replaceAll(".", "\\.").replace(/\*+/g, ".*")}$`, "s"));
}
