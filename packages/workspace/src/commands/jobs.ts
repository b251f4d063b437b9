// Work that goes on while the agent does something else. A job's status changes once, from running to what it ended as.

import { cutText } from "@stet/protocol/cut-text";
import { Fault } from "@stet/protocol/fault";

export type BackgroundJobStatus = "running" | "completed" | "failed" | "cancelled";
export type JobType = "bash" | "task";

export interface JobSnapshot {
  readonly id: string;
  readonly type: JobType;
  readonly status: BackgroundJobStatus;
  readonly label: string;
  readonly durationMs: number;
  readonly resultText?: string;
  readonly errorText?: string;
  /** The last lines so far of one that is running. */
  readonly outputText?: string;
}

export interface JobWork {
  readonly ended: Promise<JobOutcome>;
  /** When it was started, by `performance.now()`: a command may run for a while before it becomes a job. */
  readonly started: number;
  /** Ends it before its end. */
  readonly controller: AbortController;
  /** The last lines so far. */
  readonly output: () => string;
}

export interface JobOutcome {
  readonly isFailed: boolean;
  readonly text: string;
}

export type CancelOutcome = "cancelled" | "not_found" | "already_completed";

interface Job {
  readonly id: string;
  readonly type: JobType;
  readonly label: string;
  readonly work: JobWork;
  /** Never rejects. */
  readonly settled: Promise<void>;
  status: BackgroundJobStatus;
  ended: number | undefined;
  outcome: JobOutcome | undefined;
}

/** How long a job that has ended can still be asked for. */
export const retentionMs = 5 * 60 * 1000;

const maxLabel = 120;

export class Jobs {
  readonly #max: number;
  readonly #now: () => number;
  readonly #jobs = new Map<string, Job>();
  #count = 0;

  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = Math.min(Math.max(1, Math.floor(max)), 100);
    this.#now = now;
  }

  /** Why there can be no further job; undefined where there can. */
  refusal(): Fault | undefined {
    const running = this.running();
    if (running.length < this.#max) return undefined;
    return new Fault(
      "too_many_jobs",
      `${running.length} jobs are running, which is the limit.`,
      "Wait for one with job, or cancel one.",
      { running: running.map((job) => job.id), limit: this.#max },
    );
  }

  add(type: JobType, label: string, work: JobWork): JobSnapshot {
    this.#forgetOld();
    this.#count += 1;
    const id = `${type}-${this.#count}`;
    const settled = work.ended.then(
      (outcome) => this.#end(id, outcome),
      (error: unknown) => this.#end(id, { isFailed: true, text: String(error) }),
    );
    const job: Job = {
      id,
      type,
      label: shortened(label),
      work,
      settled,
      status: "running",
      ended: undefined,
      outcome: undefined,
    };
    this.#jobs.set(id, job);
    return this.#snapshot(job);
  }

  get(id: string): JobSnapshot | undefined {
    this.#forgetOld();
    const job = this.#jobs.get(id);
    return job === undefined ? undefined : this.#snapshot(job);
  }

  /** Running ones, and those that ended a short time ago, in the order in which they began. */
  all(): JobSnapshot[] {
    this.#forgetOld();
    return [...this.#jobs.values()].map((job) => this.#snapshot(job));
  }

  running(): JobSnapshot[] {
    return this.all().filter((job) => job.status === "running");
  }

  /** Does not wait for the end of its processes. */
  cancel(id: string): CancelOutcome {
    this.#forgetOld();
    const job = this.#jobs.get(id);
    if (job === undefined) return "not_found";
    if (job.status !== "running") return "already_completed";
    job.status = "cancelled";
    job.ended = this.#now();
    job.work.controller.abort();
    return "cancelled";
  }

  cancelAll(): void {
    for (const { id } of this.running()) this.cancel(id);
  }

  /** Resolves when the first of them is not running any more. */
  async firstToEnd(ids: readonly string[]): Promise<void> {
    const waits = ids.flatMap((id) => this.#jobs.get(id)?.settled ?? []);
    if (waits.length > 0) await Promise.race(waits);
  }

  /** A job that was cancelled stays so, but what it said at its end is kept. */
  #end(id: string, outcome: JobOutcome): void {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    job.outcome = outcome;
    if (job.status !== "running") return;
    job.status = outcome.isFailed ? "failed" : "completed";
    job.ended = this.#now();
  }

  #snapshot({ id, type, label, status, ended, outcome, work }: Job): JobSnapshot {
    const durationMs = Math.round((ended ?? this.#now()) - work.started);
    const common = { id, type, status, label, durationMs };
    if (outcome !== undefined)
      return { ...common, [outcome.isFailed ? "errorText" : "resultText"]: outcome.text };
    const outputText = status === "running" ? work.output() : "";
    return outputText === "" ? common : { ...common, outputText };
  }

  #forgetOld(): void {
    const now = this.#now();
    for (const { id, ended } of this.#jobs.values()) {
      if (ended !== undefined && now - ended > retentionMs) this.#jobs.delete(id);
    }
  }
}

function shortened(label: string): string {
  return cutText(label.trim().replace(/\s*\n[\s\S]*$/, " …"), maxLabel);
}
