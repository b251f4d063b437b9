// Lists of models as the providers write them, over real HTTP, and the servers that have none.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { accessProvider, type ProviderConfiguration } from "../providers.ts";
import { listedModels } from "./listed-models.ts";
import { askForModels } from "./remote-models.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function serve(t: TestContext, answer: Answer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return { url: `http://127.0.0.1:${address.port}/v1`, asked };
}

async function listing(provider: string, baseURL: string, timeoutMs = 5000) {
  const providers: Record<string, ProviderConfiguration> = { [provider]: { baseURL, apiKey: "k" } };
  const access = accessProvider(provider, { environment: {}, providers });
  assert.ok(!("kind" in access));
  return askForModels(access, { environment: {}, timeoutMs });
}

async function listOf(t: TestContext, provider: string, answer: unknown) {
  const { url } = await serve(t, (_request, response) => response.end(JSON.stringify(answer)));
  const found = await listing(provider, url);
  assert.ok(found.kind === "listed", JSON.stringify(found));
  return found.models;
}

test("what each provider tells of its models is read in its own words", async (t) => {
  assert.deepEqual(
    await listOf(t, "mine", {
      data: [
        {
          id: "vendor/m",
          name: "A name",
          context_length: 200_000,
          architecture: { input_modalities: ["text", "image"] },
          supported_parameters: ["tools", "max_tokens"],
          top_provider: { max_completion_tokens: 8000 },
          pricing: { prompt: "0.000003", completion: "0.000015", input_cache_read: "0.0000003" },
        },
        { id: "vendor/auto", pricing: { prompt: "-1", completion: "-1" } },
      ],
    }),
    [
      {
        name: "vendor/m",
        contextWindow: 200_000,
        maxOutput: 8000,
        tools: true,
        images: true,
        thinking: false,
        price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 },
      },
      { name: "vendor/auto" },
    ],
  );
  const claude = {
    id: "claude-new",
    display_name: "Claude",
    max_input_tokens: 1_000_000,
    max_tokens: 128_000,
    capabilities: { image_input: { supported: true }, thinking: { supported: true, types: {} } },
  };
  assert.deepEqual(await listOf(t, "anthropic", { data: [claude], has_more: false }), [
    { name: "claude-new", contextWindow: 1_000_000, maxOutput: 128_000, images: true, thinking: true },
  ]);
  const gemini = {
    name: "models/gemini-new",
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    thinking: true,
    supportedGenerationMethods: ["generateContent"],
  };
  const embedder = { ...gemini, name: "models/other", supportedGenerationMethods: ["embedContent"] };
  assert.deepEqual(await listOf(t, "google", { models: [gemini, embedder] }), [
    { name: "gemini-new", contextWindow: 1_048_576, maxOutput: 65_536, thinking: true },
  ]);
  const mistral = (id: string, completion_chat: boolean) => ({
    id,
    max_context_length: 32_768,
    capabilities: { completion_chat, function_calling: true, vision: false },
  });
  assert.deepEqual(await listOf(t, "mine", { data: [mistral("m-new", true), mistral("m-ocr", false)] }), [
    { name: "m-new", contextWindow: 32_768, tools: true, images: false },
  ]);
  const groq = (id: string, active: boolean) => ({
    id,
    active,
    context_window: 131_072,
    max_completion_tokens: 32_768,
  });
  assert.deepEqual(await listOf(t, "mine", { data: [groq("new", true), groq("old", false)] }), [
    { name: "new", contextWindow: 131_072, maxOutput: 32_768 },
  ]);
  assert.deepEqual(await listOf(t, "mine", { data: [{ id: "q", max_model_len: 40_960 }] }), [
    { name: "q", contextWindow: 40_960 },
  ]);
});

test("a list of several pages is read to its end, and a page that comes again is not", async (t) => {
  const pages: Readonly<Record<string, object>> = {
    "/v1/models?limit=1000": { data: [{ id: "a" }], has_more: true, last_id: "a" },
    "/v1/models?limit=1000&after_id=a": { data: [{ id: "b" }], has_more: false, last_id: "b" },
  };
  const { url, asked } = await serve(t, ({ url = "" }, response) => {
    response.end(JSON.stringify(pages[url] ?? {}));
  });
  const found = await listing("anthropic", url);
  assert.deepEqual(found.kind === "listed" && found.models.map(({ name }) => name), ["a", "b"]);
  assert.equal(asked.length, 2);
  const google = await serve(t, ({ url = "" }, response) => {
    const name = url.includes("pageToken=x%2Fy") ? "second" : "first";
    response.end(JSON.stringify({ models: [{ name }], nextPageToken: "x/y" }));
  });
  const gemini = await listing("google", google.url);
  assert.deepEqual(gemini.kind === "listed" && gemini.models.map(({ name }) => name), ["first", "second"]);
});

test("a server without a list is another thing than one that refuses, sends a page, or is not there", async (t) => {
  const outcome = async (answer: Answer, timeoutMs?: number) => {
    const { url } = await serve(t, answer);
    const found = await listing("mine", url, timeoutMs);
    return found.kind === "failed" ? [found.failure.kind, found.failure.message] : [found.kind, ""];
  };
  const json = (status: number, body: unknown): Answer => {
    return (_request, response) => response.writeHead(status).end(JSON.stringify(body));
  };
  assert.deepEqual(await outcome(json(404, {})), ["unlisted", ""]);
  assert.deepEqual(await outcome(json(405, {})), ["unlisted", ""]);
  const [kind, message] = await outcome(json(401, { error: { message: "bad key" } }));
  assert.equal(kind, "authentication");
  assert.match(message ?? "", /refused the key/);
  const page: Answer = (_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
  };
  assert.match((await outcome(page))[1] ?? "", /web page/);
  assert.equal((await outcome(json(200, { hello: "world" })))[0], "bad_response");
  const away: Answer = (_request, response) => {
    response.writeHead(302, { location: "https://login.example/" }).end();
  };
  assert.match((await outcome(away))[1] ?? "", /redirect/);
  assert.equal((await outcome(() => undefined, 100))[0], "timeout");
  const nobody = await listing("mine", "http://127.0.0.1:1/v1");
  assert.equal(nobody.kind === "failed" && nobody.failure.kind, "network");
});

test("a thousand models are read whole", () => {
  const data = Array.from({ length: 1000 }, (_, n) => ({ id: `m${n}`, context_length: 1000 + n }));
  assert.equal(listedModels({ data })?.at(-1)?.contextWindow, 1999);
});
