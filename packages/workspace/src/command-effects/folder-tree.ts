// What there is in a folder, path by path: files that are not ignored, links, pipes, and the folders that they are in.
//
//   files     as ripgrep lists them, hidden ones too, and with names of any bytes; not node_modules, .git and Stet's own
//   folders   those on the way to such a file, and those without any file in them. One that holds nothing but ignored
//             files is ignored with them
//   again     a folder whose own stamp is the same has the same names in it, so the tree is listed anew only where a folder
//             has changed; and a folder is read again only where it is that one

import { lstatSync, readdirSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { errnoCode } from "@stet/protocol/system-fault";
import { isOwnFile, isProtectedName } from "../files/protected-names.ts";
import { below, fromBytes, fromLatin1 } from "./raw-path.ts";

export interface Tree {
  readonly files: ReadonlySet<string>;
  /** "." is the root. */
  readonly folders: ReadonlySet<string>;
  /** Links, pipes, sockets, devices. */
  readonly others: ReadonlySet<string>;
  /** Whether there are more files than are looked at. */
  readonly isPartial: boolean;
}

interface ReadFolder {
  readonly stamp: string;
  readonly others: readonly string[];
  readonly folders: readonly string[];
  readonly hasFile: boolean;
}

/** Stamps are this coarse on some systems, in milliseconds. */
export const coarseness = 50;

const listingMs = 60_000;

export class FolderTree {
  readonly #root: string;
  readonly #maxFiles: number;
  #read = new Map<string, ReadFolder>();
  #tree: Tree | undefined;
  /** When the listing began: a folder that has changed since may hold files that are not in it. */
  #since = 0;

  constructor(root: string, maxFiles: number) {
    this.#root = root;
    this.#maxFiles = maxFiles;
  }

  /** `isFresh`: listed anew in any case. */
  async look(isFresh: boolean, signal?: AbortSignal): Promise<Tree | Fault> {
    if (!isFresh && this.#tree !== undefined && this.#isSame()) return this.#tree;
    const before = this.#read;
    this.#read = new Map();
    this.#since = Date.now();
    const listed = await this.#listFiles(signal);
    if (isFault(listed)) return listed;
    const folders = foldersOf(listed.files);
    const others = new Set<string>();
    const pending = [...folders];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const found = this.#folder(folder, before);
      if (found === undefined) {
        folders.delete(folder);
        continue;
      }
      for (const path of found.others) others.add(path);
      for (const path of found.folders) {
        if (folders.has(path) || this.#hasFiles(path, before)) continue;
        folders.add(path);
        pending.push(path);
      }
    }
    this.#tree = { files: new Set(listed.files), folders, others, isPartial: listed.isPartial };
    return this.#tree;
  }

  /** Folders that seem to be ignored count as well: a file that is not may come into one. */
  #isSame(): boolean {
    for (const [folder, known] of this.#read) {
      const stats = this.#stats(folder);
      if (stats === undefined || stampOf(stats) !== known.stamp) return false;
    }
    return true;
  }

  #stats(path: string): Stats | undefined {
    return statsOf(this.#root, path) ?? undefined;
  }

  /** One that changed so shortly before that a second change may leave the same stamp has none to be known by again. */
  #stampOf(stats: Stats): string {
    return stats.ctimeMs > this.#since - coarseness ? "" : stampOf(stats);
  }

  #folder(folder: string, before: ReadonlyMap<string, ReadFolder>): ReadFolder | undefined {
    const stats = this.#stats(folder);
    if (stats === undefined || !stats.isDirectory()) return undefined;
    const stamp = this.#stampOf(stats);
    const known = before.get(folder);
    const found = stamp !== "" && known?.stamp === stamp ? known : this.#names(folder, stamp);
    if (found !== undefined) this.#read.set(folder, found);
    return found;
  }

  #names(folder: string, stamp: string): ReadFolder | undefined {
    const others: string[] = [];
    const folders: string[] = [];
    let hasFile = false;
    try {
      const options = { withFileTypes: true, encoding: "latin1" } as const;
      for (const entry of readdirSync(below(this.#root, folder), options)) {
        const name = fromLatin1(entry.name);
        if (isProtectedName(name) || isOwnFile(name)) continue;
        const path = folder === "." ? name : `${folder}/${name}`;
        if (entry.isFile()) hasFile = true;
        else if (entry.isDirectory()) folders.push(path);
        else others.push(path);
      }
    } catch {
      // It cannot be read, or has just gone.
      return undefined;
    }
    return { stamp, others, folders, hasFile };
  }

  /** Whether there is any file below a folder that has no listed one: it is ignored, then. */
  #hasFiles(folder: string, before: ReadonlyMap<string, ReadFolder>, levels = 16): boolean {
    if (levels === 0 || folder.split("/").at(-1) === "node_modules") return true;
    const found = this.#folder(folder, before);
    return (
      found === undefined ||
      found.hasFile ||
      found.folders.some((path) => this.#hasFiles(path, before, levels - 1))
    );
  }

  async #listFiles(
    signal: AbortSignal | undefined,
  ): Promise<{ files: string[]; isPartial: boolean } | Fault> {
    const files: string[] = [];
    let isPartial = false;
    const { walkFlags } = await import("../search/listing.ts");
    const { runRipgrep } = await import("../search/ripgrep.ts");
    const end = await runRipgrep({
      cwd: this.#root,
      flags: ["--files", "--null", ...walkFlags(this.#root, { path: "", isFile: false }, true)],
      paths: ["./"],
      separator: "\0",
      read: (records) => {
        for (const record of records) {
          const path = fromBytes(record).replace(/^(\.\/)+/, "");
          if (path === "" || /(?:^|\/)node_modules\//.test(path)) continue;
          if (files.length >= this.#maxFiles) {
            isPartial = true;
            return "enough";
          }
          files.push(path);
        }
        return "more";
      },
      timeoutMs: listingMs,
      signal,
    });
    return isFault(end) ? end : { files, isPartial: isPartial || end.by === "limit" };
  }
}

function stampOf({ ctimeMs, ino }: Stats): string {
  return `${ctimeMs}:${ino}`;
}

/** Undefined where nothing is there, also where a folder on the way is a file now; null where that cannot be told. */
export function statsOf(root: string, path: string): Stats | undefined | null {
  try {
    return lstatSync(below(root, path), { throwIfNoEntry: false });
  } catch (error) {
    return errnoCode(error) === "ENOTDIR" ? undefined : null;
  }
}

/** When a path was changed; of what is gone, when the folder that it was in was, or the nearest one that is still there. */
export function changedAt(root: string, path: string): number {
  for (let at = path; ; at = dirname(at)) {
    const stats = statsOf(root, at);
    if (stats) return stats.ctimeMs;
    if (at === ".") return 0;
  }
}

/** Every folder on the way to the files. */
function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set(["."]);
  for (const path of files) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}
