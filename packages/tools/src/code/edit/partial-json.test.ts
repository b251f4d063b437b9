import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fieldOf, type PartialJson, readPartialJson, wholeText } from "./partial-json.ts";

function plainOf(value: PartialJson | undefined): unknown {
  if (value?.kind === "string") return value.text;
  if (value?.kind === "array") return value.items.map(plainOf);
  if (value?.kind === "object")
    return Object.fromEntries([...value.fields].map(([name, item]) => [name, plainOf(item)]));
  return value?.value;
}

test("arguments that are all there are read as JSON reads them", async () => {
  const values = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 4 }));
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(plainOf(await readPartialJson(text)), JSON.parse(text));
    }),
  );
});

test("a cut anywhere never fails, and strings are what they begin with", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.nat(), async (input, at) => {
      const text = JSON.stringify({ input });
      const field = fieldOf(await readPartialJson(text.slice(0, at % (text.length + 1))), "input");
      if (field === undefined) return;
      assert.ok(field.kind === "string");
      // What was half a surrogate pair of its own stays one.
      assert.ok(input.startsWith(field.text));
    }),
  );
});

test("whatever a model sends instead of JSON is read without failing", async () => {
  await fc.assert(fc.asyncProperty(fc.string(), async (text) => void (await readPartialJson(text))));
  await assert.doesNotReject(() => readPartialJson("[".repeat(100_000)));
});

test("a half escape, half a pair and half a number are left out", async () => {
  const textOf = async (text: string) => plainOf(await readPartialJson(text));
  assert.deepEqual(await textOf('{"a":"x\\'), { a: "x" });
  assert.deepEqual(await textOf('{"a":"x\\u00e'), { a: "x" });
  assert.deepEqual(await textOf('{"a":"x\\ud83d'), { a: "x" });
  assert.deepEqual(await textOf('{"a":1,"b":2'), { a: 1 });
  assert.deepEqual(await textOf('{"a":[{"b":"c"},{"d"'), { a: [{ b: "c" }, {}] });
});

test("a field is whole once its quotation mark is closed", async () => {
  assert.equal(wholeText(fieldOf(await readPartialJson('{"path":"a.t'), "path")), undefined);
  assert.equal(wholeText(fieldOf(await readPartialJson('{"path":"a.ts"'), "path")), "a.ts");
});
