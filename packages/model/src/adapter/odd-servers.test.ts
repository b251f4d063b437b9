// Servers that are nearly right, each as a person may have it at home or behind a gateway.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { ModelEvent, ModelRequest } from "@stet/protocol/model-stream";
import { sendError, sendEvents, startWireServer, type WireAnswer } from "@stet/testkit/wire-server";
import { isModelFailure, resolveModel } from "../providers.ts";

const question: ModelRequest = {
  system: "",
  messages: [{ role: "user", content: "Say something.", timestamp: 0 }],
  tools: [{ name: "read", description: "Reads.", parameters: { type: "object", properties: {} } }],
};

async function serve(t: TestContext, answer: WireAnswer, provider = "openai-compatible", options = {}) {
  const server = await startWireServer(answer);
  t.after(() => server.close());
  const model = await resolveModel(`${provider}/m`, {
    environment: {},
    providers: { [provider]: { apiKey: "key", baseURL: `${server.url}/v1`, ...options } },
  });
  assert.ok(!isModelFailure(model));
  const ask = (request: Partial<ModelRequest> = {}) =>
    Array.fromAsync(model.stream({ ...question, ...request }));
  return { server, ask };
}

function messageOf(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  assert.ok(last?.type === "done", last?.type === "error" ? last.failure.message : "no end");
  return last.message;
}

function failureOf(events: readonly ModelEvent[]) {
  const last = events.at(-1);
  assert.ok(last?.type === "error", "the request failed");
  return last.failure;
}

const chunk = (delta: object | null, finish: string | null = null, more: object = {}) => ({
  id: "1",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
});

const hello = [chunk({ role: "assistant", content: "Hello" }), chunk({}, "stop"), "data: [DONE]\n\n"];

test("a web page at the address says that the address is wrong", async (t) => {
  const { ask } = await serve(t, (response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end("<!doctype html><title>Sign in</title>");
  });
  const failure = failureOf(await ask());
  assert.match(failure.message, /web page/);
  assert.equal(failure.mend?.field, "address");
});

test("a redirect to another host is not followed, and the sentence names where it leads", async (t) => {
  const other = await startWireServer((response) => sendEvents(response, hello));
  t.after(() => other.close());
  const { ask } = await serve(t, (response) => {
    response.writeHead(307, { location: `${other.url}/v1/chat/completions` });
    response.end();
  });
  const failure = failureOf(await ask());
  assert.match(failure.message, /sends requests on to another address.*127\.0\.0\.1:\d+.*not followed/);
  assert.equal(failure.mend?.field, "address");
  assert.equal(other.requests.length, 0, "neither key nor conversation went there");
});

test("a path that is not there says so, with the address that was asked", async (t) => {
  const { server, ask } = await serve(t, (response) => sendError(response, 404, { detail: "Not Found" }));
  const failure = failureOf(await ask());
  assert.ok(failure.message.includes(`${server.url}/v1/chat/completions`), failure.message);
  assert.equal(failure.mend?.field, "address");
});

test("a model that the server does not have leads to the model", async (t) => {
  const { ask } = await serve(t, (response) =>
    sendError(response, 404, { error: { message: "The model `m` does not exist.", type: "NotFoundError" } }),
  );
  const failure = failureOf(await ask());
  assert.match(failure.message, /does not know the model m.*stet models/);
  assert.equal(failure.mend?.field, "model");
});

for (const words of [
  "registry.ollama.ai/library/gemma:2b does not support tools",
  "No endpoints found that support tool use. Try disabling read.",
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  "tools param requires --jinja flag",
]) {
  test(`a server that refuses tools is asked without them: ${words.slice(0, 40)}`, async (t) => {
    const { server, ask } = await serve(t, (response, { body }) =>
      "tools" in body ? sendError(response, 400, { error: { message: words } }) : sendEvents(response, hello),
    );
    assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "Hello" }]);
    assert.deepEqual(
      server.requests.map(({ body }) => "tools" in body),
      [true, false],
    );
  });
}

test("a server that refuses tools, asked for or not, is told in a sentence that leads on", async (t) => {
  for (const [words, sentence, field] of [
    ["m does not support tools", /cannot use tools.*Use another model/, "model"],
    ["tools param requires --jinja flag", /without support for tools.*the option that it names/, "server"],
  ] as const) {
    const { ask } = await serve(t, (response) => sendError(response, 400, { error: { message: words } }));
    const failure = failureOf(await ask());
    assert.match(failure.message, sentence);
    assert.equal(failure.mend?.field, field);
  }
});

const refusedFields: readonly (readonly [field: string, body: object])[] = [
  ["stream_options", { error: { message: "Unknown field: stream_options", type: "invalid_request_error" } }],
  [
    "reasoning_effort",
    {
      error: {
        message: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
        param: "reasoning_effort",
      },
    },
  ],
  [
    "stream_options",
    {
      detail: [
        { type: "extra_forbidden", loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" },
      ],
    },
  ],
];

for (const [field, body] of refusedFields) {
  test(`a server that refuses ${field} is asked without it, and at once the next time: ${JSON.stringify(body).slice(0, 30)}`, async (t) => {
    const { server, ask } = await serve(t, (response, request) =>
      field in request.body
        ? sendError(response, "detail" in body ? 422 : 400, body)
        : sendEvents(response, hello),
    );
    for (let round = 0; round < 2; round++) messageOf(await ask({ thinking: "high" }));
    assert.deepEqual(
      server.requests.map((request) => field in request.body),
      [true, false, false],
    );
    assert.equal(server.requests[1]?.body.model, "m");
  });
}

test("a server that wants max_completion_tokens gets the same number by that name", async (t) => {
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const { server, ask } = await serve(t, (response, request) =>
    "max_tokens" in request.body
      ? sendError(response, 400, { error: { message, param: "max_tokens", code: "unsupported_parameter" } })
      : sendEvents(response, hello),
  );
  messageOf(await ask({ maxTokens: 512 }));
  const { body } = server.requests[1] ?? {};
  assert.equal(body?.max_completion_tokens, 512);
  assert.equal(body !== undefined && "max_tokens" in body, false);
});

test("two fields that a server does not take are left out one after the other", async (t) => {
  const { server, ask } = await serve(t, (response, { body }) => {
    const refused = ["stream_options", "reasoning_effort"].find((field) => field in body);
    if (refused === undefined) sendEvents(response, hello);
    else sendError(response, 400, { error: { message: `unknown field "${refused}"` } });
  });
  messageOf(await ask({ thinking: "low" }));
  assert.equal(server.requests.length, 3);
});

test("a refusal that names no field of the request is not tried again", async (t) => {
  const { server, ask } = await serve(t, (response) =>
    sendError(response, 400, {
      error: { message: "Unsupported value in messages[0]: the store is closed." },
    }),
  );
  assert.equal(failureOf(await ask()).kind, "invalid_request");
  assert.equal(server.requests.length, 1);
});

test("a stream that ends without a finish keeps its text and says that it broke off", async (t) => {
  const { ask } = await serve(t, (response) => sendEvents(response, [chunk({ content: "Half" })]));
  const events = await ask();
  assert.equal(failureOf(events).kind, "network");
  const last = events.at(-1);
  assert.ok(last?.type === "error");
  assert.deepEqual(last.message.content, [{ type: "text", text: "Half" }]);
});

const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };
const empty = { id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [] };

for (const [name, chunks, expected] of [
  [
    "twice",
    [
      chunk({ content: "Hi" }, null, { usage: { ...usage, completion_tokens: 1 } }),
      chunk({}, "stop"),
      { ...empty, usage },
    ],
    3,
  ],
  ["never", [chunk({ content: "Hi" }), chunk({}, "stop")], 0],
  ["as null", [chunk({ content: "Hi" }, null, { usage: null }), chunk({}, "stop", { usage: null })], 0],
  ["after [DONE]", [chunk({ content: "Hi" }), chunk({}, "stop"), "data: [DONE]\n\n", { ...empty, usage }], 3],
] as const) {
  test(`usage that is sent ${name} is counted once`, async (t) => {
    const { ask } = await serve(t, (response) => sendEvents(response, chunks));
    const message = messageOf(await ask());
    assert.equal(message.usage.output, expected);
    assert.deepEqual(message.content, [{ type: "text", text: "Hi" }]);
  });
}

test("a connection that stays open after [DONE] does not hold the answer back", async (t) => {
  const { ask } = await serve(t, (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of hello)
      response.write(typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`);
  });
  assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "Hello" }]);
});

const calls: readonly (readonly [name: string, deltas: readonly (readonly object[])[]])[] = [
  [
    "without an id",
    [[{ index: 0, type: "function", function: { name: "read", arguments: '{"path":"a.md"}' } }]],
  ],
  [
    "without an index",
    [[{ id: "c1", type: "function", function: { name: "read", arguments: '{"path":"a.md"}' } }]],
  ],
  ["without id, index or type", [[{ function: { name: "read", arguments: '{"path":"a.md"}' } }]]],
  [
    "with its arguments as an object",
    [[{ index: 0, id: "c1", function: { name: "read", arguments: { path: "a.md" } } }]],
  ],
  [
    "in pieces",
    [
      [{ index: 0, id: "c1", type: "function", function: { name: "read", arguments: "" } }],
      [{ index: 0, function: { arguments: '{"path"' } }],
      [{ index: 0, function: { arguments: ':"a.md"}' } }],
    ],
  ],
  [
    "in pieces that repeat its id and name",
    [
      [{ index: 0, id: "c1", type: "function", function: { name: "read", arguments: '{"path"' } }],
      [{ index: 0, id: "c1", type: "function", function: { name: "read", arguments: ':"a.md"}' } }],
    ],
  ],
  [
    "in pieces with an empty id and no name after the first",
    [
      [{ index: 0, id: "c1", type: "function", function: { name: "read", arguments: '{"path"' } }],
      [{ index: 0, id: "", type: "function", function: { name: null, arguments: ':"a.md"}' } }],
    ],
  ],
];

for (const provider of ["openai-compatible", "openrouter", "groq", "deepseek"]) {
  for (const [name, deltas] of calls) {
    test(`${provider}: a call ${name} is understood`, async (t) => {
      const { ask } = await serve(
        t,
        (response) =>
          sendEvents(response, [
            ...deltas.map((tool_calls) => chunk({ tool_calls })),
            chunk({}, "tool_calls"),
          ]),
        provider,
      );
      const { content } = messageOf(await ask());
      const [call] = content;
      assert.ok(content.length === 1 && call?.type === "toolCall", JSON.stringify(content));
      assert.deepEqual(call.arguments, { path: "a.md" });
      assert.notEqual(call.id, "");
    });
  }
}

test("several calls at once, in one event, are all understood, each with an id of its own", async (t) => {
  const tool_calls = ["a.md", "b.md"].map((path, index) => ({
    index,
    function: { name: "read", arguments: JSON.stringify({ path }) },
  }));
  const { ask } = await serve(t, (response) =>
    sendEvents(response, [chunk({ tool_calls }), chunk({}, "stop")]),
  );
  const found = messageOf(await ask()).content.filter((block) => block.type === "toolCall");
  assert.deepEqual(
    found.map((call) => call.arguments),
    [{ path: "a.md" }, { path: "b.md" }],
  );
  assert.notEqual(found[0]?.id, found[1]?.id);
});

test("deltas that are null or empty, and chunks without choices, are passed over", async (t) => {
  const { ask } = await serve(t, (response) =>
    sendEvents(response, [
      empty,
      chunk(null),
      chunk({ role: "assistant", content: null, tool_calls: null, reasoning_content: null }),
      chunk({ content: "Hello", tool_calls: [] }),
      { ...empty, choices: null },
      chunk({ content: "" }, "stop"),
    ]),
  );
  assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "Hello" }]);
});

test("the same two words in a row arrive twice, also where each event carries an empty text besides", async (t) => {
  const ha = chunk({ role: "assistant", content: "", reasoning_content: "ha" });
  const { ask } = await serve(t, (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = [ha, ha, chunk({ content: "." }), chunk({}, "stop")];
    response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));
  });
  const [thinking] = messageOf(await ask()).content;
  assert.ok(thinking?.type === "thinking");
  assert.equal(thinking.thinking, "haha");
});

test("a stream with CRLF, comments and its own event names arrives as it is written", async (t) => {
  const { ask } = await serve(t, (response) =>
    sendEvents(response, [
      ": processing\r\n\r\n",
      `event: message\r\nid: 1\r\ndata: ${JSON.stringify(chunk({ content: "Hel" }))}\r\n\r\n`,
      `data:${JSON.stringify(chunk({ content: "lo" }))}\r\n\r\n: again\r\n\r\n`,
      `data: ${JSON.stringify(chunk({}, "stop"))}\r\n\r\ndata: [DONE]\r\n\r\n`,
    ]),
  );
  assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "Hello" }]);
});

test("a word arrives before the stream goes on, also where its lines end with CRLF", async (t) => {
  const seen = Promise.withResolvers<void>();
  const server = await startWireServer(async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk({ content: "Hel" }))}\r\n\r\n`);
    await seen.promise;
    response.end(`data: ${JSON.stringify(chunk({ content: "lo" }, "stop"))}\r\n\r\n`);
  });
  t.after(() => server.close());
  const model = await resolveModel("openai-compatible/m", {
    environment: {},
    providers: { "openai-compatible": { baseURL: `${server.url}/v1` } },
  });
  assert.ok(!isModelFailure(model));
  let text = "";
  for await (const event of model.stream(question)) {
    if (event.type !== "text_delta") continue;
    text += event.delta;
    seen.resolve();
  }
  assert.equal(text, "Hello");
});

test("a character that is split over packets arrives whole", async (t) => {
  const { ask } = await serve(t, async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const bytes = Buffer.from(`data: ${JSON.stringify(chunk({ content: "世界 🌍" }, "stop"))}\n\n`);
    for (const byte of bytes) {
      response.write(Buffer.from([byte]));
      await sleep(0);
    }
    response.end();
  });
  assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "世界 🌍" }]);
});

test("a compressed stream is read, although none was asked for", async (t) => {
  const { server, ask } = await serve(t, (response) => {
    response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
    response.end(
      gzipSync(
        hello
          .map((event) => (typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`))
          .join(""),
      ),
    );
  });
  assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "Hello" }]);
  assert.equal(server.requests[0]?.headers["accept-encoding"], "identity");
});

for (const provider of ["openai-compatible", "openrouter", "groq", "mistral", "deepseek", "openai-chat"]) {
  test(`${provider}: an error inside a stream that began with 200 is told as what it is`, async (t) => {
    const error = {
      message: "Provider returned error: overloaded, try again",
      type: "overloaded_error",
      code: 503,
    };
    const { ask } = await serve(
      t,
      (response) => sendEvents(response, [chunk({ content: "Hel" }), { error }, "data: [DONE]\n\n"]),
      provider,
    );
    const failure = failureOf(await ask());
    assert.ok(["overloaded", "server"].includes(failure.kind), `${failure.kind}: ${failure.message}`);
    assert.equal(failure.mend?.field, "server");
  });

  test(`${provider}: a whole error as the only event is told as what it is`, async (t) => {
    const error = { message: "Invalid API key", type: "authentication_error", code: 401 };
    const { ask } = await serve(t, (response) => sendEvents(response, [{ error }]), provider);
    const failure = failureOf(await ask());
    assert.equal(failure.kind, "authentication", failure.message);
    assert.equal(failure.mend?.field, "key");
  });
}

test("an answer of 200 that is an error in JSON says what the error says", async (t) => {
  const { ask } = await serve(t, (response) =>
    sendError(response, 200, { error: { message: "No credits." } }),
  );
  assert.match(failureOf(await ask()).message, /No credits/);
});

test("an answer without an end is stopped, with what to do", async (t) => {
  const { ask } = await serve(t, async (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const event = `data: ${JSON.stringify(chunk({ content: "la ".repeat(20_000) }))}\n\n`;
    while (!response.destroyed) {
      if (!response.write(event))
        await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
    }
  });
  const events = await ask();
  const failure = failureOf(events);
  assert.match(failure.message, /thousand characters and did not end.*another model/);
  assert.equal(failure.mend?.field, "server");
  const last = events.at(-1);
  assert.ok(last?.type === "error" && last.message.content.length === 1, "what was read is kept");
});

test("a server without a list of models still answers", async (t) => {
  const { ask } = await serve(t, (response, { path }) =>
    path.endsWith("/models") ? sendError(response, 404, "") : sendEvents(response, hello),
  );
  assert.deepEqual(messageOf(await ask()).content, [{ type: "text", text: "Hello" }]);
});
