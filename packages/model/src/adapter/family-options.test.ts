// What each provider is told in its own words, as it arrives at its server.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ModelRequest } from "@stet/protocol/model-stream";
import { type WireName, wireNamed } from "@stet/testkit/provider-wires";
import { startWireServer, type WireRequest } from "@stet/testkit/wire-server";
import { isModelFailure, resolveModel } from "../providers.ts";
import { withServiceTier } from "../service-tier.ts";

const question: ModelRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Say something.", timestamp: 0 }],
  tools: [],
};

async function sent(t: TestContext, name: WireName, request: Partial<ModelRequest>): Promise<WireRequest> {
  const wire = wireNamed(name);
  const server = await startWireServer((response) => wire.write(response, { text: "Hello." }));
  t.after(() => server.close());
  const [provider = ""] = wire.model.split("/", 1);
  const { options = {} } = wire;
  const model = await resolveModel(wire.model, {
    environment: {},
    providers: { [provider]: { apiKey: "key", baseURL: `${server.url}${wire.base}`, options } },
  });
  assert.ok(!isModelFailure(model));
  const { serviceTier = "", ...rest } = request;
  const events = await Array.fromAsync(withServiceTier(model, serviceTier).stream({ ...question, ...rest }));
  const last = events.at(-1);
  assert.ok(last?.type === "done", last?.type === "error" ? last.failure.message : "no end");
  const [first] = server.requests;
  assert.ok(first !== undefined);
  return first;
}

/** How high thinking reads on the wire, and how none does; undefined where nothing is sent. */
const thinking: readonly (readonly [WireName, string, high: unknown, off: unknown])[] = [
  ["openai", "reasoning.effort", "high", "minimal"],
  ["openai-chat", "reasoning_effort", "high", "none"],
  ["azure", "reasoning.effort", "high", "none"],
  ["azure-chat", "reasoning_effort", "high", "none"],
  ["anthropic", "thinking.type", "enabled", "disabled"],
  ["bedrock", "additionalModelRequestFields.thinking.type", "enabled", undefined],
  ["openrouter", "reasoning.effort", "high", "none"],
  ["groq", "reasoning_effort", "high", "low"],
  ["deepseek", "thinking.type", "enabled", "disabled"],
  ["xai", "reasoning.effort", "high", "none"],
  ["vllm", "reasoning_effort", "high", undefined],
];

for (const [name, path, high, off] of thinking) {
  test(`${name}: how much to think is said in its own field`, async (t) => {
    assert.equal(valueAt((await sent(t, name, { thinking: "high" })).body, path), high);
    assert.equal(valueAt((await sent(t, name, { thinking: "off" })).body, path), off);
    assert.equal(valueAt((await sent(t, name, {})).body, path), undefined);
  });
}

for (const name of ["google", "vertex"] as const) {
  test(`${name}: how much to think is a budget of tokens`, async (t) => {
    const path = "generationConfig.thinkingConfig.thinkingBudget";
    assert.ok(Number(valueAt((await sent(t, name, { thinking: "high" })).body, path)) > 1000);
    assert.equal(valueAt((await sent(t, name, {})).body, path), undefined);
  });
}

const tiers: readonly (readonly [WireName, tier: string, path: string])[] = [
  ["openai", "flex", "service_tier"],
  ["openai-chat", "priority", "service_tier"],
  // Others are sent only where the deployment is named after a model that has them: the package looks at the name.
  ["azure", "default", "service_tier"],
  ["azure-chat", "default", "service_tier"],
  ["anthropic", "standard_only", "service_tier"],
  ["google", "flex", "serviceTier"],
  ["bedrock", "priority", "serviceTier.type"],
  ["groq", "on_demand", "service_tier"],
  ["openrouter", "flex", "service_tier"],
  ["xai", "priority", "service_tier"],
];

for (const [name, tier, path] of tiers) {
  test(`${name}: a service tier that it knows is sent, another provider's is not`, async (t) => {
    assert.equal(valueAt((await sent(t, name, { serviceTier: tier })).body, path), tier);
    assert.equal(valueAt((await sent(t, name, { serviceTier: "of-another" })).body, path), undefined);
  });
}

test("vertex: a service tier is a header", async (t) => {
  const { headers, body } = await sent(t, "vertex", { serviceTier: "flex" });
  assert.equal(headers["x-vertex-ai-llm-shared-request-type"], "flex");
  assert.equal("serviceTier" in body, false);
});

for (const name of ["mistral", "deepseek", "vllm"] as const) {
  test(`${name}: a provider without tiers is sent none`, async (t) => {
    const body = JSON.stringify((await sent(t, name, { serviceTier: "flex" })).body);
    assert.doesNotMatch(body, /flex/);
  });
}

for (const [name, field] of [
  ["openai", "prompt_cache_key"],
  ["openai-chat", "prompt_cache_key"],
  ["azure", "prompt_cache_key"],
  ["mistral", "prompt_cache_key"],
  ["xai", "prompt_cache_key"],
  ["openrouter", "session_id"],
] as const) {
  test(`${name}: requests of one session name it, for the provider's cache`, async (t) => {
    assert.equal((await sent(t, name, { sessionId: "s-1" })).body[field], "s-1");
  });
}

for (const [name, mark] of [
  ["anthropic", /"cache_control":{"type":"ephemeral"}/g],
  ["bedrock", /"cachePoint":{"type":"default"}/g],
  ["openrouter", /"cache_control":{"type":"ephemeral"}/g],
] as const) {
  test(`${name}: the system prompt and the end of the conversation are marked for the cache`, async (t) => {
    const { body } = await sent(t, name, {
      messages: [
        { role: "user", content: "One.", timestamp: 0 },
        { role: "user", content: "Two.", timestamp: 0 },
      ],
    });
    assert.equal(JSON.stringify(body).match(mark)?.length, 2, JSON.stringify(body));
  });
}

for (const name of ["openai", "azure", "xai"] as const) {
  test(`${name}: nothing of a conversation is stored at the provider`, async (t) => {
    const { body } = await sent(t, name, {});
    assert.equal(body.store, false);
  });
}

function valueAt(body: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => {
    return typeof value === "object" && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined;
  }, body);
}
