// Paths under control. A path from a model, a person or a journal becomes a Location here, or a fault.
//
// - It is relative to the root and uses forward slashes. Absolute paths of any system, URLs, `~`, backslashes,
//   control characters and every `..` are refused as written, before the disk is asked.
// - Links are followed by hand, also dangling ones, so that a file yet to be created is judged by where it would
//   really appear: through its deepest existing parent.
// - That real place lies inside the root. Neither it nor the path as named contains a protected name, whether
//   or not such a thing exists.
// - All of this can change a moment later (a race). So after opening a file, `verifyOpened` checks what was opened.

import { existsSync, fstatSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, parse, relative, sep } from "node:path";
import { cutText } from "@stet/protocol/cut-text";
import { Fault, isFault } from "@stet/protocol/fault";
import { errnoCode, systemFault } from "@stet/protocol/system-fault";
import { foldName, isProtectedName } from "./protected-names.ts";

export interface Root {
  /** Absolute, every link resolved. */
  readonly path: string;
  /** How an opened file is proved to be inside: the kernel tells where the descriptor leads, or, where no kernel
   * tells, its path is resolved again and compared. */
  readonly proof: "descriptor" | "path";
}

export interface Location {
  /** Relative to the root, with forward slashes, as named: links are not resolved. */
  readonly path: string;
  /** Where the file really is, or where it would be created. */
  readonly absolute: string;
  readonly exists: boolean;
}

/** A file, a folder or a link. */
export interface PathEntry {
  /** Relative to the root, with forward slashes; links above it are resolved. */
  readonly path: string;
  readonly absolute: string;
  /** Undefined when nothing is there. */
  readonly stats: Stats | undefined;
}

const maxSegmentBytes = 255;
const maxPathBytes = 4096;
// Each folder that is made costs a sync while others wait to save. What is on disk already may be deeper.
const maxNewDepth = 100;
// As many as Linux follows before it gives up with ELOOP.
const maxLinks = 40;

const descriptorFolder = "/proc/self/fd";
// Without a kernel that tells, a link can be put in place and taken away again between the two questions of one look. Whoever
// does that would have to hit every time.
const looks = 8;

export function openRoot(folder: string, options: { proof?: Root["proof"] } = {}): Root | Fault {
  try {
    const path = realpathSync.native(folder);
    if (!statSync(path).isDirectory()) {
      return new Fault("invalid_path", `${folder} is not a folder.`, "Name the folder to work in.", {
        path: folder,
      });
    }
    return { path, proof: options.proof ?? (existsSync(descriptorFolder) ? "descriptor" : "path") };
  } catch (error) {
    return systemFault(error, "opened as a workspace", folder);
  }
}

/** The place of a regular file, or of one that may be created. */
export function resolveInside(root: Root, userPath: string, source?: PathSource): Location | Fault {
  const found = resolve(root, userPath, source);
  if (isFault(found)) return found;
  if (found.stats !== undefined && !found.stats.isFile()) {
    const kind = found.stats.isDirectory() ? "a folder" : "not a regular file";
    return pathFault("not_a_file", userPath, `is ${kind}`, "Name a regular file.");
  }
  if (userPath.endsWith("/")) {
    return pathFault("invalid_path", userPath, "ends in a slash, so it names a folder", "Name a file.");
  }
  const refusal =
    found.stats === undefined && source !== "found" ? refuseNewPath(root, found.absolute) : undefined;
  if (refusal !== undefined) return refusal;
  return { path: found.path, absolute: found.absolute, exists: found.stats !== undefined };
}

/** Whether a path that someone asks for is too deep or too long to be made. Does not touch the disk. */
export function refuseNewPath(root: Root, absolute: string): Fault | undefined {
  const path = relative(root.path, absolute).split(sep).join("/");
  const problem =
    path.split("/").length - 1 > maxNewDepth
      ? `is more than ${maxNewDepth} folders deep`
      : Buffer.byteLength(absolute) >= maxPathBytes
        ? `is longer than ${maxPathBytes - 1} bytes together with the folder that is worked in`
        : undefined;
  return problem && pathFault("invalid_path", path, problem, "Choose a shorter path.");
}

/** The place of an existing folder, to list or search it. The root itself is ".". */
export function resolveFolder(root: Root, userPath: string): Location | Fault {
  const found = resolve(root, userPath);
  if (isFault(found)) return found;
  if (found.stats === undefined) {
    return pathFault("file_not_found", userPath, "does not exist", "List its parent to see what is there.");
  }
  if (!found.stats.isDirectory()) {
    return pathFault("invalid_path", userPath, "is not a folder", "Name a folder.");
  }
  return { path: found.path, absolute: found.absolute, exists: true };
}

/** The path of an entry itself, to move or remove it: where its last name is a link, it is the link. */
export function resolvePlace(root: Root, userPath: string): PathEntry | Fault {
  const path = parsePath(userPath);
  if (isFault(path)) return path;
  if (path === ".") {
    return pathFault("invalid_path", userPath, "is the workspace itself", "Name something in it.");
  }
  const parent = resolve(root, dirname(path));
  if (isFault(parent)) return parent;
  if (parent.stats !== undefined && !parent.stats.isDirectory()) {
    return pathFault("invalid_path", path, "goes through a file", relativeHint);
  }
  const absolute = join(parent.absolute, basename(path));
  try {
    // Nothing can be in a folder that is not there yet.
    const stats = parent.stats && lstatSync(absolute, { throwIfNoEntry: false });
    const real = relative(root.path, absolute).split(sep).join("/");
    return verifyReal(root, absolute, path) ?? { path: real, absolute, stats };
  } catch (error) {
    return systemFault(error, "found", path);
  }
}

/**
 * Where a path comes from: someone asks for it, or a file was found there. A line end or a tab in a name is a slip in what is
 * asked for, and could make a question look like another one; in what is found it is a name like any other.
 */
export type PathSource = "asked" | "found";

/** A path in its plain form ("a/b.md", "." for the root), judged only as written. Does not touch the disk. */
export function parsePath(userPath: string, source: PathSource = "asked"): string | Fault {
  const refuse = (error: PathError, problem: string) => pathFault(error, userPath, problem, relativeHint);
  if (userPath.trim() === "") return refuse("invalid_path", "is empty");
  if (!userPath.isWellFormed()) return refuse("invalid_path", "contains half of a surrogate pair");
  const controls = source === "found" ? /[^\P{Cc}\t\n]/u : /\p{Cc}/u;
  if (controls.test(userPath)) return refuse("invalid_path", "contains a control character");
  if (Buffer.byteLength(userPath) > maxPathBytes) {
    return refuse("invalid_path", `is longer than ${maxPathBytes} bytes`);
  }
  if (/^([\\/~]|[a-z]:|file:)/i.test(userPath)) return refuse("path_outside", "is an absolute path");
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(userPath)) return refuse("invalid_path", "is a URL");

  const segments = userPath.split(/[\\/]/).filter((segment) => segment !== "" && segment !== ".");
  if (segments.some((segment) => dotsOf(segment) === "..")) return refuse("path_outside", "contains `..`");
  const owned = segments.find(isProtectedName);
  if (owned !== undefined) return protectedFault(userPath, owned);
  if (userPath.includes("\\")) return refuse("invalid_path", "contains a backslash");
  if (segments.some((segment) => dotsOf(segment) === "." || Buffer.byteLength(segment) > maxSegmentBytes)) {
    return refuse(
      "invalid_path",
      `contains a name that is only a dot, or longer than ${maxSegmentBytes} bytes`,
    );
  }
  if (process.platform === "win32" && userPath.includes(":")) {
    return refuse("invalid_path", "contains a colon, which names a stream on Windows");
  }
  return segments.join("/") || ".";
}

/** Whether a real absolute path may be touched: inside the root, and not through a protected name. */
export function verifyReal(root: Root, real: string, path: string): Fault | undefined {
  const prefix = root.path.endsWith(sep) ? root.path : root.path + sep;
  if (real !== root.path && !real.startsWith(prefix)) {
    const hint = "Name a file inside the workspace that no link leads out of.";
    return pathFault("path_outside", path, "leads out of the workspace", hint);
  }
  const inside = real.slice(prefix.length);
  const owned = inside.split(sep).find(isProtectedName);
  return owned === undefined ? undefined : protectedFault(path, owned);
}

/** Proves after opening that what the descriptor holds may be touched, whatever was swapped before the opening.
 * `absolute` is the path that was opened. */
export function verifyOpened(
  root: Root,
  descriptor: number,
  absolute: string,
  path: string,
): Fault | undefined {
  try {
    if (root.proof === "descriptor") {
      // The kernel marks a file that was replaced since; the mark is not part of its name.
      const real = readlinkSync(`${descriptorFolder}/${descriptor}`).replace(/ \(deleted\)$/, "");
      return verifyReal(root, real, path);
    }
    const opened = fstatSync(descriptor, { bigint: true });
    for (let look = 0; look < looks; look += 1) {
      const real = realpathSync.native(absolute);
      const found = lstatSync(real, { bigint: true });
      if (opened.dev !== found.dev || opened.ino !== found.ino) return replacedFault(path);
      const outside = verifyReal(root, real, path);
      if (outside !== undefined) return outside;
    }
    return undefined;
  } catch (error) {
    return systemFault(error, "checked after opening", path);
  }
}

/** The path through which an entry of an opened folder is reached: through the descriptor it cannot be redirected. */
export function entryPath(root: Root, descriptor: number, absolute: string, name: string): string {
  return root.proof === "descriptor" ? `${descriptorFolder}/${descriptor}/${name}` : join(absolute, name);
}

export function replacedFault(path: string): Fault {
  const message = `${path} was replaced while it was being opened.`;
  return new Fault("external_change", message, "Try again.", { path });
}

interface Found {
  path: string;
  absolute: string;
  /** Undefined when nothing is there yet. */
  stats: Stats | undefined;
}

function resolve(root: Root, userPath: string, source?: PathSource): Found | Fault {
  const path = parsePath(userPath, source);
  if (isFault(path)) return path;
  try {
    const followed = followLinks(root, path);
    if (isFault(followed)) return followed;
    return verifyReal(root, followed.absolute, path) ?? { path, ...followed };
  } catch (error) {
    const code = errnoCode(error);
    const problem =
      code === "ENOTDIR" ? "goes through a file" : code === "ENAMETOOLONG" ? "is too long" : undefined;
    if (problem !== undefined) return pathFault("invalid_path", path, problem, relativeHint);
    return systemFault(error, "found", path);
  }
}

/** Walks as the kernel does, but on past what does not exist. Throws errno errors. */
function followLinks(root: Root, path: string): Omit<Found, "path"> | Fault {
  const pending = path.split("/").reverse();
  let absolute = root.path;
  let found: Stats | undefined;
  let isMissing = false;
  let links = 0;
  for (let segment = pending.pop(); segment !== undefined; segment = pending.pop()) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      // Only a link's target brings one along. Past a missing folder it means whatever that will turn out to be.
      if (isMissing) return pathFault("path_outside", path, "follows a link into nowhere", relativeHint);
      absolute = dirname(absolute);
      found = undefined;
      continue;
    }
    const next = join(absolute, segment);
    const stats: Stats | undefined = isMissing ? undefined : lstatSync(next, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) {
      links += 1;
      if (links > maxLinks) return pathFault("invalid_path", path, "is a loop of links", relativeHint);
      const target = readlinkSync(next);
      const start = parse(target).root;
      if (start !== "") absolute = start;
      pending.push(...target.slice(start.length).split(sep).reverse());
    } else {
      absolute = next;
      found = stats;
      isMissing = stats === undefined;
    }
  }
  return { absolute, stats: isMissing ? undefined : (found ?? lstatSync(absolute)) };
}

/** "." or ".." when a segment could be taken for it by a file system that drops what cannot be seen. */
function dotsOf(segment: string): string | undefined {
  return /^(\.\.?) *$/.exec(foldName(segment))?.[1];
}

type PathError = "invalid_path" | "path_outside" | "protected_path" | "not_a_file" | "file_not_found";

const relativeHint = "Use a path relative to the workspace, with forward slashes, such as notes/today.md.";

function pathFault(error: PathError, path: string, problem: string, suggestion: string): Fault {
  const shown = cutText(path, 200);
  // JSON's quotes make control characters and halves of characters visible.
  return new Fault(error, `The path ${JSON.stringify(shown)} ${problem}.`, suggestion, { path: shown });
}

export function protectedFault(path: string, segment: string): Fault {
  const problem = `contains ${JSON.stringify(segment)}, which belongs to git or to Stet`;
  return pathFault("protected_path", path, problem, "Leave it to git and to Stet; name another file.");
}
