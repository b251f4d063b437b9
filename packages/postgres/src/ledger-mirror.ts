// Replicates the ledger to PostgreSQL: what is committed to the working copy is sent there under the fence of the lease.
//
// A transaction is committed here first, because it cannot wait; its success is reported only after `settled`. What
// PostgreSQL refuses, because the lease was taken over, must not remain here either: the copy has diverged, writes nothing
// more, and gets the content of an image before it is used again.

import { Fault } from "@stet/protocol/fault";
import type { Mirror } from "@stet/workspace/ledger/mirror";
import type { Pool } from "pg";
import { asBuffer, isConnectionFailure, postgresFault, rows } from "./connection.ts";
import type { Lease } from "./lease.ts";
import type { LedgerCopy } from "./ledger-copy.ts";

export interface MirrorOptions {
  readonly pool: Pool;
  readonly workspace: string;
  readonly lease: Lease;
  readonly copy: LedgerCopy;
  readonly channel: string;
  /** Called once when what was written here is refused there. */
  readonly onDiverged: (fault: Fault) => void;
}

const pause = 200;

export class LedgerMirror implements Mirror {
  readonly #options: MirrorOptions;
  #pending: Uint8Array[] = [];
  #sending: Promise<void> | undefined;
  #divergence: Fault | undefined;
  #isReady = false;
  /** Changes and their bytes since the newest image. */
  unpublished = { changes: 0, bytes: 0 };

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0 || this.#sending !== undefined;
  }

  get hasDiverged(): boolean {
    return this.#divergence !== undefined;
  }

  /** The copy is at the end of the ledger and the lease is held: it may be written. */
  admit(): void {
    this.#isReady = true;
  }

  /** Nothing may be written until the copy has caught up again. */
  bar(): void {
    this.#isReady = false;
  }

  refusal(): Fault | undefined {
    if (this.#divergence !== undefined) return this.#divergence;
    return this.#isReady && this.#options.lease.fence !== undefined ? undefined : notHeld();
  }

  committed(changes: Uint8Array): void {
    this.#pending.push(changes);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  async settled(): Promise<undefined | Fault> {
    while (this.#sending !== undefined) await this.#sending;
    return this.#divergence;
  }

  async #send(): Promise<void> {
    // What one request commits goes out at once.
    await Promise.resolve();
    while (this.#pending.length > 0 && this.#divergence === undefined) {
      const batch = this.#pending;
      const after = this.#options.copy.seq;
      this.#pending = [];
      const fault = await this.#push(batch);
      if (fault === undefined) {
        this.#options.copy.seq = after + batch.length;
        this.unpublished.changes += batch.length;
        this.unpublished.bytes += batch.reduce((sum, { length }) => sum + length, 0);
      } else this.diverge(fault);
    }
  }

  /** Sends changes under the fence. Whether they arrived is found out where the connection broke. */
  async #push(batch: readonly Uint8Array[]): Promise<undefined | Fault> {
    const { lease, copy } = this.#options;
    const { fence } = lease;
    if (fence === undefined) return takenOver();
    for (;;) {
      try {
        if (await this.#insert(batch, fence, copy.seq)) return undefined;
        return (await this.#hasArrived(batch.length, fence, copy.seq)) ? undefined : takenOver();
      } catch (error) {
        if (!isConnectionFailure(error) || lease.fence !== fence) return postgresFault(error);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  async #insert(batch: readonly Uint8Array[], fence: number, after: number): Promise<boolean> {
    const { pool, workspace, channel } = this.#options;
    const inserted = await rows(
      pool,
      `WITH held AS (
         UPDATE stet.workspaces SET seq = seq + $4 WHERE id = $1 AND fence = $2 AND seq = $3 RETURNING seq
       ), kept AS (
         INSERT INTO stet.ledger_changes (workspace, seq, fence, changeset)
         SELECT $1, $3 + change.place, $2, change.set
         FROM held, unnest($5::bytea[]) WITH ORDINALITY AS change (set, place)
       )
       SELECT pg_notify($6, json_build_object('kind', 'ledger', 'seq', seq)::text) FROM held`,
      workspace,
      fence,
      after,
      batch.length,
      batch.map(asBuffer),
      channel,
    );
    return inserted.length > 0;
  }

  /** Only we write under our fence, so what is there was ours. */
  async #hasArrived(count: number, fence: number, after: number): Promise<boolean> {
    const { pool, workspace } = this.#options;
    const found = await rows(
      pool,
      "SELECT 1 FROM stet.ledger_changes WHERE workspace = $1 AND fence = $2 AND seq = $3",
      workspace,
      fence,
      after + count,
    );
    return found.length > 0;
  }

  /** The lease was lost, or may have been: nothing more is written. */
  diverge(fault: Fault): void {
    if (this.#divergence !== undefined) return;
    this.#divergence = fault;
    this.#pending = [];
    this.#isReady = false;
    this.#options.onDiverged(fault);
  }

  /** The copy has the content of an image: whatever was refused is gone. */
  recovered(): void {
    this.#divergence = undefined;
    this.#pending = [];
  }
}

function notHeld(): Fault {
  return new Fault(
    "workspace_busy",
    "Another Stet is writing to this workspace at the moment. Nothing was changed.",
    "Try again in a moment.",
    { lease: true },
  );
}

export function takenOver(): Fault {
  return new Fault(
    "workspace_busy",
    "This process was out of touch for too long, and another Stet has taken over. What it had not finished was discarded.",
    "Try again: it starts from what is there now.",
    { lease: true, taken_over: true },
  );
}
