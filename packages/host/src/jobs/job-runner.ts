// Jobs: turns in the background, several at a time, each with a log of what it does.
//
//   queued → running ⇄ waiting_for_user → awaiting_review → completed
//                    ↘ completed (it changed nothing)   ↘ failed (also when it was cancelled)
//
// A job that waits for the person's answer keeps its question and everything it has staged in the store, so it still waits
// after a restart; its slot among the running ones is free for others meanwhile. One that was in the middle of its work
// then has failed, unless its turn had been committed.

import { authorOf } from "@stet/model/wrapped-model";
import type { EventData } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import type { Question } from "@stet/protocol/question";
import { noAnswer, optionOf } from "@stet/protocol/question-text";
import { tellCarriedFault } from "@stet/storage/notices";
import { logFailure } from "@stet/storage/operator-log";
import { policyOf } from "@stet/tools/toolset-policies";
import type { Turn } from "@stet/workspace/turns/turns";
import type { EventLog } from "../events/event-log.ts";
import { jobLog, type Logs } from "../events/logs.ts";
import type { ServerLimits } from "../limits.ts";
import { unknownJob } from "../store/sqlite-store.ts";
import type { JobRecord, Store } from "../store/store.ts";
import type { FinishedTurn, ResumedTurn, TurnEvent } from "../turn/agent-turn.ts";
import { closing, concludeJob } from "./conclude-job.ts";
import { type JobDispatch, type JobsHere, resumedOf } from "./job-dispatch.ts";
import { LoggedCalls, logAgentEvent } from "./job-events.ts";
import * as faults from "./job-faults.ts";
import { isOver } from "./job-messages.ts";
import type { JobProgress } from "./job-progress.ts";
import { type NewJob, newJob } from "./job-queue.ts";
import { ProposedEdits } from "./proposed-edits.ts";
import { answerView, questionView } from "./question-view.ts";
import type { RunTurn } from "./run-job.ts";
import { type WorkspaceLoan, yieldingModel } from "./yielding-model.ts";

export interface JobRunnerOptions {
  readonly store: Store;
  readonly limits: ServerLimits;
  readonly logs: Logs;
  readonly progress: JobProgress;
  readonly runTurn: RunTurn;
  /** Who carries the jobs out. */
  readonly dispatch: (jobs: JobsHere) => JobDispatch;
  /** Called with what a job does. */
  readonly onEvent?: (job: JobRecord, event: TurnEvent) => void;
  /** Called when a job asks the person, and when it has its answer. */
  readonly onQuestion?: (job: string, question: EventData<"clarification.requested"> | null) => void;
}

interface Waiting {
  readonly question: string;
  readonly answer: (text: string) => void;
}

interface Running {
  readonly stop: AbortController;
  readonly done: Promise<void>;
  readonly loan?: WorkspaceLoan;
  /** It is an agent's that another job has sent. */
  readonly isAdopted?: boolean;
  waiting?: Waiting | undefined;
  /** Another process has logged the answer already. */
  isTold?: boolean;
}

/** How a turn begins: anew, or with the answer that it waited for; as the host runs turns, or in a way of its own. */
interface Begun {
  readonly resumed: ResumedTurn | undefined;
  readonly runTurn?: RunTurn;
}

interface Asked {
  readonly question: Question;
  readonly callId: string;
  readonly turn: Turn | undefined;
  readonly edits: ProposedEdits;
}

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #progress: JobProgress;
  readonly #dispatch: JobDispatch;
  readonly #running = new Map<string, Running>();
  /** Jobs whose answer is being written down. */
  readonly #resuming = new Set<string>();
  #isClosed = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    this.#progress = options.progress;
    this.#dispatch = options.dispatch({
      hasRoom: () => !this.#isClosed && this.active < options.limits.max_running_jobs,
      begin: (id, resumed) => this.#begin(id, resumed),
      settle: (job) => this.#settle(job),
    });
  }

  /** How many are at work, without those that wait for the person, and those that others have sent. */
  get active(): number {
    return [...this.#running.values()].filter(({ waiting, isAdopted }) => waiting === undefined && !isAdopted)
      .length;
  }

  async start(request: NewJob): Promise<JobRecord | Fault> {
    const { store, limits } = this.#options;
    if (this.#isClosed) return faults.closed();
    const queued = await this.#dispatch.queued(limits.max_queued_jobs);
    if (queued >= limits.max_queued_jobs) return faults.tooManyJobs(limits.max_queued_jobs);
    const job = newJob(request);
    const fault = await store.putJob(job);
    if (isFault(fault)) return fault;
    this.#progress.announce(job);
    this.#dispatch.offer(job);
    return job;
  }

  #begin(id: string, resumed: ResumedTurn | undefined, loan?: WorkspaceLoan): Promise<void> {
    const stop = new AbortController();
    const working = this.#work(id, stop.signal, { resumed });
    const done = working.then(() => {}).finally(() => this.#running.delete(id));
    this.#running.set(id, { stop, done, ...(loan === undefined ? {} : { loan: loan }) });
    return done;
  }

  /** Carries out a job that was taken from a queue of several processes, from where it is; returns when it rests. */
  async run(job: JobRecord, loan: WorkspaceLoan, refusal?: Fault): Promise<void> {
    const { id, turn } = job;
    // An agent's work cannot be taken up: what it had staged, and whoever had sent it, are gone.
    if (job.agent !== undefined) return this.#settle(job);
    if (turn !== null && job.question === null && this.#progress.isCommitted(turn)) {
      return this.#options.logs.with(jobLog(id), (log) =>
        this.#progress.propose(id, log, turn, new ProposedEdits()),
      );
    }
    if (refusal !== undefined)
      return this.#options.logs.with(jobLog(id), (log) => this.#progress.fail(id, log, refusal));
    await this.#begin(id, resumedOf(job), loan);
  }

  /** Stops a job that another process has taken over, or is to. */
  async abandon(id: string): Promise<void> {
    const running = this.#running.get(id);
    running?.stop.abort();
    await running?.done;
  }

  isWaiting(id: string): boolean {
    return this.#running.get(id)?.waiting !== undefined;
  }

  /** Goes on with the answer that another process has written down. */
  hear({ id, status, question }: JobRecord): void {
    const running = this.#running.get(id);
    if (running?.waiting === undefined || status !== "queued") return;
    if (question?.id !== running.waiting.question || question.answer === undefined) return;
    const { answer: give } = running.waiting;
    running.waiting = undefined;
    running.isTold = true;
    give(question.answer);
  }

  async #work(id: string, signal: AbortSignal, begun: Begun): Promise<FinishedTurn | Fault | undefined> {
    try {
      return await this.#options.logs.with(jobLog(id), (log) => this.#workWith(log, id, signal, begun));
    } catch (error) {
      // Neither the job nor its log can be written. The next start finds it as it is, and it can be cancelled.
      tellCarriedFault(error);
      return undefined;
    }
  }

  /**
   * Carries out a turn that another one has sent, to its end: it waits for no room, since its sender waits for it, and no other
   * process takes it up.
   */
  async adopt(request: NewJob, runTurn: RunTurn, stop: AbortController): Promise<FinishedTurn | Fault> {
    if (this.#isClosed) return faults.closed();
    const job = newJob(request);
    const fault = await this.#options.store.putJob(job);
    if (isFault(fault)) return fault;
    const leave = await this.#dispatch.adopt(job);
    this.#progress.announce(job);
    const { id } = job;
    const working = this.#work(id, stop.signal, { resumed: undefined, runTurn });
    const done = working.then(() => {}).finally(() => this.#running.delete(id));
    this.#running.set(id, { stop, done, isAdopted: true });
    try {
      return (await working) ?? faults.closed();
    } finally {
      await leave();
    }
  }

  async #workWith(
    log: EventLog,
    id: string,
    signal: AbortSignal,
    begun: Begun,
  ): Promise<FinishedTurn | Fault | undefined> {
    const { resumed } = begun;
    try {
      const known = await this.#options.store.job(id);
      if (known === undefined) return undefined;
      const running = { status: "running", question: null } as const;
      if (resumed === undefined) {
        const patch = { ...running, startedAt: Date.now() };
        const reason = "The process that worked on it was lost, so it begins anew.";
        const again = known.startedAt === null ? {} : { reason };
        await log.append("job.started", { instruction: known.instruction, ...again }, () =>
          this.#progress.change(id, patch),
        );
      } else await this.#progress.change(id, running);
      return await this.#carryOut(known, log, signal, begun);
    } catch (error) {
      logFailure("job.broken", { job: id })(error);
      // A bug of ours, or a store that could not be written: the job fails, the server goes on.
      const fault = faults.brokeOff(error);
      await this.#progress.fail(id, log, fault);
      return fault;
    }
  }

  async #carryOut(
    job: JobRecord,
    log: EventLog,
    signal: AbortSignal,
    { resumed, runTurn = this.#options.runTurn }: Begun,
  ): Promise<FinishedTurn | Fault> {
    const edits = new ProposedEdits(job.suspendedEdits);
    const calls = new LoggedCalls();
    let turn: Turn | undefined;
    let named: Promise<unknown> | undefined;
    const { messages } = this.#progress;
    const loan = this.#running.get(job.id)?.loan;
    const running = runTurn(job, {
      signal,
      resumed,
      inbox: await messages.open(job.id),
      withModel: loan === undefined ? undefined : (model) => yieldingModel(model, loan),
      tell: (type, data, agent) => void log.add(newEvent(type, data, agent)).catch(tellCarriedFault),
      pass: (type, data, agent) => void log.delta(newEvent(type, data, agent)).catch(tellCarriedFault),
      ask: async (question, asked, callId) => {
        await calls.has(callId, asked);
        return this.#ask(job.id, log, { question, callId, turn, edits }, asked);
      },
      onTurn: (begun) => {
        turn = begun;
        named = this.#progress.change(job.id, { turn: begun.id, suspended: null, suspendedEdits: [] });
      },
    });
    let end: Extract<TurnEvent, { type: "turn_end" }> | undefined;
    let answeredBy: string | null = null;
    try {
      let step = await running.next();
      for (; step.done !== true; step = await running.next()) {
        const event = step.value;
        // The turn's name is written down before anything can be committed under it.
        await named;
        this.#options.onEvent?.(job, event);
        if (event.type === "review") continue;
        if (event.type === "turn_end") end = event;
        if (event.type === "model" && event.event.type === "done") answeredBy = authorOf(event.event.message);
        if (policyOf(job.toolset).proposesCalls) edits.observe(event);
        await logAgentEvent(log, event);
        if (event.type === "heard") await messages.tellDelivered(log, job.id, event.said);
        if (event.type === "tool_start") calls.add(event.id);
      }
      await concludeJob(this.#progress, job.id, log, step.value, { end, answeredBy, edits, signal });
      return step.value;
    } finally {
      // Where it was left in the middle, it comes to rest, and takes its staged changes and its lock along.
      await running.return(faults.cancelled());
    }
  }

  async #ask(id: string, log: EventLog, asked: Asked, signal: AbortSignal): Promise<string> {
    const running = this.#running.get(id);
    if (running === undefined || signal.aborted) return noAnswer;
    const { callId, turn, edits } = asked;
    const question = { id: `q_${uniqueSuffix()}`, asked: asked.question, callId };
    const told = questionView(question);
    const suspended = turn?.suspend() ?? null;
    const patch = { question, suspended, suspendedEdits: edits.placed } as const;
    const answered = new Promise<string>((resolve) => {
      running.waiting = { question: question.id, answer: resolve };
      signal.addEventListener("abort", () => resolve(noAnswer), { once: true });
    });
    let answer: string;
    try {
      await log.append("clarification.requested", told, () =>
        this.#progress.change(id, { status: "waiting_for_user", ...patch }),
      );
      this.#options.onQuestion?.(id, told);
      // Someone else may work while the person thinks.
      this.#dispatch.release();
      running.loan?.release();
      answer = await answered;
      await running.loan?.reacquire();
    } finally {
      running.waiting = undefined;
      this.#options.onQuestion?.(id, null);
    }
    if (signal.aborted) return answer;
    const goOn = () =>
      this.#progress.change(id, { status: "running", question: null, suspended: null, suspendedEdits: [] });
    if (running.isTold) await goOn();
    else await log.append("clarification.received", answerView(question, answer), goOn);
    return answer;
  }

  /** Answers the question that a job waits on; also where the job has waited since before a restart. */
  async answer(id: string, questionId: string, answer: string): Promise<JobRecord | Fault> {
    const job = await this.#options.store.job(id);
    if (job === undefined) return unknownJob(id);
    const isWaiting = job.status === "waiting_for_user" && !this.#resuming.has(id);
    if (!isWaiting || job.question?.id !== questionId) {
      return faults.unknownQuestion(questionId, isWaiting ? job.question?.id : undefined);
    }
    const running = this.#running.get(id);
    if (running !== undefined) {
      if (running.waiting?.question !== questionId) return faults.unknownQuestion(questionId, undefined);
      const { answer: give } = running.waiting;
      running.waiting = undefined;
      give(optionOf(job.question.asked, answer)?.id ?? answer);
      return { ...job, status: "running", question: null };
    }
    return this.#resume(job, answer);
  }

  async #resume(job: JobRecord, answer: string): Promise<JobRecord | Fault> {
    const { id, question, suspended } = job;
    if (question === null || suspended === null) return faults.unknownQuestion(question?.id ?? "", undefined);
    const view = answerView(question, answer);
    this.#resuming.add(id);
    try {
      await this.#options.logs.with(jobLog(id), (log) =>
        log.append("clarification.received", view, () =>
          this.#progress.change(id, { status: "queued", question: { ...question, answer: view.answer } }),
        ),
      );
      this.#dispatch.offer(job, { suspended, callId: question.callId, answer: view.answer });
      return { ...job, status: "queued", question: null };
    } finally {
      this.#resuming.delete(id);
    }
  }

  /** Stops a job, wherever it is. */
  async cancel(id: string): Promise<JobRecord | Fault> {
    const { store } = this.#options;
    const wasQueued = this.#dispatch.withdraw(id);
    const running = this.#running.get(id);
    if (running !== undefined) {
      running.stop.abort();
      await running.done;
    } else await this.#dispatch.stop(id);
    const job = await store.job(id);
    if (job === undefined) return unknownJob(id);
    if (isOver(job.status) && !wasQueued) return job;
    const left = job.turn !== null && this.#progress.isCommitted(job.turn) ? job.turn : undefined;
    await this.#options.logs.with(jobLog(id), (log) => this.#progress.fail(id, log, faults.cancelled(left)));
    this.#dispatch.release(id);
    return (await store.job(id)) ?? job;
  }

  /** After a start: takes up what this process left. */
  recover(): Promise<void> {
    return this.#dispatch.recover();
  }

  /** Ends a job that was in the middle of its work when the process ended: it has failed, unless its turn was committed. */
  #settle({ id, turn }: JobRecord): Promise<void> {
    return this.#options.logs.with(jobLog(id), async (log) => {
      if (turn !== null && this.#progress.isCommitted(turn)) {
        return this.#progress.propose(id, log, turn, new ProposedEdits());
      }
      const events = await log.read(0, Number.MAX_SAFE_INTEGER);
      const calls = events.filter((event) => event.type === "tool.call.completed").length;
      return this.#progress.fail(id, log, faults.interrupted(calls));
    });
  }

  /** Stops everything; jobs that wait for the person stay as they are, and those that are queued begin next time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#dispatch.close();
    const working = [...this.#running.values()].filter(({ waiting }) => waiting === undefined);
    for (const { stop } of working) stop.abort(closing);
    await Promise.all(working.map(({ done }) => done));
  }
}
