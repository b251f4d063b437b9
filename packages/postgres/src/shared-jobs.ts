// Jobs of a shared workspace: offered through a queue, taken by one process at a time, given back when it is lost.
//
// The queue (graphile-worker) only wakes a process up, maybe more than once; the job's row decides who works on it. A job is
// taken when it is queued, no live process has it, and its lane is free. Each time it is taken its attempt grows, and from
// then on nothing of an earlier attempt can be written.

import type { JobRecord } from "@stet/host/store/store";
import { logFailure } from "@stet/storage/operator-log";
import type { WorkerUtils } from "graphile-worker";
import { rows, transaction, type Value } from "./connection.ts";
import { notify } from "./notifications.ts";
import type { PostgresStore } from "./postgres-store.ts";
import type { Processes } from "./processes.ts";

export const queueSchema = "stet_queue";

/** The name under which the jobs of a workspace are offered: a worker takes only those of its own workspaces. */
export function taskOf(workspace: string): string {
  return `job:${workspace}`;
}

export interface Claim {
  readonly job: JobRecord;
  /** How many processes were lost over it so far. */
  readonly losses: number;
  readonly isCancelled: boolean;
}

/** How long a cancel waits for the process that works on the job. */
const cancelPatience = 10_000;
/** A job that was queued so long ago, and that no process has, may never have been offered. */
const sweepAfter = 5000;
const laneLock = 1_917_402_235;

export class SharedJobs {
  readonly #store: PostgresStore;
  readonly #processes: Processes;
  #utils: Promise<WorkerUtils> | undefined;
  /** Jobs that others of this process have sent, and that no queue has. */
  readonly #adopted = new Set<string>();

  constructor(store: PostgresStore, processes: Processes) {
    this.#store = store;
    this.#processes = processes;
  }

  #queue(): Promise<WorkerUtils> {
    this.#utils ??= this.#openQueue();
    return this.#utils;
  }

  async #openQueue(): Promise<WorkerUtils> {
    const { Logger, makeWorkerUtils } = await import("graphile-worker");
    const logger = new Logger(() => () => undefined);
    const utils = await makeWorkerUtils({ pgPool: this.#store.pool, schema: queueSchema, logger });
    await utils.migrate();
    return utils;
  }

  async open(): Promise<void> {
    await this.#queue();
  }

  async add(job: string, delayMilliseconds = 0): Promise<void> {
    const { addJob } = await this.#queue();
    const runAt = new Date(Date.now() + delayMilliseconds);
    // One that is being looked at is not replaced, but gets a successor.
    await addJob(
      taskOf(this.#store.workspace),
      { job },
      { jobKey: `${this.#store.workspace} ${job}`, runAt, maxAttempts: 5 },
    );
  }

  /** Takes a job that was begun by another one of this process; returns what gives it away. */
  async adopt(id: string): Promise<() => Promise<void>> {
    const { pool, workspace } = this.#store;
    this.#adopted.add(id);
    const sql = "UPDATE stet.jobs SET attempt = 1, process = $3 WHERE workspace = $1 AND id = $2";
    await rows(pool, sql, workspace, id, this.#processes.id);
    this.#store.attempts.set(id, { job: id, number: 1 });
    return async () => {
      this.#adopted.delete(id);
      await this.giveBack(id, 1, true).catch(logFailure("postgres.give_back", { job: id }));
    };
  }

  get adopted(): readonly string[] {
    return [...this.#adopted];
  }

  async cancel(job: string): Promise<void> {
    const { pool, workspace, notifications } = this.#store;
    const over = Promise.withResolvers<void>();
    const unsubscribe = notifications.subscribe((notification) => {
      if (notification?.kind === "job" && notification.job === job && notification.status !== "running")
        over.resolve();
    });
    const timer = setTimeout(over.resolve, cancelPatience);
    try {
      const [row] = await rows<{ status: string }>(
        pool,
        "UPDATE stet.jobs SET is_cancelled = true WHERE workspace = $1 AND id = $2 RETURNING status",
        workspace,
        job,
      );
      await notify(pool, notifications.channel, { kind: "cancel", job });
      if (row?.status === "running") await over.promise;
    } finally {
      clearTimeout(timer);
      unsubscribe();
    }
  }

  /** Takes a job. "later" where what it needs for itself alone is not free. */
  claim(id: string): Promise<Claim | "later" | undefined> {
    const { pool, workspace } = this.#store;
    return transaction(pool, async (client) => {
      // Two jobs of one lane could otherwise be taken at the same time.
      await rows(client, "SELECT pg_advisory_xact_lock($1, hashtext($2))", laneLock, workspace);
      const [row] = await rows<{
        data: string;
        attempt: number;
        losses: number;
        is_cancelled: boolean;
        is_busy: boolean;
      }>(
        client,
        `SELECT data, attempt, losses, is_cancelled, EXISTS (
           SELECT 1 FROM stet.jobs AS other
           WHERE other.workspace = $1 AND other.id <> $2 AND other.lanes && jobs.lanes AND (
             other.status IN ('running', 'waiting_for_user')
             OR (other.status = 'queued' AND (
               other.process IS NOT NULL OR (other.created_at, other.id) < (jobs.created_at, jobs.id))))
         ) AS is_busy
         FROM stet.jobs WHERE workspace = $1 AND id = $2 AND status = 'queued' AND process IS NULL FOR UPDATE`,
        workspace,
        id,
      );
      if (row === undefined) return undefined;
      if (row.is_busy) return "later";
      const number = row.attempt + 1;
      await rows(
        client,
        "UPDATE stet.jobs SET attempt = $3, process = $4 WHERE workspace = $1 AND id = $2",
        workspace,
        id,
        number,
        this.#processes.id,
      );
      this.#store.attempts.set(id, { job: id, number });
      return { job: JSON.parse(row.data), losses: row.losses, isCancelled: row.is_cancelled };
    });
  }

  /** Invalidates an attempt: a process that still works on it cannot write any more. */
  disown(id: string): number | undefined {
    const number = this.#store.attempts.get(id)?.number;
    this.#store.attempts.set(id, { job: id, number: -1 });
    return number;
  }

  /** Ends an attempt. A job that is still at work goes back to the queue; `isLost` counts it as one that broke off. */
  async giveBack(id: string, attempt: number, isLost: boolean): Promise<void> {
    const { pool, workspace } = this.#store;
    const back = await this.#requeue("jobs.process = $2 AND jobs.id = $3 AND jobs.attempt = $4", isLost, [
      this.#processes.id,
      id,
      attempt,
    ]);
    if (back.length === 0) {
      const sql = `UPDATE stet.jobs SET process = NULL
        WHERE workspace = $1 AND process = $2 AND id = $3 AND status <> 'waiting_for_user'`;
      await rows(pool, sql, workspace, this.#processes.id, id);
    }
    this.#store.attempts.delete(id);
    for (const job of back) await this.add(job);
  }

  /** Puts jobs back that this process has, but does not work on: giving them back had failed. */
  async reclaim(atWork: readonly string[]): Promise<void> {
    const here = [...atWork, ...this.#adopted];
    const isForgotten = "jobs.process = $2 AND NOT (jobs.id = ANY($3::text[]))";
    for (const job of await this.#requeue(isForgotten, true, [this.#processes.id, here])) await this.add(job);
  }

  /** Frees what processes had that are gone. */
  async reap(): Promise<void> {
    const gone = await this.#processes.reap();
    if (gone.length > 0) {
      const queue = await this.#queue();
      await queue.forceUnlockWorkers(gone.flatMap(({ workers }) => [...workers]));
      // Offers that were superseded by a successor.
      await queue.cleanup({ tasks: ["DELETE_PERMAFAILED_JOBS"] });
    }
    const isOrphan = `jobs.process IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM stet.processes WHERE processes.id = jobs.process)`;
    for (const job of await this.#requeue(isOrphan, true, [])) await this.add(job);
    await this.#sweep();
  }

  /** Jobs that were queued, but never offered, or whose offer was lost. */
  async #sweep(): Promise<void> {
    const { pool, workspace } = this.#store;
    const found = await rows<{ id: string }>(
      pool,
      `SELECT id FROM stet.jobs WHERE workspace = $1 AND status = 'queued' AND process IS NULL AND created_at < $2
       ORDER BY created_at LIMIT 100`,
      workspace,
      Date.now() - sweepAfter,
    );
    for (const { id } of found) await this.add(id);
  }

  /** Requeues running jobs. Those that wait for the person go on waiting, without a process; but an agent's has ended. */
  async #requeue(condition: string, isLost: boolean, values: readonly Value[]): Promise<string[]> {
    const { pool, workspace } = this.#store;
    return transaction(pool, async (client) => {
      const found = await rows<{ id: string; status: string; data: string }>(
        client,
        `SELECT id, status, data FROM stet.jobs WHERE workspace = $1 AND ${condition}
         AND status IN ('queued', 'running', 'waiting_for_user') FOR UPDATE`,
        workspace,
        ...values,
      );
      const back: string[] = [];
      for (const { id, status, data } of found) {
        const job: JobRecord = JSON.parse(data);
        const rests = status === "waiting_for_user" && job.agent === undefined;
        const next = rests ? status : "queued";
        if (!rests) back.push(id);
        await rows(
          client,
          `UPDATE stet.jobs SET process = NULL, attempt = attempt + 1, status = $3, losses = losses + $4, data = $5
           WHERE workspace = $1 AND id = $2`,
          workspace,
          id,
          next,
          isLost && !rests ? 1 : 0,
          JSON.stringify({ ...job, status: next }),
        );
      }
      return back;
    });
  }

  async close(): Promise<void> {
    await (await this.#utils?.catch(() => undefined))?.release();
  }
}
