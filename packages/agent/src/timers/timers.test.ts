import assert from "node:assert/strict";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { runs } from "@stet/testkit/depth";
import { movableClock } from "@stet/testkit/movable-clock";
import fc from "fast-check";
import { parseCron } from "./cron-expression.ts";
import { cronWords } from "./cron-words.ts";
import { maxTimers, type Timer, Timers } from "./timers.ts";

const begun = new Date(2026, 2, 2, 8, 59, 30).getTime();
const minute = 60_000;
const day = 86_400_000;

function setUp(now = begun) {
  const clock = movableClock(now);
  const due: [string, string][] = [];
  const expired: string[] = [];
  const timers = new Timers({
    clock,
    onDue: ({ prompt }) => due.push([new Date(clock.now()).toTimeString().slice(0, 5), prompt]),
    onExpired: ({ prompt }) => expired.push(prompt),
  });
  const create = async (expression: string, recurring = true, owner = "main"): Promise<Timer> => {
    const timer = await timers.create(owner, { expression, prompt: expression, recurring });
    assert.ok(!isFault(timer), isFault(timer) ? timer.message : "");
    return timer;
  };
  return { clock, timers, due, expired, create };
}

test("a recurring timer is due at each of its times, one that is due once at the first only", async () => {
  const { clock, timers, due, create } = setUp();
  await create("*/10 9 * * *");
  await create("5 9 * * *", false);
  assert.equal(due.length, 0);
  clock.move(30 * minute);
  assert.deepEqual(due, [
    ["09:00", "*/10 9 * * *"],
    ["09:05", "5 9 * * *"],
    ["09:10", "*/10 9 * * *"],
    ["09:20", "*/10 9 * * *"],
  ]);
  assert.deepEqual(
    timers.all().map(({ prompt }) => prompt),
    ["*/10 9 * * *"],
  );
});

test("a timer comes a little late, always by the same time, and never in another minute", async () => {
  const { clock, due, create } = setUp();
  const { nextAt } = await create("0 * * * *");
  const late = nextAt - new Date(2026, 2, 2, 9, 0, 0).getTime();
  assert.ok(late >= 0 && late < 30_000, `${late}`);
  clock.move(30_000 + late - 1);
  assert.equal(due.length, 0);
  clock.move(1);
  assert.equal(due.length, 1);
  clock.move(60 * minute - 1);
  assert.equal(due.length, 1);
  clock.move(1);
  assert.equal(due.length, 2);
});

test("after seven days a recurring timer has ended, and that is told", async () => {
  const { clock, timers, expired, due, create } = setUp();
  await create("0 9 * * *");
  clock.move(6 * day + 60 * minute);
  assert.equal(due.length, 7);
  assert.equal(expired.length, 0);
  clock.move(day);
  assert.deepEqual([expired, timers.all(), due.length], [["0 9 * * *"], [], 7]);
});

test("a clock that jumps ahead makes a timer due once, one that jumps back asks for the time anew", async () => {
  const { clock, timers, due, create } = setUp();
  await create("*/5 * * * *");
  clock.jump(3 * 60 * minute);
  clock.move(minute);
  assert.equal(due.length, 1);
  clock.move(6 * minute);
  assert.equal(due.length, 2);
  clock.jump(-2 * 60 * minute);
  clock.move(minute);
  const [timer] = timers.all();
  assert.ok((timer?.nextAt ?? 0) - clock.now() <= 5 * minute + 30_000);
  clock.move(6 * minute);
  assert.equal(due.length, 3);
});

test("an agent has fifty timers at most, and sees and removes its own only", async () => {
  const { timers, create } = setUp();
  const created = await Promise.all(Array.from({ length: maxTimers }, () => create("0 9 * * *")));
  const ids = created.map(({ id }) => id);
  assert.equal(new Set(ids).size, maxTimers);
  assert.ok(ids.every((id) => /^[0-9a-f]{8}$/.test(id)));
  const refused = await timers.create("main", { expression: "0 9 * * *", prompt: "x", recurring: true });
  assert.ok(isFault(refused));
  assert.equal(
    refused.message,
    "Cron task limit reached (50). Cancel an existing task with CronDelete first.",
  );
  await create("0 9 * * *", true, "0-Child");
  assert.equal(timers.list("0-Child").length, 1);
  assert.equal(timers.remove("0-Child", ids[0] ?? ""), false);
  assert.equal(timers.remove("main", ids[0] ?? ""), true);
  timers.clear("main");
  assert.deepEqual(
    timers.all().map(({ owner }) => owner),
    ["0-Child"],
  );
});

test("of fifty-one timers that are set at the same time one is refused", async () => {
  const { timers } = setUp();
  const wanted = { expression: "0 9 * * *", prompt: "x", recurring: true };
  const made = await Promise.all(Array.from({ length: maxTimers + 1 }, () => timers.create("main", wanted)));
  assert.equal(made.filter(isFault).length, 1);
  assert.equal(timers.list("main").length, maxTimers);
});

test("a clock that jumps back is noticed, also where another timer is set before anybody looks", async () => {
  const { clock, due, create } = setUp();
  await create("*/5 * * * *");
  clock.jump(-2 * 60 * minute);
  await create("0 0 1 1 *");
  clock.move(4 * minute);
  assert.deepEqual(
    due.map(([, prompt]) => prompt),
    ["*/5 * * * *"],
  );
});

test("a clock that is set back a little does not take away a timer of which only its delay is left", async () => {
  for (let round = 0; round < 20; round += 1) {
    const { clock, due, create } = setUp();
    const { nextAt } = await create("0 9 * * *", false);
    const at = new Date(2026, 2, 2, 9, 0, 0).getTime();
    clock.move(at - begun);
    if (nextAt - at < 2) continue;
    clock.jump(-1000);
    await create("0 0 1 1 *");
    clock.move(31_000 + 1000);
    assert.equal(due.length, 1);
  }
});

test("a timer that is due once and was slept over is due once, and gone", async () => {
  const { clock, timers, due, create } = setUp();
  await create("0 9 * * *", false);
  clock.jump(3 * day);
  clock.move(minute);
  assert.equal(due.length, 1);
  assert.deepEqual(timers.all(), []);
});

test("a recurring timer whose seven days were slept over is due once more, and has ended", async () => {
  const { clock, timers, due, expired, create } = setUp();
  await create("0 9 * * *");
  clock.jump(30 * day);
  clock.move(minute);
  assert.deepEqual([due.length, expired.length, timers.all().length], [1, 1, 0]);
  clock.move(2 * day);
  assert.equal(due.length, 1);
});

test("after everything was closed no timer is due, and none can be set", async () => {
  const { timers, clock, due, create } = setUp();
  await create("* * * * *");
  const wanted = { expression: "* * * * *", prompt: "x", recurring: true };
  const setMeanwhile = timers.create("main", wanted);
  timers.close();
  assert.ok(isFault(await setMeanwhile));
  assert.ok(isFault(await timers.create("main", wanted)));
  clock.move(60 * minute);
  assert.deepEqual([due, timers.all()], [[], []]);
});

/** Items that the grammar knows, for a field with these bounds; what each of them means, written down once more. */
function itemOf(least: number, most: number): fc.Arbitrary<{ text: string; values: number[] }> {
  const value = fc.integer({ min: least, max: most });
  const range = fc
    .tuple(value, value)
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
  const step = fc.integer({ min: 1, max: most });
  const upTo = (from: number, to: number, by: number) =>
    Array.from({ length: Math.floor((to - from) / by) + 1 }, (_, index) => from + index * by);
  return fc.oneof(
    fc.constant({ text: "*", values: upTo(least, most, 1) }),
    step.map((by) => ({ text: `*/${by}`, values: upTo(least, most, by) })),
    value.map((one) => ({ text: `${one}`, values: [one] })),
    range.map(([from, to]) => ({ text: `${from}-${to}`, values: upTo(from, to, 1) })),
    fc
      .tuple(range, step)
      .map(([[from, to], by]) => ({ text: `${from}-${to}/${by}`, values: upTo(from, to, by) })),
  );
}

const listOf = (least: number, most: number) =>
  fc.array(itemOf(least, most), { minLength: 1, maxLength: 3 }).map((items) => ({
    text: items.map(({ text }) => text).join(","),
    values: new Set(items.flatMap(({ values }) => values)),
  }));

test("the next run of any minutes, hours and weekdays is the first minute that fits", () => {
  const expression = fc.tuple(listOf(0, 59), listOf(0, 23), listOf(0, 7));
  fc.assert(
    fc.property(expression, fc.integer({ min: 0, max: 40 * 24 * 60 }), ([minutes, hours, days], offset) => {
      // In weeks in which no clock is set to summer time or back.
      const after = new Date(2026, 5, 1).getTime() + offset * minute;
      const cron = parseCron(`${minutes.text} ${hours.text} * * ${days.text}`, after);
      assert.ok(!isFault(cron), isFault(cron) ? cron.message : "");
      const weekdays = new Set([...days.values].map((day) => day % 7));
      let at = after - (after % minute) + minute;
      const fits = (time: Date) =>
        minutes.values.has(time.getMinutes()) &&
        hours.values.has(time.getHours()) &&
        weekdays.has(time.getDay());
      while (!fits(new Date(at))) at += minute;
      assert.equal(new Date(cron.next(after) ?? 0).toString(), new Date(at).toString(), cron.text);
    }),
    { numRuns: runs(300) },
  );
});

const wrong: readonly [string, RegExp][] = [
  ["", /0 fields, and needs five/],
  ["* * * *", /4 fields/],
  ["* * * * * *", /6 fields/],
  ["60 * * * *", /minute goes from 0 to 59, and 60/],
  ["* 24 * * *", /hour goes from 0 to 23, and 24/],
  ["* * 0 * *", /day-of-month goes from 1 to 31, and 0/],
  ["* * * 13 *", /month goes from 1 to 12, and 13/],
  ["* * * * 8", /day-of-week goes from 0 to 7, and 8/],
  ["* * L * *", /day-of-month cannot be "L"/],
  ["* * 15W * *", /day-of-month cannot be "15W"/],
  ["* * ? * *", /day-of-month cannot be "\?"/],
  ["* * * JAN *", /month cannot be "JAN"/],
  ["* * * * MON", /day-of-week cannot be "MON"/],
  ["* * * * 1#2", /day-of-week cannot be "1#2"/],
  ["30-10 * * * *", /minute has a range that runs backwards/],
  ["*/0 * * * *", /minute has a step of 0/],
  ["*/90 * * * *", /minute has a step of 90/],
  ["5/10 * * * *", /minute has a step behind a single value/],
  ["1,,2 * * * *", /minute cannot be ""/],
  ["-1 * * * *", /minute cannot be "-1"/],
  ["@daily", /1 field,/],
  ["0 0 31 2 *", /never comes/],
];

for (const [expression, message] of wrong) {
  test(`the cron line ${JSON.stringify(expression)} is refused, and the field is named`, () => {
    const fault = parseCron(expression, begun);
    assert.ok(isFault(fault));
    assert.match(fault.message, /^Invalid cron expression: /);
    assert.match(fault.message, message);
  });
}

const right: readonly [string, string, string][] = [
  ["*/5 * * * *", "every 5 minutes", "2026-03-02 09:00"],
  ["* * * * *", "every minute", "2026-03-02 09:00"],
  ["15 * * * *", "every hour at minute 15", "2026-03-02 09:15"],
  ["0 */6 * * *", "every 6 hours at minute 0", "2026-03-02 12:00"],
  ["0 9 * * *", "at 09:00", "2026-03-02 09:00"],
  ["30 14 * * 1-5", "at 14:30, Monday to Friday", "2026-03-02 14:30"],
  ["0 0 * * 0,7", "at 00:00, Sunday, Sunday", "2026-03-08 00:00"],
  ["0 8 1 * *", "at 08:00, on day 1 of each month", "2026-04-01 08:00"],
  ["0 8 24 12 *", "at 08:00, on 24 December", "2026-12-24 08:00"],
  ["10-50/20 8-10 * 3,4 *", "at 10-50/20 8-10 * 3,4 *", "2026-03-02 09:10"],
  ["0 0 29 2 *", "at 00:00, on 29 February", "2028-02-29 00:00"],
];

for (const [expression, words, next] of right) {
  test(`the cron line ${expression} is ${words}`, () => {
    const cron = parseCron(`  ${expression.replaceAll(" ", "\t ")} `, begun);
    assert.ok(!isFault(cron), isFault(cron) ? cron.message : "");
    assert.equal(cron.text, expression);
    assert.equal(cronWords(cron.fields), words);
    const at = new Date(cron.next(begun) ?? 0);
    const two = (value: number) => String(value).padStart(2, "0");
    assert.equal(
      `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`,
      next,
    );
  });
}
