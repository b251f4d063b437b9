// Works on the jobs of shared workspaces: takes one from the queue, acquires the lease of its workspace, carries it out, and
// requeues it where it could not end it.
//
// A job ends once, whatever happens: its row has its process and its attempt, and every write for it names both. A process
// whose heartbeat was missed, and whose jobs others have taken over, aborts all of them.

import { EventEmitter } from "node:events";
import { cancelled, lostTooOften } from "@stet/host/jobs/job-faults";
import type { JobRunner } from "@stet/host/jobs/job-runner";
import { type Fault, isFault } from "@stet/protocol/fault";
import { tellIfFault } from "@stet/storage/notices";
import { logFailure } from "@stet/storage/operator-log";
import type { Runner } from "graphile-worker";
import type { Notification } from "./notifications.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { type Claim, queueSchema, type SharedJobs, taskOf } from "./shared-jobs.ts";
import type { Sharing } from "./sharing.ts";

/** One workspace to work in. */
export interface Workplace {
  readonly store: PostgresStore;
  readonly runner: JobRunner;
}

export interface WorkerOptions {
  readonly workplaces: readonly Workplace[];
  /** Jobs at the same time. */
  readonly concurrency: number;
  /** How often a job is retried after the process that worked on it was lost. */
  readonly retries: number;
  /** Interval of reaping dead processes, in milliseconds. */
  readonly lookEvery?: number;
  readonly onJob?: (job: string, what: "begun" | "rests" | "lost") => void;
}

/** Backoff before a job that cannot begin yet is offered again. */
const laterMilliseconds = 300;

export class Worker {
  readonly #options: WorkerOptions;
  readonly #workspaces: WorkspaceWork[];
  #runner: Runner | undefined;
  #look: NodeJS.Timeout | undefined;
  #looking: Promise<unknown> = Promise.resolve();

  private constructor(options: WorkerOptions) {
    this.#options = options;
    this.#workspaces = options.workplaces.map((work) => new WorkspaceWork(work, options));
  }

  static async start(options: WorkerOptions): Promise<Worker> {
    const worker = new Worker(options);
    await worker.#begin();
    return worker;
  }

  async #begin(): Promise<void> {
    const { concurrency, lookEvery = 5000 } = this.#options;
    const [first] = this.#workspaces;
    if (first === undefined) throw new Error("a worker needs a workspace");
    const { Logger, run } = await import("graphile-worker");
    const events = new EventEmitter();
    const names: string[] = [];
    events.on("pool:create", ({ workerPool }: { workerPool: { id: string } }) => names.push(workerPool.id));
    events.on("worker:create", ({ worker }: { worker: { workerId: string } }) => names.push(worker.workerId));
    this.#runner = await run({
      pgPool: first.store.pool,
      schema: queueSchema,
      concurrency,
      events,
      pollInterval: 1000,
      noHandleSignals: true,
      logger: new Logger(() => () => undefined),
      taskList: Object.fromEntries(
        this.#workspaces.map((work) => [
          taskOf(work.store.workspace),
          (payload: unknown) => work.take(payload),
        ]),
      ),
    });
    // `stop` awaits it; until then a crash of the runner is found by the missing heartbeat.
    this.#runner.promise.catch(() => undefined);
    for (const work of this.#workspaces) await work.sharing.processes.setWorkers(names);
    const lookNow = () => {
      this.#looking = this.#looking.then(() => this.#reapAll()).catch(logFailure("postgres.reap"));
    };
    lookNow();
    this.#look = setInterval(lookNow, lookEvery);
  }

  async #reapAll(): Promise<void> {
    for (const work of this.#workspaces) await work.reap();
  }

  /** Jobs that wait for the person are left as they are; running ones are retried elsewhere. */
  async stop(): Promise<void> {
    clearInterval(this.#look);
    await this.#looking;
    await Promise.all(this.#workspaces.map((work) => work.stop()));
    await this.#runner?.stop().catch(() => undefined);
  }
}

interface Work {
  readonly attempt: number;
  readonly stop: AbortController;
  /** Ends the wait for a job that waits for the person. */
  readonly leave: () => void;
}

/** The work of this process in one workspace. */
class WorkspaceWork {
  readonly store: PostgresStore;
  readonly sharing: Sharing;
  readonly #jobs: SharedJobs;
  readonly #runner: JobRunner;
  readonly #options: WorkerOptions;
  readonly #work = new Map<string, Work>();
  /** Jobs that are being taken, worked on or given back. */
  readonly #mine = new Set<string>();
  readonly #unsubscribe: (() => void)[];
  #isStopping = false;

  constructor({ store, runner }: Workplace, options: WorkerOptions) {
    const { sharing } = store;
    if (sharing === undefined) throw new Error("a worker needs a store that is shared");
    this.store = store;
    this.sharing = sharing;
    this.#jobs = sharing.jobs;
    this.#runner = runner;
    this.#options = options;
    this.#unsubscribe = [
      sharing.onLost(() => this.#lose()),
      store.notifications.subscribe(
        (notification) => void this.#onNotification(notification).catch(logFailure("postgres.notification")),
      ),
    ];
  }

  /** Handler of the queue. A job that cannot be taken is no error: another process has it. */
  async take(payload: unknown): Promise<void> {
    const id = jobOf(payload);
    if (id === undefined || this.#isStopping || this.#mine.has(id)) return;
    this.#mine.add(id);
    try {
      await this.#claim(id);
    } finally {
      this.#mine.delete(id);
    }
  }

  async #claim(id: string): Promise<void> {
    const claim = await this.#jobs.claim(id);
    if (claim === "later") return this.#jobs.add(id, laterMilliseconds);
    const attempt = this.store.attempts.get(id)?.number;
    if (claim === undefined || attempt === undefined) return;
    const left = Promise.withResolvers<void>();
    const work = { attempt, stop: new AbortController(), leave: left.resolve };
    this.#work.set(id, work);
    this.#options.onJob?.(id, "begun");
    try {
      await Promise.race([this.#carryOut(claim, work), left.promise]);
    } finally {
      this.#work.delete(id);
      const isLost = work.stop.signal.aborted && !this.#isStopping;
      try {
        // Where that fails, the next look finds that this process has a job that it does not work on.
        await this.#jobs.giveBack(id, attempt, isLost);
      } finally {
        this.#options.onJob?.(id, isLost ? "lost" : "rests");
      }
    }
  }

  async #carryOut({ job: { id }, losses, isCancelled }: Claim, { stop }: Work): Promise<void> {
    const lease = await this.sharing.borrow(stop.signal);
    if (isFault(lease)) return;
    try {
      const job = await this.store.job(id);
      if (job === undefined || stop.signal.aborted) return;
      await this.#runner.run(job, lease, this.#refusal(losses, isCancelled));
    } finally {
      tellIfFault(await lease.end());
    }
  }

  async reap(): Promise<void> {
    await this.#jobs.reap();
    await this.#jobs.reclaim([...this.#mine]);
  }

  #refusal(losses: number, isCancelled: boolean): Fault | undefined {
    if (isCancelled) return cancelled();
    return losses > this.#options.retries ? lostTooOften(losses) : undefined;
  }

  /** Another process has taken over: nothing that is done here may be written any more. */
  #lose(): void {
    for (const { stop } of this.#work.values()) stop.abort();
    for (const id of this.#here()) {
      this.#jobs.disown(id);
      void this.#runner.abandon(id);
    }
  }

  /** Jobs that this process works on: those it took, and those they have sent. */
  #here(): readonly string[] {
    return [...this.#work.keys(), ...this.#jobs.adopted];
  }

  async #onNotification(notification: Notification | undefined): Promise<void> {
    if (notification?.kind === "cancel" && this.#here().includes(notification.job))
      return this.#runner.abandon(notification.job);
    const isAnswer =
      notification === undefined || (notification.kind === "job" && notification.status === "queued");
    if (!isAnswer) return;
    for (const id of this.#here()) {
      if (!this.#runner.isWaiting(id)) continue;
      const job = await this.store.job(id);
      if (job !== undefined) this.#runner.hear(job);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const stop of this.#unsubscribe) stop();
    await Promise.all(
      [...this.#work].map(async ([id, { stop, leave }]) => {
        if (this.#runner.isWaiting(id)) return leave();
        this.#jobs.disown(id);
        stop.abort();
        await this.#runner.abandon(id);
      }),
    );
  }
}

function jobOf(payload: unknown): string | undefined {
  if (typeof payload !== "object" || payload === null || !("job" in payload)) return undefined;
  return typeof payload.job === "string" ? payload.job : undefined;
}
