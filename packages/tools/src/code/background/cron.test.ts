// The three tools of timers as a model calls them: their names, fields, answers and refusals.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Background } from "@stet/agent/background/background";
import { Fault } from "@stet/protocol/fault";
import { type MovableClock, movableClock } from "@stet/testkit/movable-clock";
import { type ToolAnswer, toolAnswer } from "@stet/testkit/tool-answer";
import { cronTools } from "./cron.ts";

const begun = new Date(2026, 4, 4, 8, 0).getTime();
const minute = 60_000;
const day = 86_400_000;
const daily = { cron_expression: "0 9 * * *", prompt: "Look whether it is deployed", recurring: true };

interface Fixture {
  readonly clock: MovableClock;
  readonly whole: Background;
  /** By the agent of that name; the session's own unless given. */
  call(tool: string, input: Readonly<Record<string, unknown>>, agent?: string): Promise<ToolAnswer>;
  /** Sets a timer, and returns its id. */
  set(more?: Readonly<Record<string, unknown>>): Promise<string>;
  delivered(): string[];
}

function setUp(noTimers?: Fault): Fixture {
  const clock = movableClock(begun);
  const whole = new Background({ isAsync: true, maxJobs: 9, clock, noTimers });
  const call: Fixture["call"] = (name, input, agent = "main") => {
    const tool = cronTools(whole.of(agent)).find((one) => one.name === name);
    assert.ok(tool !== undefined);
    return toolAnswer(tool, input);
  };
  return {
    clock,
    whole,
    call,
    async set(more) {
      const { text, details } = await call("CronCreate", { ...daily, ...more });
      assert.equal(typeof details.id, "string", text);
      return details.id;
    },
    delivered: () => whole.deliveries.take().map(({ text }) => text),
  };
}

test("a timer that is set is answered with its id, when it is due in words, and its next time", async () => {
  const { call, whole } = setUp();
  const { text, details, isError } = await call("CronCreate", { ...daily, cron_expression: " 0  9 * * * " });
  const { id, nextFireAt, ...rest } = details;
  assert.match(id, /^[0-9a-f]{8}$/);
  assert.deepEqual([text, isError], [`Scheduled ${id} (at 09:00)`, false]);
  assert.deepEqual(rest, { cron_expression: "0 9 * * *", recurring: true });
  assert.equal(Date.parse(nextFireAt), whole.timers.all()[0]?.nextAt);
  const late = Date.parse(nextFireAt) - new Date(2026, 4, 4, 9, 0).getTime();
  assert.ok(late >= 0 && late < minute / 2, `${late}`);
});

test("the list has a line for each timer with the beginning of its prompt, and all of it in its details", async () => {
  const { call, set } = setUp();
  assert.deepEqual(
    [(await call("CronList", {})).text, (await call("CronList", {})).details],
    ["No scheduled jobs", { jobs: [] }],
  );
  const prompt = `Look\n\n  at ${"it, ".repeat(50)}then go on`;
  const [one, other] = [await set(), await set({ cron_expression: "*/5 * * * *", prompt, recurring: false })];
  const { text, details } = await call("CronList", {});
  const preview = `Look at ${"it, ".repeat(50)}`.slice(0, 80);
  assert.deepEqual(text.split("\n"), [
    `${one} (at 09:00): Look whether it is deployed`,
    `${other} (every 5 minutes): ${preview}…`,
  ]);
  assert.deepEqual(details.jobs, [
    {
      id: one,
      cron: "0 9 * * *",
      recurring: true,
      prompt: "Look whether it is deployed",
      humanSchedule: "at 09:00",
    },
    { id: other, cron: "*/5 * * * *", recurring: false, prompt, humanSchedule: "every 5 minutes" },
  ]);
});

test("a timer that is removed is not due any more; one that there is not cannot be removed", async () => {
  const { call, set, clock, delivered } = setUp();
  const id = await set();
  const removed = await call("CronDelete", { id });
  assert.deepEqual(
    [removed.text, removed.details, removed.isError],
    [`Cancelled ${id}`, { id, deleted: true }, false],
  );
  const again = await call("CronDelete", { id });
  assert.deepEqual(
    [again.text, again.details, again.isError],
    [`Failed to remove scheduled task '${id}'`, { id, deleted: false }, true],
  );
  clock.move(day);
  assert.deepEqual(delivered(), []);
});

test("a prompt that is due is delivered, of a timer that is due once a single time", async () => {
  const { call, set, clock, delivered } = setUp();
  const id = await set({ recurring: false });
  clock.move(2 * day);
  assert.deepEqual(delivered(), [
    `<timer id="${id}" schedule="at 09:00">\nLook whether it is deployed\n</timer>`,
  ]);
  assert.equal((await call("CronList", {})).text, "No scheduled jobs");
});

test("a recurring timer is due on each of seven days, then it has ended and the agent is told", async () => {
  const { call, set, clock, delivered } = setUp();
  const id = await set();
  clock.move(30 * day);
  const told = delivered();
  assert.equal(told.length, 8);
  assert.ok(told.slice(0, 7).every((text) => text.startsWith(`<timer id="${id}"`)));
  assert.equal(told[7], `The timer ${id} (at 09:00) has ended after seven days.`);
  assert.equal((await call("CronList", {})).text, "No scheduled jobs");
});

test("of many timers of one minute not all are due at the same moment", async () => {
  const { whole, set } = setUp();
  for (let count = 0; count < 20; count += 1) await set();
  assert.ok(new Set(whole.timers.all().map(({ nextAt }) => nextAt)).size > 1);
});

const fields = ["minute", "hour", "day-of-month", "month", "day-of-week"];
/** In each field: below, above, a name, what other crons know, and what none does. */
const wrongInEach: readonly (readonly string[])[] = [
  ["-1", "60", "ten", "L", "?", "1,", "9-5", "*/0", "*/60", "1.5", "0x5"],
  ["-1", "24", "noon", "L", "?", ",1", "9-5", "*/0", "*/24", "9am", "+9"],
  ["0", "32", "first", "L", "15W", "LW", "?", "31-1", "*/0", "*/32", "1st"],
  ["0", "13", "JAN", "january", "?", "12-1", "*/0", "*/13", "1-JUN"],
  ["-1", "8", "MON", "MON-FRI", "5L", "1#2", "?", "5-1", "*/0", "*/8"],
];

for (const [index, field] of fields.entries()) {
  test(`a wrong ${field} is refused, and named; nothing is set`, async () => {
    const { call, whole } = setUp();
    for (const item of wrongInEach[index] ?? []) {
      const cron_expression = fields.map((_, at) => (at === index ? item : "*")).join(" ");
      const { text, error } = await call("CronCreate", { ...daily, cron_expression });
      assert.equal(error, "invalid_arguments", cron_expression);
      assert.ok(text.includes(`Invalid cron expression: ${field} `), `${cron_expression}: ${text}`);
    }
    assert.deepEqual(whole.timers.all(), []);
  });
}

const wrongAsAWhole: readonly [string, string][] = [
  ["", "it has 0 fields, and needs five."],
  ["  ", "it has 0 fields, and needs five."],
  ["0 9 * *", "it has 4 fields, and needs five."],
  ["0 0 9 * * *", "it has 6 fields, and needs five."],
  ["0 0 9 * * * 2026", "it has 7 fields, and needs five."],
  ["@hourly", "it has 1 field, and needs five."],
  ["2026-05-04T09:00:00", "it has 1 field, and needs five."],
  ["0 0 30 2 *", "0 0 30 2 * never comes: there is no such day in any of the next years."],
  ["0 0 31 2,4,6,9,11 *", "0 0 31 2,4,6,9,11 * never comes: there is no such day in any of the next years."],
];

for (const [cron_expression, why] of wrongAsAWhole) {
  test(`the cron expression ${JSON.stringify(cron_expression)} is refused`, async () => {
    const { call, whole } = setUp();
    const { text, error } = await call("CronCreate", { ...daily, cron_expression });
    assert.equal(error, "invalid_arguments");
    assert.ok(text.includes(`Invalid cron expression: ${why}`), text);
    assert.deepEqual(whole.timers.all(), []);
  });
}

const misfits: readonly [string, Readonly<Record<string, unknown>>][] = [
  ["CronCreate", { prompt: "x", recurring: true }],
  ["CronCreate", { cron_expression: "0 9 * * *", recurring: true }],
  ["CronCreate", { cron_expression: "0 9 * * *", prompt: "x" }],
  ["CronCreate", { ...daily, cron_expression: 9 }],
  ["CronCreate", { ...daily, prompt: "" }],
  ["CronCreate", { ...daily, prompt: " \n" }],
  ["CronCreate", { ...daily, recurring: "often" }],
  ["CronDelete", {}],
  ["CronDelete", { id: 7 }],
];

for (const [tool, input] of misfits) {
  test(`${tool} with ${JSON.stringify(input)} does not fit`, async () => {
    const { call, whole } = setUp();
    assert.equal((await call(tool, input)).error, "invalid_arguments");
    assert.deepEqual(whole.timers.all(), []);
  });
}

test("the fifty-first timer is refused until one is removed", async () => {
  const { call, set } = setUp();
  const ids = [];
  for (let count = 0; count < 50; count += 1) ids.push(await set());
  const refused = await call("CronCreate", daily);
  assert.equal(refused.error, "limit_reached");
  assert.match(
    refused.text,
    /Cron task limit reached \(50\)\. Cancel an existing task with CronDelete first\./,
  );
  await call("CronDelete", { id: ids[0] });
  await set();
  assert.equal((await call("CronList", {})).text.split("\n").length, 50);
});

test("an agent sees and removes its own timers only", async () => {
  const { call, set, whole } = setUp();
  const id = await set();
  assert.equal((await call("CronList", {}, "0-Other")).text, "No scheduled jobs");
  assert.equal((await call("CronDelete", { id }, "0-Other")).details.deleted, false);
  assert.equal(whole.timers.all().length, 1);
});

test("where timers are switched off, the reason is the refusal", async () => {
  const { call, whole } = setUp(new Fault("not_allowed", "Cron is disabled by STET_DISABLE_CRON=1.", "…"));
  const { text, error } = await call("CronCreate", daily);
  assert.equal(error, "not_allowed");
  assert.match(text, /Cron is disabled by STET_DISABLE_CRON=1\./);
  assert.deepEqual(whole.timers.all(), []);
});
