import assert from "node:assert/strict";
import { test } from "node:test";
import { streamed } from "@stet/host/operations/operation";
import { Backlog } from "./backlog.ts";
import { frameOf, Joiner } from "./event-frame.ts";

const ts = "2026-01-01T00:00:00.000Z";

function event(cursor: number, type: string, data: Record<string, unknown>) {
  return { cursor, type, ts, data };
}

function framed(...events: ReturnType<typeof event>[]) {
  return streamed(events).map(frameOf);
}

function told(backlog: Backlog): unknown[] {
  return backlog.take().map((frame) => {
    const lines = frame.bytes.toString("utf8").split("\n");
    const data = JSON.parse(lines[2]?.slice("data: ".length) ?? "");
    assert.equal(lines[0], `id: ${data.cursor}`);
    assert.equal(lines[1], `event: ${data.type}`);
    return [data.cursor, data.type, data.data];
  });
}

test("words that wait are merged between facts, each with the newest cursor, and facts are told as they were", () => {
  const backlog = new Backlog();
  const events = framed(
    event(1, "message.delta", { text: "One " }),
    event(2, "message.delta", { text: "two\n" }),
    event(3, "message.delta", { text: 'th"ree' }),
    event(4, "thinking.delta", { text: "Hm" }),
    event(5, "tool.call.requested", { tool: "read" }),
    event(6, "tool.call.requested", { tool: "read" }),
    event(7, "message.delta", { text: "a" }),
    event(8, "message.delta", { text: "b" }),
  );
  for (const frame of events) backlog.add(frame, true);
  assert.deepEqual(told(backlog), [
    [3, "message.delta", { text: 'One two\nth"ree' }],
    [4, "thinking.delta", { text: "Hm" }],
    [5, "tool.call.requested", { tool: "read" }],
    [6, "tool.call.requested", { tool: "read" }],
    [8, "message.delta", { text: "ab" }],
  ]);
  assert.ok(backlog.isEmpty && backlog.bytes === 0);
});

test("words of different speakers are not mixed", () => {
  const backlog = new Backlog();
  const events = framed(
    event(1, "message.delta", { text: "a", agent: 1 }),
    event(2, "message.delta", { text: "b", agent: 2 }),
    event(3, "message.delta", { text: "c", agent: 2 }),
    event(4, "message.delta", { text: "d" }),
    event(5, "message.delta", { other: "d" }),
  );
  for (const frame of events) backlog.add(frame, true);
  assert.deepEqual(
    told(backlog).map((item) => (item as unknown[])[0]),
    [1, 3, 4, 5],
  );
});

test("for a reader who keeps up nothing is merged", () => {
  const backlog = new Backlog();
  for (const frame of framed(
    event(1, "message.delta", { text: "a" }),
    event(2, "message.delta", { text: "b" }),
  ))
    backlog.add(frame, false);
  assert.equal(told(backlog).length, 2);
});

test("a hundred thousand waiting words cost their own bytes, not those of their events", () => {
  const backlog = new Backlog();
  for (let cursor = 1; cursor <= 100_000; cursor += 1) {
    const [frame] = framed(event(cursor, "message.delta", { text: "word " }));
    if (frame !== undefined) backlog.add(frame, true);
  }
  assert.ok(backlog.bytes < 501_000, String(backlog.bytes));
  const [only, ...others] = told(backlog) as [number, string, { text: string }][];
  assert.deepEqual([others.length, only?.[0], only?.[2].text.length], [0, 100_000, 500_000]);
});

test("an event becomes bytes once for all its readers, and so do the same events in a row", () => {
  const events = [event(1, "a", {}), event(2, "b", {})];
  const [one, other] = [streamed(events).map(frameOf), streamed(events).map(frameOf)];
  assert.equal(one[0], other[0]);
  const joiner = new Joiner();
  assert.equal(joiner.join(one), joiner.join(other));
  assert.notEqual(joiner.join(one), joiner.join(other.slice(0, 1)));
  assert.equal(
    joiner.join(one).toString(),
    `id: 1\nevent: a\ndata: ${JSON.stringify(events[0])}\n\nid: 2\nevent: b\ndata: ${JSON.stringify(events[1])}\n\n`,
  );
});

test("a line end in an event stays inside it", () => {
  const frame = frameOf({ event: "a\ndata: forged", data: "one\n\ndata: two\r" });
  assert.equal(frame.bytes.toString(), 'event: a data: forged\ndata: "one\\n\\ndata: two\\r"\n\n');
});
