import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { endedMessage, failureEvent } from "./adapter/ended-message.ts";
import { invalidCallFailure } from "./adapter/invalid-call.ts";
import { isModelFailure, resolveModel } from "./providers.ts";
import { type RetryEvent, type RetryOptions, withRetry } from "./retry.ts";
import { backoff, decideRetry, defaultRetrySettings } from "./retry-policy.ts";

type Step =
  | { readonly text: string }
  | { readonly failure: ModelFailure & { phase?: string }; readonly after?: string };

const request: ModelRequest = {
  system: "",
  messages: [{ role: "user", content: "Say something.", timestamp: 0 }],
  tools: [],
};

/** One step for each request; the last one repeats. */
function playing(name: string, steps: readonly Step[]): Model & { asked: number } {
  const model = {
    provider: "test",
    name,
    contextWindow: 1000,
    maxOutput: 100,
    asked: 0,
    async *stream(): AsyncGenerator<ModelEvent, void, undefined> {
      const step = steps[Math.min(model.asked++, steps.length - 1)];
      yield { type: "start", provider: "test", model: name };
      if (step === undefined) return;
      const text = "text" in step ? step.text : step.after;
      if (text !== undefined) {
        yield { type: "text_start", index: 0 };
        yield { type: "text_delta", index: 0, delta: text };
      }
      if ("failure" in step) {
        yield failureEvent({ provider: "test", model: name }, step.failure);
        return;
      }
      yield { type: "text_end", index: 0, text: step.text };
      const content = [{ type: "text" as const, text: step.text }];
      yield {
        type: "done",
        reason: "stop",
        message: endedMessage({ provider: "test", model: name, content }, "stop"),
      };
    },
  };
  return model;
}

async function run(
  model: Model,
  fallbacks: readonly Model[],
  options: RetryOptions = {},
  signal?: AbortSignal,
) {
  const emitted: RetryEvent[] = [];
  const settings = { baseDelayMs: 1, ...options.settings };
  const retrying = withRetry(model, fallbacks, {
    ...options,
    settings,
    onEvent: (event) => emitted.push(event),
  });
  const events: ModelEvent[] = [];
  for await (const event of retrying.stream(request, signal)) events.push(event);
  assert.equal(events.filter((event) => event.type === "start").length, 1, "one start");
  assert.equal(
    events.filter((event) => event.type === "done" || event.type === "error").length,
    1,
    "one end",
  );
  return { emitted, events, last: events.at(-1), names: emitted.map((event) => event.type), retrying };
}

const overloaded: ModelFailure = { kind: "overloaded", message: "Busy." };

test("a request that fails twice is answered the third time, and both waits are told", async () => {
  const model = playing("one", [{ failure: overloaded }, { failure: overloaded }, { text: "Hello." }]);
  const { emitted, last } = await run(model, []);
  assert.equal(last?.type, "done");
  assert.deepEqual(
    emitted.map((event) =>
      event.type === "auto_retry_start" ? `start ${event.attempt}/${event.maxAttempts}` : event.type,
    ),
    ["start 1/5", "start 2/5", "auto_retry_end"],
  );
  assert.deepEqual(emitted.at(-1), { type: "auto_retry_end", success: true, attempt: 2 });
});

test("requests and streams have budgets of their own", async () => {
  const broken = { failure: { kind: "network", message: "Reset.", phase: "stream" } as const };
  const model = playing("one", [
    { failure: overloaded },
    broken,
    { failure: overloaded },
    broken,
    { text: "At last." },
  ]);
  const settings = { requestMaxRetries: 2, streamMaxRetries: 2 };
  assert.equal((await run(model, [], { settings })).last?.type, "done");
  const other = playing("one", [{ failure: overloaded }]);
  const { last, emitted } = await run(other, [], { settings });
  assert.equal(last?.type, "error");
  assert.equal(other.asked, 3);
  assert.deepEqual(emitted.at(-1), {
    type: "auto_retry_end",
    success: false,
    attempt: 2,
    finalError: "Busy.",
  });
});

test("what would fail the same way again is tried once", async () => {
  const failures: ModelFailure[] = [
    { kind: "context_overflow", message: "Too long." },
    { kind: "authentication", message: "No." },
    { kind: "budget", message: "Spent." },
    { kind: "invalid_request", message: "Bad." },
    invalidCallFailure({ id: "1", name: "edit", argumentsText: "{" }, "cut off", false),
  ];
  for (const failure of failures) {
    const model = playing("one", [{ failure }, { text: "Never." }]);
    const { last, emitted } = await run(model, [playing("two", [{ text: "Never." }])]);
    assert.ok(last?.type === "error" && last.failure.kind === failure.kind, failure.kind);
    assert.equal(model.asked, 1);
    assert.deepEqual(emitted, []);
  }
});

test("after visible output nothing is repeated, unless the answer is held back until it is complete", async () => {
  const steps = [{ failure: overloaded, after: "Hel" }, { text: "Hello." }];
  const live = playing("one", steps);
  assert.equal((await run(live, [])).last?.type, "error");
  assert.equal(live.asked, 1);
  const held = await run(playing("one", steps), [], { delivery: "held" });
  assert.equal(held.last?.type, "done");
  const deltas = held.events.filter((event) => event.type === "text_delta").map((event) => event.delta);
  assert.deepEqual(deltas, ["Hello."]);
});

test("the next model is asked at once; the first one again when its cooldown is over", async () => {
  let now = 1000;
  const first = playing("first", [{ failure: { ...overloaded, retryAfterMs: 60_000 } }, { text: "Back." }]);
  const second = playing("second", [{ text: "Here." }]);
  const emitted: RetryEvent[] = [];
  const model = withRetry(first, [second], {
    now: () => now,
    role: "main",
    onEvent: (event) => emitted.push(event),
  });
  const answer = async () => {
    let text = "";
    for await (const event of model.stream(request)) if (event.type === "text_end") text = event.text;
    return text;
  };
  assert.equal(await answer(), "Here.");
  assert.deepEqual(emitted, [
    {
      type: "retry_fallback_applied",
      from: "test/first",
      to: "test/second",
      role: "main",
      errorMessage: "Busy.",
    },
    { type: "retry_fallback_succeeded", model: "test/second", role: "main" },
  ]);
  now += 30_000;
  assert.equal(await answer(), "Here.");
  now += 31_000;
  assert.equal(await answer(), "Back.");
});

test("two models that both fail do not pass a request back and forth forever", async () => {
  const zero = { failure: { ...overloaded, retryAfterMs: 0 } };
  const first = playing("first", [zero]);
  const second = playing("second", [zero]);
  const { last } = await run(first, [second], { settings: { requestMaxRetries: 2 } });
  assert.equal(last?.type, "error");
  assert.equal(first.asked + second.asked, 4);
});

test("waiting ends at once when it is cancelled", async () => {
  const model = playing("one", [{ failure: overloaded }]);
  const begun = performance.now();
  const { last, emitted } = await run(
    model,
    [],
    { settings: { baseDelayMs: 60_000 } },
    AbortSignal.timeout(20),
  );
  assert.ok(performance.now() - begun < 2000);
  assert.ok(last?.type === "error" && last.reason === "aborted");
  const end = emitted.at(-1);
  assert.ok(end?.type === "auto_retry_end" && end.finalError === "Retry cancelled");
});

test("delays double with jitter, honour the server's wish, and have a limit", () => {
  const settings = defaultRetrySettings;
  assert.deepEqual(
    [1, 2, 3].map((attempt) => backoff(attempt, settings, () => 0.5)),
    [2000, 4000, 8000],
  );
  assert.equal(
    backoff(1, settings, () => 0),
    1500,
  );
  assert.equal(
    backoff(30, settings, () => 1),
    settings.maxDelayMs,
  );
  const attempt = { phase: "request", requestRetries: 0, streamRetries: 0, hasFallback: false } as const;
  const decide = (retryAfterMs: number) =>
    decideRetry({ ...attempt, failure: { ...overloaded, retryAfterMs } }, settings, () => 0.5);
  assert.deepEqual(decide(9000), { action: "wait", delayMs: 9000, attempt: 1, maxAttempts: 5 });
  assert.equal(decide(3_600_000).action, "give_up");
});

test("over the wire: a refusal, a failure and a connection that breaks early are all survived", async (t) => {
  const server = await startScriptedModel([
    { fault: { status: 429, headers: { "retry-after-ms": "30" } } },
    { fault: { status: 500 } },
    { text: "Hello.", fault: { resetAfterBytes: 20 } },
    { text: "Hello." },
  ]);
  t.after(() => server.close());
  const providers = { anthropic: { apiKey: "key", baseURL: `${server.url}/v1` } };
  const model = await resolveModel("anthropic/scripted", { environment: {}, providers });
  assert.ok(!isModelFailure(model));
  const { last, emitted } = await run(model, []);
  assert.ok(last?.type === "done");
  assert.deepEqual(last.message.content, [{ type: "text", text: "Hello." }]);
  const starts = emitted.filter((event) => event.type === "auto_retry_start");
  assert.deepEqual(
    starts.map((event) => event.attempt),
    [1, 2, 1],
    "the stream has a budget of its own",
  );
  assert.equal(starts[0]?.delayMs, 30);
});
