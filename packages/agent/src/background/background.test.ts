import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import { movableClock } from "@stet/testkit/movable-clock";
import fc from "fast-check";
import { Background } from "./background.ts";
import { Foreground } from "./foreground.ts";
import type { JobOutcome } from "./jobs.ts";

function work() {
  const { promise: ended, resolve: end } = Promise.withResolvers<JobOutcome>();
  return { started: 0, ended, end, controller: new AbortController(), output: () => "" };
}

const everyHour = { expression: "0 * * * *", prompt: "look", recurring: true };

test("an agent that was sent has no timers: nothing of it goes on when it has ended", async () => {
  const background = new Background({ isAsync: true, maxJobs: 9 });
  const child = background.of("0-Child", false);
  const refused = await child.createTimer(everyHour);
  assert.ok(isFault(refused));
  assert.equal(refused.message, "Async execution is disabled; cron is unavailable in this session.");
  assert.deepEqual(background.timers.all(), []);
});

test("the reason why there are no timers is told, and without async that one comes first", async () => {
  const { Fault } = await import("@stet/protocol/fault");
  const noTimers = new Fault("not_allowed", "Cron is disabled by STET_DISABLE_CRON=1.", "Do without.");
  const messageIn = async (isAsync: boolean) => {
    const made = await new Background({ isAsync, maxJobs: 9, noTimers }).of("main").createTimer(everyHour);
    return isFault(made) ? made.message : undefined;
  };
  assert.equal(await messageIn(true), "Cron is disabled by STET_DISABLE_CRON=1.");
  assert.equal(await messageIn(false), "Async execution is disabled; cron is unavailable in this session.");
});

test("when it is closed everything ends, also what would only begin now, and nothing of that is told", async () => {
  const clock = movableClock(0);
  const background = new Background({ isAsync: true, maxJobs: 9, clock });
  const own = background.of("main");
  const [running, late] = [work(), work()];
  own.jobs.add({ type: "bash", label: "server" }, running);
  await own.createTimer(everyHour);
  const closed: string[] = [];
  const closing = Promise.withResolvers<void>();
  own.own(async () => {
    closed.push("first");
    own.own(async () => void closed.push("meanwhile"));
    await closing.promise;
  });
  const ended = background.close();
  assert.ok(running.controller.signal.aborted);
  assert.ok(isFault(own.jobs.refusal()));
  own.jobs.add({ type: "bash", label: "too late" }, late);
  assert.ok(late.controller.signal.aborted);
  closing.resolve();
  await ended;
  const after = own.own(async () => void closed.push("after"));
  assert.equal(after, undefined, "what comes later is left to whoever brings it");
  assert.deepEqual(closed, ["first", "meanwhile"]);
  assert.ok(isFault(await own.createTimer(everyHour)));
  clock.move(86_400_000);
  assert.deepEqual(background.deliveries.waiting(), []);
});

test("a session is idle when nothing runs, waits or is owned", async () => {
  const background = new Background({ isAsync: true, maxJobs: 9 });
  const own = background.of("main");
  assert.ok(background.isIdle);
  const release = own.own(async () => {});
  assert.equal(background.isIdle, false);
  release?.();
  const timer = await own.createTimer(everyHour);
  assert.ok(!isFault(timer));
  assert.equal(background.isIdle, false);
  own.removeTimer(timer.id);
  const one = work();
  own.jobs.add({ type: "bash", label: "x" }, one);
  assert.equal(background.isIdle, false);
  one.end({ isFailed: false, text: "" });
  await background.jobs.allEnded();
  assert.equal(background.isIdle, false, "its end was not told");
  background.deliveries.take();
  assert.ok(background.isIdle);
});

test("commands that are waited for are put aside all at once, and not twice", async () => {
  const foreground = new Foreground();
  const [one, two, three] = ["make", "npm test", "true"].map((label) => foreground.wait(label));
  three?.end();
  assert.deepEqual(foreground.putAside(), ["make", "npm test"]);
  await Promise.all([one?.asked, two?.asked]);
  assert.deepEqual([foreground.labels(), foreground.putAside()], [[], []]);
});

test("a command that only just begins is put aside, too, and nobody waits for long for one that does not come", async () => {
  const foreground = new Foreground();
  const aside = foreground.putAsideWithin(60_000);
  const one = foreground.wait("make");
  assert.deepEqual(await aside, ["make"]);
  await one.asked;
  assert.deepEqual(await foreground.putAsideWithin(1), []);
});

test("a listener that throws keeps neither the job from ending nor the others from hearing of it", () => {
  const script = `
    import { Background } from ${JSON.stringify(new URL("./background.ts", import.meta.url).href)};
    const bugs = [];
    process.on("uncaughtException", ({ message }) => bugs.push(message));
    const background = new Background({ isAsync: true, maxJobs: 9 });
    const heard = [];
    background.jobs.listen(() => { throw new Error("a bug"); });
    background.listen(() => { throw new Error("another bug"); });
    background.jobs.listen(({ id, status }) => heard.push(id + " " + status));
    const { promise: ended, resolve: end } = Promise.withResolvers();
    background.of("main").jobs.add(
      { type: "bash", label: "make" },
      { started: 0, ended, controller: new AbortController(), output: () => "" },
    );
    end({ isFailed: false, text: "made" });
    await background.jobs.allEnded();
    await new Promise(setImmediate);
    console.log(JSON.stringify({ heard, bugs: [...new Set(bugs)].sort(), waiting: background.deliveries.waiting().length }));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    cwd: import.meta.dirname,
  });
  assert.deepEqual(
    JSON.parse(stdout || "null"),
    { heard: ["bash-1 running", "bash-1 completed"], bugs: ["a bug", "another bug"], waiting: 1 },
    stderr,
  );
});

type Step =
  | { readonly do: "begin" | "take" | "take and put back" }
  | { readonly do: "end" | "cancel" | "watch" | "unwatch" | "see"; readonly which: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("begin" as const, "take" as const, "take and put back" as const) }),
  fc.record({
    do: fc.constantFrom(
      "end" as const,
      "cancel" as const,
      "watch" as const,
      "unwatch" as const,
      "see" as const,
    ),
    which: fc.nat(),
  }),
);

test("the end of each job is told once or was seen by the agent, whatever it waited for meanwhile", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const background = new Background({ isAsync: true, maxJobs: 100 });
      const own = background.of("main");
      const jobs: { id: string; work: ReturnType<typeof work> }[] = [];
      const watches: (() => void)[] = [];
      const seen = new Set<string>();
      const told: string[] = [];
      const take = () => {
        told.push(...background.deliveries.take().map(({ source }) => source.id));
      };
      for (const one of steps) {
        const job = "which" in one ? jobs[one.which % jobs.length] : undefined;
        if (one.do === "begin") {
          const begun = work();
          jobs.push({ work: begun, id: own.jobs.add({ type: "bash", label: "x" }, begun).id });
        }
        if (one.do === "take") take();
        if (one.do === "take and put back") background.deliveries.putBack(background.deliveries.take());
        if (one.do === "unwatch" && watches.length > 0) watches[one.which % watches.length]?.();
        if (job === undefined) continue;
        if (one.do === "end") job.work.end({ isFailed: false, text: "done" });
        if (one.do === "cancel") own.jobs.cancel(job.id);
        if (one.do === "watch") watches.push(own.watch([job.id]));
        if (one.do === "see" && own.jobs.get(job.id)?.status !== "running") {
          own.acknowledge([job.id]);
          seen.add(job.id);
        }
        await Promise.resolve();
      }
      for (const { work: left } of jobs) left.end({ isFailed: false, text: "done" });
      await background.jobs.allEnded();
      for (const unwatch of watches) unwatch();
      take();
      assert.equal(new Set(told).size, told.length, "told twice");
      for (const { id } of jobs) assert.ok(told.includes(id) || seen.has(id), `${id} was never told`);
    }),
    { numRuns: runs(300) },
  );
});
