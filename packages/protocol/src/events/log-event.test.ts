import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { logEvent } from "./log-event.ts";

test("every event has its own type, and fields for its data", () => {
  const types = logEvent.options.map(({ shape }) => shape.type.value);
  assert.equal(new Set(types).size, types.length);
  for (const { shape } of logEvent.options)
    assert.ok(shape.data instanceof z.ZodObject, `the data of ${shape.type.value} has no fields`);
});

test("data of another type is refused", () => {
  const event = { cursor: 1, ts: new Date(0).toISOString(), agent: "main" };
  const said = { ...event, type: "message.delta", data: { text: "Hello" } };
  assert.equal(logEvent.safeParse(said).success, true);
  assert.equal(logEvent.safeParse({ ...said, data: { words: "Hello" } }).success, false);
  assert.equal(logEvent.safeParse({ ...said, type: "message.unknown" }).success, false);
});
