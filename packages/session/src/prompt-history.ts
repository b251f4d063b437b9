// What a person typed before, to be found again: newest first, searched by words.
//
// - The same prompt twice in a row is kept once, also when two terminals write.
// - At most `maxPrompts` are kept; the oldest go first.
// - A search finds prompts that have all the words, each as the beginning of a word; where there are none, prompts
//   that contain the text as it stands.

import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { openSqliteFile } from "@stet/storage/sqlite-file";
import { makeFolder } from "./durable-file.ts";

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
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 2000;
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
  private readonly database: DatabaseSync;
  private readonly maxPrompts: number;

  private constructor(database: DatabaseSync, maxPrompts: number) {
    this.database = database;
    this.maxPrompts = maxPrompts;
  }

  static open(path: string, options: PromptHistoryOptions = {}): PromptHistory | Fault {
    const made = attempt("created", path, () => makeFolder(dirname(path)));
    if (isFault(made)) return made;
    return refusals(path, () => {
      const database = openSqliteFile(path);
      database.exec(schema);
      return new PromptHistory(database, options.maxPrompts ?? defaultMaxPrompts);
    });
  }

  /** False where nothing was added: an empty prompt, one that is far too long, or the last one again. */
  add(prompt: string, cwd: string, now: number = Date.now()): boolean | Fault {
    if (prompt.trim() === "" || prompt.length > maxPromptCharacters) return false;
    return refusals("The prompt history", () => {
      const added = this.database
        .prepare(
          `INSERT INTO history (prompt, created_at, cwd) SELECT ?1, ?2, ?3
           WHERE ?1 IS NOT (SELECT prompt FROM history ORDER BY id DESC LIMIT 1)`,
        )
        .run(prompt, now, cwd);
      if (added.changes === 0) return false;
      this.database
        .prepare("DELETE FROM history WHERE id <= (SELECT id FROM history ORDER BY id DESC LIMIT 1 OFFSET ?)")
        .run(this.maxPrompts);
      return true;
    });
  }

  /** The latest, newest first; those of one folder if it is given. */
  recent(limit: number, cwd?: string): readonly StoredPrompt[] | Fault {
    return this.select(
      "SELECT prompt, created_at, cwd FROM history WHERE ?1 IS NULL OR cwd = ?1 ORDER BY id DESC LIMIT ?2",
      cwd ?? null,
      limit,
    );
  }

  search(text: string, limit: number): readonly StoredPrompt[] | Fault {
    const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
    if (words.length > 0) {
      const found = this.select(
        `SELECT prompt, created_at, cwd FROM history WHERE id IN (SELECT rowid FROM history_fts WHERE history_fts MATCH ?)
         ORDER BY id DESC LIMIT ?`,
        words.map((word) => `"${word}"*`).join(" "),
        limit,
      );
      if (isFault(found) || found.length > 0) return found;
    }
    return this.select(
      "SELECT prompt, created_at, cwd FROM history WHERE instr(lower(prompt), lower(?)) > 0 ORDER BY id DESC LIMIT ?",
      text,
      limit,
    );
  }

  private select(statement: string, ...values: (string | number | null)[]): readonly StoredPrompt[] | Fault {
    return refusals("The prompt history", () =>
      this.database
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
    this.database.close();
  }
}

/** What SQLite refuses for reasons outside of this program, as a fault. A wrong statement is a bug and keeps flying. */
function refusals<T>(what: string, action: () => T): T | Fault {
  const sqliteError = 1;
  try {
    return action();
  } catch (error) {
    if (!(error instanceof Error) || !("errcode" in error) || error.errcode === sqliteError) throw error;
    return new Fault(
      "io_failed",
      `${what} could not be used: ${error.message}.`,
      "Go on without it, or remove history.db from the data folder to begin a new one.",
      { errcode: error.errcode },
    );
  }
}
