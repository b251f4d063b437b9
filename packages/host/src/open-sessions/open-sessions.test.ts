// What goes on between the turns of a session: who is told of it and when, and when it ends.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import {
  type AgentsFixture,
  delegates,
  type Gate,
  gate,
  openAgentsFixture,
  runs,
  send,
  serveAgents,
  textOf,
  yields,
} from "@stet/testkit/agents-fixture";
import { type MovableClock, movableClock } from "@stet/testkit/movable-clock";
import { must } from "@stet/testkit/workspace";

const minute = 60_000;
const everyHour = { expression: "0 * * * *", prompt: "Look at the build", recurring: true };

interface Scene extends AgentsFixture {
  readonly clock: MovableClock;
  /** What the agent that was sent waits for. */
  readonly work: Gate;
  /** What a turn of the session waits for that is asked to wait. */
  readonly turn: Gate;
}

/** A session whose agent sends another one when it is asked to go, and ends its turn. */
async function open(t: TestContext, settings: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const clock = movableClock(new Date(2026, 4, 4, 8, 30).getTime());
  const [work, turn] = [gate(), gate()];
  const fixture = await openAgentsFixture(t, {
    settings,
    host: { clock },
    script: {
      "@task go": [send("task", [{ id: "One", assignment: "work" }]), { text: "It is at it." }],
      "@task go and wait": delegates("task", [{ id: "One", assignment: "work" }]),
      wait: [turn.before({ text: "Waited." }), { text: "I see." }],
      "and now?": [{ text: "Nothing." }],
      work: [work.before(yields("what it found"))],
    },
  });
  return { ...fixture, clock, work, turn };
}

/** One in which the agent that was sent is still at work. */
async function atWork(t: TestContext, settings?: Readonly<Record<string, unknown>>): Promise<Scene> {
  const scene = await open(t, settings);
  await scene.api.until(await scene.ask("@task go"), "completed");
  return scene;
}

// biome-ignore lint/suspicious/noExplicitAny: a reply is whatever the server says; tests look into it
const background = ({ api, session }: Scene): Promise<any> =>
  api.ok("GET", `/api/agent/sessions/${session}/background`);

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Lets the agent end, until what it found waits or was told. */
async function end(scene: Scene): Promise<void> {
  scene.work.open();
  await scene.until("0-One", ({ status }) => status === "completed");
  await until(async () => (await background(scene)).jobs[0].status === "completed");
}

/** Lets time pass as long as it takes. */
async function passUntil({ clock }: Scene, isSo: () => boolean | Promise<boolean>): Promise<void> {
  await until(() => {
    clock.move(1000);
    return isSo();
  });
}

/** The session's own jobs, the newest first. */
async function jobsOf({ api, session }: Scene): Promise<{ id: string; status: string }[]> {
  return api.service.store.jobs({ session, limit: 100 });
}

/** What was said in the conversation that nobody typed. */
async function delivered({ api, session }: Scene): Promise<{ source: { kind: string }; text: string }[]> {
  const { messages: entries } = await api.ok("GET", `/api/agent/sessions/${session}/messages`);
  return entries.filter(({ kind }: { kind: string }) => kind === "delivery");
}

function newestHas({ model }: Scene, text: string): boolean {
  return (model.requests.at(-1)?.messages ?? []).some((message) => textOf(message).includes(text));
}

test("with autonomy ask what an agent found waits where the person sees it, and is told with their next message", async (t) => {
  const scene = await atWork(t);
  await end(scene);
  scene.clock.move(60 * minute);
  const { waiting, autonomy } = await background(scene);
  assert.deepEqual(
    waiting.map(({ source }: { source: unknown }) => source),
    [{ kind: "job", id: "0-One", label: "task: does One", type: "task" }],
  );
  assert.deepEqual(autonomy, { mode: "ask", turns: 0, cost_usd: 0, held: null });
  assert.equal((await jobsOf(scene)).length, 1);
  await scene.api.until(await scene.ask("and now?"), "completed");
  assert.ok(newestHas(scene, "what it found"));
  assert.deepEqual((await background(scene)).waiting, []);
  assert.deepEqual(
    (await delivered(scene)).map(({ source }) => source.kind),
    ["job"],
  );
});

test("with autonomy allowed it begins a turn in the idle session, which says in the conversation why", async (t) => {
  const scene = await atWork(t, { autonomy: "allowed" });
  await end(scene);
  await passUntil(scene, async () => (await jobsOf(scene)).length === 2);
  const [own] = await jobsOf(scene);
  const { events } = await scene.api.until(own?.id ?? "", "completed");
  const received = events.filter(({ type }) => type === "delivery.received" || type === "job.started");
  assert.deepEqual(
    received.map(({ type }) => type),
    ["job.started", "delivery.received"],
  );
  assert.ok(newestHas(scene, "what it found"));
  const [told] = await delivered(scene);
  const { nodes } = await scene.api.ok("GET", `/api/agent/sessions/${scene.session}/tree`);
  assert.deepEqual(
    nodes
      .filter(({ kind }: { kind: string }) => kind === "delivery")
      .map(({ text }: { text: string }) => text),
    ["Agent 0-One: task: does One"],
  );
  assert.match(told?.text ?? "", /^<job-result id="0-One" type="task" status="completed"/);
  const { autonomy, waiting } = await background(scene);
  assert.deepEqual([autonomy.turns, waiting], [1, []]);
});

test("what waits begins a turn soon after the person has allowed it", async (t) => {
  const scene = await atWork(t);
  await end(scene);
  assert.equal((await background(scene)).waiting.length, 1);
  await scene.api.ok("PUT", "/api/config", { name: "autonomy", value: "allowed" });
  await passUntil(scene, async () => (await jobsOf(scene)).length === 2);
  assert.equal((await background(scene)).waiting.length, 0);
});

test("while a turn is at work no other begins: it hears at its end what happened", async (t) => {
  const scene = await atWork(t, { autonomy: "allowed" });
  const job = await scene.ask("wait");
  await until(async () => (await jobsOf(scene))[0]?.status === "running");
  await end(scene);
  for (let step = 0; step < 20; step += 1) scene.clock.move(minute);
  assert.equal((await jobsOf(scene)).length, 2);
  scene.turn.open();
  const { events } = await scene.api.until(job, "completed");
  assert.ok(events.some(({ type }) => type === "delivery.received"));
  scene.clock.move(minute);
  assert.equal((await jobsOf(scene)).length, 2);
  assert.deepEqual([(await background(scene)).waiting, (await delivered(scene)).length], [[], 1]);
});

test("what the agent has waited for is not told to it once more", async (t) => {
  const scene = await open(t, { autonomy: "allowed" });
  const job = await scene.ask("@task go and wait");
  await scene.until("0-One", ({ status }) => status === "running");
  scene.work.open();
  await scene.api.until(job, "completed");
  scene.clock.move(10 * minute);
  assert.deepEqual([(await background(scene)).waiting, await delivered(scene)], [[], []]);
  assert.equal((await jobsOf(scene)).length, 1);
});

test("a timer begins a turn with its prompt, once, however often it was due while the clock jumped", async (t) => {
  const scene = await atWork(t, { autonomy: "allowed", "async.idleMinutes": 10_000 });
  const own = scene.api.service.open.get(scene.session);
  const timer = await own?.ownBackground.createTimer(everyHour);
  assert.ok(timer !== undefined && !isFault(timer));
  scene.clock.jump(50 * 60 * minute);
  await passUntil(scene, async () => (await jobsOf(scene)).length === 2);
  const [job] = await jobsOf(scene);
  await scene.api.until(job?.id ?? "", "completed");
  assert.deepEqual(
    (await delivered(scene)).map(({ source }) => source),
    [{ kind: "timer", id: timer.id, label: everyHour.prompt }],
  );
  assert.ok(newestHas(scene, everyHour.prompt));
  // It goes on from there.
  scene.clock.move(60 * minute);
  await passUntil(scene, async () => (await jobsOf(scene)).length === 3);
});

test("what nobody looks at for the set time is ended, and the conversation says so", async (t) => {
  const scene = await atWork(t, { "async.idleMinutes": 5 });
  const own = scene.api.service.open.get(scene.session);
  must(await own?.ownBackground.createTimer(everyHour));
  for (let step = 0; step < 29; step += 1) scene.clock.move(10_000);
  assert.equal((await background(scene)).jobs[0].status, "running");
  await passUntil(scene, async () => (await delivered(scene)).length > 0);
  await scene.until("0-One", ({ status }) => status === "aborted");
  assert.deepEqual(
    (await delivered(scene)).map(({ text }) => text),
    [
      "Nobody looked at this session for 5 minutes, so what went on in it was ended: task: does One; Look at the build",
    ],
  );
  assert.deepEqual(own?.background.timers.all(), []);
  const { jobs, timers } = await background(scene);
  assert.deepEqual([jobs, timers], [[], []]);
});

test("nothing is ended while somebody looks, nor because the clock was set, nor right after the person spoke", async (t) => {
  const scene = await atWork(t, { "async.idleMinutes": 5 });
  const isRunning = async () => (await background(scene)).jobs[0]?.status === "running";
  const look = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 10_000) scene.clock.move(10_000);
    // Whatever would have been ended by now is ended before the next reply.
    await scene.agents();
    return isRunning();
  };
  const stream = await scene.api.fetch("GET", "/api/workspace/stream");
  const reader = stream.body?.getReader();
  await until(() => scene.api.service.log.readers > 0);
  assert.ok(await look(60 * minute), "somebody looks");
  await reader?.cancel();
  await until(() => scene.api.service.log.readers === 0);
  scene.clock.jump(24 * 60 * minute);
  assert.ok(await look(minute), "a machine slept");
  scene.clock.jump(-48 * 60 * minute);
  assert.ok(await look(3 * minute), "the clock was set back");
  await scene.api.until(await scene.ask("and now?"), "completed");
  assert.ok(await look(4 * minute), "the person has just said something");
  await passUntil(scene, async () => !(await isRunning()));
});

test("when the host closes, timers end before jobs do, and nothing is told any more", async (t) => {
  const scene = await atWork(t, { autonomy: "allowed" });
  const own = scene.api.service.open.get(scene.session);
  assert.ok(own !== undefined);
  must(await own.ownBackground.createTimer(everyHour));
  const timersLeft: number[] = [];
  own.background.jobs.listen(() => timersLeft.push(own.background.timers.all().length));
  await scene.api.service.close();
  assert.deepEqual(timersLeft, [0]);
  scene.clock.move(24 * 60 * minute);
  assert.deepEqual(own.background.deliveries.waiting(), []);
  assert.equal(own.tree.get("0-One")?.status, "aborted");
});

test("when the host closes in the middle of a turn, what a command in the background changed is still the agent's", async (t) => {
  const beside = "trap 'sleep 0.2; echo bye > bye.txt; exit' TERM; touch begun; while :; do sleep 0.01; done";
  const fixture = await openAgentsFixture(t, {
    settings: { "permission.mode": "full" },
    script: {
      go: [
        { calls: [{ name: "bash", arguments: { command: beside, async: true } }] },
        runs("until [ -e begun ]; do sleep 0.01; done; touch waiting; sleep 600"),
      ],
    },
  });
  await fixture.ask("go");
  await until(() => existsSync(fixture.place.path("waiting")));
  await fixture.api.service.close();
  assert.equal(fixture.read("bye.txt"), "bye\n", "it had time to end");
  const again = await serveAgents(t, fixture.place, { script: {} });
  const { turns } = await again.api.ok("GET", "/api/review");
  const summaries = turns.map((turn: { summary: string }) => turn.summary);
  assert.ok(summaries.length > 0);
  for (const summary of summaries) assert.doesNotMatch(summary, /^During/, "nothing is in doubt");
  await again.api.ok("POST", "/api/review/decide", { verdict: "reject", everything: true });
  assert.equal(existsSync(fixture.place.path("bye.txt")), false);
});

test("a conversation that goes back ends its timers, and says so; what runs goes on", async (t) => {
  const scene = await atWork(t);
  const { api, session } = scene;
  const own = api.service.open.get(session);
  must(await own?.ownBackground.createTimer(everyHour));
  const { nodes } = await api.ok("GET", `/api/agent/sessions/${session}/tree`);
  await api.ok("POST", `/api/agent/sessions/${session}/branch`, { entry_id: nodes[0].entry_id });
  const { timers, jobs } = await background(scene);
  assert.deepEqual([timers, jobs[0].status], [[], "running"]);
  assert.match((await delivered(scene))[0]?.text ?? "", /its timers were ended: Look at the build$/);
});

test("sessions in which nothing goes on are closed beyond fifty, the one used longest ago first", async (t) => {
  const scene = await atWork(t);
  const { service } = scene.api;
  const ids: string[] = [];
  for (let count = 0; count < 53; count += 1) {
    const id = await scene.api.session();
    ids.push(id);
    must(await service.open.of(must(await service.sessions.find(id))));
  }
  const left = service.open.all().map(({ id }) => id);
  assert.deepEqual(left, [scene.session, ...ids.slice(3)]);
});
