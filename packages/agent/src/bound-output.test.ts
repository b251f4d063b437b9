import assert from "node:assert/strict";
import { test } from "node:test";
import { boundOutput, maxOutputBytes } from "./bound-output.ts";

test("an answer that is too long stays JSON, with what is short in it whole, and says where the rest is", () => {
  const stored: string[] = [];
  const keep = (text: string) => `artifact://${stored.push(text)}`;
  const rows = Array.from({ length: 5000 }, (_, index) => ({ index, text: "x".repeat(40) }));
  const content = { path: "a.md", has_more: true, body: "\u0001".repeat(100_000), nested: { rows } };
  const [part] = boundOutput(content, keep);
  const text = part?.type === "text" ? part.text : "";
  assert.ok(Buffer.byteLength(text) <= maxOutputBytes);
  const output = JSON.parse(text);
  assert.deepEqual([output.path, output.has_more], ["a.md", true]);
  assert.match(output.body, /more characters\)$/);
  assert.ok(output.nested.rows.length > 1 && output.nested.rows[1].index === 1);
  assert.match(output.left_out, /artifact:\/\/1; read it in parts/);
  assert.deepEqual(JSON.parse(stored[0] ?? ""), content);
  assert.ok(
    (stored[0] ?? "").split("\n").length > 5000,
    "the kept text has lines that can be read one by one",
  );
});

test("an answer of many short things is bounded, too", () => {
  const many = Object.fromEntries(Array.from({ length: 9000 }, (_, index) => [`key ${index}`, index]));
  const [part] = boundOutput(many, undefined);
  assert.match(JSON.parse(part?.type === "text" ? part.text : "").left_out, /Ask for a smaller part/);
});
