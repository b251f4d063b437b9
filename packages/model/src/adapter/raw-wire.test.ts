// Answers written byte by byte, for what a script of replies does not say: errors inside a stream, blocks that interleave,
// and servers that write faster than anyone reads.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Model, ModelEvent } from "@stet/protocol/model-stream";
import { isModelFailure, resolveModel } from "../providers.ts";

const question = {
  system: "",
  messages: [{ role: "user" as const, content: "Say something.", timestamp: 0 }],
  tools: [],
};

async function modelOn(
  t: TestContext,
  provider: string,
  answer: (response: ServerResponse) => void,
): Promise<Model> {
  const server = createServer((_incoming, response) => {
    response.setHeader("content-type", "text/event-stream");
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const baseURL = `http://127.0.0.1:${address.port}/v1`;
  const model = await resolveModel(`${provider}/m`, {
    environment: {},
    providers: { [provider]: { baseURL, apiKey: "key" } },
  });
  assert.ok(!isModelFailure(model));
  return model;
}

async function events(t: TestContext, provider: string, payloads: readonly object[]): Promise<ModelEvent[]> {
  const model = await modelOn(t, provider, (response) => {
    for (const payload of payloads) {
      const name = "type" in payload ? `event: ${payload.type}\n` : "";
      response.write(`${name}data: ${JSON.stringify(payload)}\n\n`);
    }
    response.end();
  });
  return Array.fromAsync(model.stream(question));
}

const messageStart = {
  type: "message_start",
  message: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage: { input_tokens: 9, output_tokens: 1 },
  },
};
const messageEnd = [
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
  { type: "message_stop" },
];
const chatChunk = (delta: object, finish: string | null = null) => ({
  id: "1",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

test("an error inside a stream is classified like one before it", async (t) => {
  const cases: [provider: string, payloads: object[], kind: string][] = [
    [
      "anthropic",
      [messageStart, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
      "overloaded",
    ],
    [
      "openai-compatible",
      [chatChunk({ content: "Hel" }), { error: { message: "boom", type: "server_error" } }],
      "server",
    ],
    [
      "openai-chat",
      [
        chatChunk({ content: "Hel" }),
        { error: { message: "slow down", type: "rate_limit_error", code: "rate_limit_exceeded" } },
      ],
      "rate_limit",
    ],
    [
      "google",
      [
        { candidates: [{ content: { role: "model", parts: [{ text: "Hel" }] } }] },
        { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } },
      ],
      "overloaded",
    ],
    [
      "openai",
      [
        {
          type: "error",
          sequence_number: 1,
          error: { type: "server_error", code: "server_error", message: "boom", param: null },
        },
      ],
      "server",
    ],
  ];
  for (const [provider, payloads, kind] of cases) {
    const all = await events(t, provider, payloads);
    const last = all.at(-1);
    assert.ok(last?.type === "error", provider);
    assert.equal(last.failure.kind, kind, `${provider}: ${last.failure.message}`);
  }
});

test("two calls whose arguments arrive in turns are both whole", async (t) => {
  const call = (index: number, id: string | undefined, text: string) =>
    chatChunk({
      tool_calls: [
        {
          index,
          ...(id && { id, type: "function" }),
          function: { ...(id && { name: "read" }), arguments: text },
        },
      ],
    });
  const all = await events(t, "openai-compatible", [
    call(0, "a", '{"path'),
    call(1, "b", '{"path"'),
    call(0, undefined, '": "a.md"}'),
    call(1, undefined, ': "b.md"}'),
    chatChunk({}, "tool_calls"),
  ]);
  const ends = all.filter((event) => event.type === "toolcall_end").map((event) => event.toolCall.arguments);
  assert.deepEqual(ends, [{ path: "a.md" }, { path: "b.md" }]);
  const last = all.at(-1);
  assert.ok(last?.type === "done" && last.reason === "toolUse");
});

test("thinking that the provider hides keeps its signature, without a word of text", async (t) => {
  const all = await events(t, "anthropic", [
    messageStart,
    { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "SECRET" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "c1", name: "now", input: {} },
    },
    { type: "content_block_stop", index: 1 },
    ...messageEnd,
  ]);
  const last = all.at(-1);
  assert.ok(last?.type === "done", JSON.stringify(last));
  const [thinking, call] = last.message.content;
  assert.ok(thinking?.type === "thinking" && thinking.signature?.includes("SECRET"));
  assert.ok(call?.type === "toolCall", "a tool without parameters is called without arguments");
  assert.deepEqual(call.arguments, {});
});

test("leaving an answer early closes the connection", async (t) => {
  const closed = Promise.withResolvers<void>();
  const model = await modelOn(t, "openai-compatible", (response) => {
    const chunk = `data: ${JSON.stringify(chatChunk({ content: "word " }))}\n\n`;
    const timer = setInterval(() => response.write(chunk), 2);
    response.on("close", () => {
      clearInterval(timer);
      closed.resolve();
    });
  });
  for await (const event of model.stream(question)) if (event.type === "text_delta") break;
  await closed.promise;
});

test("a consumer that pauses makes the server pause", async (t) => {
  let written = 0;
  const model = await modelOn(t, "openai-compatible", async (response) => {
    const chunk = `data: ${JSON.stringify(chatChunk({ content: "word ".repeat(200) }))}\n\n`;
    const closed = once(response, "close");
    while (!response.destroyed && written < 500_000_000) {
      written += chunk.length;
      if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed]);
    }
  });
  let count = 0;
  for await (const _event of model.stream(question)) {
    if (++count < 5) continue;
    await sleep(300);
    const before = written;
    await sleep(200);
    assert.equal(written, before, "nothing more was taken from the server");
    assert.ok(written < 30_000_000, `${written} bytes were written`);
    break;
  }
});
