import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { temporaryFolder } from "@stet/testkit/temporary";
import { isModelFailure, listProviders, type ModelSources, resolveModel } from "./providers.ts";
import type { ModelFacts } from "./table/model-limits.ts";

async function refusal(name: string, sources: ModelSources = {}) {
  const refused = await resolveModel(name, { environment: {}, ...sources });
  assert.ok(isModelFailure(refused), `${name} is refused`);
  return refused;
}

async function usable(name: string, sources: ModelSources, facts: ModelFacts = {}) {
  const model = await resolveModel(name, sources, facts);
  assert.ok(!isModelFailure(model), isModelFailure(model) ? model.message : "");
  return model;
}

test("what cannot be used is refused with one sentence that says what to do", async () => {
  const cases = [
    ["gpt-5", "not_found", /PROVIDER\/MODEL/],
    ["openai/", "not_found", /PROVIDER\/MODEL/],
    ["nowhere/model", "not_found", /no provider called nowhere/],
    ["openai/gpt-5", "authentication", /stet login openai, or set OPENAI_API_KEY/],
    ["anthropic/claude-sonnet-4-5", "authentication", /stet login anthropic, or set ANTHROPIC_API_KEY/],
    ["google/gemini-2.5-pro", "authentication", /stet login google, or set GEMINI_API_KEY/],
    ["openai-compatible/any", "invalid_request", /Set OPENAI_COMPATIBLE_BASE_URL/],
  ] as const;
  for (const [name, kind, sentence] of cases) {
    const refused = await refusal(name);
    assert.equal(refused.kind, kind, name);
    assert.match(refused.message, sentence);
  }
  const environment = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: "not an address" };
  assert.match((await refusal("openai/gpt-5", { environment })).message, /is not an address/);
});

test("limits come from the configuration, then from the server, then from the table", async () => {
  const environment = { OPENAI_API_KEY: "key" };
  assert.equal((await usable("openai/gpt-5-mini", { environment })).contextWindow, 400_000);
  assert.equal((await usable("openai/unheard-of", { environment })).contextWindow, 128_000);
  const facts = { contextWindow: 40_960 };
  assert.equal((await usable("ollama/qwen3:8b", { environment: {} }, facts)).contextWindow, 40_960);
  const providers = { ollama: { models: { "qwen3:8b": { contextWindow: 1000 } } } };
  assert.equal((await usable("ollama/qwen3:8b", { environment: {}, providers }, facts)).contextWindow, 1000);
});

test("a list tells for each provider whether it can be used, and if not, why", () => {
  const states = listProviders({ environment: { ANTHROPIC_API_KEY: "very-secret", GEMINI_API_KEY: " " } });
  const byName = new Map(states.map((state) => [state.name, state]));
  assert.equal(byName.get("practice")?.isUsable, true);
  assert.equal(byName.get("anthropic")?.isUsable, true);
  assert.match(byName.get("anthropic")?.reason ?? "", /key comes from ANTHROPIC_API_KEY/);
  assert.equal(byName.get("google")?.isUsable, false);
  assert.match(byName.get("openai")?.reason ?? "", /OPENAI_API_KEY/);
  assert.ok(!JSON.stringify(states).includes("very-secret"), "keys are never shown");
});

test("keys and addresses of the environment reach the server", async (t) => {
  const server = await startScriptedModel([{ text: "Hello." }, { text: "Hello." }]);
  t.after(() => server.close());
  const environment = { GEMINI_API_KEY: "secret-1", GEMINI_BASE_URL: `${server.url}/v1beta/` };
  const request = {
    system: "",
    messages: [{ role: "user" as const, content: "Hi", timestamp: 0 }],
    tools: [],
  };
  for await (const event of (await usable("gemini/scripted", { environment })).stream(request)) {
    assert.notEqual(event.type, "error");
  }
  assert.equal(server.requests[0]?.headers["x-goog-api-key"], "secret-1");
  const providers = {
    mine: { baseURL: `${server.url}/v1`, keyVariable: "MY_KEY", headers: { "x-team": "blue" } },
  };
  const mine = await usable("mine/org/scripted", { environment: { MY_KEY: "secret-2" }, providers });
  for await (const event of mine.stream(request)) assert.notEqual(event.type, "error");
  assert.equal(server.requests[1]?.headers.authorization, "Bearer secret-2");
  assert.equal(server.requests[1]?.headers["x-team"], "blue");
  assert.equal(server.requests[1]?.model, "org/scripted");
});

test("any AI SDK package can be configured; one that is not there or is none is a failure with its name", async (t) => {
  const request = { system: "", messages: [], tools: [] };
  const answer = async (packageName: string) => {
    const model = await usable("other/m", {
      environment: {},
      providers: { other: { package: packageName } },
    });
    for await (const event of model.stream(request)) if (event.type === "error") return event.failure.message;
    return "done";
  };
  assert.match(
    await answer("@ai-sdk/not-installed"),
    /package @ai-sdk\/not-installed cannot be loaded.*Install it/,
  );
  assert.match(await answer("node:path"), /node:path is not an AI SDK provider/);
  const part = JSON.stringify({
    type: "finish",
    finishReason: { unified: "stop" },
    usage: { inputTokens: {}, outputTokens: {} },
  });
  const folder = temporaryFolder(t, {
    "provider.mjs": `export const createMine = () => ({ languageModel: () => ({ specificationVersion: "v4",
      doStream: async () => ({ stream: ReadableStream.from([${part}]) }) }) });`,
  });
  assert.equal(await answer(pathToFileURL(join(folder, "provider.mjs")).href), "done");
});
