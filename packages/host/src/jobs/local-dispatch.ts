// Jobs of one process: they begin in the order in which they came, as far as their lanes and the limit allow.

import type { JobStatus } from "@stet/protocol/api/job";
import { childOfSession } from "../agents/agent-ids.ts";
import type { JobRecord, Store } from "../store/store.ts";
import type { ResumedTurn } from "../turn/agent-turn.ts";
import { type JobDispatch, type JobsHere, resumedOf } from "./job-dispatch.ts";
import { JobQueue, lanesOf } from "./job-queue.ts";

export class LocalDispatch implements JobDispatch {
  readonly #store: Store;
  readonly #jobs: JobsHere;
  readonly #queue = new JobQueue();

  constructor(store: Store, jobs: JobsHere) {
    this.#store = store;
    this.#jobs = jobs;
  }

  async queued(): Promise<number> {
    return this.#queue.length;
  }

  offer(job: JobRecord, resumed?: ResumedTurn): void {
    this.#queue.add({ id: job.id, lanes: lanesOf(job), resumed });
    this.#next();
  }

  #next(): void {
    while (this.#jobs.hasRoom()) {
      const job = this.#queue.take();
      if (job === undefined) return;
      void this.#jobs.begin(job.id, job.resumed).finally(() => this.release(job.id));
    }
  }

  async adopt(): Promise<() => Promise<void>> {
    return async () => {};
  }

  withdraw(id: string): boolean {
    return this.#queue.remove(id);
  }

  async stop(): Promise<void> {}

  /** What was in the middle of its work has failed; what was queued begins; what waits for the person, waits. */
  async recover(): Promise<void> {
    const all = async (status: JobStatus) => (await this.#store.jobs({ status, limit: 10_000 })).reverse();
    for (const job of await all("waiting_for_user")) {
      // An agent's work cannot be taken up: what it had staged, and whoever had sent it, are gone.
      if (job.agent !== undefined || childOfSession(job.session) !== undefined) await this.#jobs.settle(job);
      else this.#queue.hold(job.id, lanesOf(job));
    }
    for (const job of await all("running")) await this.#jobs.settle(job);
    for (const job of await all("queued")) {
      // One that was about to begin for whoever had sent it.
      if (job.agent !== undefined) await this.#jobs.settle(job);
      else this.offer(job, resumedOf(job));
    }
  }

  release(id?: string): void {
    if (id !== undefined) this.#queue.release(id);
    this.#next();
  }

  close(): void {
    this.#queue.clear();
  }
}
