// Every remote provider over real HTTP, in its own wire format: two requests, of which the second carries back what the first
// was answered.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { noUsage } from "@stet/protocol/message";
import type { ModelRequest } from "@stet/protocol/model-stream";
import {
  providerWires,
  signature,
  type WireName,
  type WireReply,
  wireNamed,
} from "@stet/testkit/provider-wires";
import { startWireServer, type WireServer } from "@stet/testkit/wire-server";
import { isModelFailure, resolveModel } from "../providers.ts";

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

const names = Object.keys(providerWires) as WireName[];

async function serve(t: TestContext, name: WireName, replies: readonly WireReply[]) {
  const wire = wireNamed(name);
  const server = await startWireServer((response, _request, index) =>
    wire.write(response, replies[index] ?? {}),
  );
  t.after(() => server.close());
  if (name === "vertex claude") await serveGoogleToken(t);
  const model = await resolveModel(wire.model, sourcesOf(name, server));
  assert.ok(!isModelFailure(model), isModelFailure(model) ? model.message : "");
  return { server, model };
}

function sourcesOf(name: WireName, server: WireServer) {
  const { model, base, options = {} } = wireNamed(name);
  const [provider = ""] = model.split("/", 1);
  const access = name === "vertex claude" ? {} : { apiKey: "key-for-tests" };
  return {
    environment: {},
    providers: { [provider]: { ...access, baseURL: `${server.url}${base}`, options } },
  };
}

/** What a machine of Google's cloud gets its token from; Google's library finds it by a variable. */
async function serveGoogleToken(t: TestContext): Promise<void> {
  const server = await startWireServer((response) => {
    response.writeHead(200, { "content-type": "application/json", "metadata-flavor": "Google" });
    response.end(JSON.stringify({ access_token: "key-for-tests", expires_in: 3600, token_type: "Bearer" }));
  });
  const before = process.env.GCE_METADATA_HOST;
  process.env.GCE_METADATA_HOST = new URL(server.url).host;
  t.after(() => {
    server.close();
    if (before === undefined) delete process.env.GCE_METADATA_HOST;
    else process.env.GCE_METADATA_HOST = before;
  });
}

async function answer(model: Awaited<ReturnType<typeof serve>>["model"], request: ModelRequest) {
  const events = await Array.fromAsync(model.stream(request));
  const last = events.at(-1);
  assert.ok(last?.type === "done", last?.type === "error" ? last.failure.message : "no end");
  return last.message;
}

async function twoRequests(t: TestContext, name: WireName, request: Partial<ModelRequest> = {}) {
  const call = { id: "call00001", name: "read_file", arguments: { path: "a.md" } };
  const { server, model } = await serve(t, name, [
    { thinking: "Look first.", text: "I read it.", call },
    { text: "Done." },
  ]);
  const asked = { ...question, thinking: "medium" as const, ...request };
  const message = await answer(model, asked);
  const called = message.content.find((block) => block.type === "toolCall");
  assert.deepEqual(called?.arguments, { path: "a.md" });
  const result = {
    role: "toolResult" as const,
    toolCallId: called?.id ?? "",
    toolName: "read_file",
    content: [{ type: "text" as const, text: "# Title" }],
    isError: false,
    timestamp: 0,
  };
  await answer(model, { ...asked, messages: [...question.messages, message, result] });
  assert.equal(server.requests.length, 2);
  const [first, second] = server.requests;
  assert.ok(first !== undefined && second !== undefined);
  return { message, first, second };
}

for (const name of names) {
  test(`${name}: a call is answered at the provider's own path, and its result goes back`, async (t) => {
    const { message, first, second } = await twoRequests(t, name);
    assert.equal(first.path, wireNamed(name).path);
    assert.ok(message.content.some((block) => block.type === "text" && block.text === "I read it."));
    assert.match(JSON.stringify(second.body), /# Title/);
    const sent = first.headers.authorization ?? first.headers["api-key"] ?? first.headers["x-goog-api-key"];
    const other = first.headers["x-api-key"];
    assert.match(`${sent ?? other}`, /key-for-tests/);
  });
}

/** What of the first answer's thinking has to stand in the second request. */
const returned: Readonly<Record<WireName, readonly RegExp[]>> = {
  openai: [/"type":"reasoning"/, /"encrypted_content":"c2lnbmF0dXJl"/],
  "openai-chat": [],
  azure: [/"type":"reasoning"/, /"encrypted_content":"c2lnbmF0dXJl"/],
  "azure-chat": [],
  anthropic: [
    /"type":"thinking","thinking":"Look first.","signature":"c2lnbmF0dXJl"/,
    /"type":"redacted_thinking","data":"aGlkZGVu"/,
  ],
  google: [/"thoughtSignature":"c2lnbmF0dXJl"/],
  vertex: [/"thoughtSignature":"c2lnbmF0dXJl"/],
  "vertex claude": [
    /"type":"thinking","thinking":"Look first.","signature":"c2lnbmF0dXJl"/,
    /"type":"redacted_thinking","data":"aGlkZGVu"/,
  ],
  bedrock: [/"reasoningText":{"text":"Look first.","signature":"c2lnbmF0dXJl"}/],
  openrouter: [
    /"reasoning_details":\[{"type":"reasoning.text","format":"anthropic-claude-v1","index":0,"text":"Look first.","signature":"c2lnbmF0dXJl"}\]/,
  ],
  groq: [/"reasoning":"Look first."/],
  mistral: [/{"type":"thinking","thinking":\[{"type":"text","text":"Look first."}\]/],
  deepseek: [/"reasoning_content":"Look first."/],
  xai: [/"type":"reasoning"/, /"encrypted_content":"c2lnbmF0dXJl"/],
  vllm: [/"reasoning_content":"Look first."/],
};

for (const name of names) {
  if (returned[name].length === 0) continue;
  test(`${name}: thinking goes back with the call that it led to, as the provider signed it`, async (t) => {
    const { message, second } = await twoRequests(t, name);
    const body = JSON.stringify(second.body);
    for (const expected of returned[name]) assert.match(body, expected);
    const thinking = message.content.find((block) => block.type === "thinking");
    assert.equal(thinking?.thinking, "Look first.");
    if (name !== "openrouter") return;
    assert.doesNotMatch(body, /reasoning_content/);
  });
}

test("thinking that another provider signed is left out, and its call ids become ones that Mistral takes", async (t) => {
  const { server, model } = await serve(t, "mistral", [{ text: "Done." }]);
  const foreign = {
    role: "assistant" as const,
    content: [
      {
        type: "thinking" as const,
        thinking: "Secret thoughts.",
        signature: `{"anthropic":{"signature":"${signature}"}}`,
      },
      { type: "toolCall" as const, id: "toolu_01A", name: "read_file", arguments: { path: "a.md" } },
    ],
    provider: "anthropic",
    model: "claude",
    usage: noUsage,
    stopReason: "toolUse" as const,
    timestamp: 0,
  };
  const result = {
    role: "toolResult" as const,
    toolCallId: "toolu_01A",
    toolName: "read_file",
    content: [{ type: "text" as const, text: "# Title" }],
    isError: false,
    timestamp: 0,
  };
  await answer(model, {
    ...question,
    messages: [...question.messages, foreign, result, ...question.messages],
  });
  const body = JSON.stringify(server.requests[0]?.body);
  assert.doesNotMatch(body, /Secret thoughts|c2lnbmF0dXJl|toolu/);
  const [id, other] = [/"id":"([^"]*)"/.exec(body)?.[1], /"tool_call_id":"([^"]*)"/.exec(body)?.[1]];
  assert.match(id ?? "", /^[a-zA-Z0-9]{9}$/);
  assert.equal(other, id);
  // Mistral refuses a person's message right after a result.
  assert.match(body, /"role":"tool".*"role":"assistant".*"role":"user"/);
});

/** The same tokens in each provider's own words: 100 new, 40 read from the cache, 20 written to it where it counts that. */
const usages: Readonly<Record<WireName, { readonly usage: object; readonly cacheWrite: number }>> = {
  openai: {
    usage: {
      input_tokens: 140,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 4 },
      total_tokens: 149,
    },
    cacheWrite: 0,
  },
  "openai-chat": { usage: chatUsage({ prompt_tokens_details: { cached_tokens: 40 } }), cacheWrite: 0 },
  azure: {
    usage: {
      input_tokens: 140,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens: 9,
      total_tokens: 149,
    },
    cacheWrite: 0,
  },
  "azure-chat": { usage: chatUsage({ prompt_tokens_details: { cached_tokens: 40 } }), cacheWrite: 0 },
  anthropic: {
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 20,
      output_tokens: 9,
    },
    cacheWrite: 20,
  },
  google: {
    usage: {
      promptTokenCount: 140,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
      totalTokenCount: 149,
    },
    cacheWrite: 0,
  },
  vertex: {
    usage: {
      promptTokenCount: 140,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 9,
      totalTokenCount: 149,
      trafficType: "ON_DEMAND",
    },
    cacheWrite: 0,
  },
  "vertex claude": {
    usage: {
      input_tokens: 100,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 20,
      output_tokens: 9,
    },
    cacheWrite: 20,
  },
  bedrock: {
    usage: {
      inputTokens: 100,
      cacheReadInputTokens: 40,
      cacheWriteInputTokens: 20,
      outputTokens: 9,
      totalTokens: 169,
    },
    cacheWrite: 20,
  },
  openrouter: {
    usage: {
      ...chatUsage({ prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 20 } }),
      prompt_tokens: 160,
      cost: 0.00123,
    },
    cacheWrite: 20,
  },
  groq: {
    usage: chatUsage({ prompt_tokens_details: { cached_tokens: 40 }, queue_time: 0.1 }),
    cacheWrite: 0,
  },
  mistral: { usage: chatUsage({ prompt_tokens_details: { cached_tokens: 40 } }), cacheWrite: 0 },
  deepseek: {
    usage: chatUsage({ prompt_cache_hit_tokens: 40, prompt_cache_miss_tokens: 100 }),
    cacheWrite: 0,
  },
  xai: {
    usage: {
      input_tokens: 140,
      input_tokens_details: { cached_tokens: 40 },
      output_tokens: 9,
      total_tokens: 149,
    },
    cacheWrite: 0,
  },
  vllm: { usage: chatUsage({ prompt_tokens_details: { cached_tokens: 40 } }), cacheWrite: 0 },
};

function chatUsage(more: object) {
  return { prompt_tokens: 140, completion_tokens: 9, total_tokens: 149, ...more };
}

for (const name of names) {
  test(`${name}: what was read from the cache and written to it is counted apart`, async (t) => {
    const { usage, cacheWrite } = usages[name];
    const { model } = await serve(t, name, [{ text: "Hello.", usage }]);
    const message = await answer(model, question);
    const { input, output, cacheRead, cacheWrite: written } = message.usage;
    assert.deepEqual(
      { input, output, cacheRead, cacheWrite: written },
      { input: 100, output: 9, cacheRead: 40, cacheWrite },
    );
  });
}
