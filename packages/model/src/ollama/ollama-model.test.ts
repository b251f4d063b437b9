// `ollama/NAME` over real HTTP, in the format of Ollama's own API.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type TestContext, test } from "node:test";
import type { Message } from "@stet/protocol/message";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "@stet/protocol/model-stream";
import {
  type ModelScript,
  type ScriptedModelOptions,
  startScriptedModel,
} from "@stet/testkit/scripted-model";
import { isInvalidCall } from "../adapter/invalid-call.ts";
import { resolveWithFacts } from "../listing/server-facts.ts";
import { isModelFailure, type ModelSources, resolveModel } from "../providers.ts";

const question: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Say something.", timestamp: 0 }],
  tools: [
    {
      name: "read_file",
      description: "Reads a file.",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  ],
};

async function serve(t: TestContext, script: ModelScript, options: ScriptedModelOptions = {}) {
  const server = await startScriptedModel(script, options);
  t.after(() => server.close());
  return server;
}

async function modelAt(url: string, sources: ModelSources = {}, name = "m:1b"): Promise<Model> {
  const environment = { OLLAMA_HOST: url };
  const model = await resolveWithFacts(`ollama/${name}`, { environment, ...sources }, { isFirst: true });
  assert.ok(!isModelFailure(model), isModelFailure(model) ? model.message : "");
  return model;
}

async function answer(model: Model, request: Partial<ModelRequest> = {}) {
  const events: ModelEvent[] = await Array.fromAsync(model.stream({ ...question, ...request }));
  const last = events.at(-1);
  assert.ok(last?.type === "done" || last?.type === "error");
  return { events, last };
}

async function failureOf(model: Model, request: Partial<ModelRequest> = {}): Promise<ModelFailure> {
  const { last } = await answer(model, request);
  assert.ok(last.type === "error", "it fails");
  return last.failure;
}

function optionsOf(request: { readonly body: Readonly<Record<string, unknown>> } | undefined) {
  return request?.body.options;
}

test("thinking, text and a call arrive; the whole conversation goes back in Ollama's own form", async (t) => {
  const server = await serve(t, [
    {
      thinking: "Look first.",
      text: "I read 世界 🌍.",
      toolCalls: [{ name: "read_file", arguments: { path: "a.md" } }],
      usage: { input: 90, output: 12 },
      fault: { splitUtf8: true },
    },
    { text: "Done." },
  ]);
  const model = await modelAt(server.url);
  const { last } = await answer(model, { thinking: "high", maxTokens: 50, temperature: 0.5 });
  assert.ok(last.type === "done" && last.reason === "toolUse");
  const { content, usage } = last.message;
  assert.deepEqual(
    content.map((block) => (block.type === "toolCall" ? block.arguments : Object.values(block)[1])),
    ["Look first.", "I read 世界 🌍.", { path: "a.md" }],
  );
  assert.deepEqual([usage.input, usage.output, usage.cacheRead], [90, 12, 0]);
  const [first] = server.requests;
  assert.equal(first?.path, "/api/chat");
  assert.equal(first?.body.think, true);
  assert.deepEqual(optionsOf(first), { num_ctx: 32_768, num_predict: 50, temperature: 0.5 });
  const call = content.find((block) => block.type === "toolCall");
  assert.ok(call?.type === "toolCall");
  const result: Message = {
    role: "toolResult",
    toolCallId: call.id,
    toolName: "read_file",
    content: [
      { type: "text", text: "Its text." },
      { type: "image", mimeType: "image/png", data: "aGk=" },
    ],
    isError: false,
    timestamp: 0,
  };
  await answer(model, { messages: [...question.messages, last.message, result], thinking: "off" });
  const [, second] = server.requests;
  assert.equal(second?.body.think, false);
  assert.deepEqual(second?.messages.slice(1), [
    {
      role: "assistant",
      text: "I read 世界 🌍.",
      thinking: "Look first.",
      toolCalls: [{ id: call.id, name: "read_file", arguments: { path: "a.md" } }],
    },
    {
      role: "toolResult",
      toolCallId: call.id,
      toolName: "read_file",
      text: "Its text.\n[The picture follows in the next message.]",
    },
    {
      role: "user",
      text: "The picture that read_file returned:",
      images: [{ mimeType: "", data: "aGk=" }],
    },
  ]);
});

test("a server that gives its calls no ids gets different ones", async (t) => {
  const call = { name: "read_file", arguments: { path: "a.md" }, id: "" };
  const server = await serve(t, [{ toolCalls: [call, call] }]);
  const { last } = await answer(await modelAt(server.url));
  assert.ok(last.type === "done");
  const ids = last.message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
  assert.equal(new Set(ids).size, 2);
});

test("the context is what was configured, else what is loaded while the conversation fits, and then grows once", async (t) => {
  const ps = (size: number) => ({ models: [{ name: "m:1b", context_length: size }] });
  const show = { model_info: { "llama.context_length": 131_072 }, capabilities: ["completion", "tools"] };
  const answers: Record<string, unknown> = { "/api/show": show, "/api/ps": ps(4096) };
  const script = () => ({ text: "Yes.", usage: { input: 9000 } });
  const server = await serve(t, script, { answers });
  const model = await modelAt(server.url);
  assert.equal(model.contextWindow, 32_768, "the loop plans with what the model may have");
  await answer(model);
  const long: Message = { role: "user", content: "word ".repeat(6000), timestamp: 0 };
  await answer(model, { messages: [long] });
  await answer(model);
  // The next turn makes a model anew; another program has loaded it larger meanwhile.
  answers["/api/ps"] = ps(65_536);
  await answer(await modelAt(server.url, {}, "m:1b"));
  const configured = { ollama: { models: { "m:1b": { contextWindow: 8192 } } } };
  await answer(await modelAt(server.url, { providers: configured }), { messages: [long] });
  assert.deepEqual(
    server.requests.map((request) => JSON.stringify(optionsOf(request))),
    [4096, 32_768, 32_768, 65_536, 8192].map((size) => JSON.stringify({ num_ctx: size })),
  );
  for (const { body } of server.requests) assert.deepEqual([body.truncate, body.shift], [false, false]);
});

test("a server that cut the conversation without a word is a full context, and says what to set", async (t) => {
  const long: Message = { role: "user", content: "word ".repeat(8000), timestamp: 0 };
  const script = [
    { text: "What?", usage: { input: 2050 } },
    { text: "Yes.", usage: { input: 8100 } },
  ];
  const server = await serve(t, script);
  const model = await modelAt(server.url, {}, "cut");
  const failure = await failureOf(model, { messages: [long] });
  assert.equal(failure.kind, "context_overflow");
  assert.match(failure.message, /read only 2050 of about 1\d{4} tokens/);
  assert.match(failure.message, /providers\.ollama\.models\.cut\.contextWindow/);
  const { last } = await answer(model, { messages: [long] });
  assert.equal(last.type, "done");
});

test("a server that counts only what it had not in its cache has cut nothing", async (t) => {
  const long: Message = { role: "user", content: "word ".repeat(8000), timestamp: 0 };
  const next: Message = { role: "user", content: "And then?", timestamp: 0 };
  const server = await serve(t, [
    { text: "Yes.", usage: { input: 8100 } },
    { text: "Yes.", usage: { input: 14 } },
  ]);
  const model = await modelAt(server.url, {}, "cached");
  assert.equal((await answer(model, { messages: [long] })).last.type, "done");
  assert.equal((await answer(model, { messages: [long, next] })).last.type, "done");
});

test("what the server refuses is said in its words, as a status and in the middle of an answer", async (t) => {
  const refuse = (status: number, error: string) => ({ fault: { status, body: JSON.stringify({ error }) } });
  const server = await serve(t, [
    refuse(404, "model 'm:1b' not found"),
    refuse(400, "the input length exceeds the context length"),
    refuse(500, "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"),
  ]);
  const model = await modelAt(server.url);
  const unknown = await failureOf(model);
  assert.deepEqual([unknown.kind, unknown.status], ["not_found", 404]);
  assert.match(unknown.message, /does not know the model m:1b/);
  assert.equal((await failureOf(model)).kind, "context_overflow");
  const memory = await failureOf(model);
  assert.equal(memory.kind, "server");
  assert.match(memory.message, /more system memory \(5\.6 GiB\)/);
});

test("a model that cannot think is asked again without", async (t) => {
  const error = '{"error":"\\"m:1b\\" does not support thinking"}';
  const server = await serve(t, [{ fault: { status: 400, body: error } }, { text: "Yes." }]);
  const { last } = await answer(await modelAt(server.url), { thinking: "high" });
  assert.equal(last.type, "done");
  assert.deepEqual(
    server.requests.map(({ body }) => body.think),
    [true, undefined],
  );
});

test("gpt-oss thinks always, and is told how much", async (t) => {
  const server = await serve(t, () => ({ text: "Yes." }));
  const model = await modelAt(server.url, {}, "gpt-oss:20b");
  for (const thinking of ["off", "minimal", "medium", "xhigh"] as const) await answer(model, { thinking });
  assert.deepEqual(
    server.requests.map(({ body }) => body.think),
    ["low", "low", "medium", "high"],
  );
});

test("a call that the server could not read goes back to the model as a broken one", async (t) => {
  const server = await serve(t, [{ toolCalls: [{ name: "read_file", arguments: '{"path": "a' }] }]);
  const failure = await failureOf(await modelAt(server.url));
  assert.ok(isInvalidCall(failure));
  assert.equal(failure.invalidCall.argumentsText, '{"path": "a');
});

test("an answer that ends early, in a line, or with an error of the server keeps what was said", async (t) => {
  const lines = async (text: string) => {
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "application/x-ndjson");
      response.end(text);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => server.close());
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const baseURL = `http://127.0.0.1:${address.port}`;
    const model = await resolveModel("ollama/m", { environment: {}, providers: { ollama: { baseURL } } });
    assert.ok(!isModelFailure(model));
    const { last } = await answer(model);
    return [last.type === "error" ? last.failure.kind : last.reason, JSON.stringify(last.message.content)];
  };
  const hello = '{"message":{"role":"assistant","content":"Hello"},"done":false}\n';
  const said = JSON.stringify([{ type: "text", text: "Hello" }]);
  assert.deepEqual(await lines(hello), ["network", said]);
  assert.deepEqual(await lines(`${hello}{"message":{"ro`), ["network", said]);
  assert.deepEqual(await lines(""), ["bad_response", "[]"]);
  assert.deepEqual(await lines("<html></html>\n"), ["bad_response", "[]"]);
  const stopped = "model runner has unexpectedly stopped, this may be due to an internal error";
  assert.deepEqual(await lines(`${hello}${JSON.stringify({ error: stopped })}\n`), ["server", said]);
  const cut = `${hello}{"message":{"content":""},"done":true,"done_reason":"length","eval_count":1}`;
  assert.deepEqual(await lines(cut), ["length", said]);
});

test("how long it stays loaded is said; the compatible API is spoken where that is set", async (t) => {
  const server = await serve(t, () => ({ text: "Yes." }));
  const set = (options: Record<string, string>) => ({ providers: { ollama: { options } } });
  await answer(await modelAt(server.url, set({ keepAlive: "30m" })));
  await answer(await modelAt(server.url, set({ keepAlive: "-1" })));
  await answer(await modelAt(server.url, set({ api: "openai" })));
  assert.deepEqual(
    server.requests.map(({ path, body }) => [path, body.keep_alive]),
    [
      ["/api/chat", "30m"],
      ["/api/chat", -1],
      ["/v1/chat/completions", undefined],
    ],
  );
});

test("a server of this machine that sends its client elsewhere is not followed", async (t) => {
  const elsewhere = await serve(t, () => ({ text: "From afar." }));
  const { port } = new URL(elsewhere.url);
  const server = createServer((request, response) => {
    response.writeHead(307, { location: `http://0.0.0.0:${port}${request.url}` }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const failure = await failureOf(await modelAt(`http://127.0.0.1:${address.port}`));
  assert.match(failure.message, /redirect/);
  assert.deepEqual([elsewhere.requests.length, elsewhere.otherPaths], [0, []]);
});

test("a stop closes the connection, and the server is not kept waiting", async (t) => {
  const server = await serve(t, [{ text: "Hello.", fault: { stallAfterBytes: 1000 } }]);
  const model = await modelAt(server.url);
  const stop = new AbortController();
  const events: ModelEvent[] = [];
  for await (const event of model.stream(question, stop.signal)) {
    events.push(event);
    if (event.type === "text_delta") stop.abort();
  }
  const last = events.at(-1);
  assert.ok(last?.type === "error" && last.reason === "aborted");
});
