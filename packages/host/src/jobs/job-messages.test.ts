import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { noUsage } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import { modelOf, type PlayedReply } from "@stet/testkit/model-of";
import { temporaryFolder } from "@stet/testkit/temporary";
import { TestService } from "@stet/testkit/test-service";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { EventLog } from "../events/event-log.ts";
import { jobLog, Logs } from "../events/logs.ts";
import { defaultLimits } from "../limits.ts";
import { SqliteStore } from "../store/sqlite-store.ts";
import type { FinishedTurn, TurnEvent } from "../turn/agent-turn.ts";
import { maxWaiting } from "./job-messages.ts";
import { JobProgress } from "./job-progress.ts";
import { newJob } from "./job-queue.ts";
import { JobRunner } from "./job-runner.ts";
import { LocalDispatch } from "./local-dispatch.ts";

const files = { "a.md": "one\ntwo\nthree\n" };
const look: PlayedReply = { calls: [{ name: "read_file", arguments: { file_path: "a.md" } }] };

/** Replies one after another, each when it is let go. */
class Paced {
  readonly #gates: PromiseWithResolvers<void>[];
  readonly asked: PromiseWithResolvers<void>[];
  readonly model: Model & Pick<ReturnType<typeof modelOf>, "requests">;

  constructor(replies: readonly PlayedReply[]) {
    this.#gates = replies.map(() => Promise.withResolvers<void>());
    this.asked = replies.map(() => Promise.withResolvers<void>());
    const inner = modelOf(replies);
    const wait = async (index: number, signal: AbortSignal | undefined) => {
      this.asked[index]?.resolve();
      const aborted = new Promise<void>((resolve) => {
        if (signal?.aborted) resolve();
        signal?.addEventListener("abort", () => resolve(), { once: true });
      });
      await Promise.race([this.#gates[index]?.promise, aborted]);
    };
    this.model = {
      ...inner,
      async *stream(request, signal) {
        await wait(inner.requests.length, signal);
        yield* inner.stream(request, signal);
      },
    };
  }

  letGo(index: number): void {
    this.#gates[index]?.resolve();
  }
}

async function begin(t: TestContext, replies: readonly PlayedReply[]) {
  const paced = new Paced(replies);
  const api = await TestService.open(t, new TestWorkspace(t, files), paced.model);
  const session = await api.session();
  const job = await api.run(session, "Go.");
  await paced.asked[0]?.promise;
  const path = `/api/agent/jobs/${job}/messages`;
  const send = (text: string, mode: string) => api.ok("POST", path, { text, mode });
  return { paced, api, session, job, path, send };
}

const told = (events: readonly LogEvent[]) =>
  events.flatMap(({ type, data }) => ("message_id" in data ? [[type.slice(8), data.message_id]] : []));

test("steering is heard after the running tool, a follow-up when the model is done, and one can be taken back", async (t) => {
  const { paced, api, session, job, path, send } = await begin(t, [
    look,
    { text: "I see." },
    { text: "Yes." },
  ]);
  const later = await send("And then?", "follow_up");
  const never = await send("Forget this.", "follow_up");
  const now = await send("Only line one.", "steer");
  const { queued_messages, model } = await api.ok("GET", `/api/agent/jobs/${job}`);
  assert.deepEqual([queued_messages, model], [[later, never, now], ""]);
  assert.deepEqual(await api.ok("DELETE", `${path}/${never.message_id}`), never);
  assert.equal(await api.refusal("DELETE", `${path}/${never.message_id}`), "unknown_message");
  paced.letGo(0);
  await paced.asked[1]?.promise;
  assert.equal(await api.refusal("DELETE", `${path}/${now.message_id}`), "unknown_message");
  paced.letGo(1);
  paced.letGo(2);
  const { events, job: ended } = await api.until(job, "completed");
  assert.deepEqual(told(events), [
    ["queued", later.message_id],
    ["queued", never.message_id],
    ["queued", now.message_id],
    ["withdrawn", never.message_id],
    ["delivered", now.message_id],
    ["delivered", later.message_id],
  ]);
  assert.deepEqual(ended.queued_messages, []);
  const { messages } = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
  const said = messages.filter(({ kind }: { kind: string }) => kind === "user");
  assert.deepEqual(
    said.map(({ text }: { text: string }) => text),
    ["Go.", "Only line one.", "And then?"],
  );
  assert.equal(await api.refusal("POST", path, { text: "Late.", mode: "steer" }), "job_not_ready");
  assert.equal(
    await api.refusal("POST", "/api/agent/jobs/none/messages", { text: "x", mode: "steer" }),
    "unknown_job",
  );
});

test("a job that is cancelled or fails gives back what it has not heard, before its last event", async (t) => {
  const failing: PlayedReply = { failure: { kind: "server", message: "It is down." } };
  for (const isCancelled of [true, false]) {
    const { paced, api, job, send } = await begin(t, [failing]);
    const { message_id } = await send("And then?", "follow_up");
    if (isCancelled) await api.ok("POST", `/api/agent/jobs/${job}/cancel`, {});
    else paced.letGo(0);
    const { events, job: ended } = await api.until(job, "failed");
    const types = events.map(({ type }) => type);
    const unheard = events.find(({ type }) => type === "message.unheard");
    assert.deepEqual(unheard?.data, { message_id, text: "And then?", mode: "follow_up" });
    assert.ok(types.indexOf("message.unheard") < types.indexOf("job.failed"));
    assert.deepEqual(ended.queued_messages, []);
  }
});

test("a job that waits its turn is told when it begins, also after a restart; cancelled, it gives the words back", async (t) => {
  const place = new TestWorkspace(t, files);
  const paced = new Paced([{ text: "First." }]);
  const api = await TestService.open(t, place, paced.model);
  const session = await api.session();
  await api.run(session, "First.");
  await paced.asked[0]?.promise;
  const queued = await api.run(session, "Second.");
  const gone = await api.run(session, "Third.");
  const path = (job: string) => `/api/agent/jobs/${job}/messages`;
  const steer = await api.ok("POST", path(queued), { text: "Briefly.", mode: "steer" });
  const lost = await api.ok("POST", path(gone), { text: "Never mind.", mode: "steer" });
  await api.ok("POST", `/api/agent/jobs/${gone}/cancel`, {});
  const cancelled = await api.until(gone, "failed");
  assert.deepEqual(told(cancelled.events).at(-1), ["unheard", lost.message_id]);
  await api.service.close();

  const model = modelOf([{ text: "Second." }]);
  const again = await TestService.open(t, place, model);
  const { events } = await again.until(queued, "completed");
  assert.deepEqual(told(events), [
    ["queued", steer.message_id],
    ["delivered", steer.message_id],
  ]);
  assert.equal(model.requests[0]?.messages.at(-1)?.content, "Briefly.");
});

test("a follow-up that arrives just as the model finishes is delivered, given back or refused, and never vanishes", async (t) => {
  let reply = Promise.withResolvers<void>();
  const model = (): Model => {
    const inner = modelOf(() => ({ text: "Done." }));
    return {
      ...inner,
      async *stream(request, signal) {
        await reply.promise;
        yield* inner.stream(request, signal);
      },
    };
  };
  const api = await TestService.open(t, new TestWorkspace(t, files), model);
  const ends = new Map<string, number>();
  for (let round = 0; round < 64; round += 1) {
    reply = Promise.withResolvers<void>();
    const session = await api.session();
    const job = await api.run(session, "Go.");
    await api.until(job, "running");
    reply.resolve();
    // A little later each time: from before the model begins to after the job's end.
    for (let step = 0; step < Math.floor(round / 8); step += 1) await setImmediate();
    for (let step = 0; step < (round % 8) * 6; step += 1) await undefined;
    const path = `/api/agent/jobs/${job}/messages`;
    const { status, body } = await api.call("POST", path, { text: "And then?", mode: "follow_up" });
    const { events } = await api.until(job, "completed");
    const fates = told(events).flatMap(([type]) => (type === "queued" ? [] : [String(type)]));
    const { messages } = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
    const isSaid = messages.some(({ text }: { text: string }) => text === "And then?");
    if (status === 409) assert.deepEqual([body.error, told(events)], ["job_not_ready", []]);
    else assert.equal(fates.length, 1, JSON.stringify(told(events)));
    const fate = fates[0] ?? "refused";
    assert.equal(isSaid, fate === "delivered", `${fate}, but ${isSaid ? "" : "not "}in the conversation`);
    ends.set(fate, (ends.get(fate) ?? 0) + 1);
  }
  t.diagnostic([...ends].map(([fate, count]) => `${fate} ${count}`).join(", "));
  assert.ok(ends.has("delivered") && ends.has("refused"));
});

test("a job that ended without looking again, or in a crash, tells of every message that it has not heard", async (t) => {
  const store = must(SqliteStore.open(temporaryFolder(t)));
  const logs = new Logs(store, defaultLimits, (name, options) => EventLog.open(name, store, options));
  const turns = { isCommitted: () => false, proposal: () => [] };
  const progress = new JobProgress(store, turns, () => {});
  const reply = Promise.withResolvers<void>();
  async function* runTurn(): AsyncGenerator<TurnEvent, FinishedTurn> {
    yield { type: "turn_start" };
    await reply.promise;
    yield { type: "turn_end", outcome: "completed", usage: noUsage, toolCalls: 0, durationMs: 1 };
    return { outcome: "completed", documents: [] };
  }
  const runner = new JobRunner({
    store,
    limits: defaultLimits,
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
  const request = { session: "s", toolset: "project", model: "", maxToolCalls: null, tab: null } as const;
  const crashed = newJob({ ...request, session: "other", instruction: "Crash.", context: "" });
  const message = { id: "msg_1", text: "Are you there?", mode: "steer" } as const;
  await store.putJob({ ...crashed, status: "running", messages: [message] });
  await runner.recover();
  const job = must(await runner.start({ ...request, instruction: "Go.", context: "" }));
  while ((await store.job(job.id))?.status !== "running") await setImmediate();
  const late = await logs.with(jobLog(job.id), (log) =>
    progress.messages.send(log, job.id, { text: "And then?", mode: "follow_up" }),
  );
  reply.resolve();
  while ((await store.job(job.id))?.status !== "completed") await setImmediate();
  for (const [id, messageId, last] of [
    [crashed.id, message.id, "job.failed"],
    [job.id, must(late).id, "job.completed"],
  ] as const) {
    const events = await logs.with(jobLog(id), (log) => log.read(0, 100));
    assert.deepEqual(told(events).at(-1), ["unheard", messageId]);
    assert.equal(events.at(-1)?.type, last);
    assert.deepEqual((await store.job(id))?.messages, []);
  }
});

test("no more messages wait for a job than the limit", async (t) => {
  const { path, api, send } = await begin(t, [{ text: "Done." }]);
  for (let index = 0; index < maxWaiting; index += 1) await send(`${index}`, "follow_up");
  assert.equal(await api.refusal("POST", path, { text: "x", mode: "follow_up" }), "job_not_ready");
});
