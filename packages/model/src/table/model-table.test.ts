import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { modelTable, tablePath } from "../../../../scripts/model-table.ts";
import { knownFacts, limitsOf } from "./model-limits.ts";
import { tableDate } from "./model-table.ts";
import { pricedModels, priceOf, pricesAsOf } from "./prices.ts";

test("the table is what its sources hold, and the date that people see is that of the prices", async () => {
  assert.equal(readFileSync(tablePath, "utf8"), await modelTable(), "Run npm run model-table.");
  assert.equal(pricesAsOf, tableDate(), "Set pricesAsOf to the date of the table.");
});

test("a dated name, and a cloud's name, cost what the model costs there", () => {
  const opus = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
  assert.deepEqual(priceOf("anthropic", "claude-opus-4-5"), opus);
  assert.deepEqual(priceOf("anthropic", "claude-opus-4-5-20251101"), opus);
  assert.deepEqual(priceOf("vertex", "claude-opus-4-5@20251101"), opus);
  assert.deepEqual(priceOf("openrouter", "anthropic/claude-opus-4.5"), opus);
  assert.deepEqual(priceOf("bedrock", "global.anthropic.claude-opus-4-5-20251101-v1:0"), opus);
  // A region costs a tenth more there.
  assert.equal(priceOf("bedrock", "us.anthropic.claude-opus-4-5-20251101-v1:0")?.input, 5.5);
  assert.deepEqual(priceOf("google", "models/gemini-2.5-pro"), priceOf("google", "gemini-2.5-pro"));
  assert.deepEqual(priceOf("openai-chat", "gpt-5-mini"), priceOf("openai", "gpt-5-mini"));
});

test("a version that is not in the table has no price, rather than that of another version", () => {
  assert.equal(priceOf("openai", "gpt-5.99"), undefined);
  assert.equal(priceOf("anthropic", "claude-opus-4-99"), undefined);
  assert.equal(priceOf("mine", "gpt-5"), undefined);
  assert.notEqual(priceOf("openai", "gpt-5.2")?.input, priceOf("openai", "gpt-5")?.input);
});

test("a price that rises with the length of the prompt says from where", () => {
  const { long, input } = priceOf("google", "gemini-2.5-pro") ?? {};
  assert.deepEqual([input, long?.above, long?.input], [1.25, 200_000, 2.5]);
});

test("windows and abilities are those of the lists; what a server of one's own runs is not looked up", () => {
  assert.deepEqual(limitsOf("gpt-4.1", "openai"), { contextWindow: 1_047_576, maxOutput: 32_768 });
  assert.equal(limitsOf("gpt-5-mini", "my-gateway")?.contextWindow, 400_000);
  assert.equal(limitsOf("anthropic/claude-opus-4-5", "my-gateway")?.contextWindow, 200_000);
  assert.equal(limitsOf("openai/gpt-oss-20b", "lmstudio"), undefined);
  assert.equal(knownFacts("openai", "gpt-4.1")?.thinking, false);
  assert.equal(knownFacts("openai", "gpt-4.1")?.tools, true);
  assert.equal(knownFacts("ollama", "gpt-oss:20b"), undefined);
});

test("the examples of every provider can be asked for: they answer with text, and have a price", () => {
  for (const provider of [
    "openai",
    "anthropic",
    "google",
    "azure",
    "bedrock",
    "openrouter",
    "groq",
    "xai",
    "mistral",
  ]) {
    const names = pricedModels(provider);
    assert.ok(names.length > 5, provider);
    for (const name of names) {
      assert.doesNotMatch(name, /embed|whisper|tts|^regional\.|^~/, name);
      assert.ok(priceOf(provider, name) !== undefined, name);
    }
  }
  assert.equal(pricedModels("anthropic")[0], "claude-opus-5-5");
});
