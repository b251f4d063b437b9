// The lease on a workspace: who may write to its ledger, until when, and under which fence.
//
// Every lease has a higher fence than all before it, and every write to the ledger names its fence: what a process
// writes after its lease was taken over is refused, however late it wakes up. The clock that counts is PostgreSQL's; the
// own one only ends a lease early.

import { Fault } from "@stet/protocol/fault";
import type { Pool } from "pg";
import { rows } from "./connection.ts";
import { type Notifications, notify } from "./notifications.ts";

export interface LeaseOptions {
  readonly pool: Pool;
  readonly workspace: string;
  readonly process: string;
  readonly notifications: Notifications;
  /** In milliseconds. */
  readonly lifetime: number;
}

export interface Taken {
  readonly fence: number;
  /** Up to where the ledger goes. */
  readonly seq: number;
  /** Who had it and let it expire; null where it was free. */
  readonly lostBy: string | null;
}

export class Lease {
  readonly #options: LeaseOptions;
  #held: { fence: number; until: number } | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** The fence to write under; undefined where the lease is not held, or only seemed to be. */
  get fence(): number | undefined {
    return this.#held !== undefined && performance.now() < this.#held.until ? this.#held.fence : undefined;
  }

  /** Takes it where it is free or expired. */
  async tryTake(): Promise<Taken | undefined> {
    const { pool, workspace, process, lifetime } = this.#options;
    const started = performance.now();
    const [row] = await rows<{ fence: string; seq: string; lost_by: string | null }>(
      pool,
      `WITH before AS (
         SELECT holder FROM stet.workspaces
         WHERE id = $1 AND (holder IS NULL OR expires_at < clock_timestamp()) FOR UPDATE
       )
       UPDATE stet.workspaces SET fence = fence + 1, holder = $2,
         expires_at = clock_timestamp() + $3 * interval '1 millisecond'
       FROM before WHERE id = $1 RETURNING fence, seq, before.holder AS lost_by`,
      workspace,
      process,
      lifetime,
    );
    if (row === undefined) return undefined;
    const fence = Number(row.fence);
    this.#held = { fence, until: started + lifetime };
    return { fence, seq: Number(row.seq), lostBy: row.lost_by };
  }

  /** Takes it as soon as it can be had. Its holder is asked to give it up. */
  async take(deadline: number, signal?: AbortSignal): Promise<Taken | Fault> {
    const { pool, notifications, process } = this.#options;
    for (;;) {
      const released = this.#released(Math.min(1000, Math.max(1, deadline - performance.now())), signal);
      try {
        const taken = await this.tryTake();
        if (taken !== undefined) return taken;
        if (signal?.aborted || performance.now() >= deadline) return await this.#busy();
        await notify(pool, notifications.channel, { kind: "wanted", by: process });
        await released.promise;
      } finally {
        released.stop();
      }
    }
  }

  /** Until someone gives it up, or it is time to look again. */
  #released(milliseconds: number, signal: AbortSignal | undefined) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const unsubscribe = this.#options.notifications.subscribe((notification) => {
      if (notification?.kind === "released") resolve();
    });
    const abort = () => resolve();
    signal?.addEventListener("abort", abort, { once: true });
    const stop = () => {
      clearTimeout(timer);
      unsubscribe();
      signal?.removeEventListener("abort", abort);
    };
    return { promise, stop };
  }

  async #busy(): Promise<Fault> {
    const { pool, workspace } = this.#options;
    const sql = "SELECT holder FROM stet.workspaces WHERE id = $1";
    const [row] = await rows<{ holder: string | null }>(pool, sql, workspace);
    const [host, pid] = (row?.holder ?? "").split(":");
    return new Fault(
      "workspace_busy",
      row?.holder
        ? `Another Stet works here: process ${pid} on ${host}.`
        : "Another Stet has just worked here.",
      "Wait until it is done and try again.",
      { lease: true, host: host ?? null, pid: Number(pid) || null },
    );
  }

  /** Prolongs it. False where it was taken over. */
  async renew(): Promise<boolean> {
    const held = this.#held;
    if (held === undefined) return true;
    const { pool, workspace, lifetime } = this.#options;
    const started = performance.now();
    const sql = `UPDATE stet.workspaces SET expires_at = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE id = $1 AND fence = $2 AND holder IS NOT NULL RETURNING 1`;
    const isOurs = (await rows(pool, sql, workspace, held.fence, lifetime)).length > 0;
    if (this.#held !== held) return true;
    if (isOurs) held.until = started + lifetime;
    else this.#held = undefined;
    return isOurs;
  }

  /** Nothing is written under it any more. */
  drop(): void {
    this.#held = undefined;
  }

  async release(): Promise<void> {
    const held = this.#held;
    if (held === undefined) return;
    this.#held = undefined;
    const { pool, workspace, notifications } = this.#options;
    const sql = `UPDATE stet.workspaces SET holder = NULL, expires_at = NULL WHERE id = $1 AND fence = $2`;
    await rows(pool, sql, workspace, held.fence);
    await notify(pool, notifications.channel, { kind: "released" });
  }
}
