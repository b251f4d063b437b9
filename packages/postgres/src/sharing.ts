// A workspace that many processes share: each has a working copy of the ledger, and one at a time may write to it.
//
// Whoever writes comes in first (`exclusively`, `stay`): the lease is taken, the copy catches up, and only then may the
// ledger be changed. They leave when all of it is kept in PostgreSQL. The lease stays with this process for a moment,
// or until another one wants it; whoever comes in after that waits for its turn.

import type { LogOptions } from "@stet/host/events/event-log";
import type { JobRecord } from "@stet/host/store/store";
import { type Fault, ignoreFault, isFault } from "@stet/protocol/fault";
import { logFailure } from "@stet/storage/operator-log";
import type { Workspace, WorkspaceOptions } from "@stet/workspace/workspace";
import { postgresFault, rows } from "./connection.ts";
import { Lease } from "./lease.ts";
import { takenOver } from "./ledger-mirror.ts";
import type { Notification } from "./notifications.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { Processes } from "./processes.ts";
import { SharedEventLog } from "./shared-event-log.ts";
import { SharedJobs } from "./shared-jobs.ts";
import { SharedLedger } from "./shared-ledger.ts";

export interface SharingOptions {
  readonly purpose: string;
  /** How long a process may be out of touch before others take over, in milliseconds. */
  readonly lifetime: number;
  /** How long a request waits for another process, in milliseconds. */
  readonly patience: number;
  /** Where working copies are; in the state folder unless given. */
  readonly copies?: string | undefined;
}

/** Someone who works here for a longer time, and lets others in whenever it needs nothing itself. */
export interface Stay {
  loosen(): void;
  /** Returns when it may write again; a fault where it has to give up. */
  tighten(): Promise<undefined | Fault>;
  /** Returns when all that was written is kept. */
  end(): Promise<undefined | Fault>;
}

/** How long the lease is kept for whoever comes next. */
const linger = 500;
/** What whoever asked for the lease needs to get it before we ask again. */
const headStart = 15;

export class Sharing {
  readonly processes: Processes;
  readonly jobs: SharedJobs;
  readonly #store: PostgresStore;
  readonly #options: SharingOptions;
  readonly #lease: Lease;
  readonly #lostListeners = new Set<(fault: Fault) => void>();
  readonly #unsubscribe: () => void;
  readonly #heart: NodeJS.Timeout;
  #beating: Promise<void> | undefined;
  #ledger: SharedLedger | undefined;
  #users = 0;
  #isWanted = false;
  #yieldedAt = Number.NEGATIVE_INFINITY;
  #lingering: NodeJS.Timeout | undefined;
  #entering: Promise<unknown> = Promise.resolve();
  #whenEmpty: (() => void)[] = [];
  #closing: Promise<void> | undefined;

  constructor(store: PostgresStore, options: SharingOptions) {
    this.#store = store;
    this.#options = options;
    const { pool, workspace, notifications } = store;
    const { lifetime, purpose } = options;
    this.processes = new Processes(pool, purpose, lifetime);
    this.jobs = new SharedJobs(store, this.processes);
    this.#lease = new Lease({ pool, workspace, process: this.processes.id, notifications, lifetime });
    this.#unsubscribe = notifications.subscribe((told) => this.#hear(told));
    this.#heart = setInterval(() => {
      this.#beating ??= this.#beat().finally(() => {
        this.#beating = undefined;
      });
    }, lifetime / 4);
    this.#heart.unref();
  }

  async open(): Promise<void> {
    const sql = "INSERT INTO stet.workspaces (id) VALUES ($1) ON CONFLICT (id) DO NOTHING";
    await rows(this.#store.pool, sql, this.#store.workspace);
    await this.processes.register();
    await this.jobs.open();
  }

  /** Opens the folder with a working copy of the shared ledger. */
  async openWorkspace(folder: string, options: WorkspaceOptions = {}): Promise<Workspace | Fault> {
    const { processes } = this;
    const lease = this.#lease;
    const store = this.#store;
    const { patience, copies } = this.#options;
    try {
      const taken = await lease.take(performance.now() + patience);
      if (isFault(taken)) return taken;
      const onDiverged = (fault: Fault) => this.#lose(fault);
      const opened = await SharedLedger.open(folder, options, taken, {
        store,
        lease,
        processes,
        copies,
        onDiverged,
      });
      if (isFault(opened)) return opened;
      this.#ledger = opened.ledger;
      this.#users += 1;
      this.#leave();
      return opened.workspace;
    } catch (error) {
      return postgresFault(error);
    } finally {
      if (this.#ledger === undefined) await lease.release().catch(() => undefined);
    }
  }

  openLog(name: string, options: LogOptions): Promise<SharedEventLog> {
    return SharedEventLog.openShared(name, this.#store, options, this.processes.id);
  }

  onJob(listener: (job: JobRecord) => void): () => void {
    return this.#store.notifications.subscribe((told) => {
      if (told?.kind !== "job" || told.by === this.processes.id) return;
      const found = this.#store.job(told.job);
      found
        .then((job) => job !== undefined && listener(job))
        .catch(logFailure("postgres.job", { job: told.job }));
    });
  }

  /** Told when another process took over: whatever was begun here is not to go on. */
  onLost(listener: (fault: Fault) => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  /** Runs what may change the workspace; returns when that is kept. A fault where it could not be. */
  async exclusively<T>(action: () => Promise<T | Fault> | T | Fault): Promise<T | Fault> {
    const fault = await this.#enter(performance.now() + this.#options.patience);
    if (isFault(fault)) return fault;
    try {
      const result = await action();
      const refused = await this.#ledger?.mirror.settled();
      return isFault(refused) ? refused : result;
    } finally {
      this.#leave();
    }
  }

  /** Comes in for longer; waits as long as it takes. */
  async stay(signal: AbortSignal): Promise<Stay | Fault> {
    const enter = () => this.#enter(Number.POSITIVE_INFINITY, signal);
    const fault = await enter();
    if (isFault(fault)) return fault;
    let isTight = true;
    return {
      loosen: () => {
        if (isTight) this.#leave();
        isTight = false;
      },
      tighten: async () => {
        if (isTight) return undefined;
        const refused = await enter();
        isTight ||= !isFault(refused);
        return refused;
      },
      end: async () => {
        const refused = await this.#ledger?.mirror.settled();
        if (isTight) this.#leave();
        isTight = false;
        return refused;
      },
    };
  }

  /** Brings the copy to what is known now, for whoever only reads. */
  async refresh(): Promise<undefined | Fault> {
    try {
      await this.#ledger?.follow();
      return undefined;
    } catch (error) {
      return postgresFault(error);
    }
  }

  #enter(deadline: number, signal?: AbortSignal): Promise<undefined | Fault> {
    const entered = this.#entering.then(async () => {
      try {
        if (this.#isWanted && this.#lease.fence !== undefined) {
          await this.#empty(deadline, signal);
          if (this.#users === 0) await this.#giveUp();
        }
        const isIn = this.#lease.fence !== undefined && this.#ledger?.mirror.refusal() === undefined;
        const fault = isIn ? undefined : await this.#take(deadline, signal);
        if (!isFault(fault)) {
          clearTimeout(this.#lingering);
          this.#users += 1;
        }
        return fault;
      } catch (error) {
        return postgresFault(error);
      }
    });
    this.#entering = entered;
    return entered;
  }

  /** Until nobody works here, or there is no time to wait for that. */
  async #empty(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#users === 0 || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#whenEmpty.push(resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    const left = deadline - performance.now();
    const timer = left < 2 ** 31 ? setTimeout(resolve, left) : undefined;
    await promise;
    clearTimeout(timer);
  }

  async #take(deadline: number, signal?: AbortSignal): Promise<undefined | Fault> {
    this.#ledger?.mirror.bar();
    const early = this.#yieldedAt + headStart - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const taken = await this.#lease.take(deadline, signal);
    if (isFault(taken)) return taken;
    this.#isWanted = false;
    let isIn = false;
    try {
      const fault = await this.#ledger?.admit(taken);
      isIn = !isFault(fault);
      return fault;
    } finally {
      if (!isIn) await this.#lease.release().catch(() => undefined);
    }
  }

  #leave(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const resolve of this.#whenEmpty.splice(0)) resolve();
    clearTimeout(this.#lingering);
    const goes = () => {
      const gone = this.#entering.then(() => this.#giveUp()).catch(logFailure("postgres.lease"));
      this.#entering = gone;
      return gone;
    };
    if (this.#isWanted) void goes();
    else this.#lingering = setTimeout(goes, linger).unref();
  }

  /** Lets others have the lease, when everything is kept. */
  async #giveUp(): Promise<void> {
    if (this.#users > 0 || this.#lease.fence === undefined) return;
    // What is refused was told by the mirror, and is pending still.
    ignoreFault(await this.#ledger?.mirror.settled());
    await this.#ledger?.publishNowAndThen();
    if (this.#ledger?.mirror.hasPending || this.#users > 0) return;
    this.#ledger?.mirror.bar();
    if (this.#isWanted) this.#yieldedAt = performance.now();
    this.#isWanted = false;
    await this.#lease.release();
  }

  #hear(told: Notification | undefined): void {
    if (told === undefined || told.kind === "ledger")
      void this.#ledger?.follow().catch(logFailure("postgres.follow"));
    if (told?.kind !== "wanted" || told.by === this.processes.id || this.#lease.fence === undefined) return;
    this.#isWanted = true;
    if (this.#users > 0) return;
    clearTimeout(this.#lingering);
    this.#entering = this.#entering.then(() => this.#giveUp()).catch(logFailure("postgres.lease"));
  }

  /** Says that this process is alive, and that it still works here. */
  async #beat(): Promise<void> {
    try {
      const isKnown = await this.processes.beat();
      if (isKnown && (await this.#lease.renew())) return;
      this.#lose(takenOver());
    } catch (error) {
      logFailure("postgres.heartbeat")(error);
      // Not to be reached at the moment. The lease ends by itself where that goes on.
    }
  }

  #lose(fault: Fault): void {
    this.#ledger?.mirror.bar();
    this.#lease.drop();
    for (const listener of [...this.#lostListeners]) listener(fault);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shut();
    return this.#closing;
  }

  async #shut(): Promise<void> {
    clearInterval(this.#heart);
    clearTimeout(this.#lingering);
    this.#unsubscribe();
    await this.#beating;
    ignoreFault(await this.#ledger?.mirror.settled());
    await this.#lease.release().catch(() => undefined);
    await this.processes.leave().catch(() => undefined);
    await this.jobs.close();
    await this.#ledger?.close();
  }
}
