// A SQLite file that may be lost without harm to anybody's text: prompts, jobs, vectors. One that is damaged is moved aside, a
// new one is begun with what can be read of it, and that is told. A file of another version is left alone.

import type { DatabaseSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";
import { readMark, removeMark, type StoreName, whatIsLost, writeMark } from "./mark.ts";
import { tellNotice } from "./notices.ts";
import { salvage } from "./salvage.ts";
import { setAside } from "./set-aside.ts";
import { isDamage, sqliteFault } from "./sqlite-fault.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { reachVersion, type VersionedStore, versionOf } from "./store-version.ts";

export interface MendedStore extends VersionedStore {
  /** How long to wait for another process, in milliseconds. */
  readonly timeout: number;
  /** Begins a file that has no tables yet. */
  create(database: DatabaseSync): void;
  /** Done with every opening. */
  prepare(database: DatabaseSync): void;
  /** What it holds, as a number that only ever grows. */
  count(database: DatabaseSync): number;
  /** Tables whose rows are worth bringing over. */
  readonly tables: readonly string[];
}

export function openMended(store: MendedStore): DatabaseSync | Fault {
  const lost = whatIsLost(store.path);
  try {
    if (lost !== undefined) return beginAnew(store, lost);
    return connect(store);
  } catch (error) {
    if (error instanceof EmptiedStore) return attemptAnew(store, "holds nothing any more");
    if (!isDamage(error)) return sqliteFault(error, store);
    return attemptAnew(store, `is damaged: ${error.message}`);
  }
}

/** A file that is too short to be a database is an empty one to SQLite. */
class EmptiedStore extends Error {}

/** For damage that shows while a file is in use. */
export function mendInUse(store: MendedStore, database: DatabaseSync, reason: string): DatabaseSync | Fault {
  closeQuietly(database);
  return attemptAnew(store, `is damaged: ${reason}`);
}

/** Writes down how far it has come; called when it is closed. */
export function markStore(store: MendedStore, database: DatabaseSync): void {
  try {
    const count = store.count(database);
    if (count !== readMark(store.path)?.count) writeMark(store.path, "", count);
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

function attemptAnew(store: MendedStore, how: string): DatabaseSync | Fault {
  try {
    return beginAnew(store, how);
  } catch (error) {
    return sqliteFault(error, store);
  }
}

function connect(store: MendedStore): DatabaseSync | Fault {
  const { path, timeout } = store;
  const database = openSqliteFile(path, { timeout });
  try {
    database.exec("PRAGMA trusted_schema = OFF");
    const isNew = versionOf(database) === 0;
    if (isNew && (readMark(path)?.count ?? 0) > 0) throw new EmptiedStore();
    if (isNew) create(store, database);
    const other = reachVersion(database, store);
    if (other !== undefined) {
      database.close();
      return other;
    }
    store.prepare(database);
    const count = store.count(database);
    const missing = (readMark(path)?.count ?? 0) - count;
    if (missing > 0) tellNotice(olderStore(store, missing));
    if (missing !== 0) writeMark(path, "", count);
    return database;
  } catch (error) {
    closeQuietly(database);
    throw error;
  }
}

function create(store: MendedStore, database: DatabaseSync): void {
  database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
  // Another process may have been first.
  if (versionOf(database) === 0) {
    store.create(database);
    database.exec(`PRAGMA user_version = ${store.version}`);
  }
  database.exec("COMMIT");
}

function beginAnew(store: MendedStore, how: string): DatabaseSync | Fault {
  const aside = setAside(store.path);
  removeMark(store.path);
  const database = connect(store);
  if (database instanceof Fault) return database;
  database.exec("BEGIN IMMEDIATE");
  const { rows } = salvage(aside, database, store.tables);
  database.exec("COMMIT");
  markStore(store, database);
  const count = [...rows.values()].reduce((sum, some) => sum + some, 0);
  const kept = store.tables.length === 0 ? "" : ` with ${count} entries that could be read`;
  tellNotice(
    new Fault(
      store.error,
      `${store.what} ${store.path} ${how}. A new one was begun${kept}; what was there is kept as ${aside}.`,
      "Nothing has to be done. Remove the old file when you do not need it.",
      { path: store.path, aside },
    ),
  );
  return database;
}

function olderStore({ error, what, path }: StoreName, missing: number): Fault {
  return new Fault(
    error,
    `${what} ${path} is older than it was: its last ${missing} entries are gone, as after a power cut or when its -wal file was removed.`,
    "Nothing has to be done.",
    { path, missing },
  );
}

function closeQuietly(database: DatabaseSync): void {
  try {
    database.close();
  } catch {
    // What is damaged may refuse even that; the process's end closes it.
  }
}
