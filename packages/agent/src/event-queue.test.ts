import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEvent } from "@stet/protocol/model-stream";
import { runs } from "@stet/testkit/depth";
import fc from "fast-check";
import type { AgentEvent } from "./agent-event.ts";
import { EventQueue } from "./event-queue.ts";

const model = (event: ModelEvent): AgentEvent => ({ type: "model", event });
const word = (delta: string): AgentEvent => model({ type: "text_delta", index: 0, delta });
const textStart = model({ type: "text_start", index: 0 });

/** Neighbouring deltas of one block count as one. */
function normal(events: readonly AgentEvent[]): string[] {
  const result: string[] = [];
  let open = "";
  for (const event of events) {
    const delta = event.type === "model" && "delta" in event.event ? event.event : undefined;
    const key = delta === undefined ? "" : `${delta.type} ${delta.index}: `;
    if (delta !== undefined && key === open) result[result.length - 1] += delta.delta;
    else result.push(delta === undefined ? JSON.stringify(event) : key + delta.delta);
    open = key;
  }
  return result;
}

test("merging changes how many deltas there are, and nothing else", async () => {
  const delta = fc.record({
    type: fc.constantFrom("text_delta" as const, "thinking_delta" as const, "toolcall_delta" as const),
    index: fc.nat({ max: 2 }),
    delta: fc.oneof(fc.string({ minLength: 1 }), fc.constant("x".repeat(9000))),
  });
  const other = fc.record({ type: fc.constant("text_start" as const), index: fc.nat({ max: 2 }) });
  const pauses = fc.boolean();
  const streams = fc.array(
    fc.tuple(fc.oneof({ weight: 4, arbitrary: delta }, { weight: 1, arbitrary: other }), pauses),
  );
  await fc.assert(
    fc.asyncProperty(streams, async (steps) => {
      const queue = new EventQueue();
      const taken = Array.fromAsync(queue.take());
      for (const [event, isPause] of steps) {
        await queue.put(model(event));
        if (isPause) await new Promise(setImmediate);
      }
      queue.end();
      const all = steps.map(([event]) => model(event));
      const merged = await taken;
      assert.deepEqual(normal(merged), normal(all));
      assert.ok(merged.length <= all.length);
    }),
    { numRuns: runs(200) },
  );
});

test("the first words leave at once, the next ones together, and another event does not wait for them", async () => {
  const queue = new EventQueue();
  const events = queue.take();
  const next = async () => (await events.next()).value;
  await queue.put(textStart);
  await queue.put(word("One"));
  assert.deepEqual(await next(), textStart);
  assert.deepEqual(await next(), word("One"));
  for (let count = 0; count < 1000; count += 1) await queue.put(word(" more"));
  assert.deepEqual(await next(), word(" more".repeat(1000)));
  await queue.put(word(" last"));
  await queue.put(model({ type: "text_end", index: 0, text: "" }));
  assert.deepEqual(await next(), word(" last"));
  await next();
  await queue.put(textStart);
  await queue.put(word("Next"));
  assert.deepEqual(await next(), textStart);
  assert.deepEqual(await next(), word("Next"));
  queue.end();
  assert.equal((await events.next()).done, true);
});

test("a reader who takes nothing makes the model wait, and one who leaves does not", async () => {
  const queue = new EventQueue();
  const long = word("x".repeat(16_384));
  let [put, isWaiting] = [0, false];
  while (!isWaiting) {
    const fixture = queue.put(long);
    put += 1;
    const first = await Promise.race([fixture.then(() => "room"), new Promise(setImmediate)]);
    isWaiting = first !== "room";
  }
  assert.equal(put, 256);
  const blocked = queue.put(long);
  const events = queue.take();
  await events.next();
  await events.return(undefined);
  await blocked;
  await queue.put(long);
});
