// What changed in a folder since it was last looked at, with what was there before: so that a command's changes can be
// told, reviewed and undone.
//
//   which paths   see folder-tree.ts
//   looking       every known path is asked for its stamp; only where that differs is a file read
//   stamps        time of change, identity and size. A file that changed moments before it was looked at could change again
//                 without a new stamp; such files are compared by their bytes
//   times         whose a change is follows from its time, and that of an earlier one would tell of somebody else. So a file
//                 is read until its stamp is the same before and after. While a file is cut, its bytes are gone a moment
//                 before its time is new: that is waited for, and where it does not come, the file is changed now
//   bounds        of files over `maxFileBytes`, and beyond `maxBytes` in all, or `maxOtherBytes` of those that are not text,
//                 the content from before is not kept. More than `maxFiles` are not looked at

import {
  closeSync,
  constants,
  openSync,
  type PathLike,
  readFileSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { dirname } from "node:path";
import { setImmediate as nextLoop, setTimeout as pause } from "node:timers/promises";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Root } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import { changedAt, coarseness, FolderTree, statsOf, type Tree } from "./folder-tree.ts";
import type { Node } from "./node.ts";
import { maxHashedBytes } from "./node-disk.ts";
import { below, fromLatin1 } from "./raw-path.ts";
import { type Known, ShadowStore } from "./shadow-store.ts";

export interface ShadowLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  readonly maxOtherBytes: number;
}

export const shadowLimits: ShadowLimits = {
  maxFiles: 200_000,
  maxFileBytes: 1024 ** 2,
  maxBytes: 512 * 1024 ** 2,
  maxOtherBytes: 64 * 1024 ** 2,
};

/** What is, or was, at a path; null where there is nothing. */
export interface Seen {
  readonly node: Node;
  /** Of a file; undefined where they are not kept, or too many to be read. */
  readonly bytes: Uint8Array | undefined;
}

export interface FoundNode {
  readonly path: string;
  readonly before: Seen | null;
  readonly after: Seen | null;
  /** When it was changed, as the file system tells it; of what is gone, when its folder was. */
  readonly at: number;
}

export interface ShadowOptions {
  readonly root: Root;
  readonly stateFolder: string;
  readonly limits?: Partial<ShadowLimits> | undefined;
}

/** How many paths are asked for before others get a turn. */
const atOnce = 5000;

/** A file that is written to each time it is read is left to the next look. */
const maxAttempts = 6;

export class Shadow {
  readonly #root: string;
  readonly #limits: ShadowLimits;
  readonly #store: ShadowStore;
  readonly #known: Map<string, Known>;
  readonly #tree: FolderTree;
  /** Files whose stamp cannot be trusted, because it was young when it was taken. */
  #young = new Set<string>();
  #keptBytes: number;
  #otherBytes = 0;
  /** Whether there are more files than are looked at. */
  isPartial = false;
  /** Whether nothing was known when it was opened: the first look then tells nothing. */
  #isNew: boolean;

  static open(options: ShadowOptions): Shadow | Fault {
    const store = ShadowStore.open(options.stateFolder);
    return isFault(store) ? store : new Shadow(options, store);
  }

  private constructor({ root, limits = {} }: ShadowOptions, store: ShadowStore) {
    this.#root = root.path;
    this.#limits = { ...shadowLimits, ...limits };
    this.#store = store;
    this.#tree = new FolderTree(this.#root, this.#limits.maxFiles);
    this.#known = this.#store.known;
    this.#isNew = this.#known.size === 0;
    if (this.#store.keptBytes() > this.#limits.maxBytes / 2) this.#store.forgetUnused();
    this.#keptBytes = this.#store.keptBytes();
  }

  /**
   * What changed since the last look. The first look of a process finds what changed since the last process did. `isFresh`
   * lists all files anew.
   */
  async look(isFresh = false, signal?: AbortSignal): Promise<FoundNode[] | Fault> {
    const started = Date.now();
    const tree = await this.#tree.look(isFresh, signal);
    if (isFault(tree)) return tree;
    this.isPartial = tree.isPartial;
    const found: FoundNode[] = [];
    const remembered: [string, Known | undefined][] = [];
    const kept = new Map<string, Uint8Array>();
    const moved = new Map<string, number>();
    const young = new Set<string>();
    const gone = new Set<string>();
    let count = 0;
    for (const path of paths(tree)) {
      count += 1;
      // Others in this process are not kept waiting for all of a large tree.
      if (count % atOnce === 0) await nextLoop();
      const askedAt = Date.now();
      const listed = statsOf(this.#root, path);
      const was = this.#known.get(path);
      if (listed === null) continue;
      if (listed === undefined) {
        if (was !== undefined) gone.add(path);
        continue;
      }
      const isUnchanged = was?.stamp === stampOf(listed) && !this.#young.has(path);
      const seen = isUnchanged ? undefined : await this.#see(path, listed, was, kept);
      const stats = seen?.stats ?? listed;
      if (askedAt - stats.ctimeMs < coarseness) young.add(path);
      if (seen === undefined) continue;
      const { known } = seen;
      remembered.push([path, known]);
      // What was moved with its folder has not been changed itself; folders come before what is in them.
      const isAnother = was === undefined || inodeOf(was) !== inodeOf(known);
      const isBeingCut = was !== undefined && hasOldTime(was, known) && !this.#young.has(path);
      const at = isBeingCut ? askedAt : Math.max(stats.ctimeMs, (isAnother && moved.get(dirname(path))) || 0);
      if (isAnother && known.kind === "folder") moved.set(path, at);
      if (was !== undefined && isSame(was, known)) continue;
      const after = { node: nodeOf(known), bytes: kept.get(known.content) };
      found.push({ path, before: this.#seenOf(was), after, at });
    }
    for (const path of this.#known.keys()) {
      if (!tree.files.has(path) && !tree.folders.has(path) && !tree.others.has(path)) gone.add(path);
    }
    for (const path of gone) {
      const stats = statsOf(this.#root, path);
      // It has come back since it was listed: the next look compares it.
      if (stats === null || (stats !== undefined && stats.ctimeMs > started - coarseness)) continue;
      remembered.push([path, undefined]);
      // What is still there is ignored now.
      if (stats !== undefined) continue;
      found.push({
        path,
        before: this.#seenOf(this.#known.get(path)),
        after: null,
        at: changedAt(this.#root, path),
      });
    }
    this.#remember(remembered, kept);
    this.#young = young;
    if (!this.#isNew) return found;
    this.#isNew = false;
    return [];
  }

  #remember(rows: readonly [string, Known | undefined][], contents: ReadonlyMap<string, Uint8Array>): void {
    if (rows.length === 0) return;
    this.#store.together(() => {
      for (const [hash, bytes] of contents) this.#keep(hash, bytes);
      for (const [path, known] of rows) this.#store.remember(path, known);
    });
    for (const [path, known] of rows) {
      if (known === undefined) this.#known.delete(path);
      else this.#known.set(path, known);
    }
  }

  /** Undefined where it has just gone, may not be read, or is being written to: the next look finds out. */
  async #see(
    path: string,
    listed: Stats,
    was: Known | undefined,
    kept: Map<string, Uint8Array>,
  ): Promise<{ readonly known: Known; readonly stats: Stats } | undefined> {
    let stats = listed;
    for (let attempt = 1; ; attempt += 1) {
      const known = this.#read(path, stats, kept);
      const after = statsOf(this.#root, path);
      if (!after) return undefined;
      const isSteady = stampOf(after) === stampOf(stats);
      const isCut = isSteady && known !== undefined && was !== undefined && hasOldTime(was, known);
      if ((isSteady && !isCut) || attempt === maxAttempts)
        return isSteady ? known && { known, stats } : undefined;
      if (isCut) await pause(4 * attempt);
      stats = statsOf(this.#root, path) ?? after;
    }
  }

  #read(path: string, stats: Stats, kept: Map<string, Uint8Array>): Known | undefined {
    const kind = kindOf(stats);
    const known: Known = { kind, stamp: stampOf(stats), mode: stats.mode & 0o7777, size: 0, content: "" };
    try {
      if (kind === "link")
        return { ...known, content: fromLatin1(readlinkSync(below(this.#root, path), "latin1")) };
      if (kind !== "file") return known;
      const { size } = stats;
      if (size > maxHashedBytes) return { ...known, size, content: `changed ${stats.mtimeMs}` };
      const bytes = readRegular(below(this.#root, path));
      const content = hashBytes(bytes);
      kept.set(content, bytes);
      return { ...known, size: bytes.length, content };
    } catch {
      return undefined;
    }
  }

  #keep(hash: string, bytes: Uint8Array): void {
    const { maxFileBytes, maxBytes, maxOtherBytes } = this.#limits;
    if (bytes.length > maxFileBytes || this.#keptBytes + bytes.length > maxBytes) return;
    const isText = !bytes.includes(0);
    if (!isText && this.#otherBytes + bytes.length > maxOtherBytes) return;
    this.#store.keepBytes(hash, bytes);
    this.#keptBytes += bytes.length;
    if (!isText) this.#otherBytes += bytes.length;
  }

  #seenOf(known: Known | undefined): Seen | null {
    if (known === undefined) return null;
    const bytes = known.kind === "file" ? this.#store.bytes(known.content) : undefined;
    return { node: nodeOf(known), bytes };
  }

  close(): void {
    this.#store.close();
  }
}

/** Does not follow a link that has just taken the file's place, nor wait for the writer of a pipe that has. */
function readRegular(path: PathLike): Uint8Array {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Each once, also what became something else while it was listed. */
function paths({ folders, others, files }: Tree): ReadonlySet<string> {
  return new Set([...[...folders].sort(), ...others, ...files]);
}

function nodeOf({ kind, mode, size, content }: Known): Node {
  switch (kind) {
    case "folder":
      return { kind, mode };
    case "link":
      return { kind, target: content };
    case "file":
      return { kind, mode, content: { size, id: content } };
    default:
      return { kind };
  }
}

function kindOf(stats: Stats): Known["kind"] {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) return "link";
  return stats.isFIFO() ? "pipe" : stats.isSocket() ? "socket" : "device";
}

function isSame(one: Known, other: Known): boolean {
  const isLink = one.kind === "link" && other.kind === "link";
  return one.kind === other.kind && one.content === other.content && (isLink || one.mode === other.mode);
}

/** A folder's own time and size are those of what is in it; only its identity and mode are its own. */
function stampOf(stats: Stats): string {
  if (stats.isDirectory()) return `${stats.ino}:${stats.mode}`;
  return `${stats.ino}:${stats.ctimeMs}:${stats.size}`;
}

/** Whether something is different that has the time of what was there before. */
function hasOldTime(was: Known, known: Known): boolean {
  return !isSame(was, known) && was.stamp.split(":")[1] === known.stamp.split(":")[1];
}

/** Two things of the same name that are not the same thing: one has been moved to the place of the other. */
function inodeOf({ stamp }: Known): string {
  return stamp.slice(0, stamp.indexOf(":"));
}
