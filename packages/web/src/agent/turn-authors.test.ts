import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "@stet/client/items";
import { authorsOf } from "./turn-authors.ts";

const user = (key: string): Item => ({ kind: "user", key, text: "", entry: null, siblings: 0 });
const reply = (key: string, model?: string): Item => ({
  kind: "assistant",
  key,
  text: "",
  isStreaming: false,
  ...(model === undefined ? {} : { model }),
});

test("each turn says once who answered it, below its last reply; the turn at work does not yet", () => {
  const items = [
    user("u1"),
    reply("a1", "ollama/one"),
    reply("a2", "openai/two"),
    user("u2"),
    reply("a3", "x/y"),
  ];
  assert.deepEqual([...authorsOf(items, true)], [["a2", "openai/two"]]);
  assert.deepEqual(
    [...authorsOf(items, false)],
    [
      ["a2", "openai/two"],
      ["a3", "x/y"],
    ],
  );
});

test("where it is not known who answered, nobody is named", () => {
  assert.deepEqual([...authorsOf([user("u"), reply("a", "x/y"), reply("b")], false)], []);
});
