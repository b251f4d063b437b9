// Results of subagents in a file beside the ledger, so that they outlive the process. Only a cache: it can be deleted at any
// time, and where it cannot be used the work is done anew.

import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isFault } from "@stet/protocol/fault";
import { openMended } from "@stet/storage/mended-store";
import type { Workspace } from "@stet/workspace/workspace";
import { MemoryResultCache, type ResultCache } from "./result-cache.ts";

const maxBytes = 64 * 1024 * 1024;
const schema = `
  CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT NOT NULL, used INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS results_by_use ON results (used);
`;

export class StoredResults implements ResultCache {
  readonly #database: DatabaseSync;
  readonly #limit: number;

  private constructor(database: DatabaseSync, limit: number) {
    this.#database = database;
    this.#limit = limit;
  }

  /** Undefined where the file cannot be used. */
  static open(path: string, limit = maxBytes): StoredResults | undefined {
    const database = openMended({
      path,
      what: "The results of subagents",
      error: "store_damaged",
      timeout: 1000,
      version: 1,
      create: (made) => made.exec(schema),
      prepare: (opened) => opened.exec("PRAGMA synchronous = OFF; SELECT 1 FROM results LIMIT 1"),
      count: () => 0,
      tables: [],
    });
    return isFault(database) ? undefined : new StoredResults(database, limit);
  }

  get(key: string): unknown {
    return this.#tried(() => {
      const row = this.#database.prepare("SELECT result FROM results WHERE key = ?").get(key);
      if (row === undefined) return undefined;
      this.#database.prepare("UPDATE results SET used = ? WHERE key = ?").run(Date.now(), key);
      return JSON.parse(String(row.result));
    });
  }

  set(key: string, result: unknown): void {
    this.#tried(() => {
      const sql = "INSERT OR REPLACE INTO results (key, result, used) VALUES (?, ?, ?)";
      this.#database.prepare(sql).run(key, JSON.stringify(result), Date.now());
    });
  }

  /** Forgets what was not used for longest, where there is too much, and lets go of the file. */
  close(): void {
    this.#tried(() => {
      const total = this.#database
        .prepare("SELECT coalesce(sum(length(result)), 0) AS total FROM results")
        .get();
      let over = Number(total?.total ?? 0) - this.#limit;
      if (over <= 0) return;
      const forget = this.#database.prepare("DELETE FROM results WHERE key = ?");
      for (const row of this.#database
        .prepare("SELECT key, length(result) AS size FROM results ORDER BY used")
        .all()) {
        if (over <= 0) break;
        forget.run(String(row.key));
        over -= Number(row.size);
      }
    });
    this.#database.close();
  }

  /** What a damaged, full or locked file refuses is as if it had never been kept. */
  #tried<T>(action: () => T): T | undefined {
    try {
      return action();
    } catch {
      return undefined;
    }
  }
}

/** Runs an action with the results that are kept for a workspace. */
export async function withKeptResults<T>(
  workspace: Workspace,
  action: (cache: ResultCache) => Promise<T>,
): Promise<T> {
  const path = join(workspace.stateFolder, "results.sqlite");
  const stored = StoredResults.open(path);
  try {
    return await action(stored ?? new MemoryResultCache());
  } finally {
    stored?.close();
  }
}
