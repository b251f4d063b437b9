// What changed in a folder since it was last looked at, with what was there before: so that a command's changes can be
// told, reviewed and undone.
//
//   which files   those that listing.ts lists, hidden ones too; ignored files, node_modules, .git and Stet's own are not
//   looking       every known file and folder is asked for its stamp. A folder whose own stamp is the same has the same
//                 files, so the tree is listed anew only where a folder changed
//   stamps        size, time of change, identity and mode. A file that changed moments before it was looked at could change
//                 again without a new stamp; such files are compared by their bytes
//   bounds        files over `maxFileBytes`, and those beyond `maxFiles` or `maxBytes`, are told when they change, but
//                 what was in them before is not kept

import { type BigIntStats, lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { FoundChange } from "../absorb.ts";
import type { Root } from "../containment.ts";
import { listFiles } from "../listing.ts";
import { type LeftBehind, LinksAndFolders } from "./links-and-folders.ts";
import { type ShadowRow, ShadowStore } from "./shadow-store.ts";

export interface ShadowLimits {
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
}

export const shadowLimits: ShadowLimits = {
  maxFiles: 50_000,
  maxFileBytes: 1024 ** 2,
  maxBytes: 512 * 1024 ** 2,
};

export interface ShadowChanges {
  /** Text files with what was in them, null where there was no file. */
  readonly text: readonly FoundChange[];
  /** Files that changed and cannot be brought back from here: not text, too large, or too many. */
  readonly other: readonly string[];
  /** What is beside the texts and is not brought back: empty files, folders, links, modes. */
  readonly leftBehind: readonly LeftBehind[];
}

export interface ShadowOptions {
  readonly root: Root;
  readonly stateFolder: string;
  readonly limits?: Partial<ShadowLimits> | undefined;
}

/** Stamps are this coarse on some systems, in milliseconds. */
const coarseness = 50;

export class Shadow {
  private readonly root: Root;
  private readonly limits: ShadowLimits;
  private readonly store: ShadowStore;
  private readonly stamps: Map<string, string>;
  /** Folders and their stamps when the tree was last listed. */
  private folders = new Map<string, string>();
  /** Files whose stamp cannot be trusted, because it was young when it was taken. */
  private young = new Set<string>();
  private keptBytes: number;
  private readonly beside: LinksAndFolders;
  /** Whether there are more files than are looked at. */
  isPartial = false;

  constructor({ root, stateFolder, limits = {} }: ShadowOptions) {
    this.root = root;
    this.limits = { ...shadowLimits, ...limits };
    this.store = ShadowStore.open(stateFolder);
    this.beside = new LinksAndFolders(root.path);
    this.stamps = this.store.stamps();
    this.keptBytes = this.store.keptBytes();
  }

  /** What changed since the last look. The first look of a process finds what changed since the last process did. */
  async look(signal?: AbortSignal): Promise<ShadowChanges | Fault> {
    const listed = await this.listing(signal);
    if (isFault(listed)) return listed;
    const text: FoundChange[] = [];
    const other: string[] = [];
    const rows: ShadowRow[] = [];
    const gone: string[] = [];
    const leftBehind = this.beside.look(new Set(this.folders.keys()));
    const young = new Set<string>();
    for (const path of listed) {
      const stats = this.statsOf(path);
      if (stats === undefined || !stats.isFile()) {
        if (this.stamps.has(path)) gone.push(path);
        continue;
      }
      const stamp = stampOf(stats);
      if (isYoung(stats)) young.add(path);
      if (this.stamps.get(path) === stamp && !this.young.has(path)) continue;
      const before = this.stamps.has(path) ? this.store.bytes(path) : null;
      this.keptBytes -= before?.length ?? 0;
      const after = this.read(path, stats);
      const isSame = this.stamps.has(path) && before !== null && after !== null && same(before, after);
      rows.push({ path, stamp, bytes: after });
      const mode = modeChange(this.stamps.get(path), stamp);
      if (mode !== undefined) leftBehind.push({ path, what: mode });
      if (isSame) continue;
      if (!this.stamps.has(path) && after?.length === 0) leftBehind.push({ path, what: "a new empty file" });
      if (after !== null && (before !== null || !this.stamps.has(path))) text.push({ path, before, after });
      else other.push(path);
    }
    const present = new Set(listed);
    for (const path of this.stamps.keys()) if (!present.has(path)) gone.push(path);
    for (const path of gone) {
      const before = this.store.bytes(path);
      this.keptBytes -= before?.length ?? 0;
      if (before?.length === 0) leftBehind.push({ path, what: "a removed empty file" });
      if (before === null) other.push(path);
      else text.push({ path, before, after: null, mode: modeIn(this.stamps.get(path) ?? "") });
    }
    this.remember(rows, gone);
    this.young = young;
    return { text, other, leftBehind };
  }

  private remember(rows: readonly ShadowRow[], gone: readonly string[]): void {
    this.store.update(rows, gone);
    for (const { path, stamp } of rows) this.stamps.set(path, stamp);
    for (const path of gone) this.stamps.delete(path);
  }

  /** Known files, where no folder has changed; else those that there are now. */
  private async listing(signal: AbortSignal | undefined): Promise<readonly string[] | Fault> {
    if (this.folders.size > 0 && this.areFoldersSame()) return [...this.stamps.keys()];
    const limit = this.limits.maxFiles;
    // Taken before the listing: what appears in between is found the next time.
    const folders = this.stampsOfFolders([...this.folders.keys()]);
    const listing = await listFiles(this.root.path, { hidden: true, limit, signal });
    if (isFault(listing)) return listing;
    const files = listing.files.filter((path) => !/(?:^|\/)node_modules\//.test(path));
    this.isPartial = listing.truncated;
    const known = foldersOf(files);
    const fresh = this.stampsOfFolders([...known].filter((folder) => !folders.has(folder)));
    this.folders = new Map(
      [...known].map((folder) => [folder, folders.get(folder) ?? fresh.get(folder) ?? ""]),
    );
    return files;
  }

  private areFoldersSame(): boolean {
    for (const [folder, stamp] of this.folders) {
      const stats = this.statsOf(folder);
      if (stats === undefined || isYoung(stats) || stampOf(stats) !== stamp) return false;
    }
    return true;
  }

  private stampsOfFolders(folders: readonly string[]): Map<string, string> {
    return new Map(
      folders.map((folder) => {
        const stats = this.statsOf(folder);
        return [folder, stats === undefined ? "" : stampOf(stats)];
      }),
    );
  }

  private statsOf(path: string): BigIntStats | undefined {
    return lstatSync(join(this.root.path, path), { bigint: true, throwIfNoEntry: false });
  }

  /** The bytes of a text file that is worth keeping; null for others. */
  private read(path: string, stats: BigIntStats): Uint8Array | null {
    if (stats.size > BigInt(this.limits.maxFileBytes)) return null;
    if (this.keptBytes + Number(stats.size) > this.limits.maxBytes) return null;
    try {
      const bytes = readFileSync(join(this.root.path, path));
      if (bytes.includes(0)) return null;
      this.keptBytes += bytes.length;
      return bytes;
    } catch {
      return null;
    }
  }

  close(): void {
    this.store.close();
  }
}

function stampOf({ size, mtimeNs, ctimeNs, ino, mode }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}:${mode & 0o7777n}`;
}

/** What a file that is gone could be used for comes back with it. */
function modeIn(stamp: string): number {
  return Number(stamp.slice(stamp.lastIndexOf(":") + 1));
}

/** In words, where a file that was known has other permissions now. */
function modeChange(before: string | undefined, after: string): string | undefined {
  if (before === undefined || modeIn(before) === modeIn(after)) return undefined;
  return `its mode, ${modeIn(before).toString(8)}, is ${modeIn(after).toString(8)} now`;
}

function isYoung({ ctimeMs }: BigIntStats): boolean {
  return Date.now() - Number(ctimeMs) < coarseness;
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Every folder on the way to the files. */
function foldersOf(files: readonly string[]): Set<string> {
  const folders = new Set(["."]);
  for (const path of files) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}
