import assert from "node:assert/strict";
import { test } from "node:test";
import { remoteAddressOf } from "../network/own-machine.ts";
import { carefulWindow, ollamaFacts, ollamaModels } from "./ollama-facts.ts";

const gigabyte = 2 ** 30;
/** Llama 3.1 with 8 billion parameters: 128 KiB of cache for a token. */
const llama = {
  "llama.context_length": 131_072,
  "llama.block_count": 32,
  "llama.embedding_length": 4096,
  "llama.attention.head_count": 32,
  "llama.attention.head_count_kv": 8,
};

test("a context is as long as the memory allows beside the weights, and never shorter than tools and a file need", () => {
  const window = (total: number, weights = 5) =>
    carefulWindow(llama, { total: total * gigabyte, weights: weights * gigabyte });
  assert.deepEqual([window(64), window(16), window(12), window(8)], [32_768, 32_768, 16_384, 8192]);
  assert.equal(carefulWindow(llama, undefined), 32_768);
  assert.equal(carefulWindow({ "tiny.context_length": 2048 }, undefined), 2048);
  assert.equal(carefulWindow({}, undefined), undefined);
});

test("the Modelfile's size counts before a careful one, and a larger loaded one before both", async () => {
  const facts = (parameters: string, loaded?: number) =>
    ollamaFacts(
      async (path) => {
        if (path === "/api/show") return { model_info: llama, parameters, capabilities: ["completion"] };
        return { models: loaded === undefined ? [] : [{ name: "m:latest", context_length: loaded }] };
      },
      "m",
      false,
    );
  const windows = [
    await facts(""),
    await facts("temperature 0.6\nnum_ctx                        16384"),
    await facts("num_ctx 16384", 4096),
    await facts("num_ctx 16384", 65_536),
    await facts("", 4096),
  ].map((found) => found?.contextWindow);
  assert.deepEqual(windows, [32_768, 16_384, 16_384, 65_536, 32_768]);
  assert.equal((await facts(""))?.tools, false);
});

test("a list of a hundred models is described with eight requests at once, and the next time with none", async () => {
  const models = Array.from({ length: 100 }, (_, n) => ({ name: `m${n}:1b`, digest: `d${n}`, size: 1 }));
  let [open, most, shown] = [0, 0, 0];
  const ask = async (path: string) => {
    if (path === "/api/tags") return { models };
    if (path !== "/api/show") return undefined;
    shown++;
    most = Math.max(most, ++open);
    await new Promise(setImmediate);
    open--;
    return { capabilities: ["completion", "tools"], model_info: llama };
  };
  const found = await ollamaModels(ask, false);
  assert.equal(found?.length, 100);
  assert.ok(found.every(({ tools, contextWindow }) => tools === true && contextWindow === 32_768));
  assert.deepEqual([most, shown], [8, 100]);
  await ollamaModels(ask, false);
  assert.equal(shown, 100);
});

test("a model of Ollama's cloud is not one of this machine, and has its whole context", async () => {
  const place = (name: string) => remoteAddressOf(name, { environment: {} });
  assert.deepEqual(
    [place("ollama/gpt-oss:120b-cloud"), place("ollama/glm-5:cloud"), place("ollama/qwen3:8b")],
    ["ollama.com", "ollama.com", undefined],
  );
  const ask = async () => ({ model_info: llama, capabilities: [] });
  assert.equal((await ollamaFacts(ask, "m:cloud", true))?.contextWindow, 131_072);
});
