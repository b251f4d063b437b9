// What commands of a turn did beside the texts of files: it is on disk, and rejecting the turn does not take it back.

import type { Ledger } from "./ledger.ts";
import type { LeftBehind } from "./shadow/links-and-folders.ts";

/** Only in a transaction. */
export function recordLeftBehind({ database }: Ledger, turn: string, left: readonly LeftBehind[]): true {
  const sql = "INSERT OR REPLACE INTO left_behind (turn, path, what) VALUES (?, ?, ?)";
  for (const { path, what } of left) database.run(sql, turn, path, what);
  return true;
}

/** Of all of these turns, by path. */
export function leftBehindBy({ database }: Ledger, turns: Iterable<string>): LeftBehind[] {
  const sql = `SELECT path, what FROM left_behind
    WHERE turn IN (SELECT value FROM json_each(?)) ORDER BY path, turn`;
  return database
    .all(sql, JSON.stringify([...turns]))
    .map((row) => ({ path: String(row.path), what: String(row.what) }));
}

/** For people and models: `"d" (a new folder)`. A name that could be misread is quoted. */
export function leftBehindWords(left: readonly LeftBehind[]): string[] {
  return left.map(({ path, what }) => `${shownPath(path)} (${what})`);
}

/** A path on one line. */
export function shownPath(path: string): string {
  return /[\p{Cc}]/u.test(path) ? JSON.stringify(path) : path;
}
