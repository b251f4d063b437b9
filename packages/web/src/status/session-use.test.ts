import assert from "node:assert/strict";
import { test } from "node:test";
import { contextWords, costWords } from "./session-use.ts";

const use = {
  cost_usd: 0,
  cost_known: true,
  input: 0,
  output: 0,
  context_tokens: 3100,
  context_window: 100_000,
};

test("how full the context is, as far as it is known", () => {
  assert.equal(contextWords(use), "3% of the context");
  assert.equal(contextWords({ ...use, context_tokens: 10 }), "under 1% of the context");
  assert.equal(contextWords({ ...use, context_window: null }), "3.1k tokens");
  assert.equal(contextWords({ ...use, context_tokens: 0 }), "");
});

test("a cost that rounds to nothing is not told as nothing", () => {
  assert.equal(costWords(0), "");
  assert.equal(costWords(0.0004), "under $0.01");
  assert.equal(costWords(1.234), "$1.23");
});
