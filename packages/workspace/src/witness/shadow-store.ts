// What was in a folder when it was last looked at, kept in Stet's state folder: a row for each path, and the bytes of
// files that are not too large, by their hash. It can be lost at any time: it is then made anew.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { openSqliteFile } from "@stet/storage/sqlite-file";
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
  private readonly database: DatabaseSync;
  private readonly put: StatementSync;
  private readonly drop: StatementSync;
  private readonly get: StatementSync;
  private readonly keep: StatementSync;

  private constructor(database: DatabaseSync) {
    this.database = database;
    const columns = "path, kind, stamp, mode, size, content";
    this.put = database.prepare(`INSERT OR REPLACE INTO nodes (${columns}) VALUES (?, ?, ?, ?, ?, ?)`);
    this.drop = database.prepare("DELETE FROM nodes WHERE path = ?");
    this.get = database.prepare("SELECT bytes FROM contents WHERE hash = ?");
    this.keep = database.prepare("INSERT OR IGNORE INTO contents (hash, bytes) VALUES (?, ?)");
  }

  static open(stateFolder: string): ShadowStore {
    const path = join(stateFolder, "shadow.sqlite");
    try {
      return new ShadowStore(openDatabase(path));
    } catch {
      // Damaged, or of another kind: nothing is lost with it.
      for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
      return new ShadowStore(openDatabase(path));
    }
  }

  known(): Map<string, Known> {
    const known = new Map<string, Known>();
    for (const row of this.database.prepare("SELECT * FROM nodes").all()) {
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
    const bytes = this.get.get(hash)?.bytes;
    return bytes instanceof Uint8Array ? bytes : undefined;
  }

  keptBytes(): number {
    const row = this.database.prepare("SELECT coalesce(sum(length(bytes)), 0) AS total FROM contents").get();
    return Number(row?.total ?? 0);
  }

  /** Forgets contents that no path has any more. Another process may have needed one to take a change back. */
  forgetUnused(): void {
    this.database.exec("DELETE FROM contents WHERE hash NOT IN (SELECT CAST(content AS TEXT) FROM nodes)");
  }

  /** Runs what remembers many things as one. */
  together(action: () => void): void {
    this.database.exec("BEGIN IMMEDIATE");
    try {
      action();
      this.database.exec("COMMIT");
    } catch (error) {
      this.database.exec("ROLLBACK");
      throw error;
    }
  }

  keepBytes(hash: string, bytes: Uint8Array): void {
    this.keep.run(hash, bytes);
  }

  remember(path: string, known: Known | undefined): void {
    if (known === undefined) this.drop.run(toBytes(path));
    else {
      const { kind, stamp, mode, size, content } = known;
      this.put.run(toBytes(path), kind, stamp, mode, size, toBytes(content));
    }
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }
}

function openDatabase(path: string): DatabaseSync {
  const database = openSqliteFile(path, { timeout: 3000 });
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
  return database;
}
