import assert from "node:assert/strict";
import { test } from "node:test";
import { noUsage } from "@stet/protocol/message";
import type { Model } from "@stet/protocol/model-stream";
import { modelOf } from "@stet/testkit/model-of";
import { Budget, withBudget } from "./budget.ts";
import { costOf } from "./table/cost.ts";
import { freePrice, priceOf } from "./table/prices.ts";

const request = { system: "", messages: [], tools: [] };

async function last(model: Model) {
  let end: unknown;
  for await (const event of model.stream(request)) {
    if (event.type === "error") end = event.failure;
    if (event.type === "done") end = event.reason;
  }
  return end;
}

test("a cap in tokens stops before the next request, and says so", async () => {
  const model = modelOf(() => ({ text: "Hello.", usage: { input: 90, output: 20 } }));
  const capped = withBudget(model, new Budget("this session", { maxTokens: 100 }));
  assert.equal(await last(capped), "stop");
  assert.deepEqual(await last(capped), {
    kind: "budget",
    message: "The budget of this session is spent: 110 of 100 tokens are used. Raise the limit to go on.",
  });
  assert.equal(model.requests.length, 1);
});

test("subagents spend for the whole tree, and a sibling is stopped by what they spent", async () => {
  const root = new Budget("the turn", { maxCost: 0.5 });
  const cost = { input: 0.3, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.3 };
  const model = { ...modelOf(() => ({ text: "Hello.", usage: { input: 10, cost } })), price: freePrice };
  const one = withBudget(model, root.child("reader"));
  const other = withBudget(model, root.child("writer").child("checker"));
  assert.equal(await last(one), "stop");
  assert.equal(await last(other), "stop");
  const refused = await last(one);
  assert.ok(
    typeof refused === "object" && refused !== null && "kind" in refused && refused.kind === "budget",
  );
  assert.equal(root.spent.input, 20);
});

test("a limit in money is refused for a model whose price nobody knows", async () => {
  const model = modelOf(() => ({ text: "Hello." }));
  const refused = await last(withBudget(model, new Budget("the turn", { maxCost: 1 })));
  assert.match(JSON.stringify(refused), /No price is known/);
});

test("an answer that was left early is charged by estimate", async () => {
  const budget = new Budget("the turn", {});
  const model = withBudget(
    modelOf(() => ({ text: "Hello there, how are you?" })),
    budget,
  );
  for await (const event of model.stream(request)) if (event.type === "text_delta") break;
  assert.ok(budget.spent.output > 0);
});

test("a request costs its four buckets, and more in a long context", () => {
  const price = priceOf("google", "gemini-2.5-pro");
  assert.ok(price !== undefined);
  const usage = { ...noUsage, input: 100_000, output: 1000, cacheRead: 50_000 };
  assert.equal(costOf(usage, price).total.toFixed(6), (0.125 + 0.01 + 0.00625).toFixed(6));
  assert.equal(costOf({ ...usage, input: 200_000 }, price).input, 0.5);
  assert.equal(priceOf("openai", "gpt-5-mini-2025-08-07")?.input, 0.25);
  assert.equal(priceOf("openai", "gpt-5.9"), undefined);
});
