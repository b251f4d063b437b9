// The adapter over real HTTP, in every wire format that is built in.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noUsage } from "@stet/protocol/message";
import type { Model, ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import { type ModelScript, startScriptedModel } from "@stet/testkit/scripted-model";
import { isModelFailure, type ModelSources, resolveModel } from "../providers.ts";
import type { ErrorEvent } from "./ended-message.ts";
import { isInvalidCall } from "./invalid-call.ts";

const formats = [
  { name: "openai", path: "/v1", hearsThinking: true },
  { name: "openai-chat", path: "/v1", hearsThinking: false },
  { name: "anthropic", path: "/v1", hearsThinking: true },
  { name: "google", path: "/v1beta", hearsThinking: true },
  { name: "openai-compatible", path: "/v1", hearsThinking: true },
] as const;

const question: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Say something.", timestamp: 0 }],
  tools: [
    {
      name: "read_file",
      description: "Reads a file.",
      parameters: {
        type: "object",
        properties: { path: { type: "string", description: "The file's path." } },
        required: ["path"],
        additionalProperties: false,
      },
    },
  ],
};

async function modelAt(provider: string, baseURL: string, sources: ModelSources = {}): Promise<Model> {
  const model = await resolveModel(`${provider}/scripted`, {
    environment: {},
    providers: { [provider]: { apiKey: "key-for-tests", baseURL } },
    ...sources,
  });
  assert.ok(!isModelFailure(model), "the model can be used");
  return model;
}

async function serve(t: TestContext, format: (typeof formats)[number], replies: ModelScript, sources = {}) {
  const server = await startScriptedModel(replies);
  t.after(() => server.close());
  return { server, model: await modelAt(format.name, server.url + format.path, sources) };
}

async function collect(model: Model, request = question, signal?: AbortSignal): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request, signal)) events.push(event);
  assertGrammar(events);
  return events;
}

/** start ( X_start X_delta* X_end )* ( done | error ), and a block's deltas add up to its end. */
function assertGrammar(events: readonly ModelEvent[]): void {
  assert.equal(events[0]?.type, "start");
  const open = new Map<number, string>();
  for (const [index, event] of events.entries()) {
    if (event.type === "start") assert.equal(index, 0, "only one start");
    else if (event.type === "done" || event.type === "error")
      assert.equal(index, events.length - 1, "the last event");
    else if (event.type.endsWith("_start")) open.set(event.index, "");
    else if ("delta" in event) open.set(event.index, `${open.get(event.index)}${event.delta}`);
    else if (event.type === "text_end") assert.equal(open.get(event.index), event.text);
    else if (event.type === "thinking_end") assert.equal(open.get(event.index), event.thinking);
  }
  const last = events.at(-1);
  assert.ok(last?.type === "done" || last?.type === "error", "ends with done or error");
}

function done(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  assert.ok(last?.type === "done", last?.type === "error" ? last.failure.message : "no end");
  return last;
}

function failed(events: readonly ModelEvent[]): ErrorEvent {
  const last = events.at(-1);
  assert.ok(last?.type === "error", "the stream failed");
  return last;
}

for (const format of formats) {
  test(`${format.name}: text arrives in deltas, with usage in four buckets that do not overlap`, async (t) => {
    const usage = { input: 100, output: 20, cacheRead: 40, cacheWrite: 0 };
    const { model } = await serve(t, format, [
      { text: "Grüße an 世界 🌍!", chunkSize: 4, delayMs: 5, usage },
    ]);
    const events = await collect(model);
    const { reason, message } = done(events);
    assert.equal(reason, "stop");
    assert.deepEqual(message.content, [{ type: "text", text: "Grüße an 世界 🌍!" }]);
    assert.deepEqual({ ...message.usage, cost: noUsage.cost }, { ...noUsage, ...usage });
    assert.ok(events.filter((event) => event.type === "text_delta").length > 1);
  });

  test(`${format.name}: thinking, text and a call; the whole conversation goes back as it came`, async (t) => {
    const { server, model } = await serve(t, format, [
      {
        thinking: "Look first.",
        text: "I read it.",
        toolCalls: [{ name: "read_file", arguments: { path: "a.md" } }],
      },
      { text: "Done." },
    ]);
    const { reason, message } = done(await collect(model, { ...question, thinking: "medium" }));
    assert.equal(reason, "toolUse");
    const thinking = message.content.filter((block) => block.type === "thinking");
    assert.deepEqual(
      thinking.map((block) => block.thinking),
      format.hearsThinking ? ["Look first."] : [],
    );
    const call = message.content.find((block) => block.type === "toolCall");
    assert.deepEqual(call?.arguments, { path: "a.md" });
    const result = {
      role: "toolResult" as const,
      toolCallId: call?.id ?? "",
      toolName: "read_file",
      content: [{ type: "text" as const, text: "# Title" }],
      isError: false,
      timestamp: 0,
    };
    done(await collect(model, { ...question, messages: [...question.messages, message, result] }));
    const seen = server.requests[1];
    assert.equal(seen?.system, "Be brief.");
    assert.deepEqual(
      seen?.messages.map((one) => one.role),
      ["user", "assistant", "toolResult"],
    );
    const [, assistant, answer] = seen?.messages ?? [];
    assert.ok(assistant?.role === "assistant" && answer?.role === "toolResult");
    assert.equal(assistant.text, "I read it.");
    assert.deepEqual(assistant.toolCalls?.[0]?.arguments, { path: "a.md" });
    assert.equal(answer.text, "# Title");
    if (format.hearsThinking) assert.equal(assistant.thinking, "Look first.");
    if (format.name === "anthropic") assert.equal(assistant.signatures?.length, 1);
  });

  test(`${format.name}: an answer cut at the length limit says so`, async (t) => {
    const { model } = await serve(t, format, [{ text: "Half of", stop: "length" }]);
    assert.equal(done(await collect(model)).reason, "length");
  });

  const statuses = [
    [401, "authentication", /refused the key.*configuration/],
    [404, "not_found", /base URL|does not know the model/],
    [429, "rate_limit", /slow down/],
    [500, "server", /error of its own/],
    [503, "overloaded", /overloaded/],
    [400, "invalid_request", /refused the request/],
  ] as const;
  test(`${format.name}: each refusal by status becomes its kind and a sentence`, async (t) => {
    const replies = statuses.map(([status]) => ({ fault: { status, headers: { "retry-after": "7" } } }));
    const { model } = await serve(t, format, replies);
    for (const [status, kind, sentence] of statuses) {
      const { failure } = failed(await collect(model));
      assert.equal(failure.kind, kind, failure.message);
      assert.equal(failure.status, status);
      assert.equal(failure.retryAfterMs, 7000);
      assert.match(failure.message, sentence);
    }
  });

  test(`${format.name}: a web page instead of an answer points at the base URL`, async (t) => {
    const { model } = await serve(t, format, [{ fault: { html: true } }]);
    const { failure } = failed(await collect(model));
    assert.equal(failure.kind, "bad_response");
    assert.match(failure.message, /web page.*base URL/);
  });

  test(`${format.name}: a connection that breaks in the middle keeps what was read`, async (t) => {
    const text = "word ".repeat(400);
    const { model } = await serve(t, format, [
      { text, fault: { resetAfterBytes: 9000 } },
      { text, fault: { endAfterBytes: 9000 } },
    ]);
    for (let round = 0; round < 2; round++) {
      const { failure, message, reason } = failed(await collect(model));
      assert.equal(reason, "error");
      assert.ok(["network", "bad_response"].includes(failure.kind), `${failure.kind}: ${failure.message}`);
      const [block] = message.content;
      assert.ok(block?.type === "text" && block.text.startsWith("word word"), "the text so far stays");
    }
  });

  test(`${format.name}: characters split between packets arrive whole; torn JSON is a failure`, async (t) => {
    const text = "Grüße an 世界 🌍! ".repeat(5);
    const { model } = await serve(t, format, [
      { text, fault: { splitUtf8: true } },
      { text, fault: { tornJson: true } },
    ]);
    assert.deepEqual(done(await collect(model)).message.content, [{ type: "text", text }]);
    const { failure } = failed(await collect(model));
    assert.ok(["bad_response", "network"].includes(failure.kind), `${failure.kind}: ${failure.message}`);
  });

  test(`${format.name}: a server that falls silent is given up`, async (t) => {
    const { model } = await serve(
      t,
      format,
      [{ text: "word ".repeat(400), fault: { stallAfterBytes: 9000 } }, { fault: { stallAfterBytes: 0 } }],
      { idleTimeoutMs: 100, firstTimeoutMs: 400 },
    );
    for (let round = 0; round < 2; round++) {
      const { failure } = failed(await collect(model));
      assert.equal(failure.kind, "timeout");
      assert.match(failure.message, /sent nothing for \d+ ms/);
    }
  });

  test(`${format.name}: stopping works before the request, during it, and in the middle of the answer`, async (t) => {
    const slow = { text: "word ".repeat(400), delayMs: 5 };
    const during = new AbortController();
    const { model } = await serve(t, format, (_request, index) => {
      if (index > 0) return slow;
      during.abort();
      return { fault: { stallAfterBytes: 0 } };
    });
    const { reason } = failed(await collect(model, question, AbortSignal.abort()));
    assert.equal(reason, "aborted");
    assert.equal(failed(await collect(model, question, during.signal)).reason, "aborted");
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of model.stream(question, controller.signal)) {
      events.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    assert.equal(failed(events).failure.kind, "aborted");
    assert.equal(failed(events).message.stopReason, "aborted");
  });

  test(`${format.name}: arguments that were cut off never become a call`, async (t) => {
    const cut = '{"path": "chapters/one.md", "text": "Once upon';
    const { model } = await serve(t, format, [
      { text: "I read it.", toolCalls: [{ name: "read_file", arguments: cut }] },
      { toolCalls: [{ name: "read_file", arguments: cut }], stop: "length" },
    ]);
    for (const expected of [/valid JSON/, /length limit|valid JSON/]) {
      const events = await collect(model);
      const { failure, message } = failed(events);
      assert.ok(!events.some((event) => event.type === "toolcall_end"));
      assert.ok(!message.content.some((block) => block.type === "toolCall"));
      // Gemini never shows what its model wrote.
      if (format.name === "google") continue;
      assert.ok(isInvalidCall(failure), failure.message);
      assert.equal(failure.invalidCall.name, "read_file");
      assert.match(failure.message, expected);
    }
  });
}

test("an address where nothing listens is named", async () => {
  const server = await startScriptedModel([]);
  await server.close();
  const { failure } = failed(await collect(await modelAt("openai-compatible", `${server.url}/v1`)));
  assert.equal(failure.kind, "network");
  assert.ok(failure.message.startsWith(`Nothing is listening at ${server.url}.`), failure.message);
});

test("a context that is too long is told apart from other bad requests", async (t) => {
  const body = JSON.stringify({
    error: { message: "This model's maximum context length is 8192 tokens.", type: "invalid_request_error" },
  });
  const { model } = await serve(t, formats[4], [{ fault: { status: 400, body } }]);
  assert.equal(failed(await collect(model)).failure.kind, "context_overflow");
});

test("an account without credit is not a reason to try again", async (t) => {
  const body = JSON.stringify({
    error: {
      message: "You exceeded your current quota, please check your plan.",
      code: "insufficient_quota",
    },
  });
  const { model } = await serve(t, formats[0], [{ fault: { status: 429, body } }]);
  const { failure } = failed(await collect(model));
  assert.equal(failure.kind, "authentication");
  assert.match(failure.message, /no credit left/);
});

test("a call that was stopped gets a result that says so, and a result without its call is left out", async (t) => {
  const { server, model } = await serve(t, formats[2], [{ text: "Well." }]);
  const call = { type: "toolCall" as const, id: "call|1", name: "read_file", arguments: { path: "a.md" } };
  const orphan = {
    role: "toolResult" as const,
    toolCallId: "gone",
    toolName: "read_file",
    content: [],
    isError: false,
    timestamp: 0,
  };
  const stopped = {
    role: "assistant" as const,
    content: [call],
    provider: "openai",
    model: "gpt-5",
    usage: noUsage,
    stopReason: "aborted" as const,
    timestamp: 0,
  };
  done(
    await collect(model, {
      ...question,
      messages: [orphan, ...question.messages, stopped, ...question.messages],
    }),
  );
  const seen = server.requests[0]?.messages ?? [];
  assert.deepEqual(
    seen.map((one) => one.role),
    ["user", "assistant", "toolResult", "user"],
  );
  const result = seen[2];
  assert.ok(result?.role === "toolResult");
  assert.equal(result.toolCallId, "call_1");
  assert.match(result.text, /no result/);
});
