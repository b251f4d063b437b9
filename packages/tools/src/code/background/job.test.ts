import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type AgentBackground, Background } from "@stet/agent/background/background";
import type { JobOutcome } from "@stet/agent/background/jobs";
import { type CodeFixture, openCodeFixture } from "@stet/testkit/code-fixture";
import { job } from "./job.ts";

interface Fixture extends CodeFixture {
  readonly background: AgentBackground;
  readonly delivered: () => string[];
  /** Adds a job, and returns what ends it. */
  add(label: string): (outcome: JobOutcome) => void;
}

async function openFixture(t: TestContext, jobWait = 5, changed: readonly string[] = []): Promise<Fixture> {
  const whole = new Background({ isAsync: true, maxJobs: 9 });
  const background = whole.of("main");
  const fixture = await openCodeFixture(
    t,
    [
      (context) => {
        return job({
          ...context,
          background,
          aroundCommand: async (_, action) => ({ result: await action(), changed, lost: [] }),
        });
      },
    ],
    { settings: { jobWait } },
  );
  return {
    ...fixture,
    background,
    delivered: () => whole.deliveries.waiting().map(({ source }) => source.id),
    add(label) {
      const { promise: ended, resolve } = Promise.withResolvers<JobOutcome>();
      const controller = new AbortController();
      const work = { started: performance.now(), ended, controller, output: () => "so far\n" };
      background.jobs.add({ type: "bash", label }, work);
      return resolve;
    },
  };
}

const done: JobOutcome = { isFailed: false, text: "the result" };

test("without jobs there is nothing to wait for, to list or to find", async (t) => {
  const fixture = await openFixture(t);
  assert.equal((await fixture.call("job", {})).text, "No running background jobs to wait for.");
  assert.equal(
    (await fixture.call("job", { poll: ["a", "b"] })).text,
    "No matching jobs found for IDs: a, b",
  );
  const listed = await fixture.call("job", { list: true });
  assert.deepEqual(
    [listed.text, listed.error, listed.details],
    ["There are no background jobs.", undefined, { jobs: [] }],
  );
});

test("waiting ends with the first job that ends, and shows the others as running", async (t) => {
  const fixture = await openFixture(t);
  const end = fixture.add("make");
  fixture.add("serve");
  setTimeout(() => end(done), 50);
  const { text, details } = await fixture.call("job", {});
  assert.match(
    text,
    /^## Completed \(1\)\n- bash-1 \(bash\) completed after 0\.\d s: make\nthe result\n\n## Still Running \(1\)\n- bash-2 .*: serve\nso far$/,
  );
  const { jobs } = details as { jobs: { id: string; status: string; resultText?: string }[] };
  assert.deepEqual(
    jobs.map(({ id, status, resultText }) => [id, status, resultText]),
    [
      ["bash-1", "completed", "the result"],
      ["bash-2", "running", undefined],
    ],
  );
  assert.equal("cancelled" in (details as object), false);
});

test("jobs that have ended are shown without waiting", async (t) => {
  const fixture = await openFixture(t);
  fixture.add("make")(done);
  await fixture.background.jobs.firstToEnd(["bash-1"]);
  const started = performance.now();
  assert.match((await fixture.call("job", { poll: ["bash-1", "missing"] })).text, /^## Completed \(1\)/);
  assert.ok(performance.now() - started < 1000);
});

test("one that is over and one that runs: the running one is waited for", async (t) => {
  const fixture = await openFixture(t);
  fixture.add("make")(done);
  const end = fixture.add("test");
  setTimeout(() => end({ isFailed: true, text: "3 failed" }), 50);
  const { text } = await fixture.call("job", { poll: ["bash-1", "bash-2"] });
  assert.match(text, /## Completed \(2\)[\s\S]*the result\n- bash-2 \(bash\) failed .*\n3 failed$/);
});

test("after its time waiting ends with what there is, which is no error", async (t) => {
  const fixture = await openFixture(t, 0.7);
  fixture.add("serve");
  const { text, error } = await fixture.call("job", { poll: ["bash-1"] });
  assert.deepEqual([text.split("\n")[0], error], ["## Still Running (1)", undefined]);
  assert.ok(fixture.progress.length >= 2, "and shows every half second how it stands");
});

test("an aborted call stops waiting, and leaves the job running", async (t) => {
  const fixture = await openFixture(t, 30);
  fixture.add("serve");
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const { text } = await fixture.call("job", {}, controller.signal);
  assert.match(text, /Still Running/);
  assert.equal(fixture.background.jobs.get("bash-1")?.status, "running");
});

test("cancelling does not wait, and tells what could not be cancelled", async (t) => {
  const fixture = await openFixture(t, 30);
  fixture.add("serve");
  fixture.add("made")(done);
  await fixture.background.jobs.firstToEnd(["bash-2"]);
  const { text, details } = await fixture.call("job", { cancel: ["bash-1", "bash-2", "bash-3"] });
  assert.match(
    text,
    /^## Cancelled \(3\)\n- bash-1: cancelled\n- bash-2: already_completed\n- bash-3: not_found\n\n## Completed \(2\)/,
  );
  const { cancelled } = details as { cancelled: unknown };
  assert.deepEqual(cancelled, [
    { id: "bash-1", status: "cancelled" },
    { id: "bash-2", status: "already_completed" },
    { id: "bash-3", status: "not_found" },
  ]);
});

test("cancelling comes before waiting for the others", async (t) => {
  const fixture = await openFixture(t, 30);
  fixture.add("serve");
  const end = fixture.add("test");
  setTimeout(() => end(done), 50);
  const { text } = await fixture.call("job", { cancel: ["bash-1"], poll: ["bash-2"] });
  assert.match(text, /^## Cancelled \(1\)\n- bash-1: cancelled\n\n## Completed \(2\)/);
});

test("a list is shown at once, and goes with nothing else", async (t) => {
  const fixture = await openFixture(t, 30);
  fixture.add("serve");
  assert.match((await fixture.call("job", { list: true })).text, /^## Still Running \(1\)/);
  assert.equal((await fixture.call("job", { list: true, poll: ["bash-1"] })).error, "invalid_arguments");
  assert.equal((await fixture.call("job", { list: true, cancel: [] })).error, "invalid_arguments");
});

test("what jobs changed on disk is told where they are waited for", async (t) => {
  const fixture = await openFixture(t, 30, ["made.js"]);
  fixture.add("make")(done);
  assert.match((await fixture.call("job", { poll: ["bash-1"] })).text, /\n\nChanged on disk: made\.js$/);
});

test("what the agent waited for or has listed is not told again, what it left is", async (t) => {
  const fixture = await openFixture(t);
  const [first, second, third] = [fixture.add("one"), fixture.add("two"), fixture.add("three")];
  const polled = fixture.call("job", { poll: ["bash-1"] });
  while (fixture.progress.length === 0) await new Promise((go) => setTimeout(go, 5));
  first(done);
  await polled;
  assert.deepEqual(fixture.delivered(), []);
  second(done);
  await fixture.background.jobs.firstToEnd(["bash-2"]);
  assert.deepEqual(fixture.delivered(), ["bash-2"]);
  await fixture.call("job", { list: true });
  assert.deepEqual(fixture.delivered(), []);
  third(done);
  await fixture.background.jobs.firstToEnd(["bash-3"]);
  assert.deepEqual(fixture.delivered(), ["bash-3"]);
});
