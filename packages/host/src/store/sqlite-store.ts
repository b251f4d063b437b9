// The store for one machine: an SQLite file beside the ledger. Records are stored as JSON beside indexed columns.

import { join } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { JobStatus } from "@stet/protocol/api/job";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { Fault, isFault } from "@stet/protocol/fault";
import { FaultError } from "@stet/protocol/fault-error";
import { type MendedStore, markStore, mendInUse, openMended } from "@stet/storage/mended-store";
import { tellIfFault } from "@stet/storage/notices";
import { isDamage, sqliteFault } from "@stet/storage/sqlite-fault";
import { workspaceLog } from "../events/logs.ts";
import type { Collected, CollectionRules, JobPatch, JobRecord, SessionRecord, Store } from "./store.ts";

const schema = `
  CREATE TABLE sessions (id TEXT PRIMARY KEY, updated_at INTEGER NOT NULL, data TEXT NOT NULL) STRICT;
  CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    session TEXT NOT NULL,
    status TEXT NOT NULL,
    turn TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    data TEXT NOT NULL
  ) STRICT;
  CREATE INDEX jobs_by_session ON jobs (session, created_at);
  CREATE INDEX jobs_by_turn ON jobs (turn) WHERE turn IS NOT NULL;
  CREATE TABLE events (log TEXT NOT NULL, cursor INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (log, cursor)) STRICT, WITHOUT ROWID;
  CREATE TABLE cursors (log TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  -- Every list and every rule of collection has an index, so that it costs what it returns, not what is there.
  CREATE INDEX sessions_by_time ON sessions (updated_at, id);
  CREATE INDEX archived_sessions ON sessions (updated_at) WHERE json_extract(data, '$.status') = 'archived';
  CREATE INDEX jobs_by_time ON jobs (created_at, id);
  CREATE INDEX jobs_by_status_and_time ON jobs (status, created_at, id);
  CREATE INDEX jobs_by_end ON jobs (finished_at) WHERE finished_at IS NOT NULL;
`;

const schemaVersion = 3;
/** Jobs that someone still waits for, or that wait for someone. */
const unfinished = "('queued', 'running', 'waiting_for_user', 'awaiting_review')";

function storeAt(path: string): MendedStore {
  return {
    path,
    what: "The record of jobs",
    error: "store_damaged",
    timeout: 5000,
    version: schemaVersion,
    create: (database) => database.exec(schema),
    prepare: (database) => database.exec("PRAGMA synchronous = NORMAL"),
    count(database) {
      const row = database.prepare("SELECT last FROM cursors WHERE log = ?").get(workspaceLog);
      return Number(row?.last ?? 0);
    },
    tables: ["sessions", "jobs", "events", "cursors"],
  };
}

export class SqliteStore implements Store {
  #connection: DatabaseSync;
  readonly #store: MendedStore;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(store: MendedStore, connection: DatabaseSync) {
    this.#store = store;
    this.#connection = connection;
  }

  static open(folder: string): SqliteStore | Fault {
    const store = storeAt(join(folder, "server.sqlite"));
    const connection = openMended(store);
    return isFault(connection) ? connection : new SqliteStore(store, connection);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#connection.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #write(sql: string, ...values: SQLInputValue[]): undefined | Fault {
    try {
      this.#mending(() => this.#statement(sql).run(...values));
      return undefined;
    } catch (error) {
      return sqliteFault(error, this.#store);
    }
  }

  #records<T>(sql: string, ...values: SQLInputValue[]): T[] {
    const rows = this.#mending(() => this.#statement(sql).all(...values));
    return rows.map((row) => JSON.parse(String(row.data)));
  }

  /** Where the file turns out to be damaged, it is replaced by what can be read of it, and the action runs on that. */
  #mending<T>(action: () => T): T {
    try {
      return action();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#statements.clear();
      const mended = mendInUse(this.#store, this.#connection, error.message);
      if (isFault(mended)) throw new FaultError(mended, error);
      this.#connection = mended;
      return action();
    }
  }

  async putSession(session: SessionRecord): Promise<undefined | Fault> {
    return this.#write(
      "INSERT OR REPLACE INTO sessions (id, updated_at, data) VALUES (?, ?, ?)",
      session.id,
      session.updatedAt,
      JSON.stringify(session),
    );
  }

  async session(id: string): Promise<SessionRecord | undefined> {
    return this.#records<SessionRecord>("SELECT data FROM sessions WHERE id = ?", id)[0];
  }

  async sessions(limit: number): Promise<SessionRecord[]> {
    return this.#records("SELECT data FROM sessions ORDER BY updated_at DESC, id DESC LIMIT ?", limit);
  }

  async putJob(job: JobRecord): Promise<undefined | Fault> {
    return this.#writeJob(job);
  }

  #writeJob(job: JobRecord): undefined | Fault {
    return this.#write(
      "INSERT OR REPLACE INTO jobs (id, session, status, turn, created_at, finished_at, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
      job.id,
      job.session,
      job.status,
      job.turn,
      job.createdAt,
      job.finishedAt,
      JSON.stringify(job),
    );
  }

  async updateJob(id: string, patch: JobPatch): Promise<JobRecord | Fault> {
    // Without a pause in between: two who change a job at the same time must not undo each other's change.
    const [job] = this.#records<JobRecord>("SELECT data FROM jobs WHERE id = ?", id);
    if (job === undefined) return unknownJob(id);
    const updated = { ...job, ...patch };
    const fault = this.#writeJob(updated);
    return isFault(fault) ? fault : updated;
  }

  async job(id: string): Promise<JobRecord | undefined> {
    return this.#records<JobRecord>("SELECT data FROM jobs WHERE id = ?", id)[0];
  }

  async jobByTurn(turn: string): Promise<JobRecord | undefined> {
    return this.#records<JobRecord>("SELECT data FROM jobs WHERE turn = ?", turn)[0];
  }

  async jobs(filter: { session?: string; status?: JobStatus; limit: number }): Promise<JobRecord[]> {
    const conditions: string[] = [];
    const values: string[] = [];
    if (filter.session !== undefined) conditions.push("session = ?");
    // A session has few jobs, a status may have thousands: the plus keeps the status from being what is searched by.
    if (filter.status !== undefined)
      conditions.push(filter.session === undefined ? "status = ?" : "+status = ?");
    values.push(...[filter.session, filter.status].filter((value) => value !== undefined));
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const sql = `SELECT data FROM jobs ${where} ORDER BY created_at DESC, id DESC LIMIT ?`;
    return this.#records(sql, ...values, filter.limit);
  }

  async keepEvents(log: string, events: readonly LogEvent[]): Promise<undefined | Fault> {
    const keep = () => {
      const sql = "INSERT INTO events (log, cursor, data) VALUES (?, ?, ?)";
      for (const event of events) this.#statement(sql).run(log, event.cursor, JSON.stringify(event));
    };
    try {
      this.#mending(() => (events.length > 1 ? this.#together(keep) : keep()));
      return undefined;
    } catch (error) {
      return sqliteFault(error, this.#store);
    }
  }

  /** All of it or nothing. */
  #together<T>(action: () => T): T {
    this.#connection.exec("BEGIN IMMEDIATE");
    try {
      const result = action();
      this.#connection.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#connection.isTransaction) this.#connection.exec("ROLLBACK");
      throw error;
    }
  }

  async reserveCursors(log: string, upTo: number): Promise<undefined | Fault> {
    return this.#write("INSERT OR REPLACE INTO cursors (log, last) VALUES (?, ?)", log, upTo);
  }

  async lastCursor(log: string): Promise<number> {
    const sql = "SELECT last FROM cursors WHERE log = ?";
    return Number(this.#mending(() => this.#statement(sql).get(log))?.last ?? 0);
  }

  async events(log: string, after: number, limit: number): Promise<LogEvent[]> {
    const sql = "SELECT data FROM events WHERE log = ? AND cursor > ? ORDER BY cursor LIMIT ?";
    return this.#records(sql, log, after, limit);
  }

  async trimEvents(log: string, keep: number): Promise<void> {
    const trimmed = this.#write(
      `DELETE FROM events WHERE log = ?1 AND cursor <= coalesce(
         (SELECT cursor FROM events WHERE log = ?1 ORDER BY cursor DESC LIMIT 1 OFFSET ?2), -1)`,
      log,
      keep,
    );
    tellIfFault(trimmed);
  }

  async collect(rules: CollectionRules): Promise<Collected> {
    const collectAll = () => {
      const oldest = rules.now - rules.completedTtlHours * 3_600_000;
      const sessions = this.#oldSessions(rules.maxSessions, oldest);
      const finished = `status NOT IN ${unfinished}`;
      const jobs = this.#ids(`DELETE FROM jobs WHERE finished_at < ? AND ${finished} RETURNING id`, oldest);
      const crowded = "SELECT session AS id FROM jobs GROUP BY session HAVING count(*) > ?";
      const sessionIds =
        rules.session === undefined ? this.#ids(crowded, rules.maxJobsPerSession) : [rules.session];
      for (const session of sessionIds) {
        const sql = `DELETE FROM jobs WHERE ${finished} AND id IN (
          SELECT id FROM jobs WHERE session = ? ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ?) RETURNING id`;
        jobs.push(...this.#ids(sql, session, rules.maxJobsPerSession));
      }
      for (const session of sessions) {
        jobs.push(...this.#ids("DELETE FROM jobs WHERE session = ? RETURNING id", session));
      }
      for (const job of jobs) {
        this.#statement("DELETE FROM events WHERE log = ?").run(`job:${job}`);
        this.#statement("DELETE FROM cursors WHERE log = ?").run(`job:${job}`);
      }
      return { jobs: jobs.length, sessions: sessions.length };
    };
    return this.#mending(() => this.#together(collectAll));
  }

  /** Removes sessions that are not among the newest, and are archived or were last used before a time. */
  #oldSessions(kept: number, oldest: number): string[] {
    const newest = "SELECT updated_at, id FROM sessions ORDER BY updated_at DESC, id DESC LIMIT 1 OFFSET ?";
    const first = this.#statement(newest).get(kept);
    if (first === undefined) return [];
    const remove = (condition: string, ...values: SQLInputValue[]) =>
      this.#ids(
        `DELETE FROM sessions WHERE ${condition} AND (+updated_at, id) <= (?, ?)
         AND NOT EXISTS (SELECT 1 FROM jobs WHERE session = sessions.id AND status IN ${unfinished})
         RETURNING id`,
        ...values,
        Number(first.updated_at),
        String(first.id),
      );
    return [...remove("json_extract(data, '$.status') = 'archived'"), ...remove("updated_at < ?", oldest)];
  }

  #ids(sql: string, ...values: SQLInputValue[]): string[] {
    return this.#statement(sql)
      .all(...values)
      .map((row) => String(row.id));
  }

  async close(): Promise<void> {
    this.#statements.clear();
    if (this.#connection.isOpen) markStore(this.#store, this.#connection);
    this.#connection.close();
  }
}

export function unknownJob(id: string): Fault {
  return new Fault("unknown_job", `There is no job ${id}.`, "List the jobs to see which there are.", {
    job_id: id,
  });
}
