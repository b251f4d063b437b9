// A cache of computed vectors, keyed by what they were computed from, in an SQLite file of its own.
//
// - A key is the hash of a passage and of the model's id: whatever document it stands in, and whatever changes around it,
//   a passage is embedded once. A killed process has lost nothing but what it was computing.
// - Several processes may use the file. A writer that has to wait gives up: a vector that is not stored is computed again.
// - Nothing here cannot be computed again. So a damaged file is begun anew, and no failure of the disk ever fails a search.
// - The file is bounded: beyond its limit, what was not used for the longest time goes.

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Fault, isFault } from "@stet/protocol/fault";
import { type CacheStore, openCache, remakeCache } from "@stet/storage/mended-store";
import { isDamage, isRefusal } from "@stet/storage/sqlite-fault";

const schema = `
  CREATE TABLE vectors (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, used INTEGER NOT NULL, vector BLOB NOT NULL) STRICT;
  CREATE INDEX vectors_by_use ON vectors (used, id);
`;
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
  readonly #store: CacheStore;
  #connection: Connection | undefined;
  readonly #limit: number;
  readonly #now: () => number;
  #isCollecting = false;

  private constructor(store: CacheStore, connection: Connection, options: VectorStoreOptions) {
    this.#store = store;
    this.#connection = connection;
    this.#limit = options.limit ?? defaultLimit;
    this.#now = options.now ?? Date.now;
  }

  static open(path: string, options: VectorStoreOptions = {}): VectorStore | Fault {
    const store = storeAt(path);
    const database = openCache(store);
    return isFault(database) ? database : new VectorStore(store, connectionOf(path, database), options);
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
      if (!isRefusal(error)) throw error;
      if (isDamage(error)) this.#connection = this.#again(connection, error.message);
      return undefined;
    }
  }

  #again({ database, inode }: Connection, reason: string): Connection | undefined {
    const { path } = this.#store;
    // Another process may have begun it anew already; its new file is sound.
    const isOurs = inodeOf(path) === inode;
    if (!isOurs) database.close();
    const fresh = isOurs ? remakeCache(this.#store, database, reason) : openCache(this.#store);
    return isFault(fresh) ? undefined : connectionOf(path, fresh);
  }
}

function storeAt(path: string): CacheStore {
  return {
    path,
    what: "The file of vectors for search by meaning",
    error: "store_damaged",
    timeout: 2000,
    version: 1,
    again: "They are computed again.",
    create: (database) => database.exec(schema),
    prepare(database) {
      // Never waits for the disk: a killed process loses nothing by that, and what a power cut damages is computed again. Nor
      // does anyone wait long for a cache: who writes is done in a few milliseconds. Smaller checkpoints than usual, because the
      // event loop waits for each.
      database.exec("PRAGMA synchronous = OFF; PRAGMA busy_timeout = 100; PRAGMA wal_autocheckpoint = 200");
      database.exec("SELECT id, key, used, vector FROM vectors LIMIT 1");
    },
  };
}

function connectionOf(path: string, database: DatabaseSync): Connection {
  return {
    database,
    inode: inodeOf(path),
    read: database.prepare("SELECT id, used, vector FROM vectors WHERE key = ?"),
    write: database.prepare("INSERT OR IGNORE INTO vectors (key, used, vector) VALUES (?, ?, ?)"),
    touch: database.prepare("UPDATE vectors SET used = ? WHERE id = ?"),
  };
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
