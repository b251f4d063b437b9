// What was in a folder when it was last looked at, kept in Stet's state folder: a row for each path, and the bytes of
// files that are not too large, by their hash.
//
// It is a cache, and may be large. One that is damaged, emptied or gone is made anew from the folder, no copy of it is kept,
// and that is told: what changed since the last look cannot be found any more. One that is busy or forbidden is left alone.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";
import { removeMark, type StoreName, whatIsLost, writeMark } from "@stet/storage/mark";
import { tellNotice } from "@stet/storage/notices";
import { isDamage, sqliteFault } from "@stet/storage/sqlite-fault";
import { openSqliteFile, sqliteSuffixes } from "@stet/storage/sqlite-file";
import { fromBytes, toBytes } from "./raw-path.ts";

/** What is known of a path since it was last looked at. */
export interface Known {
  readonly kind: "file" | "folder" | "link" | "pipe" | "socket" | "device";
  /** Changes whenever what is there may have changed. */
  readonly stamp: string;
  readonly mode: number;
  readonly size: number;
  /** Of a file: the hash of its content, or what it is told apart by. Of a link: where it leads. */
  readonly content: string;
}

const schemaVersion = 3;

export class ShadowStore {
  /** What was known when it was opened. */
  readonly known: Map<string, Known>;
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #put: StatementSync;
  readonly #drop: StatementSync;
  readonly #get: StatementSync;
  readonly #keep: StatementSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    this.known = this.#readKnown();
    const columns = "path, kind, stamp, mode, size, content";
    this.#put = database.prepare(`INSERT OR REPLACE INTO nodes (${columns}) VALUES (?, ?, ?, ?, ?, ?)`);
    this.#drop = database.prepare("DELETE FROM nodes WHERE path = ?");
    this.#get = database.prepare("SELECT bytes FROM contents WHERE hash = ?");
    this.#keep = database.prepare("INSERT OR IGNORE INTO contents (hash, bytes) VALUES (?, ?)");
  }

  static open(stateFolder: string): ShadowStore | Fault {
    const path = join(stateFolder, "shadow.sqlite");
    const name: StoreName = { path, what: "The record of the folder", error: "store_damaged" };
    try {
      const lost = whatIsLost(path);
      if (lost === undefined) return ShadowStore.#connect(path);
      return ShadowStore.#beginAnew(name, lost);
    } catch (error) {
      if (!isDamage(error)) return sqliteFault(error, name);
      return ShadowStore.#beginAnew(name, `is damaged: ${error.message}`);
    }
  }

  static #connect(path: string): ShadowStore {
    const database = openSqliteFile(path, { timeout: 3000 });
    try {
      prepare(database);
      const store = new ShadowStore(path, database);
      store.keptBytes();
      return store;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  static #beginAnew({ path, what, error }: StoreName, how: string): ShadowStore {
    for (const suffix of ["", ...sqliteSuffixes]) rmSync(path + suffix, { force: true, recursive: true });
    removeMark(path);
    const store = ShadowStore.#connect(path);
    const message = `${what} ${path} ${how}. It is made anew from the files that are there.`;
    const advice =
      "Nothing has to be done. What commands changed before Stet was interrupted may be missing in the review.";
    tellNotice(new Fault(error, message, advice, { path }));
    return store;
  }

  #readKnown(): Map<string, Known> {
    const known = new Map<string, Known>();
    for (const row of this.#database.prepare("SELECT * FROM nodes").all()) {
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

  /** The bytes that were kept of a content. */
  bytes(hash: string): Uint8Array | undefined {
    const bytes = this.#get.get(hash)?.bytes;
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  keptBytes(): number {
    const row = this.#database.prepare("SELECT coalesce(sum(length(bytes)), 0) AS total FROM contents").get();
    return Number(row?.total ?? 0);
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
    if (!this.#database.isOpen) return;
    try {
      const row = this.#database.prepare("SELECT count(*) AS count FROM nodes").get();
      writeMark(this.#path, "", Number(row?.count ?? 0));
    } catch (error) {
      // The next opening tells it.
      if (!isDamage(error)) throw error;
    } finally {
      this.#database.close();
    }
  }
}

function prepare(database: DatabaseSync): void {
  // It may be lost: nothing is worth a sync here.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  const row = database.prepare("PRAGMA user_version").get();
  if (Number(row?.user_version ?? 0) !== schemaVersion) {
    database.exec(`
      DROP TABLE IF EXISTS files;
      DROP TABLE IF EXISTS nodes;
      DROP TABLE IF EXISTS contents;
      CREATE TABLE nodes (
        path BLOB PRIMARY KEY, kind TEXT NOT NULL, stamp TEXT NOT NULL, mode INTEGER NOT NULL, size INTEGER NOT NULL,
        content BLOB NOT NULL
      ) STRICT;
      CREATE TABLE contents (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
      PRAGMA user_version = ${schemaVersion};
    `);
  }
}
