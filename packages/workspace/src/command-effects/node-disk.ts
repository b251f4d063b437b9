// Nodes on disk: what is there, and from one to another.
//
// A node is changed only while it is what it is known to be; whatever a person did to it since stays. A folder is removed
// only when it is empty, a file only when its content is kept. Everything is reached through its parent's descriptor, which
// is proved to be inside the root.

import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { errnoCode } from "@stet/protocol/system-fault";
import { type Root, verifyOpened } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import { isProtectedName } from "../files/protected-names.ts";
import type { FileContents } from "./contents.ts";
import { lineOf, type Node } from "./node.ts";
import { below, fromLatin1, toBytes } from "./raw-path.ts";

/** Files up to this size are hashed; larger ones are compared by their modification time. */
export const maxHashedBytes = 16 * 1024 ** 2;

type Entry = string | Buffer;

/** Why a node stays as it is, in words that follow its path: "is not empty". */
export interface Kept {
  readonly why: string;
}

export class NodeDisk {
  readonly #root: Root;
  readonly #contents: FileContents;

  constructor(root: Root, contents: FileContents) {
    this.#root = root;
    this.#contents = contents;
  }

  /** What is there. Of a file its content only where that is asked for. */
  read(path: string, hasContent: boolean): Node | null {
    try {
      return this.#isReal(dirname(path)) ? readAt(below(this.#root.path, path), hasContent) : null;
    } catch {
      return null;
    }
  }

  /** Whether a folder is where its path says, and not behind a link. Throws errno errors. */
  #isReal(folder: string): boolean {
    const place = below(this.#root.path, folder);
    return realpathSync.native(place, "latin1") === Buffer.from(place).toString("latin1");
  }

  /** Whether a node is there as it is known. */
  isThere(path: string, node: Node | null): boolean {
    const hasContent = node?.kind === "file" && node.content !== undefined;
    return lineOf(this.read(path, hasContent)) === lineOf(node);
  }

  /** Makes of a node another one; undefined where that is done, or was done before. */
  change(path: string, from: Node | null, to: Node | null): undefined | Kept {
    if (!this.isThere(path, from))
      return this.#isDone(path, from, to) ? undefined : { why: "was changed since" };
    if (lineOf(from) === lineOf(to)) return undefined;
    try {
      if (path === ".") return changeRoot(this.#root.path, to);
      return this.#inParent(path, (entry) => this.#changeAt(entry, from, to));
    } catch (error) {
      return { why: whyNot(error) };
    }
  }

  /** A file that is to be made is empty; one that only gets another mode may have a text. */
  #isDone(path: string, from: Node | null, to: Node | null): boolean {
    const isPlain = (node: Node | null) => node?.kind === "file" && node.content === undefined;
    if (!this.isThere(path, to)) return false;
    return !isPlain(to) || isPlain(from) || lstatSync(below(this.#root.path, path)).size === 0;
  }

  #changeAt(entry: (name?: string) => Entry, from: Node | null, to: Node | null): undefined | Kept {
    const own = entry();
    if (from?.kind === "file" && to?.kind === "file") return this.#changeFile(entry, from, to);
    if (from?.kind === "folder" && to?.kind === "folder") {
      chmodSync(own, to.mode);
      return undefined;
    }
    const content = to?.kind === "file" ? this.#contentOf(to) : undefined;
    if (isKept(content)) return content;
    if (to?.kind === "pipe" || to?.kind === "socket" || to?.kind === "device")
      return { why: `was a ${to.kind}, which cannot be made again` };
    const removed = from === null ? undefined : this.#remove(own, from);
    return removed ?? make(own, to, content);
  }

  #changeFile(
    entry: (name?: string) => Entry,
    from: Extract<Node, { kind: "file" }>,
    to: Extract<Node, { kind: "file" }>,
  ): undefined | Kept {
    const own = entry();
    if (from.content?.id !== to.content?.id) {
      const content = this.#contentOf(to);
      if (isKept(content)) return content;
      const unkept = from.content === undefined ? emptyOnly(own) : this.#keepContent(own, from);
      if (unkept !== undefined) return unkept;
      const temporary = entry(`.stet-${uniqueSuffix()}.tmp`);
      writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
      chmodSync(temporary, to.mode);
      renameSync(temporary, own);
    }
    chmodSync(own, to.mode);
    return undefined;
  }

  #contentOf({ content }: Extract<Node, { kind: "file" }>): Uint8Array | Kept {
    if (content === undefined) return new Uint8Array();
    return this.#contents.read(content.id) ?? { why: "had a content that was not kept" };
  }

  #keepContent(own: Entry, { content }: Extract<Node, { kind: "file" }>): undefined | Kept {
    if (content === undefined) return undefined;
    const bytes = content.size > maxHashedBytes ? undefined : readFileSync(own);
    const isSafe = bytes !== undefined && this.#contents.keep(content.id, bytes);
    return isSafe ? undefined : { why: "is too large to be kept, so it was not removed" };
  }

  #remove(own: Entry, from: Node): undefined | Kept {
    if (from.kind === "folder") {
      rmdirSync(own);
      return undefined;
    }
    if (from.kind === "file") {
      const unkept = from.content === undefined ? emptyOnly(own) : this.#keepContent(own, from);
      if (unkept !== undefined) return unkept;
    }
    unlinkSync(own);
    return undefined;
  }

  #inParent(path: string, action: (entry: (name?: string) => Entry) => undefined | Kept): undefined | Kept {
    const at = path.lastIndexOf("/");
    const name = path.slice(at + 1);
    if (path.split("/").some(isProtectedName)) return { why: "belongs to git or to Stet" };
    const folder = below(this.#root.path, dirname(path));
    const flags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);
    const descriptor = openSync(folder, flags);
    try {
      const outside = verifyOpened(this.#root, descriptor, String(folder), dirname(path));
      if (isFault(outside) || !this.#isReal(dirname(path))) return { why: "leads out of the workspace" };
      const start =
        this.#root.proof === "descriptor"
          ? Buffer.from(`/proc/self/fd/${descriptor}`)
          : toBytes(String(folder));
      return action((other = name) => Buffer.concat([start, Buffer.from("/"), toBytes(other)]));
    } finally {
      closeSync(descriptor);
    }
  }
}

function readAt(entry: Entry, hasContent: boolean): Node | null {
  const stats = lstatSync(entry, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const mode = stats.mode & 0o7777;
  if (stats.isDirectory()) return { kind: "folder", mode };
  if (stats.isSymbolicLink()) return { kind: "link", target: fromLatin1(readlinkSync(entry, "latin1")) };
  if (stats.isFIFO()) return { kind: "pipe" };
  if (stats.isSocket()) return { kind: "socket" };
  if (!stats.isFile()) return { kind: "device" };
  if (!hasContent) return { kind: "file", mode, content: undefined };
  const { size } = stats;
  const id = size > maxHashedBytes ? `changed ${stats.mtimeMs}` : hashBytes(readFileSync(entry));
  return { kind: "file", mode, content: { size, id } };
}

function make(own: Entry, to: Node | null, content: Uint8Array | undefined): undefined {
  if (to?.kind === "folder") {
    mkdirSync(own);
    chmodSync(own, to.mode);
  } else if (to?.kind === "link") symlinkSync(toBytes(to.target), own);
  else if (to?.kind === "file") {
    writeFileSync(own, content ?? "", { flag: "wx", mode: 0o600 });
    chmodSync(own, to.mode);
  }
  return undefined;
}

/** A file that is known to be empty, or to have a text that is not kept here. */
function emptyOnly(own: Entry): undefined | Kept {
  return lstatSync(own).size > 0 ? { why: "is not empty any more" } : undefined;
}

/** The root itself can only have another mode. */
function changeRoot(root: string, to: Node | null): undefined | Kept {
  if (to?.kind !== "folder") return { why: "is the workspace itself" };
  chmodSync(root, to.mode);
  return undefined;
}

function isKept(value: Uint8Array | Kept | undefined): value is Kept {
  return value !== undefined && "why" in value;
}

function whyNot(error: unknown): string {
  const code = errnoCode(error);
  if (code === "ENOTEMPTY" || code === "EEXIST") return "is not empty";
  if (code === "ENOENT" || code === "ENOTDIR") return "has no folder to be in any more";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "may not be changed";
  if (code === "ENOSPC") return "does not fit on the disk";
  return `could not be changed (${code ?? String(error)})`;
}
