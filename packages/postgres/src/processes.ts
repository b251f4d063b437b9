// Liveness of processes by heartbeat. One whose heartbeat is older than the lifetime is reaped: its row is removed and
// returned to the process that reaped it, and if it wakes up after all, its next heartbeat finds no row.

import { hostname } from "node:os";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { Pool } from "pg";
import { rows } from "./connection.ts";

export interface Process {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly workers: readonly string[];
}

export class Processes {
  readonly id = `${hostname()}:${process.pid}:${uniqueSuffix()}`;
  readonly #pool: Pool;
  readonly #purpose: string;
  readonly #lifetime: number;
  #workers: readonly string[] = [];

  /** The lifetime is in milliseconds. */
  constructor(pool: Pool, purpose: string, lifetime: number) {
    this.#pool = pool;
    this.#purpose = purpose;
    this.#lifetime = lifetime;
  }

  /** Names of this process in the queue. */
  async setWorkers(workers: readonly string[]): Promise<void> {
    this.#workers = workers;
    await rows(this.#pool, "UPDATE stet.processes SET workers = $2 WHERE id = $1", this.id, workers);
  }

  async register(): Promise<void> {
    await rows(
      this.#pool,
      `INSERT INTO stet.processes (id, host, pid, purpose, workers, seen_at)
       VALUES ($1, $2, $3, $4, $5, clock_timestamp())
       ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      this.id,
      hostname(),
      process.pid,
      this.#purpose,
      this.#workers,
    );
  }

  /** Heartbeat. False where another process had reaped this one. */
  async heartbeat(): Promise<boolean> {
    const sql = "UPDATE stet.processes SET seen_at = clock_timestamp() WHERE id = $1 RETURNING 1";
    if ((await rows(this.#pool, sql, this.id)).length > 0) return true;
    await this.register();
    return false;
  }

  /** Removes the processes without a heartbeat for a lifetime, and returns them. */
  reap(): Promise<Process[]> {
    return rows<Process>(
      this.#pool,
      `DELETE FROM stet.processes WHERE seen_at < clock_timestamp() - $1 * interval '1 millisecond'
       RETURNING id, host, pid, workers`,
      this.#lifetime,
    );
  }

  /** Which of these, as `host:pid`, are alive. */
  async alive(addresses: readonly string[]): Promise<Set<string>> {
    const found = await rows<{ place: string }>(
      this.#pool,
      `SELECT host || ':' || pid AS place FROM stet.processes
       WHERE host || ':' || pid = ANY($1::text[]) AND seen_at >= clock_timestamp() - $2 * interval '1 millisecond'`,
      addresses,
      this.#lifetime,
    );
    return new Set(found.map(({ place }) => place));
  }

  async leave(): Promise<void> {
    await rows(this.#pool, "DELETE FROM stet.processes WHERE id = $1", this.id);
  }
}
