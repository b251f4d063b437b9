import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEvent } from "@stet/protocol/model-stream";
import { endedMessage } from "./ended-message.ts";
import { emptyPartial, foldEvent, messageSoFar, type PartialMessage } from "./fold-event.ts";

function fold(events: readonly ModelEvent[]): PartialMessage {
  return events.reduce(foldEvent, emptyPartial);
}

const start: ModelEvent = { type: "start", provider: "test", model: "one" };

test("text, thinking and a half-written call can be shown while they arrive", () => {
  const events: ModelEvent[] = [
    start,
    { type: "thinking_start", index: 0 },
    { type: "thinking_delta", index: 0, delta: "Hm" },
    { type: "text_start", index: 1 },
    { type: "text_delta", index: 1, delta: "I read " },
    { type: "toolcall_start", index: 2, id: "c1", name: "edit" },
    { type: "text_delta", index: 1, delta: "it." },
    { type: "toolcall_delta", index: 2, delta: '{"path": "a.md", "te' },
    { type: "toolcall_delta", index: 2, delta: 'xt": "Once' },
  ];
  const partial = fold(events);
  assert.deepEqual(partial.content.slice(0, 2), [
    { type: "thinking", thinking: "Hm" },
    { type: "text", text: "I read it." },
  ]);
  const call = partial.content[2];
  assert.ok(call?.type === "partialCall");
  assert.deepEqual(call.arguments, { path: "a.md", text: "Once" });
  assert.equal(messageSoFar(partial).content.length, 2, "an unfinished call is no call");
  assert.equal(fold(events.slice(0, 3)).content.length, 1, "earlier values did not change");
});

test("the end of the stream brings the message as its adapter made it", () => {
  const message = endedMessage(
    { provider: "test", model: "one", content: [{ type: "text", text: "Hi" }] },
    "stop",
  );
  assert.equal(messageSoFar(fold([start, { type: "done", reason: "stop", message }])), message);
});

test("a call of a megabyte costs in proportion to its length", () => {
  let partial = foldEvent(fold([start]), { type: "toolcall_start", index: 0, id: "c", name: "write" });
  const begun = performance.now();
  partial = foldEvent(partial, { type: "toolcall_delta", index: 0, delta: '{"text": "' });
  for (let count = 0; count < 20_000; count++) {
    partial = foldEvent(partial, { type: "toolcall_delta", index: 0, delta: "x".repeat(50) });
  }
  const elapsed = performance.now() - begun;
  const call = partial.content[0];
  assert.ok(call?.type === "partialCall" && call.argumentsText.length > 1_000_000);
  assert.ok(elapsed < 3000, `${Math.round(elapsed)} ms`);
});
