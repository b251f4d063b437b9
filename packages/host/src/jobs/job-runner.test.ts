import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Fault } from "@stet/protocol/fault";
import { noUsage } from "@stet/protocol/message";
import { eventAt } from "@stet/testkit/log-events";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must, refused } from "@stet/testkit/workspace";
import { EventLog } from "../events/event-log.ts";
import { jobLog, Logs } from "../events/logs.ts";
import { defaultLimits, type ServerLimits } from "../limits.ts";
import { SqliteStore } from "../store/sqlite-store.ts";
import type { JobRecord } from "../store/store.ts";
import type { FinishedTurn, TurnEvent } from "../turn/agent-turn.ts";
import { JobProgress } from "./job-progress.ts";
import { type NewJob, newJob } from "./job-queue.ts";
import { JobRunner } from "./job-runner.ts";
import { LocalDispatch } from "./local-dispatch.ts";
import type { RunTurn, TurnHands } from "./run-job.ts";

const request: NewJob = {
  session: "s",
  instruction: "Do it.",
  toolset: "project",
  model: "",
  maxToolCalls: null,
  tab: null,
  context: "",
};

const ended = {
  type: "turn_end",
  outcome: "completed",
  usage: noUsage,
  toolCalls: 0,
  durationMs: 1,
} as const;

/** A turn that goes on until it is let go, or aborted. */
class Gate {
  readonly begun: string[] = [];
  readonly #waiting = new Map<string, (outcome: "completed" | "aborted") => void>();
  readonly #watchers: (() => void)[] = [];

  readonly run: RunTurn = (job, hands) => this.#play(job, hands);

  async *#play(job: JobRecord, { signal }: TurnHands): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    this.begun.push(job.instruction);
    yield { type: "turn_start" };
    const outcome = await new Promise<"completed" | "aborted">((resolve) => {
      this.#waiting.set(job.instruction, resolve);
      signal.addEventListener("abort", () => resolve("aborted"), { once: true });
      if (signal.aborted) resolve("aborted");
      for (const watcher of this.#watchers.splice(0)) watcher();
    });
    yield { ...ended, outcome };
    return { outcome, documents: [] };
  }

  async until(count: number): Promise<void> {
    while (this.#waiting.size < count) await new Promise<void>((resolve) => this.#watchers.push(resolve));
  }

  letGo(instruction: string): void {
    this.#waiting.get(instruction)?.("completed");
  }
}

interface Fixture {
  readonly runner: JobRunner;
  readonly store: SqliteStore;
  readonly logs: Logs;
  readonly told: string[];
  start(instruction: string, more?: Partial<NewJob>): Promise<JobRecord>;
  reached(id: string, status: string): Promise<JobRecord>;
}

function fixture(
  t: TestContext,
  runTurn: RunTurn,
  limits: Partial<ServerLimits> = {},
  folder?: string,
): Fixture {
  const store = must(SqliteStore.open(folder ?? temporaryFolder(t)));
  const all = { ...defaultLimits, ...limits };
  const logs = new Logs(store, all, (name, options) => EventLog.open(name, store, options));
  const told: string[] = [];
  const turns = { isCommitted: (turn: string) => turn === "turn_committed", proposal: () => [] };
  const progress = new JobProgress(store, turns, (job) => told.push(`${job.instruction} ${job.status}`));
  const runner = new JobRunner({
    store,
    limits: all,
    logs,
    progress,
    runTurn,
    dispatch: (jobs) => new LocalDispatch(store, jobs),
  });
  t.after(async () => {
    await runner.close();
    await logs.settled();
    await store.close();
  });
  return {
    runner,
    store,
    logs,
    told,
    start: async (instruction, more = {}) => must(await runner.start({ ...request, instruction, ...more })),
    reached: async (id, status) => {
      for (;;) {
        const job = must(await store.job(id));
        if (job.status === status) return job;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

test("so many jobs run at once, the others wait in order", async (t) => {
  const gate = new Gate();
  const { start, told, reached } = fixture(t, gate.run, { max_running_jobs: 2 });
  const jobs = [];
  for (const name of ["a", "b", "c", "d"]) jobs.push(await start(name, { session: name }));
  await gate.until(2);
  assert.deepEqual(gate.begun, ["a", "b"]);
  gate.letGo("b");
  await gate.until(3);
  assert.deepEqual(gate.begun, ["a", "b", "c"]);
  for (const name of ["a", "c"]) gate.letGo(name);
  await gate.until(4);
  gate.letGo("d");
  for (const { id } of jobs) await reached(id, "completed");
  assert.deepEqual(
    told.filter((line) => line.startsWith("b ")),
    ["b queued", "b running", "b completed"],
  );
});

test("two jobs of one session never run at once, nor two that hold all documents", async (t) => {
  const gate = new Gate();
  const { start, reached } = fixture(t, gate.run);
  const first = await start("first", { session: "same" });
  await start("second", { session: "same" });
  await start("tabs", { session: "x", toolset: "tabs" });
  await start("more tabs", { session: "y", toolset: "tabs" });
  await start("other", { session: "z" });
  await gate.until(3);
  assert.deepEqual(gate.begun, ["first", "tabs", "other"]);
  gate.letGo("first");
  await reached(first.id, "completed");
  await gate.until(4);
  assert.deepEqual(gate.begun, ["first", "tabs", "other", "second"]);
  gate.letGo("tabs");
  await gate.until(5);
  assert.equal(gate.begun.at(-1), "more tabs");
});

const which = { kind: "clarification" as const, text: "Which?", options: ["a"] };

test("a job that waits for the person leaves its place to others, and goes on when it is answered", async (t) => {
  let answered = "";
  async function* asking(job: JobRecord, hands: TurnHands): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    yield { type: "tool_start", id: "call", name: "clarify_user", arguments: {} };
    if (job.instruction === "asks") answered = await hands.ask(which, hands.signal, "call");
    yield ended;
    return { outcome: "completed", documents: [] };
  }
  const { start, reached, runner, logs } = fixture(t, asking, { max_running_jobs: 1 });
  const asks = await start("asks", { session: "1" });
  const other = await start("other", { session: "2" });
  await reached(other.id, "completed");
  const waiting = await reached(asks.id, "waiting_for_user");
  assert.equal(runner.active, 0);
  const question = waiting.question?.id ?? "";
  const both = await Promise.all([
    runner.answer(asks.id, question, "one"),
    runner.answer(asks.id, question, "two"),
  ]);
  assert.equal(both.filter((reply) => reply instanceof Fault).length, 1, "a question is answered once");
  await reached(asks.id, "completed");
  assert.ok(["one", "two"].includes(answered));
  const events = await logs.with(jobLog(asks.id), (log) => log.read(0, 100));
  assert.equal(events.filter(({ type }) => type === "clarification.received").length, 1);
});

test("a job is cancelled wherever it is: queued, running, or waiting", async (t) => {
  const gate = new Gate();
  const { start, runner, reached, store } = fixture(t, gate.run, { max_running_jobs: 1 });
  const running = await start("running", { session: "1" });
  const queued = await start("queued", { session: "2" });
  await gate.until(1);
  assert.equal(must(await runner.cancel(queued.id)).status, "failed");
  assert.equal(must(await runner.cancel(running.id)).status, "failed");
  assert.equal((await reached(running.id, "failed")).error?.error, "aborted");
  assert.deepEqual(gate.begun, ["running"]);
  assert.equal(must(await runner.cancel(running.id)).status, "failed", "again changes nothing");
  assert.equal(refused(await runner.cancel("job_none")).error, "unknown_job");
  const later = await start("later", { session: "1" });
  await gate.until(2);
  gate.letGo("later");
  await reached(later.id, "completed");
  assert.equal((await store.jobs({ status: "running", limit: 9 })).length, 0);
});

test("a turn that throws, or a fault before it begins, fails its job and no other", async (t) => {
  async function* broken(job: JobRecord): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    if (job.instruction === "fault") return new Fault("model_failed", "No key is set.", "Set one.");
    yield { type: "turn_start" };
    if (job.instruction === "throws") throw new Error("a bug");
    yield ended;
    return { outcome: "completed", documents: [] };
  }
  const { start, reached } = fixture(t, broken);
  const throws = await start("throws", { session: "1" });
  const fault = await start("fault", { session: "2" });
  const fine = await start("fine", { session: "3" });
  assert.match((await reached(throws.id, "failed")).error?.message ?? "", /a bug/);
  assert.equal((await reached(fault.id, "failed")).error?.message, "No key is set.");
  await reached(fine.id, "completed");
});

test("where a job's events cannot be written, its turn comes to rest all the same", async (t) => {
  let isAtRest = false;
  async function* turn(_job: JobRecord, hands: TurnHands): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    try {
      yield { type: "tool_start", id: "1", name: "x", arguments: {} };
      yield { type: "tool_start", id: "2", name: "x", arguments: {} };
    } finally {
      isAtRest = true;
    }
    hands.signal.throwIfAborted();
    return { outcome: "completed", documents: [] };
  }
  const { start, store, reached, runner } = fixture(t, turn);
  let writes = 0;
  const keep = store.keepEvents.bind(store);
  store.keepEvents = async (log, events) => {
    writes += 1;
    return writes > 1 ? new Fault("disk_full", "No space.", "Make room.") : keep(log, events);
  };
  const job = await start("full");
  await reached(job.id, "failed");
  assert.ok(isAtRest);
  assert.equal(runner.active, 0);
});

test("more than so many waiting jobs are refused", async (t) => {
  const gate = new Gate();
  const { start, runner } = fixture(t, gate.run, { max_running_jobs: 1, max_queued_jobs: 2 });
  for (const name of ["a", "b", "c"]) await start(name);
  const fault = refused(await runner.start(request));
  assert.equal(fault.error, "too_many_jobs");
});

function kept(id: string, changes: Partial<JobRecord>): JobRecord {
  return {
    ...newJob(request),
    id,
    instruction: id,
    session: id,
    status: "running",
    createdAt: 1,
    ...changes,
  };
}

test("after a restart: what ran has failed, unless its turn was committed; what was queued begins", async (t) => {
  const folder = temporaryFolder(t);
  const store = must(SqliteStore.open(folder));
  await store.putJob(kept("lost", { turn: "turn_open" }));
  await store.putJob(kept("committed", { turn: "turn_committed" }));
  await store.putJob(kept("queued", { status: "queued" }));
  await store.keepEvents("job:lost", [
    eventAt(1, "tool.call.completed", { tool_call_id: "c", tool: "read", ok: true, duration_ms: 1 }),
  ]);
  await store.reserveCursors("job:lost", 1000);
  await store.close();
  const gate = new Gate();
  const { runner, reached } = fixture(t, gate.run, {}, folder);
  await runner.recover();
  const lost = await reached("lost", "failed");
  assert.match(lost.error?.message ?? "", /after 1 tool call\. None of its changes remain/);
  assert.equal((await reached("committed", "awaiting_review")).turn, "turn_committed");
  await gate.until(1);
  assert.deepEqual(gate.begun, ["queued"]);
});

test("an answer that was given right before the end is not lost", async (t) => {
  const folder = temporaryFolder(t);
  let answer = "";
  async function* resuming(
    _job: JobRecord,
    hands: TurnHands,
  ): AsyncGenerator<TurnEvent, FinishedTurn | Fault> {
    answer = hands.resumed?.answer ?? "none";
    yield ended;
    return { outcome: "completed", documents: [] };
  }
  const store = must(SqliteStore.open(folder));
  const question = { id: "q", asked: which, callId: "call", answer: "the answer" };
  const suspended = { id: "turn_x", startedAt: 1, staged: [], created: [] } as const;
  await store.putJob(kept("answered", { status: "queued", question, suspended }));
  await store.close();
  const { runner, reached } = fixture(t, resuming, {}, folder);
  await runner.recover();
  await reached("answered", "completed");
  assert.equal(answer, "the answer");
});
