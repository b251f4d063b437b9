// The ledger's SQLite file: schema, transactions, and what SQLite refuses as faults.
//
// Write-ahead logging, so readers never wait and a killed process leaves the last committed state. Ordinary writes are
// safe against a killed process; durable ones are also synced, so that a power cut cannot take them back.
// Several processes may have it open: a writer waits a while for another, then says who it was.

import { statSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { Fault, isFault } from "@stet/protocol/fault";
import { copySqliteFile, openSqliteFile } from "@stet/storage/sqlite-file";

export type Row = Readonly<Record<string, unknown>>;

/** Called with a name before each step that changes the disk; tests end the process there. */
export type Step = (name: string) => void;

/** Keeps every transaction in another place, too, where this file is only a working copy of what is there. */
export interface Mirror {
  /** Why nothing may be written now; undefined where it may. */
  refusal(): Fault | undefined;
  /** Told what a transaction has changed, right after its commit, as an SQLite changeset. */
  committed(changes: Uint8Array): void;
  /** Resolves when all that was told is kept there; a fault where it was refused, and is not to be kept here either. */
  settled(): Promise<undefined | Fault>;
}

const schema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    path TEXT UNIQUE,
    title TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    read_hash TEXT,
    read_revision INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT,
    turn TEXT,
    data TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX entries_by_document ON entries (document, id);
  CREATE INDEX entries_by_turn ON entries (turn) WHERE turn IS NOT NULL;
  CREATE INDEX decisions ON entries (id) WHERE kind IN ('decision', 'undo');
  CREATE TABLE snapshots (
    document INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (document, entry)
  ) STRICT;
  CREATE TABLE turns (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    session TEXT,
    summary TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    is_whole INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE checkpoints (
    turn TEXT NOT NULL,
    document INTEGER NOT NULL,
    entry_before INTEGER NOT NULL,
    entry_after INTEGER NOT NULL,
    base_hash TEXT NOT NULL,
    hunks TEXT NOT NULL,
    PRIMARY KEY (turn, document)
  ) STRICT;
  CREATE INDEX checkpoints_by_document ON checkpoints (document);
  CREATE TABLE open_reviews (document INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE unsaved (document INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE tabs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document INTEGER NOT NULL,
    position INTEGER NOT NULL,
    first_version INTEGER NOT NULL,
    is_active INTEGER NOT NULL,
    turn TEXT
  ) STRICT;
  CREATE TABLE saves (
    document INTEGER PRIMARY KEY,
    side TEXT NOT NULL,
    entry INTEGER NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE holders (
    name TEXT PRIMARY KEY,
    instance TEXT NOT NULL,
    pid INTEGER NOT NULL,
    host TEXT NOT NULL,
    purpose TEXT NOT NULL,
    since INTEGER NOT NULL
  ) STRICT;
`;

/** Indexes and a table that came later; a ledger without them is the same ledger, so they need no version. */
const additions = `
  CREATE TABLE IF NOT EXISTS left_behind (
    turn TEXT NOT NULL,
    path TEXT NOT NULL,
    what TEXT NOT NULL,
    PRIMARY KEY (turn, path)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS turns_by_start ON turns (started_at);
  CREATE INDEX IF NOT EXISTS turns_by_session ON turns (session, started_at) WHERE session IS NOT NULL;
`;

/** What leads from each version of the schema to the next one. */
const migrations = [
  // Tabs of version 1 counted revisions; which tabs are open is not worth a guess.
  `ALTER TABLE turns ADD COLUMN is_whole INTEGER NOT NULL DEFAULT 0;
   DELETE FROM tabs;
   ALTER TABLE tabs RENAME COLUMN first_revision TO first_version;
   ALTER TABLE tabs ADD COLUMN turn TEXT;`,
];

const schemaVersion = migrations.length + 1;

export class Database {
  readonly path: string;
  private readonly connection: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly step: Step;
  private readonly mirror: Mirror | undefined;
  private isDurable = false;
  private writes = 0;
  /** Which file was opened. */
  private file: string | undefined;

  private constructor(path: string, connection: DatabaseSync, step: Step, mirror: Mirror | undefined) {
    this.path = path;
    this.connection = connection;
    this.step = step;
    this.mirror = mirror;
  }

  static open(path: string, step: Step = () => {}, busyTimeout = 5000, mirror?: Mirror): Database | Fault {
    let connection: DatabaseSync | undefined;
    try {
      connection = openSqliteFile(path, { timeout: busyTimeout });
      // A schema could hold triggers and functions; ours does not, and no other is trusted.
      connection.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL");
      const database = new Database(path, connection, step, mirror);
      const fault = database.prepareSchema();
      database.file = fileOf(path);
      if (fault === undefined) return database;
      connection.close();
      return fault;
    } catch (error) {
      connection?.close();
      return databaseFault(error, path);
    }
  }

  private prepareSchema(): Fault | undefined {
    if (this.version() === 0) {
      this.connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
      this.connection.exec("PRAGMA journal_mode = WAL");
      this.connection.exec("BEGIN IMMEDIATE");
      // Another process may have been first.
      if (this.version() === 0) this.connection.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
      this.connection.exec("COMMIT");
    }
    this.migrate();
    const version = this.version();
    if (version === schemaVersion) {
      this.connection.exec(additions);
      return undefined;
    }
    return new Fault(
      "ledger_damaged",
      `The ledger ${this.path} has version ${version}; this Stet understands version ${schemaVersion}.`,
      "Use the version of Stet that wrote it, or a newer one.",
      { version, understood: schemaVersion },
    );
  }

  private migrate(): void {
    if (this.version() >= schemaVersion) return;
    this.connection.exec("BEGIN IMMEDIATE");
    for (let version = this.version(); version < schemaVersion; version += 1) {
      this.connection.exec(`${migrations[version - 1]}; PRAGMA user_version = ${version + 1}`);
    }
    this.connection.exec("COMMIT");
  }

  /** The version of its schema. */
  version(): number {
    return Number(this.connection.prepare("PRAGMA user_version").get()?.user_version ?? 0);
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values);
  }

  /** Changes rows; returns the id of the row that was inserted last. */
  run(sql: string, ...values: SQLInputValue[]): number {
    this.writes += 1;
    this.step(`ledger ${sql.trimStart().slice(0, 30)}`);
    // A mirror would never hear of it.
    if (this.mirror !== undefined && !this.connection.isTransaction)
      throw new Error("a mirrored ledger can only be changed in a transaction");
    return Number(this.statement(sql).run(...values).lastInsertRowid);
  }

  /** Grows by one whenever another process has committed. */
  dataVersion(): number {
    return Number(this.get("PRAGMA data_version")?.data_version ?? 0);
  }

  /** Names what can be read now: it changes with every write, by this process or another. */
  stateName(): string {
    return `${this.dataVersion()}.${this.writes}`;
  }

  /**
   * Why nothing that is written here would be kept: the file was deleted, moved away or replaced while it is open. SQLite
   * itself goes on with a file that has no name any more, and says that all is well.
   */
  missing(): Fault | undefined {
    // A working copy is replaced by the one that it mirrors.
    if (this.mirror !== undefined) return undefined;
    const now = fileOf(this.path);
    return now !== undefined && now === this.file ? undefined : ledgerMissing(this.path);
  }

  /** All of the action or nothing. A fault takes everything back, as does an exception. */
  transaction<T>(action: () => T | Fault, options: { durable?: boolean } = {}): T | Fault {
    const refusal = this.missing() ?? this.mirror?.refusal();
    if (refusal !== undefined) return refusal;
    try {
      this.setDurable(options.durable ?? false);
      this.connection.exec("BEGIN IMMEDIATE");
    } catch (error) {
      return databaseFault(error, this.path);
    }
    const session = this.mirror === undefined ? undefined : this.connection.createSession();
    try {
      const result = action();
      if (isFault(result)) {
        this.takeBack();
        return result;
      }
      const changes = session?.changeset();
      this.step("ledger commit");
      this.connection.exec("COMMIT");
      this.step("ledger committed");
      if (changes !== undefined && changes.length > 0) this.mirror?.committed(changes);
      return result;
    } catch (error) {
      if (this.connection.isTransaction) this.takeBack();
      return databaseFault(error, this.path);
    } finally {
      session?.close();
    }
  }

  /** When everything that was committed is safe, also where it is mirrored. */
  async settled(): Promise<undefined | Fault> {
    return this.mirror?.settled();
  }

  /** A compact copy of the whole file at a path where there is none. */
  copyTo(path: string): void {
    copySqliteFile(this.connection, path);
  }

  private takeBack(): void {
    this.writes += 1;
    this.connection.exec("ROLLBACK");
  }

  private setDurable(durable: boolean): void {
    if (durable === this.isDurable) return;
    this.connection.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.isDurable = durable;
  }

  /** The size of the file in bytes. */
  size(): number {
    return (
      Number(this.get("PRAGMA page_count")?.page_count) * Number(this.get("PRAGMA page_size")?.page_size)
    );
  }

  /** Gives freed pages back to the system. */
  shrink(): void {
    this.connection.exec("PRAGMA incremental_vacuum");
    this.connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.statements.clear();
    this.connection.close();
  }

  private statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.connection.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

function fileOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

function ledgerMissing(path: string): Fault {
  return new Fault(
    "io_failed",
    `The ledger ${path} was deleted or moved away while it was in use. Nothing was changed, and nothing can be kept.`,
    "Put the data folder back where it was, or end this process and start it again; your own files are not affected.",
    { path, isMissing: true },
  );
}

// SQLite's primary result codes.
const busy = new Set([5, 6]);
const readOnly = new Set([3, 8, 14, 23]);
const damaged = new Set([11, 26]);

/** What SQLite refuses, as a fault. Anything else is a bug and keeps flying. */
export function databaseFault(error: unknown, path: string): Fault {
  if (!(error instanceof Error) || !("errcode" in error)) throw error;
  const code = Number(error.errcode) & 0xff;
  const details = { path, code, reason: error.message };
  if (busy.has(code)) {
    return new Fault(
      "workspace_busy",
      "Another process is writing to the ledger and did not finish in time.",
      "Try again in a moment.",
      details,
    );
  }
  if (code === 13) {
    return new Fault(
      "disk_full",
      "The ledger could not be written: the disk is full. Nothing was changed.",
      "Free some space and try again; nothing needs to be repaired.",
      details,
    );
  }
  if (readOnly.has(code)) {
    return new Fault(
      "not_permitted",
      `The ledger ${path} cannot be opened for writing.`,
      "Check its permissions, or set STET_DATA_DIR to a folder that can be written.",
      details,
    );
  }
  if (damaged.has(code)) {
    return new Fault(
      "ledger_damaged",
      `The ledger ${path} is damaged: ${error.message}.`,
      "Move the file aside to start a new one; your own files are not affected. Keep it if you need its history.",
      details,
    );
  }
  return new Fault(
    "io_failed",
    `The ledger could not be used: ${error.message}.`,
    "Try again; if it happens again, check the disk.",
    details,
  );
}
