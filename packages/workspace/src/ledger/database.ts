// The ledger's SQLite file: schema, transactions, and what SQLite refuses as faults.
//
// Write-ahead logging, so readers never wait and a killed process leaves the last committed state. Ordinary writes are
// safe against a killed process; durable ones are also synced, so that a power cut cannot take them back.
// Several processes may have it open: a writer waits a while for another, then says who it was.

import { statSync } from "node:fs";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { Fault, isFault } from "@stet/protocol/fault";
import { FaultError } from "@stet/protocol/fault-error";
import { damaged, readMark, whatIsLost, writeMark } from "@stet/storage/mark";
import { tellNotice } from "@stet/storage/notices";
import { isRefusal, sqliteFault } from "@stet/storage/sqlite-fault";
import { copySqliteFile, openSqliteFile } from "@stet/storage/sqlite-file";
import { otherVersion, reachVersion, type VersionedStore, versionOf } from "@stet/storage/store-version";
import { schema, schemaSteps, schemaVersion } from "./ledger-schema.ts";
import type { Mirror } from "./mirror.ts";

export type Row = Readonly<Record<string, unknown>>;

/** Called with a name before each step that changes the disk; tests end the process there. */
export type Step = (name: string) => void;

export class Database {
  readonly path: string;
  readonly #connection: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #step: Step;
  readonly #mirror: Mirror | undefined;
  #isDurable = false;
  #writes = 0;
  /** Which file was opened. */
  #file: string | undefined;
  #id: string | undefined;
  #markedAt = 0;

  private constructor(path: string, connection: DatabaseSync, step: Step, mirror: Mirror | undefined) {
    this.path = path;
    this.#connection = connection;
    this.#step = step;
    this.#mirror = mirror;
  }

  static open(path: string, step: Step = () => {}, busyTimeout = 5000, mirror?: Mirror): Database | Fault {
    // Before SQLite sees it: an empty file would be taken for new, and its log removed.
    const lost = mirror === undefined ? whatIsLost(path) : undefined;
    if (lost !== undefined) return damaged(ledgerAt(path), lost);
    let connection: DatabaseSync | undefined;
    try {
      connection = openSqliteFile(path, { timeout: busyTimeout });
      // A schema could hold triggers and functions; ours does not, and no other is trusted.
      connection.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL");
      const database = new Database(path, connection, step, mirror);
      const fault = database.#prepareSchema() ?? database.#compareWithMark();
      database.#file = fileOf(path);
      if (fault === undefined) return database;
      connection.close();
      return fault;
    } catch (error) {
      connection?.close();
      return sqliteFault(error, ledgerAt(path));
    }
  }

  #prepareSchema(): Fault | undefined {
    if (this.version() === 0) {
      if ((readMark(this.path)?.count ?? 0) > 0 && this.#mirror === undefined)
        return damaged(ledgerAt(this.path), "holds nothing any more");
      this.#connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
      this.#connection.exec("PRAGMA journal_mode = WAL");
      this.#connection.exec("BEGIN IMMEDIATE");
      // Another process may have been first.
      if (this.version() === 0) this.#connection.exec(`${schema}; PRAGMA user_version = ${schemaVersion}`);
      this.#connection.exec("COMMIT");
    }
    return reachVersion(this.#connection, ledgerAt(this.path));
  }

  /** The version of its schema. */
  version(): number {
    return versionOf(this.#connection);
  }

  /** Why it cannot be read any more: a newer Stet has brought the file further while it was open here. */
  otherVersion(): Fault | undefined {
    return otherVersion(this.#connection, ledgerAt(this.path));
  }

  /** Whether it is the ledger that was here, and how far it had come. One that is only older can be used, with a notice. */
  #compareWithMark(): Fault | undefined {
    if (this.#mirror !== undefined) return undefined;
    const mark = readMark(this.path);
    const id = this.#identity();
    if (mark !== undefined && mark.count > 0 && mark.id !== id)
      return damaged(ledgerAt(this.path), "is another ledger than the one that was here");
    const missing = (mark?.count ?? 0) - this.#entryCount();
    if (missing > 0) tellNotice(olderLedger(this.path, missing));
    if (missing !== 0 || mark?.id !== id) this.#mark();
    return undefined;
  }

  /** Made with the first opening, and part of the file from then on. */
  #identity(): string {
    this.#id ??= String(this.get("SELECT value FROM meta WHERE key = 'id'")?.value ?? "");
    if (this.#id !== "") return this.#id;
    const sql = "INSERT OR IGNORE INTO meta (key, value) VALUES ('id', ?)";
    this.#connection.prepare(sql).run(crypto.randomUUID());
    this.#id = undefined;
    return this.#identity();
  }

  /** All entries that were ever made, those that were collected included. */
  #entryCount(): number {
    return Number(this.get("SELECT seq FROM sqlite_sequence WHERE name = 'entries'")?.seq ?? 0);
  }

  /** Writes down, outside of the file, how far it has come. */
  #mark(): void {
    this.#markedAt = Date.now();
    writeMark(this.path, this.#identity(), this.#entryCount());
  }

  /** As `mark`, where the last time was a while ago. */
  #markSometimes(): void {
    if (this.#mirror === undefined && Date.now() - this.#markedAt > markEvery) this.#mark();
  }

  /** To be called before the process ends, where the ledger is not closed. */
  leave(): void {
    if (this.#mirror === undefined && this.missing() === undefined) this.#mark();
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.#reading(() => this.#statement(sql).all(...values));
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#reading(() => this.#statement(sql).get(...values));
  }

  /** What SQLite refuses flies as a fault that names the file: a read has no place for one in what it returns. */
  #reading<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      throw new FaultError(sqliteFault(error, ledgerAt(this.path)), error);
    }
  }

  /** What a column holds as JSON. One that is none was not written by us. */
  parsed<T>(value: unknown): T {
    try {
      return JSON.parse(String(value));
    } catch (error) {
      throw new FaultError(damaged(ledgerAt(this.path), "is damaged: a row cannot be read"), error);
    }
  }

  /** Changes rows; returns the id of the row that was inserted last. */
  run(sql: string, ...values: SQLInputValue[]): number {
    this.#writes += 1;
    this.#step(`ledger ${sql.trimStart().slice(0, 30)}`);
    // A mirror would never hear of it.
    if (this.#mirror !== undefined && !this.#connection.isTransaction)
      throw new Error("a mirrored ledger can only be changed in a transaction");
    return Number(this.#statement(sql).run(...values).lastInsertRowid);
  }

  /** Grows by one whenever another process has committed. */
  dataVersion(): number {
    return Number(this.get("PRAGMA data_version")?.data_version ?? 0);
  }

  /** Names what can be read now: it changes with every write, by this process or another. */
  stateName(): string {
    return `${this.dataVersion()}.${this.#writes}`;
  }

  /**
   * Why nothing that is written here would be kept: the file was deleted, moved away or replaced while it is open. SQLite
   * itself goes on with a file that has no name any more, and says that all is well.
   */
  missing(): Fault | undefined {
    // A working copy is replaced by the one that it mirrors.
    if (this.#mirror !== undefined) return undefined;
    const now = fileOf(this.path);
    return now !== undefined && now === this.#file ? undefined : ledgerMissing(this.path);
  }

  /** All of the action or nothing. A fault takes everything back, as does an exception. */
  transaction<T>(action: () => T | Fault, options: { durable?: boolean } = {}): T | Fault {
    const refusal = this.missing() ?? this.#mirror?.refusal();
    if (refusal !== undefined) return refusal;
    try {
      this.#setDurable(options.durable ?? false);
      this.#connection.exec("BEGIN IMMEDIATE");
      const other = this.otherVersion();
      if (other !== undefined) {
        this.#takeBack();
        return other;
      }
    } catch (error) {
      return sqliteFault(error, ledgerAt(this.path));
    }
    const session = this.#mirror === undefined ? undefined : this.#connection.createSession();
    try {
      const result = action();
      if (isFault(result)) {
        this.#takeBack();
        return result;
      }
      const changes = session?.changeset();
      this.#step("ledger commit");
      this.#connection.exec("COMMIT");
      this.#step("ledger committed");
      this.#markSometimes();
      if (changes !== undefined && changes.length > 0) this.#mirror?.committed(changes);
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#takeBack();
      return sqliteFault(error, ledgerAt(this.path));
    } finally {
      session?.close();
    }
  }

  /** When everything that was committed is safe, also where it is mirrored. */
  async settled(): Promise<undefined | Fault> {
    return this.#mirror?.settled();
  }

  /** A compact copy of the whole file at a path where there is none. */
  copyTo(path: string): void {
    copySqliteFile(this.#connection, path);
  }

  #takeBack(): void {
    this.#writes += 1;
    this.#connection.exec("ROLLBACK");
  }

  #setDurable(durable: boolean): void {
    if (durable === this.#isDurable) return;
    this.#connection.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#isDurable = durable;
  }

  /** Whether the file is only a working copy of what is elsewhere. */
  get isMirrored(): boolean {
    return this.#mirror !== undefined;
  }

  /** The size of the file in bytes. */
  size(): number {
    return (
      Number(this.get("PRAGMA page_count")?.page_count) * Number(this.get("PRAGMA page_size")?.page_size)
    );
  }

  /** Gives freed pages back to the system. */
  shrink(): void {
    this.#connection.exec("PRAGMA incremental_vacuum");
    this.#connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#statements.clear();
    if (this.#connection.isOpen) this.#leaveQuietly();
    this.#connection.close();
  }

  #leaveQuietly(): void {
    try {
      this.leave();
    } catch {
      // A damaged file gets no mark; its damage was reported when it was used.
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Milliseconds. */
const markEvery = 1000;

function ledgerAt(path: string): VersionedStore {
  return { path, what: "The ledger", error: "ledger_damaged", version: schemaVersion, steps: schemaSteps };
}

function olderLedger(path: string, missing: number): Fault {
  return new Fault(
    "ledger_damaged",
    `The ledger ${path} is older than it was: its last ${missing} entries are gone, as after a power cut or when its -wal file was removed.`,
    "Go on: files are as they are on disk, and what was changed in them since shows as a change on disk. A backup may have more: stet doctor tells.",
    { path, missing },
  );
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
