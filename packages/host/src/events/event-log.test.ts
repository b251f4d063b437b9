import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { newEvent } from "@stet/protocol/events/new-event";
import { Fault } from "@stet/protocol/fault";
import { Random } from "@stet/testkit/random";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { defaultLimits } from "../limits.ts";
import { SqliteStore } from "../store/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { EventLog, messageEnd } from "./event-log.ts";
import { Logs } from "./logs.ts";

const options = { maxEvents: 3000 };

function storeFor(t: TestContext): Store {
  const store = must(SqliteStore.open(temporaryFolder(t)));
  t.after(() => store.close());
  return store;
}

function numbers(events: readonly LogEvent[]): unknown[] {
  return events.map((event) => (event.type === "review.updated" ? event.data.open_hunks : undefined));
}

test("a reader gets every fact once and in order, whenever it comes and however long it was away", async (t) => {
  const store = storeFor(t);
  const log = await EventLog.open("job:a", store, options);
  const random = new Random(7);
  const readers: { heard: number[]; stop: () => void; at: number }[] = [];
  const given: Promise<void>[] = [];
  for (let n = 1; n <= 3000; n += 1) {
    given.push(log.append("review.updated", { open_hunks: n }));
    if (random.chance(0.3)) given.push(log.delta(newEvent("message.delta", { text: "" })));
    if (n % 500 === 0) given.push(log.append(messageEnd, { text: "" }));
    if (!random.chance(0.01)) continue;
    const reader = { heard: [] as number[], stop: () => {}, at: 0 };
    reader.stop = await log.follow(0, (events) => {
      for (const { type, data, cursor } of events) {
        assert.ok(cursor > reader.at, "in order");
        reader.at = cursor;
        if (type === "review.updated") reader.heard.push(data.open_hunks);
      }
    });
    readers.push(reader);
  }
  await Promise.all(given);
  const all = Array.from({ length: 3000 }, (_, index) => index + 1);
  assert.ok(readers.length > 10);
  for (const { heard } of readers) assert.deepEqual(heard, all);
  const half = readers[0];
  half?.stop();
  assert.equal(log.readers, readers.length - 1);
});

test("deltas are told as they come, and to whoever comes before their message ends; after that the message is", async (t) => {
  const log = await EventLog.open("job:a", storeFor(t), options);
  await log.append("review.updated", { open_hunks: 0 });
  await log.delta(newEvent("message.delta", { text: "Hel" }));
  await log.delta(newEvent("message.delta", { text: "lo" }));
  assert.deepEqual(
    (await log.read(0, 10)).map(({ type }) => type),
    ["review.updated", "message.delta", "message.delta"],
  );
  await log.append(messageEnd, { text: "Hello" });
  const late = await log.read(0, 10);
  assert.deepEqual(
    late.map(({ type, cursor }) => [type, cursor]),
    [
      ["review.updated", 1],
      [messageEnd, 4],
    ],
  );
  assert.deepEqual(numbers(await log.read(2, 10)), [undefined]);
});

test("after a crash no cursor is given out again, though deltas were never written", async (t) => {
  const store = storeFor(t);
  const log = await EventLog.open("job:a", store, options);
  await log.append("review.updated", { open_hunks: 1 });
  for (let n = 0; n < 1500; n += 1) await log.delta(newEvent("message.delta", { text: "" }));
  const seen = log.cursor;
  const again = await EventLog.open("job:a", store, options);
  await again.append("review.updated", { open_hunks: 2 });
  const after = await again.read(seen, 10);
  assert.deepEqual(numbers(after), [2]);
  assert.ok((after[0]?.cursor ?? 0) > seen);
  assert.deepEqual(numbers(await again.read(0, 10)), [1, 2]);
});

test("a reader who missed what was dropped is told so first, and then gets what is left", async (t) => {
  const store = storeFor(t);
  const log = await EventLog.open("workspace", store, { maxEvents: 50 });
  for (let n = 1; n <= 200; n += 1) await log.append("review.updated", { open_hunks: n });
  const [first, ...rest] = await log.read(10, 1000);
  assert.ok(first?.type === "log.truncated");
  assert.equal(first.data.oldest, 151);
  assert.deepEqual(
    numbers(rest),
    Array.from({ length: 50 }, (_, index) => 151 + index),
  );
  assert.deepEqual(numbers(await log.read(first?.cursor ?? 0, 1)), [151], "and is told only once");
  assert.deepEqual(numbers(await log.read(199, 10)), [200]);
  const heard: string[] = [];
  (await log.follow(0, (events) => heard.push(...events.map(({ type }) => type))))();
  assert.deepEqual(heard.slice(0, 2), ["log.truncated", "review.updated"]);
});

test("a reader who comes with a cursor of another life of the log reads everything anew", async (t) => {
  const log = await EventLog.open("workspace", storeFor(t), options);
  await log.append("review.updated", { open_hunks: 1 });
  const [only, ...none] = await log.read(5000, 10);
  assert.deepEqual(none, []);
  assert.equal(only?.type, "log.truncated");
  assert.equal(only?.cursor, 1);
});

test("a log that is opened again and again stays within its limit", async (t) => {
  const store = storeFor(t);
  for (let n = 1; n <= 30; n += 1) {
    const log = await EventLog.open("workspace", store, { maxEvents: 10 });
    await log.append("review.updated", { open_hunks: n });
  }
  assert.ok((await store.events("workspace", 0, 100)).length <= 11);
});

test("a store that fails once fails one fact, and the log goes on", async (t) => {
  const store = storeFor(t);
  let fails = false;
  const brittle = new Proxy(store, {
    get(target, name) {
      if (name === "keepEvents" && fails)
        return async () => new Fault("disk_full", "No space is left.", "Make room.");
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const log = await EventLog.open("job:a", brittle, options);
  await log.append("review.updated", { open_hunks: 1 });
  fails = true;
  await assert.rejects(log.append("review.updated", { open_hunks: 2 }), /No space/);
  fails = false;
  await log.append("review.updated", { open_hunks: 3 });
  assert.deepEqual(numbers(await log.read(0, 10)), [1, 3]);
});

test("what a fact says is true when a reader hears of it, and when it polls", async (t) => {
  const log = await EventLog.open("job:a", storeFor(t), options);
  let status = "running";
  const heard: string[] = [];
  await log.follow(0, () => heard.push(status));
  const appended = log.append("job.completed", { outcome: "completed" }, async () => {
    await new Promise((resolve) => setImmediate(resolve));
    status = "completed";
  });
  // A poll reads the status first: when it is completed, the last event must be there.
  const polled = (async () => {
    while (status !== "completed") await new Promise((resolve) => setImmediate(resolve));
    return log.read(0, 10);
  })();
  assert.equal((await polled).length, 1);
  await appended;
  assert.deepEqual(heard, ["completed"]);
});

test("a log stays one as long as anyone holds it, and is forgotten after", async (t) => {
  const store = storeFor(t);
  const logs = new Logs(store, defaultLimits, (name, options) => EventLog.open(name, store, options));
  const [one, other] = await Promise.all([logs.hold("job:a"), logs.hold("job:a")]);
  assert.equal(one.log, other.log);
  one.release();
  one.release();
  await other.log.append("review.updated", { open_hunks: 1 });
  assert.equal((await logs.hold("job:a")).log, other.log);
  await logs.with("job:b", (log) => log.append("review.updated", { open_hunks: 1 }));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(logs.size, 1);
});
