// Reads what can be read of a damaged SQLite file into a sound one, table by table and row by row.
//
// A broken page ends a walk through a table. The walk goes on behind it, at a distance that doubles until something can be
// read again, and comes once more from the end. Indexes are not read: they are rebuilt with the rows.

import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";
import { writePrivateFile } from "./private-files.ts";
import { openSqliteFile, sqliteSuffixes } from "./sqlite-file.ts";

export interface Salvaged {
  /** Rows that were brought over, by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Whether something could not be read. */
  readonly hasGaps: boolean;
}

type Values = Record<string, SQLOutputValue>;

const maxAttempts = 500;
const maxStep = 2 ** 40;

/** Rows that the sound file has already stay as they are. The damaged one is left as it is: a copy of it is read. */
export function salvage(damaged: string, into: DatabaseSync, tables: readonly string[]): Salvaged {
  const rows = new Map<string, number>();
  const copy = `${damaged}.reading`;
  let hasGaps = false;
  let source: DatabaseSync | undefined;
  try {
    for (const suffix of ["", ...sqliteSuffixes.filter((name) => name !== "-shm")])
      if (existsSync(damaged + suffix)) copyFileSync(damaged + suffix, copy + suffix);
    fillFromLog(copy);
    source = openSqliteFile(copy);
    for (const table of tables) {
      const reader = new TableReader(source, table, (row) => {
        if (put(into, table, row)) rows.set(table, (rows.get(table) ?? 0) + 1);
      });
      hasGaps = !reader.readAll() || hasGaps;
    }
  } catch {
    // Not even a copy of it can be opened.
    hasGaps = true;
  } finally {
    try {
      source?.close();
    } catch {
      // A damaged file may refuse even that.
    }
    for (const suffix of ["", ...sqliteSuffixes]) rmSync(copy + suffix, { force: true });
  }
  return { rows, hasGaps };
}

/**
 * Puts the pages of the write-ahead log into a file that was emptied: SQLite itself would remove the log of an empty file.
 * The log begins with 32 bytes (size of a page at 8, its salt at 16); each page has 24 bytes before it (its number, the number
 * of all pages where a transaction ends, the salt).
 */
function fillFromLog(path: string): void {
  const logPath = `${path}-wal`;
  if (!existsSync(logPath) || (existsSync(path) && statSync(path).size > 0)) return;
  const log = readFileSync(logPath);
  if (log.length < 32) return;
  const pageSize = log.readUInt32BE(8);
  const salt = log.subarray(16, 24);
  const pages = new Map<number, Buffer>();
  let isWhole = false;
  for (let at = 32; pageSize >= 512 && at + 24 + pageSize <= log.length; at += 24 + pageSize) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    pages.set(log.readUInt32BE(at), log.subarray(at + 24, at + 24 + pageSize));
    isWhole = isWhole || log.readUInt32BE(at + 4) > 0;
  }
  if (!isWhole || !pages.has(1)) return;
  const content = Buffer.alloc(Math.max(...pages.keys()) * pageSize);
  for (const [number, page] of pages) page.copy(content, (number - 1) * pageSize);
  writePrivateFile(path, content);
  rmSync(logPath);
}

class TableReader {
  readonly #source: DatabaseSync;
  readonly #table: string;
  readonly #take: (row: Values) => void;
  #attempts = 0;

  constructor(source: DatabaseSync, table: string, take: (row: Values) => void) {
    this.#source = source;
    this.#table = table;
    this.#take = take;
  }

  /** False where some rows may be missing. */
  readAll(): boolean {
    if (!this.#hasRowid()) {
      if (this.#iterate("")) return true;
      this.#iterate("ORDER BY 1 DESC, 2 DESC");
      return false;
    }
    const { last, isEnd } = this.#walk("ASC", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    if (isEnd) return true;
    let position = last;
    for (let step = 1; step < maxStep && this.#attempts < maxAttempts; ) {
      const next = this.#walk("ASC", position + step, Number.MAX_SAFE_INTEGER);
      if (next.isEnd) break;
      if (next.count === 0) step *= 2;
      else {
        position = next.last;
        step = 1;
      }
    }
    this.#walk("DESC", position, Number.MAX_SAFE_INTEGER);
    return false;
  }

  #hasRowid(): boolean {
    try {
      const row = this.#source.prepare("SELECT wr FROM pragma_table_list WHERE name = ?").get(this.#table);
      return Number(row?.wr ?? 0) === 0;
    } catch {
      return true;
    }
  }

  #iterate(order: string): boolean {
    try {
      for (const row of this.#source.prepare(`SELECT * FROM "${this.#table}" ${order}`).iterate())
        this.#take(row);
      return true;
    } catch {
      return false;
    }
  }

  #walk(order: "ASC" | "DESC", after: number, upTo: number) {
    this.#attempts += 1;
    let last = after;
    let count = 0;
    try {
      const sql = `SELECT rowid AS "the rowid", * FROM "${this.#table}" WHERE rowid > ? AND rowid <= ? ORDER BY rowid ${order}`;
      for (const { "the rowid": rowid, ...row } of this.#source.prepare(sql).iterate(after, upTo)) {
        last = Number(rowid);
        count += 1;
        this.#take(row);
      }
      return { last, count, isEnd: true };
    } catch {
      return { last, count, isEnd: false };
    }
  }
}

/** False where the row does not fit, or is there already. */
function put(into: DatabaseSync, table: string, row: Values): boolean {
  const known = into.prepare(`SELECT name FROM pragma_table_info(?)`).all(table);
  const columns = known.map(({ name }) => String(name)).filter((name) => name in row);
  if (columns.length === 0) return false;
  const names = columns.map((name) => `"${name}"`).join(", ");
  const parameters = columns.map(() => "?").join(", ");
  const values: SQLInputValue[] = columns.map((name) => row[name] ?? null);
  try {
    const sql = `INSERT OR IGNORE INTO "${table}" (${names}) VALUES (${parameters})`;
    return into.prepare(sql).run(...values).changes > 0;
  } catch {
    return false;
  }
}
