// What a tree has beside its files: links, and folders without any file. What a command makes or removes of these is
// told; it is not brought back when the command's changes are rejected.
//
// Only folders that hold listed files, and empty ones, are looked into, and again only after their own stamp changed: a folder
// that is ignored as a whole has no listed file and is not empty. The first look has nothing to compare with.

import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { isProtectedName } from "../protected-names.ts";

/** Something that a command did, and that rejecting its changes does not take back. */
export interface LeftBehind {
  readonly path: string;
  /** In words: "a new folder". */
  readonly what: string;
}

interface Entry {
  readonly kind: "link" | "folder";
  /** Of a link: where it leads. */
  readonly target: string;
}

interface Looked {
  readonly stamp: string;
  readonly entries: ReadonlyMap<string, Entry>;
}

export class LinksAndFolders {
  private readonly root: string;
  private looked: ReadonlyMap<string, Looked> | undefined;

  constructor(root: string) {
    this.root = root;
  }

  /** What is different since the last look; `folders` are those with listed files in them, "." for the root. */
  look(folders: ReadonlySet<string>): LeftBehind[] {
    const before = this.looked;
    const looked = new Map<string, Looked>();
    const pending = [...folders];
    for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
      const now = this.lookInto(folder, before?.get(folder), folders);
      if (now === undefined) continue;
      looked.set(folder, now);
      for (const [path, { kind }] of now.entries) if (kind === "folder") pending.push(path);
    }
    this.looked = looked;
    return before === undefined ? [] : differences(entriesOf(before), entriesOf(looked), before, folders);
  }

  private lookInto(
    folder: string,
    before: Looked | undefined,
    known: ReadonlySet<string>,
  ): Looked | undefined {
    const stats = lstatSync(join(this.root, folder), { bigint: true, throwIfNoEntry: false });
    if (stats === undefined || !stats.isDirectory()) return undefined;
    const stamp = stampOf(stats);
    // A folder may change twice within the time that a stamp is exact to.
    const isYoung = Date.now() - Number(stats.ctimeMs) < 50;
    if (before?.stamp === stamp && !isYoung) return before;
    try {
      return { stamp: isYoung ? "" : stamp, entries: this.read(folder, known) };
    } catch {
      return undefined;
    }
  }

  private read(folder: string, known: ReadonlySet<string>): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    for (const entry of readdirSync(join(this.root, folder), { withFileTypes: true })) {
      const path = folder === "." ? entry.name : `${folder}/${entry.name}`;
      if (isProtectedName(entry.name)) continue;
      if (entry.isSymbolicLink())
        entries.set(path, { kind: "link", target: readlinkSync(join(this.root, path)) });
      if (!entry.isDirectory() || known.has(path)) continue;
      if (isWithoutFiles(join(this.root, path))) entries.set(path, { kind: "folder", target: "" });
    }
    return entries;
  }
}

/** Nothing but folders in it, a few levels down. */
function isWithoutFiles(folder: string, levels = 8): boolean {
  if (levels === 0) return false;
  return readdirSync(folder, { withFileTypes: true }).every((entry) => {
    return entry.isDirectory() && isWithoutFiles(join(folder, entry.name), levels - 1);
  });
}

function entriesOf(looked: ReadonlyMap<string, Looked>): Map<string, Entry> {
  return new Map([...looked.values()].flatMap(({ entries }) => [...entries]));
}

function differences(
  before: ReadonlyMap<string, Entry>,
  after: ReadonlyMap<string, Entry>,
  lookedBefore: ReadonlyMap<string, Looked>,
  folders: ReadonlySet<string>,
): LeftBehind[] {
  const found: LeftBehind[] = [];
  for (const [path, { kind, target }] of after) {
    const earlier = before.get(path);
    // A folder whose last file was removed was there before.
    if (kind === "folder" && lookedBefore.has(path)) continue;
    // The folder above it is told.
    if (kind === "folder" && after.has(dirname(path)) && !before.has(dirname(path))) continue;
    if (earlier === undefined) found.push({ path, what: `a new ${kind}` });
    else if (earlier.target !== target) found.push({ path, what: `a ${kind} that leads elsewhere now` });
  }
  for (const [path, { kind }] of before) {
    if (!after.has(path) && !folders.has(path)) found.push({ path, what: `a removed ${kind}` });
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function stampOf({ mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${mtimeNs}:${ctimeNs}:${ino}`;
}
