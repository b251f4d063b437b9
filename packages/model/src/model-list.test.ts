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
  const providers = { openai: { models: { mine: { contextWindow: 1 } } } };
  const list = new Map((await listModels({ environment, providers })).map((one) => [one.name, one]));
  assert.deepEqual(list.get("practice")?.models, [{ name: "practice" }]);
  assert.deepEqual(list.get("ollama")?.models, [{ name: "ollama/qwen3:8b" }]);
  assert.equal(list.get("ollama")?.isUsable, true);
  assert.equal(list.get("lmstudio")?.isUsable, false);
  assert.match(list.get("lmstudio")?.reason ?? "", /Nothing answers at http:\/\/127.0.0.1:1\/v1/);
  assert.equal(list.get("openai")?.models[0]?.name, "openai/mine");
  assert.equal(list.get("anthropic")?.isUsable, false);
});
