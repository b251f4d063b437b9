// What was deleted, kept in Stet's state folder: one folder for each deletion, with its record and what it took away.
//
//   <id>/record.json   written and synced before anything is taken away
//   <id>/content       the file, folder or link itself
//   <id>.gone          forgotten, and being removed
//
// An id is ordered by time. At most `maxDeletions` and `maxBytes` are kept: the oldest go first, never the newest one.

import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { cp, open, opendir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { isRecord } from "@stet/protocol/json-record";
import { attempt, errnoCode, systemFault } from "@stet/protocol/system-fault";
import { syncFolder } from "@stet/storage/durable-file";
import { tellNoticeOnce } from "@stet/storage/notices";
import { makePrivateFolder } from "@stet/storage/private-files";
import { isThere, moveName } from "./entry-moves.ts";
import { areDocumentPaths, type DocumentPath, readStored, writeDurably } from "./file-intent.ts";

export interface DeletionRecord {
  readonly path: string;
  readonly at: number;
  readonly files: number;
  readonly bytes: number;
  /** Documents that had a path there. */
  readonly documents: readonly DocumentPath[];
  /** Where it stands beside its former place until it is copied from another disk; relative to the root. */
  readonly aside: string | null;
}

export interface Deletion extends DeletionRecord {
  readonly id: string;
}

export interface DeletionLimits {
  readonly maxDeletions: number;
  readonly maxBytes: number;
}

export const deletionLimits: DeletionLimits = { maxDeletions: 500, maxBytes: 1024 ** 3 };

const idPattern = /^del_[0-9a-z]{17}$/;

export class DeletionStore {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, "deletions");
  }

  newId(): string {
    return `del_${uniqueSuffix()}`;
  }

  contentPath(id: string): string {
    return join(this.#folder, id, "content");
  }

  hasContent(id: string): boolean {
    return isThere(this.contentPath(id));
  }

  write(id: string, record: DeletionRecord): Fault | undefined {
    const folder = join(this.#folder, id);
    const made = attempt("made", folder, () => {
      makePrivateFolder(folder);
      syncFolder(this.#folder);
      syncFolder(dirname(this.#folder));
      return undefined;
    });
    return made ?? writeDurably(join(folder, "record.json"), record);
  }

  read(id: string): Deletion | undefined {
    if (!idPattern.test(id)) return undefined;
    const path = join(this.#folder, id, "record.json");
    const value = readStored(path);
    if (isDeletionRecord(value)) return { ...value, id };
    if (this.hasContent(id)) tellNoticeOnce(unknownContent(path, this.contentPath(id)));
    return undefined;
  }

  /** The newest first. */
  list(): Deletion[] {
    return this.#names()
      .filter((name) => idPattern.test(name))
      .sort()
      .reverse()
      .flatMap((id) => this.read(id) ?? []);
  }

  #names(): string[] {
    return existsSync(this.#folder) ? readdirSync(this.#folder) : [];
  }

  /** Forgets a deletion at once; what it kept is removed afterwards. */
  forget(id: string): void {
    const folder = join(this.#folder, id);
    if (existsSync(folder)) renameSync(folder, `${folder}.gone`);
  }

  /** Removes what was forgotten. What cannot be removed now is tried again next time. */
  async sweep(): Promise<void> {
    for (const name of this.#names().filter((candidate) => candidate.endsWith(".gone"))) {
      await rm(join(this.#folder, name), { recursive: true, force: true }).catch(errnoOnly);
    }
  }

  /** Those that are too many or too large together, the oldest of them. */
  excess(limits: DeletionLimits): Deletion[] {
    const [newest, ...older] = this.list();
    let bytes = newest?.bytes ?? 0;
    let kept = 1;
    let isOver = false;
    return older.filter((deletion) => {
      bytes += deletion.bytes;
      kept += 1;
      isOver ||= kept > limits.maxDeletions || bytes > limits.maxBytes;
      return isOver;
    });
  }

  /** Copies from another disk; it is there as a whole and safely, or not at all. */
  async copyIn(id: string, from: string): Promise<Fault | undefined> {
    const content = this.contentPath(id);
    return copyWhole(from, `${content}.tmp`, content);
  }
}

/** Copies a file, folder or link to a temporary place, makes it durable, tells its inode and gives it its name. */
export async function copyWhole(
  from: string,
  temporary: string,
  to: string,
  onWhole: (inode: number) => Fault | undefined = () => undefined,
): Promise<Fault | undefined> {
  try {
    rmSync(temporary, { recursive: true, force: true });
    const options = { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, errorOnExist: true };
    await cp(from, temporary, { ...options, force: false });
    await syncTree(temporary);
    const fault = onWhole(lstatSync(temporary).ino) ?? moveName(temporary, to, to, () => {});
    syncFolder(dirname(to));
    if (fault !== undefined) await rm(temporary, { recursive: true, force: true });
    return fault;
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(errnoOnly);
    // What cannot be copied, such as a socket, is refused with an error that has no errno.
    if (errnoCode(error) === undefined && error instanceof Error && "code" in error)
      return uncopied(from, error);
    return systemFault(error, "copied", from);
  }
}

async function syncTree(path: string): Promise<void> {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return;
  if (stats.isDirectory()) {
    for await (const entry of await opendir(path)) await syncTree(join(path, entry.name));
    syncFolder(path);
    return;
  }
  const file = await open(path, "r");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function errnoOnly(error: unknown): void {
  if (errnoCode(error) === undefined) throw error;
}

function isDeletionRecord(value: unknown): value is DeletionRecord {
  return (
    isRecord(value) &&
    typeof value.path === "string" &&
    [value.at, value.files, value.bytes].every((number) => Number.isInteger(number)) &&
    (value.aside === null || typeof value.aside === "string") &&
    areDocumentPaths(value.documents)
  );
}

function unknownContent(path: string, content: string): Fault {
  return new Fault(
    "store_damaged",
    `${path} says where something was that you deleted, and it is damaged or gone. What was deleted is ${content}.`,
    "Move that to its place by hand if you need it.",
    { path, content },
  );
}

function uncopied(path: string, error: Error): Fault {
  const message = `${path} could not be copied to Stet's state folder on another disk: ${error.message}`;
  return new Fault("io_failed", message, "Remove what is not a file or a folder from it, and try again.", {
    path,
  });
}
