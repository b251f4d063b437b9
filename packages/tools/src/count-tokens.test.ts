import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTokenCounter } from "./count-tokens.ts";

const prose = "Call me Ishmael. Some years ago, never mind how long precisely, I went to sea.\n";

test("counts as the tokenizer does", async () => {
  const count = await loadTokenCounter();
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  for (const text of ["", " ", "hello world", prose, "naïve 漢字 😀 é", "a\n\n\nb\r\n\tc"]) {
    assert.equal(count(text), countTokens(text));
  }
});

test("a long text is counted in stretches, with almost the same result", async () => {
  const count = await loadTokenCounter();
  const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
  const text = prose.repeat(500);
  assert.ok(Math.abs(count(text) - countTokens(text)) <= 10);
});

test("marks of a model's own format are text", async () => {
  const count = await loadTokenCounter();
  assert.ok(count("<|endoftext|><|im_start|>") > 2);
});

test("ten megabytes without a gap are counted no further than asked", async () => {
  const count = await loadTokenCounter();
  for (const part of ["a", "😀", "漢", " ", "-=", "\n"]) {
    const counted = count(part.repeat(10_000_000 / part.length), 6000);
    assert.ok(counted > 6000 && counted < 12_000, `${JSON.stringify(part)}: ${counted}`);
  }
});

test("no character is parted where a stretch ends", async () => {
  const count = await loadTokenCounter();
  // One token each; half of one would count as several.
  assert.equal(count("😀".repeat(10_000)), 10_000);
  assert.equal(count(`x${"😀".repeat(10_000)}`), 10_001);
});
