// Programs that Stet itself starts outside of the sandbox: by an absolute path that no command can have written.
//
// PATH often begins with folders of the workspace (`npm exec`, a venv, direnv). A program of the same name there is the
// workspace's, and would run with the person's rights. So a program is taken only if nothing on the way to it, each
// folder and each link included, lies where commands may write or could be changed by anyone but the system and the person.

import { accessSync, constants, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, isAbsolute, join, normalize, sep } from "node:path";
import { isInside } from "./repositories/guard-path.ts";

export interface ProgramSearch {
  /** As in the environment. */
  readonly path: string;
  /** Absolute, every link resolved. */
  readonly root: string;
  /** What commands may write beside the root: absolute. */
  readonly writable?: readonly string[] | undefined;
}

export interface FoundProgram {
  readonly program: string | undefined;
  /** Programs of that name that are not used, each with the reason: a sentence for people. */
  readonly refused: readonly string[];
}

const maxLinks = 40;
const sticky = 0o1000;
const groupWrites = 0o020;
const othersWrite = 0o002;

export function findTrusted(name: string, search: ProgramSearch): FoundProgram {
  const refused: string[] = [];
  for (const folder of search.path.split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, name);
    if (!isProgram(candidate)) continue;
    const why = distrust(candidate, search);
    if (why === undefined) return { program: candidate, refused };
    refused.push(`${candidate} is not used, because ${why}.`);
  }
  return { program: undefined, refused };
}

export function trustedProgram(name: string, search: ProgramSearch): string | undefined {
  return findTrusted(name, search).program;
}

/** The folders of a PATH that our own scripts may take programs from. */
export function trustedPath(search: ProgramSearch): string {
  const folders = search.path.split(delimiter).filter(isAbsolute);
  const isTrusted = (folder: string) => isFolder(folder) && distrust(folder, search) === undefined;
  return [...new Set([...folders.filter(isTrusted), "/usr/bin", "/bin"])].join(delimiter);
}

/** A PATH without the folders that lie in the root, under whatever name. */
export function pathOutside(path: string, root: string): string {
  const kept = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isInside(root, realOf(folder)));
  return kept.length === 0 ? "/usr/bin:/bin" : kept.join(delimiter);
}

/** Whether commands that read find a program that other commands could have written, or find one only in the workspace. */
export function isWritableProgram(name: string, search: ProgramSearch): boolean {
  const { path, root } = search;
  const outside = pathOutside(path, root);
  const found = findProgram(name, outside);
  if (found === undefined) return findProgram(name, path) !== undefined;
  const real = realOf(found);
  const folders = ["/tmp", "/var/tmp", "/dev/shm", tmpdir()].map(realOf);
  return distrust(found, search) !== undefined || folders.some((folder) => isInside(folder, real));
}

/** A program by its name, as the system would find it. */
export function findProgram(name: string, path: string): string | undefined {
  const folders = path.split(delimiter).filter(isAbsolute);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Why a path is not to be trusted, as the end of a sentence. Goes from the top down, and along every link. */
function distrust(path: string, { root, writable = [] }: ProgramSearch): string | undefined {
  const written = writable.map(realOf);
  const trusted = new Set([0, process.getuid?.() ?? 0, statSync("/").uid]);
  let rest = normalize(path).split(sep).filter(Boolean);
  let at: string = sep;
  for (let links = 0; rest.length > 0; ) {
    const [name = "", ...others] = rest;
    at = join(at, name);
    rest = others;
    if (isInside(root, at)) return `${at} lies in the workspace`;
    if (written.some((folder) => isInside(folder, at))) return `commands may write ${at}`;
    const stats = linkStats(at);
    if (stats === undefined) return `${at} cannot be looked at`;
    if (stats.isSymbolicLink()) {
      links += 1;
      if (links > maxLinks) return `${at} is a link that leads nowhere`;
      const target = readlinkSync(at);
      rest = [...target.split(sep).filter((part) => part !== "" && part !== "."), ...rest];
      at = isAbsolute(target) ? sep : dirname(at);
      continue;
    }
    if (!trusted.has(stats.uid)) return `${at} belongs to another account`;
    if (isWritableByOthers(stats)) return `other accounts may change ${at}`;
  }
  return undefined;
}

/** In a folder with the sticky bit others cannot replace what is not theirs. */
function isWritableByOthers(stats: Stats): boolean {
  const { mode, gid, uid } = stats;
  // A group of the same number is the person's own; those of macOS's group admin may become root anyway.
  const isOwnGroup = gid === 0 || gid === uid || (process.platform === "darwin" && gid === 80);
  const isShared = (mode & othersWrite) !== 0 || ((mode & groupWrites) !== 0 && !isOwnGroup);
  return isShared && !(stats.isDirectory() && (mode & sticky) !== 0);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** PATH may name what is missing, what is no folder, and what is closed to the person. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function linkStats(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
