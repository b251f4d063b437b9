// SQLite files of Stet's own, readable by their owner only.
//
// SQLite creates a database with the process's umask, and gives its `-wal`, `-shm` and `-journal` the mode of the database. So
// the database is created here, empty, before SQLite opens it. A file that exists is never opened here: closing any descriptor
// of a file drops the locks that SQLite holds on it in this process.

import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { createPrivateFile, narrow } from "./private-files.ts";

/** The files that SQLite keeps beside a database. */
export const sqliteSuffixes = ["-wal", "-shm", "-journal"] as const;

/** As `new DatabaseSync`, which throws where the file cannot be used. */
export function openSqliteFile(path: string, options: DatabaseSyncOptions = {}): DatabaseSync {
  makePrivate(path);
  return new DatabaseSync(path, options);
}

/** A compact copy of a whole database at a path where there is no file. */
export function copySqliteFile(database: DatabaseSync, path: string): void {
  // SQLite fills a file that is empty, and refuses any other.
  createPrivateFile(path);
  database.prepare("VACUUM INTO ?").run(path);
}

function makePrivate(path: string): void {
  try {
    if (createPrivateFile(path)) return;
    if (narrow(path)) for (const suffix of sqliteSuffixes) narrow(path + suffix);
  } catch {
    // A folder that is missing or read-only, a file of somebody else: SQLite says what can be done with it.
  }
}
