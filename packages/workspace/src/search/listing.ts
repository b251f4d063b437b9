// Which files of a workspace there are for people and models to see.
//
//   ignored     what .gitignore, .ignore and the user's global ignore file say, also where there is no repository.
//               Rules from above the workspace count only inside a repository that encloses it
//   never       .git, .stet, Stet's temporary files, and what lies behind a symbolic link
//   hidden      names that begin with a dot: only if asked for, or below a prefix that names one
//   prefix      a file or folder of the workspace. Naming an ignored or hidden folder is asking for it
//   glob        like a line of .gitignore: without "/" it is about the file name, else about the whole path from
//               the workspace; `*` `?` `[a-z]` `{a,b}` `**`, and "!" in front for all other files.
//               We match it ourselves: ripgrep's own globs bring back what is ignored or hidden
//
// Paths are relative to the workspace, with "/". A name that is not UTF-8 cannot be said, so it is left out.

import { isUtf8 } from "node:buffer";
import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, join, posix, relative, sep, win32 } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { systemFault } from "@stet/protocol/system-fault";
import { isOwnFile, isProtectedName } from "../files/protected-names.ts";
import { repositoryRootOf } from "../files/workspace-root.ts";
import { compileGlob } from "./glob.ts";
import { type ReadMore, runRipgrep } from "./ripgrep.ts";

export interface ListingOptions {
  readonly prefix?: string | undefined;
  readonly glob?: string | undefined;
  readonly limit?: number | undefined;
  readonly hidden?: boolean | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Listing {
  readonly files: readonly string[];
  /** There are more. Those listed are the first that a walk of the tree comes by, folder by folder. */
  readonly truncated: boolean;
}

export async function listFiles(rootPath: string, options: ListingOptions = {}): Promise<Listing | Fault> {
  const { limit = 10_000, hidden = false, timeoutMs = 30_000 } = options;
  const isWanted = options.glob === undefined ? () => true : compileGlob(options.glob);
  if (isFault(isWanted)) return isWanted;
  const scope = await scopeOf(rootPath, options.prefix);
  if (isFault(scope)) return scope;

  const files: string[] = [];
  let isOver = false;
  const read = (records: readonly Buffer[]): ReadMore => {
    for (const record of records) {
      const path = isUtf8(record) ? fromRipgrep(record.toString()) : undefined;
      if (path === undefined || !isWanted(path)) continue;
      if (files.length >= limit) {
        isOver = true;
        return "enough";
      }
      files.push(path);
    }
    return "more";
  };
  const end = await runRipgrep({
    cwd: rootPath,
    flags: ["--files", "--null", "--sort=path", ...walkFlags(rootPath, scope, hidden)],
    paths: [toRipgrep(scope.path)],
    separator: "\0",
    read,
    timeoutMs,
    signal: options.signal,
  });
  if (isFault(end)) return end;
  return { files: files.sort(), truncated: isOver || end.by === "limit" };
}

/** A part of the workspace: "" is all of it. */
export interface SearchRoot {
  readonly path: string;
  readonly isFile: boolean;
}

/** Where a prefix leads, through every symbolic link on its way: ripgrep would follow those in its arguments. */
export async function scopeOf(rootPath: string, prefix = ""): Promise<SearchRoot | Fault> {
  const wanted = process.platform === "win32" ? prefix.replaceAll("\\", "/") : prefix;
  if (wanted.includes("\0")) {
    return new Fault("invalid_path", "The path contains a NUL character.", "Leave it out.", { path: prefix });
  }
  const path = posix.normalize(wanted);
  if (isAbsolute(wanted) || win32.parse(wanted).root !== "" || path === ".." || path.startsWith("../")) {
    return outsideFault(prefix);
  }
  let real: string;
  let isFile: boolean;
  try {
    real = await realpath(join(rootPath, path));
    const entry = await stat(real);
    if (!entry.isFile() && !entry.isDirectory()) {
      const message = `${prefix} is neither a file nor a folder.`;
      return new Fault("not_a_file", message, "Name a file or a folder.", { path: prefix });
    }
    isFile = entry.isFile();
  } catch (error) {
    return systemFault(error, "listed or searched", prefix === "" ? rootPath : prefix);
  }
  const inside = relative(rootPath, real).split(sep).join("/");
  if (isAbsolute(inside) || inside === ".." || inside.startsWith("../")) return outsideFault(prefix);
  if (inside.split("/").some((name) => isProtectedName(name) || isOwnFile(name))) {
    return new Fault(
      "protected_path",
      `${prefix} belongs to git or to Stet, and is not listed or searched.`,
      "Name another folder of the workspace.",
      { path: prefix },
    );
  }
  return { path: inside, isFile };
}

const neverFlags = ["--iglob=!.git", "--iglob=!.stet", "--iglob=!.stet-*.{tmp,old}"];

/** The flags that make a walk of ripgrep, with `rootPath` as its working directory, see what this file promises. */
export function walkFlags(rootPath: string, scope: SearchRoot, hidden: boolean): string[] {
  // A whitelisting line of a .gitignore brings a hidden file back, unless hidden names are excluded by a glob.
  const hiddenFlags = hidden ? ["--hidden"] : ["--iglob=!.*"];
  const flags = [...ignoreFlags(rootPath, scope), ...hiddenFlags, ...neverFlags];
  return sep === "/" ? flags : [...flags, "--path-separator=/"];
}

/**
 * Without a repository ripgrep would apply the .gitignore of every folder above the workspace, of which one with
 * a single "*" hides all of it. So none of them; but those between the workspace and the scope have to be named.
 */
function ignoreFlags(rootPath: string, scope: SearchRoot): string[] {
  if (repositoryRootOf(rootPath, process.env) !== undefined) return [];
  const flags = ["--no-require-git", "--no-ignore-parent"];
  const names = scope.path === "" ? [] : scope.path.split("/");
  for (const depth of names.keys()) {
    for (const file of [".gitignore", ".ignore"]) {
      const path = join(rootPath, ...names.slice(0, depth), file);
      if (existsSync(path)) flags.push(`--ignore-file=${path}`);
    }
  }
  return flags;
}

/** With "./" in front, no path can look like anything else. */
export function toRipgrep(path: string): string {
  return `./${path}`;
}

export function fromRipgrep(path: string): string {
  return path.replace(/^(\.\/)+/, "");
}

function outsideFault(prefix: string): Fault {
  return new Fault(
    "path_outside",
    `${prefix} leads out of the workspace.`,
    'Name a folder relative to the workspace, without "..", or leave it out.',
    { path: prefix },
  );
}
