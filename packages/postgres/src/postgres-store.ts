// The store for many machines: sessions, jobs and logs of one workspace in PostgreSQL, shared by every process that
// works on it. What changes is announced on the workspace's channel.
//
// The end of a job is final: the end of an attempt is refused once there was another attempt.

import { lanesOf } from "@stet/host/jobs/job-queue";
import { unknownJob } from "@stet/host/store/sqlite-store";
import type {
  Collected,
  CollectionRules,
  JobPatch,
  JobRecord,
  SessionRecord,
  Store,
} from "@stet/host/store/store";
import type { JobStatus } from "@stet/protocol/api/job";
import type { LogEvent, NewEvent } from "@stet/protocol/events/log-event";
import { Fault, isFault } from "@stet/protocol/fault";
import { tellIfFault } from "@stet/storage/notices";
import type { Pool, PoolClient } from "pg";
import { postgresFault, type Queries, rows, transaction, type Value } from "./connection.ts";
import type { Notifications } from "./notifications.ts";
import type { Sharing } from "./sharing.ts";

interface StoredRow {
  readonly data: string;
}

/** An attempt at a job: the fencing token of the process that works on it. */
export interface Attempt {
  readonly job: string;
  readonly number: number;
}

const unfinished = "('queued', 'running', 'waiting_for_user', 'awaiting_review')";
const working: readonly JobStatus[] = ["queued", "running", "waiting_for_user"];

export class PostgresStore implements Store {
  readonly workspace: string;
  readonly pool: Pool;
  readonly notifications: Notifications;
  /** Set after opening. */
  sharing: Sharing | undefined;
  /** Attempts of this process: it may write to these jobs only as long as its attempt is the current one. */
  readonly attempts = new Map<string, Attempt>();
  /** By job: what is stored in the same transaction as the next change of its status. */
  readonly #alongside = new Map<string, (client: PoolClient) => Promise<void>>();

  constructor(pool: Pool, workspace: string, notifications: Notifications) {
    this.pool = pool;
    this.workspace = workspace;
    this.notifications = notifications;
  }

  async #write(sql: string, ...values: Value[]): Promise<undefined | Fault> {
    try {
      await rows(this.pool, sql, this.workspace, ...values);
      return undefined;
    } catch (error) {
      return postgresFault(error);
    }
  }

  async #records<T>(sql: string, ...values: Value[]): Promise<T[]> {
    const found = await rows<StoredRow>(this.pool, sql, this.workspace, ...values);
    return found.map((row) => JSON.parse(row.data));
  }

  putSession(session: SessionRecord): Promise<undefined | Fault> {
    return this.#write(
      `INSERT INTO stet.sessions (workspace, id, updated_at, data) VALUES ($1, $2, $3, $4)
       ON CONFLICT (workspace, id) DO UPDATE SET updated_at = excluded.updated_at, data = excluded.data`,
      session.id,
      session.updatedAt,
      JSON.stringify(session),
    );
  }

  async session(id: string): Promise<SessionRecord | undefined> {
    const sql = "SELECT data FROM stet.sessions WHERE workspace = $1 AND id = $2";
    return (await this.#records<SessionRecord>(sql, id))[0];
  }

  sessions(limit: number): Promise<SessionRecord[]> {
    return this.#records(
      `SELECT data FROM stet.sessions WHERE workspace = $1 ORDER BY updated_at DESC, id COLLATE "C" DESC LIMIT $2`,
      limit,
    );
  }

  putJob(job: JobRecord): Promise<undefined | Fault> {
    return this.#write(
      `INSERT INTO stet.jobs (workspace, id, session, status, turn, created_at, finished_at, data, lanes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (workspace, id) DO UPDATE SET
         session = excluded.session, status = excluded.status, turn = excluded.turn,
         created_at = excluded.created_at, finished_at = excluded.finished_at, data = excluded.data,
         lanes = excluded.lanes`,
      job.id,
      job.session,
      job.status,
      job.turn,
      job.createdAt,
      job.finishedAt,
      JSON.stringify(job),
      lanesOf(job),
    );
  }

  /** Where this process works on the job, only as long as no other does and it has not ended. */
  async updateJob(id: string, patch: JobPatch): Promise<JobRecord | Fault> {
    const attempt = this.attempts.get(id);
    try {
      return await transaction(this.pool, async (client) => {
        const [row] = await rows<StoredRow & { attempt: number }>(
          client,
          "SELECT data, attempt FROM stet.jobs WHERE workspace = $1 AND id = $2 FOR UPDATE",
          this.workspace,
          id,
        );
        if (row === undefined) return unknownJob(id);
        const job: JobRecord = JSON.parse(row.data);
        if (attempt !== undefined && (row.attempt !== attempt.number || !working.includes(job.status)))
          return overtaken(id);
        if (patch.status !== undefined && !mayBecome(job.status, patch.status)) return hasEnded(job);
        const updated = { ...job, ...patch };
        await rows(
          client,
          `UPDATE stet.jobs SET status = $3, turn = $4, finished_at = $5, data = $6
           WHERE workspace = $1 AND id = $2`,
          this.workspace,
          id,
          updated.status,
          updated.turn,
          updated.finishedAt,
          JSON.stringify(updated),
        );
        if (updated.status !== job.status) {
          const payload = JSON.stringify({
            kind: "job",
            job: id,
            status: updated.status,
            by: this.sharing?.processes.id ?? "",
          });
          await rows(client, "SELECT pg_notify($1, $2)", this.notifications.channel, payload);
        }
        if (patch.status !== undefined) await this.#alongside.get(id)?.(client);
        return updated;
      });
    } catch (error) {
      return postgresFault(error);
    }
  }

  async job(id: string): Promise<JobRecord | undefined> {
    const sql = "SELECT data FROM stet.jobs WHERE workspace = $1 AND id = $2";
    return (await this.#records<JobRecord>(sql, id))[0];
  }

  async jobByTurn(turn: string): Promise<JobRecord | undefined> {
    const sql = "SELECT data FROM stet.jobs WHERE workspace = $1 AND turn = $2";
    return (await this.#records<JobRecord>(sql, turn))[0];
  }

  jobs(filter: { session?: string; status?: JobStatus; limit: number }): Promise<JobRecord[]> {
    const { session = null, status = null, limit } = filter;
    return this.#records(
      `SELECT data FROM stet.jobs
       WHERE workspace = $1 AND ($2::text IS NULL OR session = $2) AND ($3::text IS NULL OR status = $3)
       ORDER BY created_at DESC, id COLLATE "C" DESC LIMIT $4`,
      session,
      status,
      limit,
    );
  }

  async keepEvents(log: string, events: readonly LogEvent[]): Promise<undefined | Fault> {
    if (events.length === 0) return undefined;
    const last = events.reduce((highest, { cursor }) => Math.max(highest, cursor), 0);
    return this.#write(
      `WITH given AS (
         INSERT INTO stet.logs (workspace, log, last) VALUES ($1, $2, $5)
         ON CONFLICT (workspace, log) DO UPDATE SET last = greatest(logs.last, excluded.last) RETURNING 1
       ), kept AS (
         INSERT INTO stet.events (workspace, log, cursor, data)
         SELECT $1, $2, event.cursor, event.data FROM given, unnest($3::bigint[], $4::text[]) AS event (cursor, data)
       )
       SELECT pg_notify($6, json_build_object('kind', 'event', 'log', $2::text, 'cursor', $5::bigint)::text)`,
      log,
      events.map(({ cursor }) => cursor),
      events.map(({ cursor, ...event }) => JSON.stringify(event)),
      last,
      this.notifications.channel,
    );
  }

  /**
   * Stores a fact under the next cursor. Writers of a log are serialised, so a cursor can be read only after all smaller
   * ones can.
   */
  async appendEvent(log: string, event: NewEvent, on: Queries = this.pool): Promise<number | Fault> {
    const attempt = this.attempts.get(log.replace(/^job:/, ""));
    try {
      const [row] = await rows<{ cursor: string }>(
        on,
        `WITH given AS (
           INSERT INTO stet.logs (workspace, log, last)
           SELECT $1, $2, 1 WHERE $4::text IS NULL
             OR EXISTS (SELECT 1 FROM stet.jobs WHERE workspace = $1 AND id = $4 AND attempt = $5)
           ON CONFLICT (workspace, log) DO UPDATE SET last = logs.last + 1 RETURNING last
         ), kept AS (
           INSERT INTO stet.events (workspace, log, cursor, data) SELECT $1, $2, last, $3 FROM given
         )
         SELECT last AS cursor,
           pg_notify($6, json_build_object('kind', 'event', 'log', $2::text, 'cursor', last)::text) AS told
         FROM given`,
        this.workspace,
        log,
        JSON.stringify(event),
        attempt?.job ?? null,
        attempt?.number ?? null,
        this.notifications.channel,
      );
      return row === undefined ? overtaken(attempt?.job ?? log) : Number(row.cursor);
    } catch (error) {
      return postgresFault(error);
    }
  }

  /** Stores a fact in one transaction with its cause: a change of the job's status, and its event, or neither. */
  async appendWith(log: string, event: NewEvent, change: () => Promise<unknown>): Promise<number | Fault> {
    const job = log.replace(/^job:/, "");
    let cursor: number | undefined;
    this.#alongside.set(job, async (client) => {
      cursor = mustKeep(await this.appendEvent(log, event, client));
    });
    try {
      await change();
    } finally {
      this.#alongside.delete(job);
    }
    return cursor ?? this.appendEvent(log, event);
  }

  /** Reserves so many cursors for events that are not stored; returns the last of them. */
  async takeCursors(log: string, count: number): Promise<number | Fault> {
    try {
      const [row] = await rows<{ last: string }>(
        this.pool,
        `INSERT INTO stet.logs (workspace, log, last) VALUES ($1, $2, $3)
         ON CONFLICT (workspace, log) DO UPDATE SET last = logs.last + excluded.last RETURNING last`,
        this.workspace,
        log,
        count,
      );
      return Number(row?.last ?? 0);
    } catch (error) {
      return postgresFault(error);
    }
  }

  reserveCursors(log: string, upTo: number): Promise<undefined | Fault> {
    return this.#write(
      `INSERT INTO stet.logs (workspace, log, last) VALUES ($1, $2, $3)
       ON CONFLICT (workspace, log) DO UPDATE SET last = greatest(logs.last, excluded.last)`,
      log,
      upTo,
    );
  }

  async lastCursor(log: string): Promise<number> {
    return (await this.extent(log)).last;
  }

  /** Up to where cursors were given out, and up to where events were dropped. */
  async extent(log: string): Promise<{ last: number; dropped: number }> {
    const sql = "SELECT last, dropped FROM stet.logs WHERE workspace = $1 AND log = $2";
    const [row] = await rows<{ last: string; dropped: string }>(this.pool, sql, this.workspace, log);
    return { last: Number(row?.last ?? 0), dropped: Number(row?.dropped ?? 0) };
  }

  async events(log: string, after: number, limit: number): Promise<LogEvent[]> {
    const found = await rows<StoredRow & { cursor: string }>(
      this.pool,
      `SELECT cursor, data FROM stet.events WHERE workspace = $1 AND log = $2 AND cursor > $3
       ORDER BY cursor LIMIT $4`,
      this.workspace,
      log,
      after,
      limit,
    );
    return found.map(({ cursor, data }) => ({ cursor: Number(cursor), ...(JSON.parse(data) as NewEvent) }));
  }

  async trimEvents(log: string, keep: number): Promise<void> {
    const trimmed = await this.#write(
      `WITH gone AS (
         DELETE FROM stet.events WHERE workspace = $1 AND log = $2 AND cursor <= (
           SELECT cursor FROM stet.events WHERE workspace = $1 AND log = $2
           ORDER BY cursor DESC LIMIT 1 OFFSET $3)
         RETURNING cursor
       )
       UPDATE stet.logs SET dropped = greatest(dropped, (SELECT max(cursor) FROM gone))
       WHERE workspace = $1 AND log = $2 AND EXISTS (SELECT 1 FROM gone)`,
      log,
      keep,
    );
    tellIfFault(trimmed);
  }

  async collect(rules: CollectionRules): Promise<Collected> {
    return transaction(this.pool, async (client) => {
      const ids = async (sql: string, ...values: Value[]) => {
        const gone = await rows<{ id: string }>(client, `${sql} RETURNING id`, this.workspace, ...values);
        return gone.map(({ id }) => id);
      };
      const sessions = await ids(
        `DELETE FROM stet.sessions WHERE workspace = $1 AND id IN (
           SELECT id FROM stet.sessions WHERE workspace = $1
           ORDER BY updated_at DESC, id COLLATE "C" DESC OFFSET $2)
         AND (data::json->>'status' = 'archived' OR updated_at < $3)
         AND NOT EXISTS (SELECT 1 FROM stet.jobs
           WHERE jobs.workspace = $1 AND jobs.session = sessions.id AND jobs.status IN ${unfinished})`,
        rules.maxSessions,
        rules.now - rules.completedTtlHours * 3_600_000,
      );
      const jobs = await ids(
        `DELETE FROM stet.jobs WHERE workspace = $1 AND status NOT IN ${unfinished}
         AND (finished_at < $2 OR session = ANY($4::text[]) OR id IN (
           SELECT id FROM (
             SELECT id, row_number() OVER (
               PARTITION BY session ORDER BY created_at DESC, id COLLATE "C" DESC) AS place
             FROM stet.jobs WHERE workspace = $1) AS placed
           WHERE place > $3))`,
        rules.now - rules.completedTtlHours * 3_600_000,
        rules.maxJobsPerSession,
        sessions,
      );
      const logs = jobs.flatMap((job) => [`job:${job}`, `chat:${job}`]);
      for (const table of ["events", "logs"]) {
        const sql = `DELETE FROM stet.${table} WHERE workspace = $1 AND log = ANY($2::text[])`;
        await rows(client, sql, this.workspace, logs);
      }
      return { jobs: jobs.length, sessions: sessions.length };
    });
  }

  async close(): Promise<void> {
    await this.sharing?.close();
    await this.notifications.close();
    if (!this.pool.ended) await this.pool.end();
  }
}

/** A decision that is undone opens the review of a completed job again; nothing else leaves its end. */
function mayBecome(from: JobStatus, to: JobStatus): boolean {
  if (working.includes(from)) return true;
  return from === "awaiting_review"
    ? !working.includes(to)
    : from === "completed" && to === "awaiting_review";
}

function overtaken(job: string): Fault {
  return new Fault(
    "job_not_ready",
    `Another process has taken over ${job}, or it has ended. Nothing was written.`,
    "Look at the job to see what became of it.",
    { job_id: job },
  );
}

function hasEnded(job: JobRecord): Fault {
  return new Fault("job_not_ready", `The job ${job.id} has ended: it is ${job.status}.`, "Start a new job.", {
    job_id: job.id,
    status: job.status,
  });
}

/** The value, or an exception for what only a broken store explains. */
export function mustKeep<T>(value: T | Fault): T {
  if (isFault(value)) throw new Error(`${value.message} ${value.suggestion}`);
  return value;
}
