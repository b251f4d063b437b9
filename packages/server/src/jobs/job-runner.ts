// Jobs: turns in the background, several at a time, each with a log of what it does.
//
//   queued → running ⇄ waiting_for_user → awaiting_review → completed
//                    ↘ completed (it changed nothing)   ↘ failed (also when it was cancelled)
//
// A job that waits for the person's answer keeps its question and everything it has staged in the store, so it still waits
// after a restart. One that was in the middle of its work then has failed: its turn was never committed.

import type { JobStatus } from "@stet/protocol/api/agent";
import { Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { Turn } from "@stet/workspace/turns";
import type { EventLog } from "../events/event-log.ts";
import type { ServerLimits } from "../limits.ts";
import { unknownJob } from "../store/sqlite-store.ts";
import type { JobRecord, Store } from "../store/store.ts";
import type { FinishedTurn, ResumedTurn, TurnEvent } from "../turn/agent-turn.ts";
import { logAgentEvent } from "./job-events.ts";
import { ProposedEdits } from "./proposed-edits.ts";

/** Runs one turn for a job. */
export type RunTurn = (job: JobRecord, hands: TurnHands) => AsyncGenerator<TurnEvent, FinishedTurn | Fault>;

export interface TurnHands {
  readonly signal: AbortSignal;
  readonly resumed: ResumedTurn | undefined;
  ask(question: string, options: readonly string[], signal: AbortSignal, callId: string): Promise<string>;
  onTurn(turn: Turn): void;
}

export interface JobRunnerOptions {
  readonly store: Store;
  readonly limits: ServerLimits;
  readonly runTurn: RunTurn;
  readonly log: (job: string) => Promise<EventLog>;
  /** Told of every change of a job's status, and of what it does. */
  readonly onStatus: (job: JobRecord) => void;
  readonly onEvent?: (job: JobRecord, event: TurnEvent) => void;
}

export interface NewJob {
  readonly session: string;
  readonly instruction: string;
  readonly toolset: JobRecord["toolset"];
  readonly model: string;
  readonly maxToolCalls: number | null;
}

interface Waiting {
  readonly question: string;
  readonly answer: (text: string) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  waiting?: Waiting | undefined;
}

export const noAnswer = "no_user_answer";

export class JobRunner {
  private readonly options: JobRunnerOptions;
  private readonly queue: { id: string; resumed?: ResumedTurn | undefined }[] = [];
  private readonly running = new Map<string, Running>();
  private isClosed = false;

  constructor(options: JobRunnerOptions) {
    this.options = options;
  }

  get active(): number {
    return this.running.size;
  }

  async start(request: NewJob): Promise<JobRecord | Fault> {
    const { store, limits } = this.options;
    if (this.queue.length >= limits.max_queued_jobs) return tooManyJobs(limits.max_queued_jobs);
    const job: JobRecord = {
      id: `job_${uniqueSuffix()}`,
      ...request,
      status: "queued",
      createdAt: Date.now(),
      startedAt: null,
      finishedAt: null,
      question: null,
      suspended: null,
      edits: [],
      turn: null,
      usage: null,
      error: null,
    };
    const fault = await store.putJob(job);
    if (isFault(fault)) return fault;
    this.options.onStatus(job);
    this.enqueue(job.id);
    return job;
  }

  private enqueue(id: string, resumed?: ResumedTurn): void {
    this.queue.push({ id, resumed });
    this.next();
  }

  /** Starts what may start now. */
  private next(): void {
    while (!this.isClosed && this.running.size < this.options.limits.max_running_jobs) {
      const item = this.queue.shift();
      if (item === undefined) return;
      const stop = new AbortController();
      const done = this.work(item.id, stop.signal, item.resumed).finally(() => {
        this.running.delete(item.id);
        this.next();
      });
      this.running.set(item.id, { stop, done });
    }
  }

  private async work(id: string, signal: AbortSignal, resumed?: ResumedTurn): Promise<void> {
    const log = await this.options.log(id);
    try {
      const job = await this.change(id, {
        status: "running",
        startedAt: Date.now(),
        question: null,
        suspended: null,
      });
      if (resumed === undefined) await log.append("job.started", { instruction: job.instruction });
      await this.carryOut(job, log, signal, resumed);
    } catch (error) {
      // A bug of ours, or a store that cannot be written: the job fails, the server goes on.
      const reason = error instanceof Error ? error.message : String(error);
      await this.fail(
        id,
        log,
        new Fault("tool_failed", `The job broke off: ${reason}`, "Run it again."),
      ).catch(() => undefined);
    }
  }

  private async carryOut(
    job: JobRecord,
    log: EventLog,
    signal: AbortSignal,
    resumed: ResumedTurn | undefined,
  ): Promise<void> {
    const edits = new ProposedEdits();
    let turn: Turn | undefined;
    let usage: JobRecord["usage"] = null;
    let failure = "";
    const running = this.options.runTurn(job, {
      signal,
      resumed,
      ask: (question, options, asked, callId) =>
        this.ask(job.id, log, { question, options, callId, turn }, asked),
      onTurn: (begun) => {
        turn = begun;
      },
    });
    let step = await running.next();
    for (; step.done !== true; step = await running.next()) {
      const event = step.value;
      this.options.onEvent?.(job, event);
      if (event.type === "review") continue;
      if (event.type === "turn_end") {
        usage = event.usage;
        failure = event.failure?.message ?? "";
      }
      edits.observe(event);
      await logAgentEvent(log, event);
    }
    if (isFault(step.value)) return this.fail(job.id, log, step.value);
    const { outcome, turn: committed, documents } = step.value;
    if (outcome === "failed" || outcome === "aborted") {
      const fault =
        outcome === "aborted"
          ? new Fault(
              "aborted",
              "The job was cancelled; nothing of it remains.",
              "Run it again to start over.",
            )
          : new Fault(
              "tool_failed",
              failure || "The model failed.",
              "Look at the message, and run it again.",
            );
      await this.change(job.id, { usage });
      return this.fail(job.id, log, fault);
    }
    if (committed === undefined) {
      await this.change(job.id, { status: "completed", finishedAt: Date.now(), usage });
      return log.append("job.completed", { outcome });
    }
    await log.append("edits.proposed", {
      count: edits.edits.length,
      edit_ids: edits.edits.map((edit) => edit.edit_id),
    });
    await this.change(job.id, { status: "awaiting_review", usage, turn: committed, edits: edits.edits });
    await log.append("checkpoint.created", { checkpoint_id: `ckpt_${committed.slice("turn_".length)}` });
    await log.append("diff.generated", { turn: committed, documents: [...documents] });
  }

  private async ask(
    id: string,
    log: EventLog,
    asked: { question: string; options: readonly string[]; callId: string; turn: Turn | undefined },
    signal: AbortSignal,
  ): Promise<string> {
    const question = {
      id: `q_${uniqueSuffix()}`,
      text: asked.question,
      options: asked.options,
      callId: asked.callId,
    };
    const running = this.running.get(id);
    if (running === undefined) return noAnswer;
    const answered = new Promise<string>((resolve) => {
      running.waiting = { question: question.id, answer: resolve };
      signal.addEventListener("abort", () => resolve(noAnswer), { once: true });
    });
    await this.change(id, { status: "waiting_for_user", question, suspended: asked.turn?.suspend() ?? null });
    await log.append("clarification.requested", {
      question_id: question.id,
      question: question.text,
      options: [...question.options],
    });
    const answer = await answered;
    running.waiting = undefined;
    if (!signal.aborted) {
      await this.change(id, { status: "running", question: null, suspended: null });
      await log.append("clarification.received", { question_id: question.id, answer });
    }
    return answer;
  }

  /** Answers the question that a job waits on; also where the job has waited since before a restart. */
  async answer(id: string, questionId: string, answer: string): Promise<JobRecord | Fault> {
    const job = await this.options.store.job(id);
    if (job === undefined) return unknownJob(id);
    if (job.question?.id !== questionId) return unknownQuestion(questionId, job.question?.id);
    const waiting = this.running.get(id)?.waiting;
    if (waiting?.question === questionId) {
      waiting.answer(answer);
      return { ...job, status: "running", question: null };
    }
    if (job.suspended === null) return unknownQuestion(questionId, undefined);
    const log = await this.options.log(id);
    await log.append("clarification.received", { question_id: questionId, answer });
    this.enqueue(id, { suspended: job.suspended, callId: job.question.callId, answer });
    return { ...job, status: "running", question: null };
  }

  /** Stops a job, wherever it is. */
  async cancel(id: string): Promise<JobRecord | Fault> {
    const { store } = this.options;
    const running = this.running.get(id);
    if (running !== undefined) {
      running.stop.abort();
      await running.done;
    }
    const job = await store.job(id);
    if (job === undefined) return unknownJob(id);
    if (job.status !== "queued" && job.status !== "waiting_for_user") return job;
    const at = this.queue.findIndex((item) => item.id === id);
    if (at >= 0) this.queue.splice(at, 1);
    const fault = new Fault(
      "aborted",
      "The job was cancelled; nothing of it remains.",
      "Run it again to start over.",
    );
    await this.fail(id, await this.options.log(id), fault);
    return (await store.job(id)) ?? job;
  }

  private async fail(id: string, log: EventLog, { error, message, suggestion }: Fault): Promise<void> {
    const told = { error, message, suggestion };
    await this.change(id, {
      status: "failed",
      finishedAt: Date.now(),
      question: null,
      suspended: null,
      error: told,
    });
    await log.append("job.failed", told);
  }

  private async change(id: string, patch: Partial<JobRecord>): Promise<JobRecord> {
    const job = await this.options.store.updateJob(id, patch);
    if (isFault(job)) throw new Error(`${job.message} ${job.suggestion}`);
    this.options.onStatus(job);
    return job;
  }

  /** After a start: what was in the middle of its work has failed; what was queued begins; what waits, waits. */
  async recover(): Promise<void> {
    const { store } = this.options;
    const all = async (status: JobStatus) => (await store.jobs({ status, limit: 10_000 })).reverse();
    for (const job of await all("running")) {
      const log = await this.options.log(job.id);
      const done = (await log.read(0, 10_000)).filter((event) => event.type === "tool.call.completed").length;
      const fault = new Fault(
        "aborted",
        `Stet ended while this job was running, after ${done} tool ${done === 1 ? "call" : "calls"}. None of its changes remain.`,
        "Run it again.",
      );
      await this.fail(job.id, log, fault);
    }
    for (const job of await all("queued")) this.enqueue(job.id);
  }

  /** Stops everything; jobs that wait for the person stay as they are. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.queue.length = 0;
    const working = [...this.running.values()];
    for (const { stop, waiting } of working) if (waiting === undefined) stop.abort();
    await Promise.all(working.filter(({ waiting }) => waiting === undefined).map(({ done }) => done));
  }
}

function tooManyJobs(limit: number): Fault {
  return new Fault(
    "too_many_jobs",
    `${limit} jobs are waiting already.`,
    "Wait for some of them to end, or cancel some.",
  );
}

function unknownQuestion(asked: string, open: string | undefined): Fault {
  return new Fault(
    "unknown_question",
    open === undefined
      ? "This job waits for no answer."
      : `The question ${asked} is not the one that is open.`,
    "Look at the job for its open question.",
    { question_id: asked, open_question_id: open ?? null },
  );
}
