// Results of subagents, kept for the next time that the same thing is asked, in a file beside the ledger. Only a cache: it can be
// deleted at any time, and where it cannot be used the work is done anew.
//
// The key is everything that the result depends on: the model, the tool with its schema, the instructions and the prompt with
// its text. A changed prompt, another model or another word in the chunk is therefore another key, and nothing is ever stale.

import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isFault } from "@stet/protocol/fault";
import { openCache } from "@stet/storage/mended-store";
import { hashText } from "@stet/text/hash";
import type { Workspace } from "@stet/workspace/workspace";

const maxBytes = 64 * 1024 * 1024;
const schema = `
  CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result TEXT NOT NULL, used INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS results_by_use ON results (used);
`;

export interface KeyParts {
  readonly modelId: string;
  readonly tool: { readonly name: string; readonly description: string };
  readonly system: string;
  readonly prompt: string;
}

export function keyOf({ modelId, tool, system, prompt }: KeyParts): string {
  return hashText(JSON.stringify([modelId, tool.name, tool.description, system, prompt]));
}

export class StoredResults {
  readonly #database: DatabaseSync;
  readonly #limit: number;

  private constructor(database: DatabaseSync, limit: number) {
    this.#database = database;
    this.#limit = limit;
  }

  /** Undefined where the file cannot be used. */
  static open(path: string, limit = maxBytes): StoredResults | undefined {
    const database = openCache({
      path,
      what: "The file of results of subagents",
      error: "store_damaged",
      timeout: 1000,
      version: 1,
      again: "They are asked for again.",
      create: (made) => made.exec(schema),
      prepare: (opened) => opened.exec("PRAGMA synchronous = OFF; SELECT 1 FROM results LIMIT 1"),
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

/** Runs an action with the results that are kept for a workspace, where they can be. */
export async function withKeptResults<T>(
  workspace: Workspace,
  action: (kept: StoredResults | undefined) => Promise<T>,
): Promise<T> {
  const path = join(workspace.stateFolder, "results.sqlite");
  const stored = StoredResults.open(path);
  try {
    return await action(stored);
  } finally {
    stored?.close();
  }
}
