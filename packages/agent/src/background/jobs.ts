// Work that goes on while the agent does something else: commands, monitors, child agents.
//
// A job's status changes once, from running to what it ended as. Each job has an owner, the agent that began it: an agent
// sees and cancels its own jobs only. Whoever listens is told of each end, once.

import { cutText } from "@stet/protocol/cut-text";
import { Fault } from "@stet/protocol/fault";
import { callListener } from "./call-listener.ts";

export type BackgroundJobStatus = "running" | "completed" | "failed" | "cancelled";
export type JobType = "bash" | "monitor" | "task";

export interface JobSnapshot {
  readonly id: string;
  readonly type: JobType;
  readonly owner: string;
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

export interface NewJob {
  readonly type: JobType;
  readonly label: string;
  readonly owner: string;
  /** Of one that has a name already; counted up unless given. */
  readonly id?: string;
}

export type CancelOutcome = "cancelled" | "not_found" | "already_completed";

interface Job {
  readonly id: string;
  readonly type: JobType;
  readonly owner: string;
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
  readonly #listeners = new Set<(job: JobSnapshot) => void>();
  #count = 0;
  #isClosed = false;

  constructor(max: number, now: () => number = () => performance.now()) {
    this.#max = Math.min(Math.max(1, Math.floor(max)), 100);
    this.#now = now;
  }

  /** Called when a job is begun, and when it has ended. Returns what ends the calls. */
  listen(listener: (job: JobSnapshot) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Why there can be no further job, or not so many; undefined where there can. */
  refusal(count = 1): Fault | undefined {
    if (this.#isClosed)
      return new Fault("not_allowed", "This session is being closed.", "Do it within this turn.");
    const running = this.running();
    if (running.length + count <= this.#max) return undefined;
    const isFull = running.length >= this.#max;
    return new Fault(
      "too_many_jobs",
      isFull
        ? `${running.length} jobs are running, which is the limit.`
        : `${running.length} jobs are running, and ${count} more would be beyond the limit of ${this.#max}.`,
      isFull ? "Wait for one with job, or cancel one." : "Begin fewer at once, or wait for some with job.",
      { running: running.map((job) => job.id), limit: this.#max },
    );
  }

  add({ type, label, owner, id: name }: NewJob, work: JobWork): JobSnapshot {
    this.#forgetOld();
    this.#count += 1;
    const id = name ?? `${type}-${this.#count}`;
    const settled = work.ended.then(
      (outcome) => this.#end(job, outcome),
      (error: unknown) => this.#end(job, { isFailed: true, text: String(error) }),
    );
    const job: Job = {
      id,
      type,
      owner,
      label: shortened(label),
      work,
      settled,
      status: "running",
      ended: undefined,
      outcome: undefined,
    };
    this.#jobs.set(id, job);
    this.#tell(job);
    if (this.#isClosed) this.cancel(id);
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

  /** The jobs of one agent, as that agent knows them. */
  of(owner: string): OwnJobs {
    return new OwnJobs(this, owner);
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
    this.#tell(job);
    return "cancelled";
  }

  cancelAll(): void {
    for (const { id } of this.running()) this.cancel(id);
  }

  /** Cancels all, and whatever would still become a job. */
  close(): void {
    this.#isClosed = true;
    this.cancelAll();
  }

  /** Resolves when the first of them is not running any more. */
  async firstToEnd(ids: readonly string[]): Promise<void> {
    const waits = ids.flatMap((id) => this.#jobs.get(id)?.settled ?? []);
    if (waits.length > 0) await Promise.race(waits);
  }

  /** Resolves when nothing runs any more, also nothing that was begun meanwhile. */
  async allEnded(): Promise<void> {
    for (let left = this.#unsettled(); left.length > 0; left = this.#unsettled())
      await Promise.all(left.map(({ settled }) => settled));
  }

  #unsettled(): Job[] {
    return [...this.#jobs.values()].filter(({ outcome }) => outcome === undefined);
  }

  /** A job that was cancelled stays so, but what it said at its end is kept. */
  #end(job: Job, outcome: JobOutcome): void {
    job.outcome = outcome;
    if (job.status !== "running") return;
    job.status = outcome.isFailed ? "failed" : "completed";
    job.ended = this.#now();
    this.#tell(job);
  }

  #tell(job: Job): void {
    const snapshot = this.#snapshot(job);
    for (const listener of this.#listeners) callListener(listener, snapshot);
  }

  #snapshot({ id, type, owner, label, status, ended, outcome, work }: Job): JobSnapshot {
    const durationMs = Math.round((ended ?? this.#now()) - work.started);
    const common = { id, type, owner, status, label, durationMs };
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

/** What one agent sees of the jobs, and may do to them. */
export class OwnJobs {
  readonly #jobs: Jobs;
  readonly #owner: string;

  constructor(jobs: Jobs, owner: string) {
    this.#jobs = jobs;
    this.#owner = owner;
  }

  refusal(count = 1): Fault | undefined {
    return this.#jobs.refusal(count);
  }

  add(job: Omit<NewJob, "owner">, work: JobWork): JobSnapshot {
    return this.#jobs.add({ ...job, owner: this.#owner }, work);
  }

  get(id: string): JobSnapshot | undefined {
    const job = this.#jobs.get(id);
    return job?.owner === this.#owner ? job : undefined;
  }

  all(): JobSnapshot[] {
    return this.#jobs.all().filter(({ owner }) => owner === this.#owner);
  }

  running(): JobSnapshot[] {
    return this.all().filter(({ status }) => status === "running");
  }

  cancel(id: string): CancelOutcome {
    return this.get(id) === undefined ? "not_found" : this.#jobs.cancel(id);
  }

  cancelAll(): void {
    for (const { id } of this.running()) this.#jobs.cancel(id);
  }

  firstToEnd(ids: readonly string[]): Promise<void> {
    return this.#jobs.firstToEnd(ids.filter((id) => this.get(id) !== undefined));
  }
}

function shortened(label: string): string {
  return cutText(label.trim().replace(/\s*\n[\s\S]*$/, " …"), maxLabel);
}
