// A workspace that many processes share: each has a working copy of the ledger, and one at a time may write to it.
//
// A writer acquires the lease first (`exclusively`, `borrow`): the lease is taken, the copy catches up, and only then may the
// ledger be changed. It releases when all of it is committed in PostgreSQL. The process holds the lease for a grace period
// after its last writer, or until another process wants it; later writers here then queue for it.

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

/** A lease for longer work, which is released while the work does not need the workspace. */
export interface BorrowedLease {
  release(): void;
  /** Returns when it may write again; a fault where the lease cannot be had. */
  reacquire(): Promise<undefined | Fault>;
  /** Returns when all that was written is committed. */
  end(): Promise<undefined | Fault>;
}

/** Grace period, in milliseconds: how long an unused lease is held for the next writer of this process. */
const gracePeriod = 500;
/** Backoff, in milliseconds, after the lease was yielded to another process, so that it gets it before we ask again. */
const yieldBackoff = 15;

export class Sharing {
  readonly processes: Processes;
  readonly jobs: SharedJobs;
  readonly #store: PostgresStore;
  readonly #options: SharingOptions;
  readonly #lease: Lease;
  readonly #lostListeners = new Set<(fault: Fault) => void>();
  readonly #unsubscribe: () => void;
  readonly #heartbeatTimer: NodeJS.Timeout;
  #heartbeat: Promise<void> | undefined;
  #ledger: SharedLedger | undefined;
  #users = 0;
  #isWanted = false;
  #yieldedAt = Number.NEGATIVE_INFINITY;
  #graceTimer: NodeJS.Timeout | undefined;
  #acquiring: Promise<unknown> = Promise.resolve();
  #idleWaiters: (() => void)[] = [];
  #closing: Promise<void> | undefined;

  constructor(store: PostgresStore, options: SharingOptions) {
    this.#store = store;
    this.#options = options;
    const { pool, workspace, notifications } = store;
    const { lifetime, purpose } = options;
    this.processes = new Processes(pool, purpose, lifetime);
    this.jobs = new SharedJobs(store, this.processes);
    this.#lease = new Lease({ pool, workspace, process: this.processes.id, notifications, lifetime });
    this.#unsubscribe = notifications.subscribe((notification) => this.#onNotification(notification));
    this.#heartbeatTimer = setInterval(() => {
      this.#heartbeat ??= this.#sendHeartbeat().finally(() => {
        this.#heartbeat = undefined;
      });
    }, lifetime / 4);
    this.#heartbeatTimer.unref();
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
      this.#release();
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
    return this.#store.notifications.subscribe((notification) => {
      if (notification?.kind !== "job" || notification.by === this.processes.id) return;
      const found = this.#store.job(notification.job);
      found
        .then((job) => job !== undefined && listener(job))
        .catch(logFailure("postgres.job", { job: notification.job }));
    });
  }

  /** Called when another process took over the lease: work that began here must stop. */
  onLost(listener: (fault: Fault) => void): () => void {
    this.#lostListeners.add(listener);
    return () => this.#lostListeners.delete(listener);
  }

  /** Runs an action that may change the workspace; returns when its changes are committed, or a fault. */
  async exclusively<T>(action: () => Promise<T | Fault> | T | Fault): Promise<T | Fault> {
    const fault = await this.#acquire(performance.now() + this.#options.patience);
    if (isFault(fault)) return fault;
    try {
      const result = await action();
      const refused = await this.#ledger?.mirror.settled();
      return isFault(refused) ? refused : result;
    } finally {
      this.#release();
    }
  }

  /** Acquires the lease for longer work, without a deadline. */
  async borrow(signal: AbortSignal): Promise<BorrowedLease | Fault> {
    const enter = () => this.#acquire(Number.POSITIVE_INFINITY, signal);
    const fault = await enter();
    if (isFault(fault)) return fault;
    let isHeld = true;
    return {
      release: () => {
        if (isHeld) this.#release();
        isHeld = false;
      },
      reacquire: async () => {
        if (isHeld) return undefined;
        const refused = await enter();
        isHeld ||= !isFault(refused);
        return refused;
      },
      end: async () => {
        const refused = await this.#ledger?.mirror.settled();
        if (isHeld) this.#release();
        isHeld = false;
        return refused;
      },
    };
  }

  /** Brings the copy up to date, for readers. */
  async refresh(): Promise<undefined | Fault> {
    try {
      await this.#ledger?.follow();
      return undefined;
    } catch (error) {
      return postgresFault(error);
    }
  }

  #acquire(deadline: number, signal?: AbortSignal): Promise<undefined | Fault> {
    const entered = this.#acquiring.then(async () => {
      try {
        if (this.#isWanted && this.#lease.fence !== undefined) {
          await this.#whenIdle(deadline, signal);
          if (this.#users === 0) await this.#releaseLease();
        }
        const isIn = this.#lease.fence !== undefined && this.#ledger?.mirror.refusal() === undefined;
        const fault = isIn ? undefined : await this.#take(deadline, signal);
        if (!isFault(fault)) {
          clearTimeout(this.#graceTimer);
          this.#users += 1;
        }
        return fault;
      } catch (error) {
        return postgresFault(error);
      }
    });
    this.#acquiring = entered;
    return entered;
  }

  /** Waits until no writer of this process holds the lease, or for the deadline. */
  async #whenIdle(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    if (this.#users === 0 || signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idleWaiters.push(resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    const left = deadline - performance.now();
    const timer = left < 2 ** 31 ? setTimeout(resolve, left) : undefined;
    await promise;
    clearTimeout(timer);
  }

  async #take(deadline: number, signal?: AbortSignal): Promise<undefined | Fault> {
    this.#ledger?.mirror.bar();
    const early = this.#yieldedAt + yieldBackoff - performance.now();
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

  #release(): void {
    this.#users -= 1;
    if (this.#users > 0) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
    clearTimeout(this.#graceTimer);
    const releaseNext = () => {
      const released = this.#acquiring.then(() => this.#releaseLease()).catch(logFailure("postgres.lease"));
      this.#acquiring = released;
      return released;
    };
    if (this.#isWanted) void releaseNext();
    else this.#graceTimer = setTimeout(releaseNext, gracePeriod).unref();
  }

  /** Releases the lease to other processes, when everything is committed. */
  async #releaseLease(): Promise<void> {
    if (this.#users > 0 || this.#lease.fence === undefined) return;
    // The mirror has reported what was refused, and it is still pending.
    ignoreFault(await this.#ledger?.mirror.settled());
    await this.#ledger?.publishNowAndThen();
    if (this.#ledger?.mirror.hasPending || this.#users > 0) return;
    this.#ledger?.mirror.bar();
    if (this.#isWanted) this.#yieldedAt = performance.now();
    this.#isWanted = false;
    await this.#lease.release();
  }

  #onNotification(notification: Notification | undefined): void {
    if (notification === undefined || notification.kind === "ledger")
      void this.#ledger?.follow().catch(logFailure("postgres.follow"));
    if (
      notification?.kind !== "wanted" ||
      notification.by === this.processes.id ||
      this.#lease.fence === undefined
    )
      return;
    this.#isWanted = true;
    if (this.#users > 0) return;
    clearTimeout(this.#graceTimer);
    this.#acquiring = this.#acquiring.then(() => this.#releaseLease()).catch(logFailure("postgres.lease"));
  }

  /** Heartbeat of the process, and renewal of its lease. */
  async #sendHeartbeat(): Promise<void> {
    try {
      const isKnown = await this.processes.heartbeat();
      if (isKnown && (await this.#lease.renew())) return;
      this.#lose(takenOver());
    } catch (error) {
      logFailure("postgres.heartbeat")(error);
      // PostgreSQL cannot be reached at the moment. The lease expires by itself where that goes on.
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
    clearInterval(this.#heartbeatTimer);
    clearTimeout(this.#graceTimer);
    this.#unsubscribe();
    await this.#heartbeat;
    ignoreFault(await this.#ledger?.mirror.settled());
    await this.#lease.release().catch(() => undefined);
    await this.processes.leave().catch(() => undefined);
    await this.jobs.close();
    await this.#ledger?.close();
  }
}
