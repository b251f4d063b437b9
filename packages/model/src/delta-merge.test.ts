import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model, ModelEvent } from "@stet/protocol/model-stream";
import fc from "fast-check";
import { mergeDeltas, withMergedDeltas } from "./delta-merge.ts";
import { endedMessage } from "./ended-message.ts";

const done: ModelEvent = {
  type: "done",
  reason: "stop",
  message: endedMessage({ provider: "test", model: "one" }, "stop"),
};

async function* from(events: Iterable<ModelEvent>): AsyncGenerator<ModelEvent, void, undefined> {
  yield* events;
}

function* flood(count: number, onRead: () => void = () => undefined): Generator<ModelEvent> {
  yield { type: "text_start", index: 0 };
  for (let number = 0; number < count; number++) {
    onRead();
    yield { type: "text_delta", index: 0, delta: `word ${number} ` };
  }
  yield done;
}

/** Deltas of one block that follow each other count as one. */
function normal(events: readonly ModelEvent[]): string[] {
  const result: string[] = [];
  let open = "";
  for (const event of events) {
    const key = "delta" in event ? `${event.type} ${event.index}: ` : "";
    if ("delta" in event && key === open) result[result.length - 1] += event.delta;
    else result.push("delta" in event ? key + event.delta : JSON.stringify(event));
    open = key;
  }
  return result;
}

test("merging changes how many deltas there are, and nothing else", async () => {
  const delta = fc.record({
    type: fc.constantFrom("text_delta" as const, "thinking_delta" as const, "toolcall_delta" as const),
    index: fc.nat({ max: 2 }),
    delta: fc.string({ minLength: 1 }),
  });
  const other = fc.record({ type: fc.constant("text_start" as const), index: fc.nat({ max: 2 }) });
  const streams = fc.array(fc.oneof({ weight: 4, arbitrary: delta }, { weight: 1, arbitrary: other }));
  const limits = fc.record({ intervalMs: fc.nat({ max: 3 }), maxEvents: fc.integer({ min: 1, max: 4 }) });
  await fc.assert(
    fc.asyncProperty(streams, limits, async (events, options) => {
      const all = [...events, done];
      const merged = await Array.fromAsync(mergeDeltas(from(all), { ...options, maxDeltaLength: 20 }));
      assert.deepEqual(normal(merged), normal(all));
      assert.ok(merged.length <= all.length);
    }),
    { numRuns: 200 },
  );
});

test("the first words leave at once, later ones about every 50 ms", async () => {
  async function* slowly(): AsyncGenerator<ModelEvent, void, undefined> {
    yield { type: "text_start", index: 0 };
    for (let count = 0; count < 60; count++) {
      yield { type: "text_delta", index: 0, delta: "x" };
      await sleep(4);
    }
    yield done;
  }
  const begun = performance.now();
  const times: number[] = [];
  for await (const event of mergeDeltas(slowly())) {
    if (event.type === "text_delta") times.push(performance.now() - begun);
  }
  assert.ok((times[0] ?? 99) < 40, `first after ${times[0]} ms`);
  assert.ok(times.length >= 3 && times.length <= 10, `${times.length} deltas`);
});

test("a slow consumer slows the source, and what waits stays within its bound", async () => {
  let read = 0;
  const source = from(flood(100_000, () => read++));
  let seen = 0;
  let mostAhead = 0;
  for await (const event of mergeDeltas(source, { maxEvents: 4, maxDeltaLength: 1000 })) {
    if (event.type !== "text_delta") continue;
    seen += event.delta.split("word").length - 1;
    mostAhead = Math.max(mostAhead, read - seen);
    if (seen < 5000) await sleep(1);
  }
  assert.equal(seen, 100_000);
  assert.ok(mostAhead < 1000, `${mostAhead} deltas ahead`);
});

test("leaving early stops the request", async () => {
  let stopped = false;
  const model: Model = {
    provider: "test",
    name: "one",
    contextWindow: 1,
    maxOutput: 1,
    async *stream(_request, signal) {
      yield { type: "text_start", index: 0 };
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      stopped = true;
    },
  };
  for await (const _event of withMergedDeltas(model).stream({ system: "", messages: [], tools: [] })) break;
  await sleep(1);
  assert.ok(stopped);
});
