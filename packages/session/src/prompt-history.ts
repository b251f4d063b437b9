// What a person typed before, to be found again: newest first, searched by words.
//
// - The same prompt twice in a row is stored once, also when two terminals write.
// - At most `maxPrompts` are stored; the oldest are evicted first.
// - A search finds prompts that have all the words, each as the beginning of a word; where there are none, prompts
//   that contain the text as it stands.

import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder } from "@stet/storage/durable-file";
import { type MendedStore, markStore, mendInUse, openMended } from "@stet/storage/mended-store";
import { isDamage, sqliteFault } from "@stet/storage/sqlite-fault";

export interface StoredPrompt {
  readonly prompt: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly cwd: string;
}

export interface PromptHistoryOptions {
  readonly maxPrompts?: number;
}

const defaultMaxPrompts = 10_000;
/** A whole book pasted into the prompt is not something to recall. */
const maxPromptCharacters = 100_000;

const schema = `
  CREATE TABLE IF NOT EXISTS history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    prompt TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    cwd TEXT NOT NULL
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS history_fts USING fts5(prompt, content='history', content_rowid='id');
  CREATE TRIGGER IF NOT EXISTS history_added AFTER INSERT ON history BEGIN
    INSERT INTO history_fts (rowid, prompt) VALUES (new.id, new.prompt);
  END;
  CREATE TRIGGER IF NOT EXISTS history_removed AFTER DELETE ON history BEGIN
    INSERT INTO history_fts (history_fts, rowid, prompt) VALUES ('delete', old.id, old.prompt);
  END;
`;

export class PromptHistory {
  readonly #store: MendedStore;
  #database: DatabaseSync;
  readonly #maxPrompts: number;

  private constructor(store: MendedStore, database: DatabaseSync, maxPrompts: number) {
    this.#store = store;
    this.#database = database;
    this.#maxPrompts = maxPrompts;
  }

  static open(path: string, options: PromptHistoryOptions = {}): PromptHistory | Fault {
    const created = attempt("created", path, () => makeDurableFolder(dirname(path)));
    if (isFault(created)) return created;
    const store = storeAt(path);
    const database = openMended(store);
    if (isFault(database)) return database;
    return new PromptHistory(store, database, options.maxPrompts ?? defaultMaxPrompts);
  }

  /** False where nothing was added: an empty prompt, one that is far too long, or the last one again. */
  add(prompt: string, cwd: string, now: number = Date.now()): boolean | Fault {
    if (prompt.trim() === "" || prompt.length > maxPromptCharacters) return false;
    return this.#mending(() => {
      const added = this.#database
        .prepare(
          `INSERT INTO history (prompt, created_at, cwd) SELECT ?1, ?2, ?3
           WHERE ?1 IS NOT (SELECT prompt FROM history ORDER BY id DESC LIMIT 1)`,
        )
        .run(prompt, now, cwd);
      if (added.changes === 0) return false;
      this.#database
        .prepare("DELETE FROM history WHERE id <= (SELECT id FROM history ORDER BY id DESC LIMIT 1 OFFSET ?)")
        .run(this.#maxPrompts);
      return true;
    });
  }

  /** The latest, newest first; those of one folder if it is given. */
  recent(limit: number, cwd?: string): readonly StoredPrompt[] | Fault {
    return this.#select(
      "SELECT prompt, created_at, cwd FROM history WHERE ?1 IS NULL OR cwd = ?1 ORDER BY id DESC LIMIT ?2",
      cwd ?? null,
      limit,
    );
  }

  search(text: string, limit: number): readonly StoredPrompt[] | Fault {
    const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    if (words.length > 0) {
      const found = this.#select(
        `SELECT prompt, created_at, cwd FROM history WHERE id IN (SELECT rowid FROM history_fts WHERE history_fts MATCH ?)
         ORDER BY id DESC LIMIT ?`,
        words.map((word) => `"${word}"*`).join(" "),
        limit,
      );
      if (isFault(found) || found.length > 0) return found;
    }
    return this.#select(
      "SELECT prompt, created_at, cwd FROM history WHERE instr(lower(prompt), lower(?)) > 0 ORDER BY id DESC LIMIT ?",
      text,
      limit,
    );
  }

  #select(statement: string, ...values: (string | number | null)[]): readonly StoredPrompt[] | Fault {
    return this.#mending(() =>
      this.#database
        .prepare(statement)
        .all(...values)
        .map((row) => ({
          prompt: String(row.prompt),
          createdAt: Number(row.created_at),
          cwd: String(row.cwd),
        })),
    );
  }

  close(): void {
    if (this.#database.isOpen) markStore(this.#store, this.#database);
    this.#database.close();
  }

  /** Where the file turns out to be damaged, it is replaced by what can be read of it, and the action runs on that. */
  #mending<T>(action: () => T): T | Fault {
    try {
      return action();
    } catch (error) {
      if (!isDamage(error)) return sqliteFault(error, this.#store);
      const mended = mendInUse(this.#store, this.#database, error.message);
      if (isFault(mended)) return mended;
      this.#database = mended;
      return action();
    }
  }
}

function storeAt(path: string): MendedStore {
  return {
    path,
    what: "The list of your prompts",
    error: "store_damaged",
    timeout: 2000,
    version: 1,
    create: (database) => database.exec(schema),
    prepare: (database) => database.exec("PRAGMA synchronous = NORMAL"),
    count(database) {
      const row = database.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'history'").get();
      return Number(row?.seq ?? 0);
    },
    tables: ["history"],
  };
}
