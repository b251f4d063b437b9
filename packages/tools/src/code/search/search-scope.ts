// Where to search: files, folders and globs as a model names them, as a folder to walk and globs to fit.

import type { Workspace } from "@stet/workspace/workspace";
import { rootPath } from "../root-path.ts";
import { tolerantGlob } from "./tolerant-pattern.ts";

export interface SearchScope {
  /** Files and folders, from the root; "" is all of it. */
  readonly prefixes: readonly string[];
  /** From the root; one of them has to fit, where there are any. */
  readonly globs: readonly string[];
}

const globCharacters = /[*?[\]{}!]/;

export function scopeFrom(workspace: Pick<Workspace, "root">, paths: readonly string[]): SearchScope {
  const prefixes: string[] = [];
  const globs: string[] = [];
  for (const path of paths) {
    const { folder, glob } = splitGlob(tolerantGlob(rootPath(workspace, path)));
    prefixes.push(folder === "." ? "" : folder);
    // Beside a glob, a plain path means everything below it.
    if (glob !== undefined) globs.push(glob.includes("/") || folder !== "." ? joined(folder, glob) : glob);
    else if (folder !== ".") globs.push(folder, `${folder.replace(/\/$/, "")}/**`);
    else globs.push("**");
  }
  const isPlain = paths.every((path) => !globCharacters.test(path));
  return { prefixes: outermost(prefixes), globs: isPlain ? [] : globs };
}

/** The folders before the first name that has a wildcard, and the rest. */
export function splitGlob(path: string): { folder: string; glob: string | undefined } {
  const names = path.split("/");
  const first = names.findIndex((name) => globCharacters.test(name));
  if (first < 0) return { folder: path, glob: undefined };
  return { folder: names.slice(0, first).join("/") || ".", glob: names.slice(first).join("/") };
}

function joined(folder: string, glob: string): string {
  return folder === "." ? glob : `${folder}/${glob}`;
}

/** A folder that lies in another one that is searched anyway is not searched twice. */
function outermost(prefixes: readonly string[]): string[] {
  const distinct = [...new Set(prefixes)];
  if (distinct.length === 0 || distinct.includes("")) return [""];
  return distinct.filter((one) => !distinct.some((other) => other !== one && one.startsWith(`${other}/`)));
}
