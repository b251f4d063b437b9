import assert from "node:assert/strict";
import { test } from "node:test";
import { startScriptedModel } from "@stet/testkit/scripted-model";
import { listModels } from "./model-list.ts";

test("the list shows what answers here, what has a key, and why the rest cannot be used", async (t) => {
  const server = await startScriptedModel([], { models: ["qwen3:8b"] });
  t.after(() => server.close());
  const environment = {
    OPENAI_API_KEY: "key",
    OLLAMA_HOST: server.url,
    LMSTUDIO_BASE_URL: "http://127.0.0.1:1",
    LLAMACPP_BASE_URL: "http://127.0.0.1:1",
  };
  const providers = { openai: { models: { mine: { contextWindow: 1, price: { input: 1, output: 2 } } } } };
  const list = new Map((await listModels({ environment, providers })).map((one) => [one.name, one]));
  assert.deepEqual(list.get("practice")?.models, [{ name: "practice" }]);
  const [local] = list.get("ollama")?.models ?? [];
  assert.deepEqual([local?.name, local?.price?.input], ["ollama/qwen3:8b", 0]);

  assert.equal(list.get("ollama")?.isUsable, true);
  assert.equal(list.get("lmstudio")?.isUsable, false);
  assert.match(list.get("lmstudio")?.reason ?? "", /Nothing answers at http:\/\/127.0.0.1:1\/v1/);
  const [mine, known] = list.get("openai")?.models ?? [];
  assert.deepEqual([mine?.name, mine?.contextWindow, mine?.price?.output], ["openai/mine", 1, 2]);
  assert.ok((known?.price?.input ?? 0) > 0 && (known?.contextWindow ?? 0) > 100_000, "the table knows it");
  assert.equal(list.get("anthropic")?.isUsable, false);
});

test("all models of a provider that has its key or address are listed, with what it tells of them", async (t) => {
  const server = await startScriptedModel([], { models: ["one", "two", "text-embedding-3"] });
  t.after(() => server.close());
  const { host } = new URL(server.url);
  const environment = { OPENAI_COMPATIBLE_BASE_URL: `http://me:secret@${host}/v1`, GROQ_KEY: "" };
  const providers = {
    mine: { baseURL: `${server.url}/v1` },
    groq: { package: "@ai-sdk/no-such-package" },
    other: { baseURL: `${server.url}/v1`, keyVariable: "GROQ_KEY" },
  };
  const listed = await listModels({ environment, providers });
  const list = new Map(listed.map((one) => [one.name, one]));
  assert.deepEqual(
    list.get("mine")?.models.map(({ name }) => name),
    ["mine/one", "mine/two"],
  );
  assert.equal(list.get("openai-compatible")?.isUsable, false);
  assert.match(list.get("openai-compatible")?.reason ?? "", /contains a name or a password.*as a header/);
  assert.doesNotMatch(JSON.stringify(listed.map(({ reason }) => reason)), /secret/);
  assert.equal(list.get("groq")?.isUsable, false);
  assert.match(list.get("groq")?.reason ?? "", /@ai-sdk\/no-such-package is not installed/);
  assert.match(
    list.get("other")?.reason ?? "",
    /needs a key\. Connect it with stet login other, or set GROQ_KEY/,
  );
});

test("a provider far away is not asked where nothing may leave the machine", async (t) => {
  const server = await startScriptedModel([], { models: ["one"] });
  t.after(() => server.close());
  const { port } = new URL(server.url);
  const providers = { far: { baseURL: `http://0.0.0.0:${port}/v1` } };
  const list = await listModels({ environment: {}, providers }, { staysOnMachine: true });
  assert.deepEqual(list.find(({ name }) => name === "far")?.models, []);
});
