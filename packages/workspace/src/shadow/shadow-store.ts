// What the files of a folder held when they were last looked at, kept in Stet's state folder: a stamp for each, and the
// bytes of those that are text and not too large. It can be lost at any time: it is then made anew.

import { rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { openSqliteFile } from "@stet/storage/sqlite-file";

export interface ShadowRow {
  readonly path: string;
  /** Changes whenever the file may have changed. */
  readonly stamp: string;
  /** Null where only the stamp is kept. */
  readonly bytes: Uint8Array | null;
}

const schemaVersion = 2;

export class ShadowStore {
  private readonly database: DatabaseSync;
  private readonly put: StatementSync;
  private readonly drop: StatementSync;
  private readonly get: StatementSync;

  private constructor(database: DatabaseSync) {
    this.database = database;
    this.put = database.prepare("INSERT OR REPLACE INTO files (path, stamp, bytes) VALUES (?, ?, ?)");
    this.drop = database.prepare("DELETE FROM files WHERE path = ?");
    this.get = database.prepare("SELECT bytes FROM files WHERE path = ?");
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

  stamps(): Map<string, string> {
    const rows = this.database.prepare("SELECT path, stamp FROM files").all();
    return new Map(rows.map((row) => [String(row.path), String(row.stamp)]));
  }

  /** The bytes that were kept; null where only the stamp was. */
  bytes(path: string): Uint8Array | null {
    const bytes = this.get.get(path)?.bytes;
    return bytes instanceof Uint8Array ? bytes : null;
  }

  keptBytes(): number {
    const row = this.database.prepare("SELECT coalesce(sum(length(bytes)), 0) AS total FROM files").get();
    return Number(row?.total ?? 0);
  }

  update(changed: readonly ShadowRow[], gone: readonly string[]): void {
    if (changed.length === 0 && gone.length === 0) return;
    this.database.exec("BEGIN IMMEDIATE");
    try {
      for (const { path, stamp, bytes } of changed) this.put.run(path, stamp, bytes);
      for (const path of gone) this.drop.run(path);
      this.database.exec("COMMIT");
    } catch (error) {
      this.database.exec("ROLLBACK");
      throw error;
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
      CREATE TABLE files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, bytes BLOB) STRICT;
      PRAGMA user_version = ${schemaVersion};
    `);
  }
  return database;
}
