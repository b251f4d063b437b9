import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedModel } from "@stet/protocol/api/models";
import {
  factWords,
  isForgettable,
  keyWords,
  priceWords,
  shownModel,
  shownTokens,
  titleOf,
} from "./model-words.ts";

const unknown: ListedModel = {
  name: "x/y",
  context_window: null,
  max_output: null,
  price: null,
  tools: null,
  images: null,
  thinking: null,
  is_favourite: false,
  speed: null,
};

test("sizes and prices are short, and neither becomes nothing by rounding", () => {
  assert.deepEqual([512, 4096, 8192, 131_072, 999_600, 1_048_576].map(shownTokens), [
    "512",
    "4.1k",
    "8.2k",
    "131k",
    "1M",
    "1M",
  ]);
  const price = (input: number, output: number) =>
    priceWords({ input, output, cache_read: 0, cache_write: 0 });
  assert.equal(price(3, 15), "$3 in, $15 out");
  assert.equal(price(0.075, 0.3), "$0.075 in, $0.3 out");
  assert.equal(price(0, 0), "free");
  assert.equal(priceWords(null), "");
});

test("what is not known of a model is left out, but for a price that somebody will have to pay", () => {
  assert.equal(factWords(unknown, false), "price unknown");
  assert.equal(factWords(unknown, true), "");
  const known: ListedModel = {
    ...unknown,
    context_window: 32_768,
    tools: "text",
    images: true,
    thinking: false,
    speed: { first_token_ms: 100, tokens_per_second: 41.6, answers: 3 },
  };
  assert.equal(factWords(known, true), "33k context · tools as text, pictures · 42 tokens a second here");
  const atOnce = { first_token_ms: 340, tokens_per_second: 0, answers: 1 };
  assert.equal(factWords({ ...unknown, speed: atOnce }, true), "answers after 0.3 s here");
});

test("a key is named by its place, and one that comes from outside cannot be forgotten here", () => {
  assert.equal(
    keyWords({ kept_in: "environment", name: "OPENAI_API_KEY" }),
    "from the variable OPENAI_API_KEY",
  );
  assert.deepEqual(
    (["keychain", "file", "environment", "configuration"] as const).filter((place) =>
      isForgettable({ kept_in: place }),
    ),
    ["keychain", "file"],
  );
});

test("a model is called by its own name, and a server that somebody named by that name", () => {
  assert.deepEqual(["practice", "practice/practice", "gateway/org/large"].map(shownModel), [
    "Practice model",
    "Practice model",
    "org/large",
  ]);
  assert.equal(titleOf({ name: "gateway", title: "Practice model", kind: "practice" }), "gateway");
  assert.equal(titleOf({ name: "ollama", title: "Ollama", kind: "local" }), "Ollama");
});
