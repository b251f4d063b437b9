// What was in a folder when it was last looked at, kept in Stet's state folder: a row for each path, and the bytes of
// files that are not too large, by their hash.
//
// It is a cache, and may be large. One that is damaged, emptied or gone is made anew from the folder, no copy of it is kept,
// with a notice: what changed since the last scan cannot be found any more. One that is busy or forbidden is left alone.

import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Fault, isFault } from "@stet/protocol/fault";
import { openCache } from "@stet/storage/mended-store";
import { fromBytes, toBytes } from "./raw-path.ts";

/** What is known of a path since it was last looked at. */
export interface Known {
  readonly kind: "file" | "folder" | "link" | "pipe" | "socket" | "device";
  /** Changes whenever what is there may have changed. */
  readonly stamp: string;
  readonly mode: number;
  readonly size: number;
  /** Of a file: the hash of its content, or its size and time. Of a link: where it leads. */
  readonly content: string;
}

const schema = `
  CREATE TABLE nodes (
    path BLOB PRIMARY KEY, kind TEXT NOT NULL, stamp TEXT NOT NULL, mode INTEGER NOT NULL, size INTEGER NOT NULL,
    content BLOB NOT NULL
  ) STRICT;
  CREATE TABLE contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
`;

export class ShadowStore {
  /** What was known when it was opened. */
  readonly known: Map<string, Known>;
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #get: StatementSync;
  readonly #keep: StatementSync;

  private constructor(database: DatabaseSync, known: Map<string, Known>) {
    this.#database = database;
    this.known = known;
    const columns = "path, kind, stamp, mode, size, content";
    this.#put = database.prepare(`INSERT OR REPLACE INTO nodes (${columns}) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#drop = database.prepare("DELETE FROM nodes WHERE path = ?");
    this.#get = database.prepare("SELECT bytes FROM contents WHERE hash = ?");
    this.#keep = database.prepare("INSERT OR IGNORE INTO contents (hash, bytes) VALUES (?, ?)");
  }

  static open(stateFolder: string): ShadowStore | Fault {
    let known = new Map<string, Known>();
    const database = openCache({
      path: join(stateFolder, "shadow.sqlite"),
      what: "The record of the folder",
      error: "store_damaged",
      timeout: 3000,
      version: 4,
      again:
        "It is made anew from the files that are there. What commands changed before Stet was interrupted may be missing in the review.",
      create: (made) => made.exec(schema),
      prepare(opened) {
        // It may be lost: nothing is worth a sync here.
        opened.exec("PRAGMA synchronous = OFF");
        known = knownIn(opened);
        keptBytesIn(opened);
      },
    });
    return isFault(database) ? database : new ShadowStore(database, known);
  }

  /** The bytes that were kept of a content. */
  bytes(hash: string): Uint8Array | undefined {
    const bytes = this.#get.get(hash)?.bytes;
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  keptBytes(): number {
    return keptBytesIn(this.#database);
  }

  /** Forgets contents that no path has any more. Another process may have needed one to take a change back. */
  forgetUnused(): void {
    this.#database.exec("DELETE FROM contents WHERE hash NOT IN (SELECT CAST(content AS TEXT) FROM nodes)");
  }

  /** Runs what remembers many things as one. */
  together(action: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      action();
      this.#database.exec("COMMIT");
    } catch (error) {
      this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  keepBytes(hash: string, bytes: Uint8Array): void {
    this.#keep.run(hash, bytes);
  }

  remember(path: string, known: Known | undefined): void {
    if (known === undefined) this.#drop.run(toBytes(path));
    else {
      const { kind, stamp, mode, size, content } = known;
      this.#put.run(toBytes(path), kind, stamp, mode, size, toBytes(content));
    }
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

function knownIn(database: DatabaseSync): Map<string, Known> {
  const known = new Map<string, Known>();
  for (const row of database.prepare("SELECT * FROM nodes").all()) {
    if (!(row.path instanceof Uint8Array) || !(row.content instanceof Uint8Array)) continue;
    known.set(fromBytes(row.path), {
      kind: String(row.kind) as Known["kind"],
      stamp: String(row.stamp),
      mode: Number(row.mode),
      size: Number(row.size),
      content: fromBytes(row.content),
    });
  }
  return known;
}

function keptBytesIn(database: DatabaseSync): number {
  const row = database.prepare("SELECT coalesce(sum(length(bytes)), 0) AS total FROM contents").get();
  return Number(row?.total ?? 0);
}
