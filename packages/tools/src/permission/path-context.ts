// Where a path leads: inside the folder that is worked in, outside of it, to a secret, or to what belongs to git and Stet.
//
// A path is judged twice, by its name and by where links really lead, and the stricter answer counts.

import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, posix } from "node:path";
import { isProtectedName } from "@stet/workspace/files/protected-names";
import { isSecretPath } from "@stet/workspace/files/secret-names";
import type { GitFiles } from "./folder-entries.ts";
import { type EntriesIn, expandPattern, hasWildcard, namePattern } from "./reach.ts";
import type { ShellKind, ShellWord } from "./shell-step.ts";

export interface PathContext {
  /** Absolute, every link resolved. */
  readonly root: string;
  readonly home: string;
  /** Where links lead, for an absolute path that need not exist. */
  readonly realPath: (absolute: string) => string;
  /** The shell that commands are run by. */
  readonly shell: ShellKind;
  /** Whether the program that commands find under a name could have been written by one of them. */
  readonly isWritableProgram: (name: string) => boolean;
  readonly entriesIn: EntriesIn;
  readonly git: GitFiles;
}

export type PathKind = "inside" | "outside" | "secret" | "protected" | "nowhere" | "network";

export interface JudgedPath {
  readonly kind: PathKind;
  /** From the root where it is inside, otherwise absolute. By name first, then where links lead if that is elsewhere. */
  readonly names: readonly string[];
}

const rank: readonly PathKind[] = ["nowhere", "inside", "outside", "secret", "protected", "network"];

const nowhere = /^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/[012])$/;

/** `folder` is absolute, or relative to the root. */
export function judgePath(place: PathContext, folder: string, path: string): JudgedPath {
  const absolute = absolutePath(place, absolutePath(place, place.root, folder), path);
  const named = posix.normalize(absolute);
  if (nowhere.test(named)) return { kind: "nowhere", names: [named] };
  if (/^\/dev\/(?:tcp|udp)\//.test(named)) return { kind: "network", names: [named] };
  // Not normalised before links are followed: behind a link, `..` is another folder than its name says.
  const real = place.realPath(absolute);
  const kinds = [kindOf(place, named), kindOf(place, real)];
  const kind = kinds.reduce((a, b) => (rank.indexOf(a) > rank.indexOf(b) ? a : b));
  return { kind, names: [...new Set([shownPath(place, named), shownPath(place, real)])] };
}

export function absolutePath(place: PathContext, folder: string, path: string): string {
  if (path === "~" || path.startsWith("~/")) return place.home + path.slice(1);
  // Another person's home.
  if (path.startsWith("~")) return `/home/${path.slice(1)}`;
  return path.startsWith("/") ? path : `${folder}/${path}`;
}

export function shownPath({ root }: PathContext, absolute: string): string {
  const clean = absolute.length > 1 ? absolute.replace(/\/+$/, "") : absolute;
  if (clean === root) return ".";
  return clean.startsWith(`${root}/`) ? clean.slice(root.length + 1) : clean;
}

function kindOf(place: PathContext, absolute: string): PathKind {
  const path = shownPath(place, absolute);
  if (isSecretPath(path)) return "secret";
  if (path.startsWith("/")) return "outside";
  return path.split("/").some(isProtectedName) ? "protected" : "inside";
}

const sampleSecrets = [".env", ".env.local", ".env.production", ".envrc", ".npmrc", ".netrc", ".ssh", ".aws"];
const plainSecrets = ["id_rsa", "id_ed25519", "server.pem", "server.key", "credentials", "secrets.json"];

/** Whether a pattern of file names, as written, would find a secret if one were there on purpose. `*` finds everything
 * that is not hidden, so only a pattern that is about secrets counts. */
function findsSecrets(pattern: string): boolean {
  return pattern.split("/").some((part) => {
    if (!hasWildcard(part)) return isSecretPath(part);
    if (!part.startsWith(".") && !part.startsWith("[")) {
      return /[^*?.[\]]{2}/.test(part) && plainSecrets.some((name) => namePattern(part).test(name));
    }
    return [...sampleSecrets, ...plainSecrets].some((name) => namePattern(part).test(name));
  });
}

/** The part of a pattern that is certain: the folder in which it looks. */
function fixedFolder(pattern: string): string {
  const parts = pattern.split("/");
  const wild = parts.findIndex(hasWildcard);
  return parts.slice(0, wild === -1 ? parts.length : wild).join("/") || (pattern.startsWith("/") ? "/" : ".");
}

/** A word as paths, in a folder: of a pattern the pattern itself, and then what it finds. Undefined when it could be any. */
export function judgeWord(
  place: PathContext,
  folder: string,
  word: ShellWord,
): readonly JudgedPath[] | "too many" | undefined {
  if (word.kind === "unknown") return undefined;
  if (word.kind === "literal") return [judgePath(place, folder, word.value)];
  // Behind a pattern, `..` could lead anywhere.
  const fixed = fixedFolder(word.value);
  if (
    word.value
      .slice(fixed === "." ? 0 : fixed.length)
      .split("/")
      .includes("..")
  )
    return undefined;
  const found = judgePath(place, folder, fixed);
  const isSecretFound = found.kind === "inside" && findsSecrets(word.value);
  const pattern: JudgedPath = {
    kind: isSecretFound ? "secret" : found.kind,
    names: [word.value, ...found.names],
  };
  const start = absolutePath(place, absolutePath(place, place.root, folder), fixed);
  const rest = word.value.slice(fixed === "." ? 0 : fixed.length);
  const reached = expandPattern(place.entriesIn, `${place.realPath(start)}/${rest}`);
  if (reached === "too many") return reached;
  return [pattern, ...reached.map((path) => judgePath(place, "/", path))];
}

/** Follows links on the disk, through the deepest part that exists. */
export function realPathOnDisk(absolute: string): string {
  let existing = absolute;
  let rest = "";
  for (;;) {
    try {
      const real = realpathSync.native(existing);
      return posix.normalize(real + rest);
    } catch {
      // A link into nowhere could become one to anywhere.
      if (isLink(existing)) return "/";
      const parent = dirname(existing);
      if (parent === existing) return posix.normalize(absolute);
      rest = `/${basename(existing)}${rest}`;
      existing = parent;
    }
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch {
    return false;
  }
}
