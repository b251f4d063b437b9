// Finds out whether a ledger is sound, and makes a sound one of what is left where it is not.
//
// A repair first moves the damaged file aside. The new ledger begins with the best of: the rows of the damaged file, the
// newest backup that holds together, and a file of the same id in another folder (two were exchanged). Rows of the others are
// added where it has none. A document that still cannot be folded is forgotten: its file is as it is on disk, and nothing of
// it waits in review. Files of the workspace are never touched.

import { existsSync, globSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { type Fault, isFault } from "@stet/protocol/fault";
import { FaultError } from "@stet/protocol/fault-error";
import { readMark, removeMark } from "@stet/storage/mark";
import { salvage } from "@stet/storage/salvage";
import { setAside } from "@stet/storage/set-aside";
import { openSqliteFile, sqliteSuffixes } from "@stet/storage/sqlite-file";
import { Ledger } from "./ledger.ts";
import { listBackups } from "./ledger-backup.ts";
import { ledgerTables } from "./ledger-schema.ts";

export interface LedgerCheck {
  /** Everything that is wrong, each as a sentence; nothing where it is sound. */
  readonly problems: readonly string[];
  /** Not so for one of a newer Stet, or one that may not be opened. */
  readonly isRepairable: boolean;
}

/** Reads all of it. */
export function ledgerProblems(path: string): LedgerCheck {
  if (!existsSync(path) && readMark(path) === undefined) return { problems: [], isRepairable: false };
  const ledger = Ledger.open(path);
  if (isFault(ledger)) {
    const isRepairable = ledger.error === "ledger_damaged" && !("understood" in ledger.details);
    return { problems: [`${ledger.message} ${ledger.suggestion}`], isRepairable };
  }
  const problems = contentProblems(ledger, path);
  ledger.close();
  return { problems, isRepairable: problems.length > 0 };
}

function contentProblems(ledger: Ledger, path: string): string[] {
  try {
    const checked = ledger.database
      .all("PRAGMA integrity_check(20)")
      .map((row) => String(Object.values(row)[0]));
    const problems = checked.filter((line) => line !== "ok").map((line) => `The ledger ${path}: ${line}.`);
    for (const { table, column } of jsonColumns) {
      const row = ledger.database.get(`SELECT count(*) AS n FROM ${table} WHERE NOT json_valid(${column})`);
      if (Number(row?.n) > 0) problems.push(`The ledger ${path}: ${row?.n} rows of ${table} cannot be read.`);
    }
    if (problems.length > 0) return problems;
    return documentIds(ledger).flatMap((id) => unreadable(ledger, id) ?? []);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

const jsonColumns = [
  { table: "entries", column: "data" },
  { table: "checkpoints", column: "hunks" },
] as const;

export interface LedgerRepair {
  /** Where the damaged file is now. */
  readonly aside: string;
  /** What the new one was made from, in words. */
  readonly sources: readonly string[];
  readonly entries: number;
  /** Documents of which nothing is known any more: path or title. */
  readonly forgotten: readonly string[];
  /** Whether rows may be missing. */
  readonly hasGaps: boolean;
}

export function repairLedger(path: string): LedgerRepair | Fault {
  const id = readMark(path)?.id;
  const aside = setAside(path);
  removeMark(path);
  const draft = `${path}.repair`;
  for (const suffix of ["", ...sqliteSuffixes]) rmSync(draft + suffix, { force: true });
  const made = fill(draft, id, aside, path);
  if (isFault(made)) return made;
  removeMark(draft);
  for (const suffix of ["", ...sqliteSuffixes])
    if (existsSync(draft + suffix)) renameSync(draft + suffix, path + suffix);
  // Opening it makes its mark.
  const opened = Ledger.open(path);
  if (isFault(opened)) return opened;
  opened.close();
  return { ...made, aside };
}

function fill(
  draft: string,
  id: string | undefined,
  aside: string,
  path: string,
): Omit<LedgerRepair, "aside"> | Fault {
  const ledger = Ledger.open(draft);
  if (isFault(ledger)) return ledger;
  ledger.close();
  const database = openSqliteFile(draft);
  const sources: string[] = [];
  let hasGaps = true;
  const [first] = candidates(id, aside, path);
  // Its own id comes with the rows.
  database.exec("DELETE FROM meta; BEGIN IMMEDIATE");
  for (const { from, what } of candidates(id, aside, path)) {
    const salvaged = salvage(from, database, ledgerTables);
    const rows = [...salvaged.rows.values()].reduce((sum, some) => sum + some, 0);
    if (rows === 0) continue;
    sources.push(`${rows} rows of ${what}`);
    // What came after a backup is not in it.
    if (from === first?.from) hasGaps = salvaged.hasGaps;
    if (!salvaged.hasGaps) break;
  }
  for (const { table, column } of jsonColumns)
    database.exec(`DELETE FROM ${table} WHERE NOT json_valid(${column})`);
  database.exec("COMMIT");
  database.close();
  removeMark(draft);
  const filled = Ledger.open(draft);
  if (isFault(filled)) return filled;
  const forgotten = documentIds(filled).flatMap((document) => {
    if (unreadable(filled, document) === undefined) {
      filled.remark(document);
      return [];
    }
    const row = filled.database.get("SELECT path, title FROM documents WHERE id = ?", document);
    forget(filled, document);
    return [String(row?.path ?? row?.title ?? document)];
  });
  const entries = Number(filled.database.get("SELECT count(*) AS n FROM entries")?.n ?? 0);
  filled.close();
  return { sources, entries, forgotten, hasGaps: hasGaps && sources.length > 0 };
}

/** The best first. A file of another id holds what belongs to another folder. */
function candidates(id: string | undefined, aside: string, path: string): { from: string; what: string }[] {
  const isOurs = (from: string) => id === undefined || idOf(from) === undefined || idOf(from) === id;
  const projects = dirname(dirname(path));
  const exchanged =
    id === undefined || idOf(aside) === id
      ? []
      : globSync(["*/ledger.sqlite", "*/ledger.sqlite.damaged-*"], { cwd: projects })
          .map((name) => join(projects, name))
          .filter((from) => !/-(?:wal|shm|journal)$/.test(from) && idOf(from) === id);
  return [
    ...(isOurs(aside) ? [{ from: aside, what: "the damaged file" }] : []),
    ...exchanged.map((from) => ({ from, what: from })),
    ...listBackups(path).map((backup) => ({
      from: backup.path,
      what: `the backup of ${new Date(backup.at).toISOString().slice(0, 16).replace("T", " ")}`,
    })),
  ];
}

function idOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  // SQLite would remove the log of an empty file.
  if (stats?.isFile() !== true || stats.size === 0) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = openSqliteFile(path, { readOnly: true });
    const row = database.prepare("SELECT value FROM meta WHERE key = 'id'").get();
    return row === undefined ? undefined : String(row.value);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

function documentIds(ledger: Ledger): number[] {
  return ledger.database.all("SELECT DISTINCT document AS id FROM entries").map((row) => Number(row.id));
}

/** Why what is kept of a document cannot be used. */
function unreadable(ledger: Ledger, document: number): string | undefined {
  try {
    return ledger.state(document) === undefined ? `Nothing is left of document ${document}.` : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function forget(ledger: Ledger, document: number): void {
  const tables = ["entries", "snapshots", "checkpoints", "open_reviews", "unsaved", "tabs", "saves"];
  const forgotten = ledger.write(() => {
    for (const table of tables) ledger.database.run(`DELETE FROM ${table} WHERE document = ?`, document);
    ledger.database.run("DELETE FROM documents WHERE id = ?", document);
    return true;
  });
  if (isFault(forgotten)) throw new FaultError(forgotten);
}
