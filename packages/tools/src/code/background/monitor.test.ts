import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type BashFixture, openBashFixture } from "@stet/testkit/bash-fixture";
import { movableClock } from "@stet/testkit/movable-clock";

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo() && tries < 1000; tries += 1) await sleep(10);
  assert.ok(isSo());
}

const told = ({ whole }: BashFixture) => whole.deliveries.waiting();

test("a monitor tells its first line and ends, with all that it has started", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true });
  const answer = await fixture.call("monitor", {
    command: "echo noise >&2; sleep 0.1; echo ready; echo more; sleep 600",
    kind: "log",
    description: "whether the server is up",
  });
  assert.equal(answer.text, "Monitor started · task monitor-1 · persistent: false");
  assert.deepEqual(answer.details, {
    taskId: "monitor-1",
    kind: "log",
    description: "whether the server is up",
    command: "echo noise >&2; sleep 0.1; echo ready; echo more; sleep 600",
    persistent: false,
  });
  await until(() => told(fixture).length > 0);
  await fixture.background.jobs.firstToEnd(["monitor-1"]);
  const [line, ...others] = told(fixture);
  assert.equal(line?.text, '<task-notification task="monitor-1">ready</task-notification>');
  assert.deepEqual(others, []);
  assert.match(
    (await fixture.call("job", { list: true })).text,
    /monitor-1 \(monitor\) completed .*first line/s,
  );
});

test("a persistent monitor tells each line until it is cancelled, and a half line never", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true });
  await fixture.call("monitor", {
    command: "printf 'one\\r\\ntwo\\nhalf'; sleep 600",
    kind: "watch",
    description: "lines",
    persistent: true,
  });
  await until(() => told(fixture)[0]?.text.includes("two") === true);
  assert.deepEqual(told(fixture)[0]?.text.split("\n"), [
    '<task-notification task="monitor-1">one</task-notification>',
    '<task-notification task="monitor-1">two</task-notification>',
  ]);
  assert.match((await fixture.call("job", { cancel: ["monitor-1"] })).text, /monitor-1: cancelled/);
});

test("a monitor that ends by itself says how, with what it wrote to its standard error", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true });
  const watch = { kind: "poll", description: "a file that is not there", persistent: true };
  await fixture.call("monitor", { ...watch, command: "cat /nowhere; exit 3" });
  await fixture.call("monitor", { ...watch, command: "sleep 60", timeout: 1 });
  await until(() => told(fixture).length === 2);
  const texts = told(fixture).map(({ text }) => text);
  assert.match(texts[0] ?? "", /status="failed".*ended with code 3\. .*No such file/s);
  assert.match(texts[1] ?? "", /status="completed".*1 seconds are over/s);
});

test("a monitor that floods costs a bounded number of lines, and the machine stays responsive", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true });
  await fixture.call("monitor", {
    command: "yes flood",
    kind: "log",
    description: "flood",
    persistent: true,
  });
  let slowest = 0;
  let looked = performance.now();
  await until(() => {
    slowest = Math.max(slowest, performance.now() - looked);
    looked = performance.now();
    return told(fixture)[0]?.text.includes("earlier lines were dropped") === true;
  });
  const [flood, ...others] = told(fixture);
  assert.ok((flood?.text.split("\n").length ?? 0) <= 51);
  assert.deepEqual(others, []);
  t.diagnostic(`slowest look ${slowest.toFixed(0)} ms`);
  await fixture.call("job", { cancel: ["monitor-1"] });
});

const watch = { command: "true", kind: "log", description: "whether it is up" };

const misfits: readonly Readonly<Record<string, unknown>>[] = [
  { command: undefined },
  { command: "" },
  { command: " \n" },
  { kind: undefined },
  { kind: "tail" },
  { description: undefined },
  { description: " " },
  { timeout: 0 },
  { timeout: -5 },
  { timeout: "soon" },
  { persistent: "always" },
];

test("a monitor whose fields do not fit is refused, and nothing is started", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true });
  for (const part of misfits) {
    const { error } = await fixture.call("monitor", { ...watch, ...part });
    assert.equal(error, "invalid_arguments", JSON.stringify(part));
  }
  assert.deepEqual([fixture.background.jobs.all(), fixture.targets], [[], []]);
});

test("each kind of monitor is one, and the person is asked for its command as for one of bash", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true });
  for (const kind of ["log", "poll", "watch", "other"]) {
    const { details } = await fixture.call("monitor", { ...watch, kind });
    assert.equal((details as { kind: string }).kind, kind);
  }
  assert.deepEqual(
    fixture.targets.map(({ command, folder }) => [command, folder]),
    Array.from({ length: 4 }, () => ["true", "."]),
  );
});

test("with no room for another job a monitor is refused before it starts", async (t) => {
  const fixture = await openBashFixture(t, { isAsync: true, settings: { maxJobs: 1 } });
  await fixture.call("monitor", { ...watch, command: "sleep 600" });
  assert.equal((await fixture.call("monitor", { ...watch, command: "touch made" })).error, "too_many_jobs");
  await fixture.call("job", { cancel: ["monitor-1"] });
  assert.equal(existsSync(fixture.place.path("made")), false);
});

test("without async there are neither monitors nor timers, and the refusal says so", async (t) => {
  const fixture = await openBashFixture(t);
  assert.match(
    (await fixture.call("monitor", watch)).text,
    /Async execution is disabled; the monitor tool is unavailable in this session\./,
  );
  const timer = { cron_expression: "0 9 * * *", prompt: "x", recurring: true };
  assert.match(
    (await fixture.call("CronCreate", timer)).text,
    /Async execution is disabled; cron is unavailable in this session\./,
  );
});

test("a timer is set, listed, due and removed in the words of its tools", async (t) => {
  const clock = movableClock(new Date(2026, 4, 4, 8, 0).getTime());
  const fixture = await openBashFixture(t, { isAsync: true, clock });
  const prompt = "Look whether the deployment is done";
  const created = await fixture.call("CronCreate", { cron_expression: "0 9 * * *", prompt, recurring: true });
  const { id } = created.details as { id: string };
  assert.equal(created.text, `Scheduled ${id} (at 09:00)`);
  assert.match((created.details as { nextFireAt: string }).nextFireAt, /^2026-05-04T/);
  assert.equal((await fixture.call("CronList", {})).text, `${id} (at 09:00): ${prompt}`);
  clock.move(61 * 60_000);
  assert.match(told(fixture)[0]?.text ?? "", /^<timer id="\w{8}" schedule="at 09:00">\nLook whether/);
  assert.equal((await fixture.call("CronDelete", { id })).text, `Cancelled ${id}`);
  assert.equal((await fixture.call("CronDelete", { id })).text, `Failed to remove scheduled task '${id}'`);
  assert.equal((await fixture.call("CronList", {})).text, "No scheduled jobs");
  const wrong = await fixture.call("CronCreate", {
    cron_expression: "0 9 * * MON",
    prompt,
    recurring: false,
  });
  assert.match(wrong.text, /Invalid cron expression: day-of-week cannot be/);
});
