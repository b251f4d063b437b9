// A SQLite file that may be lost without harm to anybody's text: prompts, jobs, vectors. One that is damaged is moved aside, a
// new one is begun with what can be read of it, and a notice says so. A file of another version is left alone. A cache is begun
// anew in both cases, without any of its rows.

import { rmSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { Fault } from "@stet/protocol/fault";
import { readMark, removeMark, type StoreName, whatIsLost, writeMark } from "./mark.ts";
import { tellNotice } from "./notices.ts";
import { salvage } from "./salvage.ts";
import { setAside } from "./set-aside.ts";
import { isDamage, sqliteFault } from "./sqlite-fault.ts";
import { openSqliteFile, sqliteSuffixes } from "./sqlite-file.ts";
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

/** A store of what can be had again at any time; `again` says to people how. */
export interface CacheStore extends Omit<MendedStore, "count" | "tables"> {
  readonly again: string;
}

export function openCache(store: CacheStore): DatabaseSync | Fault {
  return openMended(asMended(store));
}

/** For damage that shows while a cache is in use. */
export function remakeCache(store: CacheStore, database: DatabaseSync, reason: string): DatabaseSync | Fault {
  return mendInUse(asMended(store), database, reason);
}

function asMended(store: CacheStore): MendedStore & CacheStore {
  return { ...store, tables: [], count: () => 1 };
}

export function openMended(store: MendedStore): DatabaseSync | Fault {
  const lost = whatIsLost(store.path);
  try {
    if (lost !== undefined) return beginAnew(store, lost);
    return connect(store);
  } catch (error) {
    if (error instanceof UnusableStore) return attemptAnew(store, error.message);
    if (!isDamage(error)) return sqliteFault(error, store);
    return attemptAnew(store, `is damaged: ${error.message}`);
  }
}

/** Its message says why, as the end of a sentence. */
class UnusableStore extends Error {}

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
    // A file that is too short to be a database is an empty one to SQLite.
    if (isNew && (readMark(path)?.count ?? 0) > 0) throw new UnusableStore("holds nothing any more");
    if (isNew) create(store, database);
    const other = reachVersion(database, store);
    if (other !== undefined) {
      if ("again" in store) throw new UnusableStore("is of another version");
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

function beginAnew(store: MendedStore | (CacheStore & MendedStore), how: string): DatabaseSync | Fault {
  if ("again" in store) return beginCache(store, how);
  const aside = setAside(store.path);
  removeMark(store.path);
  const database = connect(store);
  if (database instanceof Fault) return database;
  database.exec("BEGIN IMMEDIATE");
  const { rows } = salvage(aside, database, store.tables);
  database.exec("COMMIT");
  markStore(store, database);
  const count = [...rows.values()].reduce((sum, some) => sum + some, 0);
  const recovered = store.tables.length === 0 ? "" : ` with ${count} entries that could be read`;
  tellNotice(
    new Fault(
      store.error,
      `${store.what} ${store.path} ${how}. A new one was begun${recovered}; what was there is kept as ${aside}.`,
      "Nothing has to be done. Remove the old file when you do not need it.",
      { path: store.path, aside },
    ),
  );
  return database;
}

function beginCache(store: MendedStore & CacheStore, how: string): DatabaseSync | Fault {
  const { path, what, error, again } = store;
  for (const suffix of ["", ...sqliteSuffixes]) rmSync(path + suffix, { force: true, recursive: true });
  removeMark(path);
  const database = connect(store);
  const message = `${what} ${path} ${how.replace(/, although.*/, "")}. ${again}`;
  tellNotice(new Fault(error, message, "Nothing has to be done.", { path }));
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
