// Vectors that were computed once, kept by what they were computed from, in an SQLite file of their own.
//
// - A key is the hash of a passage and of the model's id: whatever document it stands in, and whoever edits around it,
//   a passage is embedded once. A killed process has lost nothing but what it was computing.
// - Several processes may use the file. A writer that has to wait gives up: a vector that is not kept is computed again.
// - Nothing here cannot be computed again. So a damaged file is moved aside and a new one begun, and no failure of the
//   disk ever fails a search.
// - The file is bounded: beyond its limit, what was not used for the longest time goes.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Fault, isFault } from "@stet/protocol/fault";
import { readMark, removeMark, whatIsLost, writeMark } from "@stet/storage/mark";
import { tellNotice } from "@stet/storage/notices";
import { openSqliteFile } from "@stet/storage/sqlite-file";

const schema = `
  CREATE TABLE vectors (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, used INTEGER NOT NULL, vector BLOB NOT NULL) STRICT;
  CREATE INDEX vectors_by_use ON vectors (used, id);
`;
const schemaVersion = 1;
const defaultLimit = 500_000_000;
const day = 86_400_000;
/** Rows that one step of collecting removes: a few milliseconds. */
const collectAtOnce = 200;

/** Names a passage for one model. */
export function vectorKey(embedder: string, passage: string): string {
  return createHash("sha256").update(embedder).update("\0").update(passage).digest("base64");
}

interface Connection {
  readonly database: DatabaseSync;
  readonly inode: number;
  readonly read: StatementSync;
  readonly write: StatementSync;
  readonly touch: StatementSync;
}

export interface VectorStoreOptions {
  /** In bytes. */
  readonly limit?: number;
  readonly now?: () => number;
}

export class VectorStore {
  readonly path: string;
  #connection: Connection | undefined;
  readonly #limit: number;
  readonly #now: () => number;
  #isCollecting = false;

  private constructor(path: string, connection: Connection, options: VectorStoreOptions) {
    this.path = path;
    this.#connection = connection;
    this.#limit = options.limit ?? defaultLimit;
    this.#now = options.now ?? Date.now;
  }

  static open(path: string, options: VectorStoreOptions = {}): VectorStore | Fault {
    const connection = connect(path);
    return isFault(connection) ? connection : new VectorStore(path, connection, options);
  }

  /** The vectors that are there, for some keys; called with a few hundred at a time. */
  get(keys: readonly string[]): Map<string, Float32Array> {
    const found = new Map<string, Float32Array>();
    this.#attempt(({ read, touch }) => {
      const today = this.#today();
      const unused: number[] = [];
      for (const key of keys) {
        const row = read.get(bytesOf(key));
        if (row === undefined || !(row.vector instanceof Uint8Array)) continue;
        const vector = vectorOf(row.vector);
        if (vector !== undefined) found.set(key, vector);
        if (Number(row.used) < today) unused.push(Number(row.id));
      }
      if (unused.length === 0) return;
      this.#transaction(() => {
        for (const id of unused) touch.run(today, id);
      });
    });
    return found;
  }

  put(vectors: Iterable<readonly [key: string, vector: Float32Array]>): void {
    this.#attempt(({ write }) => {
      const today = this.#today();
      this.#transaction(() => {
        for (const [key, vector] of vectors) {
          write.run(bytesOf(key), today, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
        }
      });
    });
  }

  #today(): number {
    return Math.floor(this.#now() / day);
  }

  /** Removes some of what was not used for the longest time. True while there is more to remove. */
  collectSome(): boolean {
    const removed = this.#attempt(({ database }) => {
      const pages = pragma(database, "page_count") - pragma(database, "freelist_count");
      // Once begun, well below the limit, so that it is not reached again with the next few vectors.
      const target = this.#isCollecting ? this.#limit * 0.8 : this.#limit;
      this.#isCollecting = pages * pragma(database, "page_size") > target;
      if (!this.#isCollecting) return false;
      database.exec(
        `DELETE FROM vectors WHERE id IN (SELECT id FROM vectors ORDER BY used, id LIMIT ${collectAtOnce})`,
      );
      database.exec(`PRAGMA incremental_vacuum(${collectAtOnce * 2})`);
      return true;
    });
    return removed ?? false;
  }

  close(): void {
    this.#connection?.database.close();
    this.#connection = undefined;
  }

  #transaction(action: () => void): void {
    const database = this.#connection?.database;
    if (database === undefined) return;
    database.exec("BEGIN IMMEDIATE");
    try {
      action();
      database.exec("COMMIT");
    } finally {
      if (database.isTransaction) database.exec("ROLLBACK");
    }
  }

  /** Does something with the file; undefined where that fails. A damaged file is replaced for the next one. */
  #attempt<T>(action: (connection: Connection) => T): T | undefined {
    const connection = this.#connection;
    if (connection === undefined) return undefined;
    try {
      return action(connection);
    } catch (error) {
      if (!isDamage(error)) {
        if (isRefusal(error)) return undefined;
        throw error;
      }
      closeQuietly(connection.database);
      // Another process may have replaced it already; its new file is sound.
      if (inodeOf(this.path) === connection.inode) beginAnew(this.path, `is damaged: ${reasonOf(error)}`);
      const fresh = connect(this.path);
      this.#connection = isFault(fresh) ? undefined : fresh;
      return undefined;
    }
  }
}

function connect(path: string): Connection | Fault {
  const lost = whatIsLost(path);
  if (lost !== undefined) beginAnew(path, lost);
  for (const isLast of [false, true]) {
    let database: DatabaseSync | undefined;
    try {
      database = openSqliteFile(path, { timeout: 2000 });
      prepareSchema(database, readMark(path) !== undefined);
      // From here on nobody waits long for a cache: who writes is done in a few milliseconds. Smaller checkpoints than
      // usual, because the event loop waits for each.
      database.exec("PRAGMA busy_timeout = 100; PRAGMA wal_autocheckpoint = 200");
      if (readMark(path) === undefined) writeMark(path, "", 1);
      return {
        database,
        inode: inodeOf(path),
        read: database.prepare("SELECT id, used, vector FROM vectors WHERE key = ?"),
        write: database.prepare("INSERT OR IGNORE INTO vectors (key, used, vector) VALUES (?, ?, ?)"),
        touch: database.prepare("UPDATE vectors SET used = ? WHERE id = ?"),
      };
    } catch (error) {
      closeQuietly(database);
      if (!isRefusal(error)) throw error;
      if (isLast || !isDamage(error)) return unusable(path, error);
      beginAnew(path, `is damaged: ${error.message}`);
    }
  }
  return unusable(path, new Error("it is damaged"));
}

class OtherSchema extends Error {}

function prepareSchema(database: DatabaseSync, wasFilled: boolean): void {
  // Never waits for the disk: a killed process loses nothing by that, and what a power cut damages is computed again.
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = OFF");
  if (pragma(database, "user_version") === 0) {
    // A file that is too short to be a database is an empty one to SQLite.
    if (wasFilled) throw new OtherSchema("it holds nothing any more");
    database.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; BEGIN IMMEDIATE");
    // Another process may have been first.
    if (pragma(database, "user_version") === 0)
      database.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
    database.exec("COMMIT");
  }
  if (pragma(database, "user_version") !== schemaVersion) throw new OtherSchema("it is of another version");
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

function bytesOf(key: string): Uint8Array {
  return Buffer.from(key, "base64");
}

/** The vector in some bytes, unless they cannot be one: it must have the length 1. */
function vectorOf(bytes: Uint8Array): Float32Array | undefined {
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const vector = new Float32Array(bytes.length / 4);
  new Uint8Array(vector.buffer).set(bytes);
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.abs(square - 1) < 0.01 ? vector : undefined;
}

function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function beginAnew(path: string, how: string): void {
  const aside = moveAside(path);
  removeMark(path);
  tellNotice(
    new Fault(
      "store_damaged",
      `The vectors for search by meaning in ${path} cannot be used: the file ${how.replace(/, although.*/, "")}. They are computed again; what was there is kept as ${aside}.`,
      "Nothing has to be done.",
      { path, aside },
    ),
  );
}

/** Keeps the newest damaged file only. */
function moveAside(path: string): string {
  const aside = `${basename(path)}.damaged`;
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(aside)) rmSync(join(dirname(path), name), { recursive: true, force: true });
  }
  for (const end of ["", "-wal", "-shm"]) {
    if (existsSync(path + end)) renameSync(path + end, join(dirname(path), aside + end));
  }
  return join(dirname(path), aside);
}

function closeQuietly(database: DatabaseSync | undefined): void {
  try {
    database?.close();
  } catch {
    // What is damaged may refuse even that; the process's end closes it.
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof OtherSchema || (error instanceof Error && "errcode" in error);
}

/** SQLite's primary codes for a damaged file and for no database at all; one without our tables is neither of use. */
function isDamage(error: unknown): boolean {
  if (error instanceof OtherSchema) return true;
  if (!(error instanceof Error) || !("errcode" in error)) return false;
  const code = Number(error.errcode) & 0xff;
  return code === 11 || code === 26 || (code === 1 && /no such (?:table|column)/.test(error.message));
}

function unusable(path: string, error: Error): Fault {
  return new Fault(
    "io_failed",
    `The vectors for search by meaning cannot be kept in ${path}: ${error.message}.`,
    "Check the permissions and the free space there, or set STET_DATA_DIR to a folder that can be written.",
    { path, reason: error.message },
  );
}
