// What GitHub has answered, kept in an SQLite file beside the ledger. Only a cache: it can be deleted at any time, and where it
// cannot be used GitHub is asked.
//
// - A key holds everything that an answer depends on: the account, the host, the repository, what it is and its number. So
//   nobody is shown what another account may see.
// - A row is fresh, then stale (it is answered, and fetched anew), then too old: it is never answered, and removed.
// - Several processes may use the file; the last to write wins. A damaged file, or one of another version, is begun anew.

import type { DatabaseSync } from "node:sqlite";
import { isFault } from "@stet/protocol/fault";
import { type CacheStore, openCache, remakeCache } from "@stet/storage/mended-store";
import { isDamage, isRefusal } from "@stet/storage/sqlite-fault";

export interface CacheTimes {
  /** Milliseconds for which an answer is fresh. */
  readonly soft: number;
  /** Milliseconds after which it is no longer used; 0 keeps nothing. */
  readonly hard: number;
}

export interface CacheKey {
  readonly account: string;
  readonly host: string;
  readonly owner: string;
  readonly name: string;
  readonly kind: string;
  readonly number: number;
}

export interface CachedAnswer {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly isStale: boolean;
}

export interface GithubCacheOptions {
  readonly times: CacheTimes;
  readonly now?: (() => number) | undefined;
  /** Bytes of all answers. */
  readonly limit?: number | undefined;
}

const schema = `
  CREATE TABLE answers (key TEXT PRIMARY KEY, fetched INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  CREATE INDEX answers_by_time ON answers (fetched);
`;
const defaultLimit = 64 * 1024 * 1024;
/** Of a clock that was set back. */
const maxAhead = 60_000;

export class GithubCache {
  readonly #store: CacheStore;
  readonly #times: CacheTimes;
  readonly #now: () => number;
  readonly #limit: number;
  #database: DatabaseSync | undefined;

  constructor(path: string, { times, now = Date.now, limit = defaultLimit }: GithubCacheOptions) {
    this.#store = storeAt(path);
    this.#times = times;
    this.#now = now;
    this.#limit = limit;
    if (times.hard <= 0) return;
    const database = openCache(this.#store);
    this.#database = isFault(database) ? undefined : database;
    this.#attempt((opened) => this.#forgetOld(opened));
  }

  get(key: CacheKey): CachedAnswer | undefined {
    return this.#attempt((database) => {
      const row = database.prepare("SELECT fetched, text FROM answers WHERE key = ?").get(keyText(key));
      if (row === undefined) return undefined;
      const fetchedAt = Number(row.fetched);
      const age = this.#now() - fetchedAt;
      if (age >= this.#times.hard || age < -maxAhead) return undefined;
      return { text: String(row.text), fetchedAt, isStale: age >= this.#times.soft };
    });
  }

  put(key: CacheKey, text: string): void {
    this.#attempt((database) => {
      if (text.length > this.#limit / 4) return;
      const sql = "INSERT OR REPLACE INTO answers (key, fetched, text) VALUES (?, ?, ?)";
      database.prepare(sql).run(keyText(key), this.#now(), text);
      this.#forgetOld(database);
      this.#forgetMost(database);
    });
  }

  remove(key: CacheKey): void {
    this.#attempt((database) => database.prepare("DELETE FROM answers WHERE key = ?").run(keyText(key)));
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }

  #forgetOld(database: DatabaseSync): void {
    const oldest = this.#now() - this.#times.hard;
    database.prepare("DELETE FROM answers WHERE fetched <= ?").run(oldest);
  }

  /** The oldest go first. */
  #forgetMost(database: DatabaseSync): void {
    const sum = database.prepare("SELECT coalesce(sum(length(text)), 0) AS total FROM answers").get();
    let over = Number(sum?.total ?? 0) - this.#limit;
    if (over <= 0) return;
    const rows = database.prepare("SELECT key, length(text) AS size FROM answers ORDER BY fetched").all();
    const forget = database.prepare("DELETE FROM answers WHERE key = ?");
    for (const row of rows) {
      if (over <= 0) break;
      forget.run(String(row.key));
      over -= Number(row.size);
    }
    database.exec("PRAGMA incremental_vacuum(1000)");
  }

  /** What a full or locked file refuses is as if it had never been kept; a damaged one is begun anew. */
  #attempt<T>(action: (database: DatabaseSync) => T): T | undefined {
    const database = this.#database;
    if (database === undefined) return undefined;
    try {
      return action(database);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!isDamage(error)) return undefined;
      const fresh = remakeCache(this.#store, database, error.message);
      this.#database = isFault(fresh) ? undefined : fresh;
      return undefined;
    }
  }
}

function keyText({ account, host, owner, name, kind, number }: CacheKey): string {
  // GitHub's names have no case.
  return JSON.stringify([account, host, owner.toLowerCase(), name.toLowerCase(), kind, number]);
}

function storeAt(path: string): CacheStore {
  return {
    path,
    what: "The file of answers from GitHub",
    error: "store_damaged",
    timeout: 300,
    version: 1,
    again: "They are fetched again.",
    create: (made) => made.exec(schema),
    prepare: (opened) => opened.exec("PRAGMA synchronous = OFF; SELECT 1 FROM answers LIMIT 1"),
  };
}
