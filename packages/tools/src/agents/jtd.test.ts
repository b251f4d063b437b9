import assert from "node:assert/strict";
import { test } from "node:test";
import { isJtdProblem, jtdSchema, parseJtd } from "./jtd.ts";

function accepts(schema: unknown, value: unknown): boolean {
  const read = jtdSchema(schema);
  assert.ok(!isJtdProblem(read), JSON.stringify(read));
  return read.safeParse(value).success;
}

const fitting: readonly [schema: unknown, good: readonly unknown[], bad: readonly unknown[]][] = [
  [{}, [1, null, "x", {}], []],
  [{ type: "string" }, ["", "x"], [1, null]],
  [{ type: "string", nullable: true }, ["x", null], [1]],
  [{ type: "uint8" }, [0, 255], [-1, 256, 1.5]],
  [{ type: "float64" }, [1.5], ["1.5"]],
  [{ type: "timestamp" }, ["2026-01-01T00:00:00Z"], ["yesterday"]],
  [{ enum: ["a", "b"] }, ["a"], ["c"]],
  [{ elements: { type: "boolean" } }, [[], [true]], [[1], {}]],
  [{ values: { type: "int8" } }, [{}, { x: 1 }], [{ x: "1" }]],
  [{ properties: { a: { type: "string" } } }, [{ a: "x" }], [{}, { a: "x", b: 1 }]],
  [
    { properties: { a: {} }, optionalProperties: { b: { type: "int8" } }, additionalProperties: true },
    [{ a: 1 }, { a: 1, b: 2, c: 3 }],
    [{ a: 1, b: "2" }],
  ],
  [
    { discriminator: "kind", mapping: { x: { properties: { n: { type: "int8" } } }, y: {} } },
    [{ kind: "x", n: 1 }, { kind: "y" }],
    [{ kind: "x" }, { kind: "z" }],
  ],
  [
    {
      definitions: {
        node: { properties: { name: { type: "string" } }, optionalProperties: { next: { ref: "node" } } },
      },
      ref: "node",
    },
    [{ name: "a", next: { name: "b" } }],
    [{ next: { name: "b" } }],
  ],
];

for (const [schema, good, bad] of fitting) {
  test(`what fits ${JSON.stringify(schema)} is accepted, and nothing else`, () => {
    for (const value of good) assert.ok(accepts(schema, value), JSON.stringify(value));
    for (const value of bad) assert.ok(!accepts(schema, value), JSON.stringify(value));
  });
}

const wrong: readonly [string, RegExp][] = [
  ["{", /is not JSON/],
  ["[]", /the schema is no object/],
  ['{"type": "number"}', /the type "number", which there is not/],
  ['{"type": "string", "elements": {}}', /"elements" where that cannot stand/],
  ['{"properties": {"a": {"kind": "x"}}}', /the schema\.a has "kind"/],
  ['{"enum": []}', /enum that is no list/],
  ['{"ref": "nobody"}', /refers to "nobody", which is not defined/],
  ['{"properties": {"a": {}}, "optionalProperties": {"a": {}}}', /both required and optional/],
  ['{"discriminator": "k", "mapping": {}}', /an empty mapping/],
  [`${'{"elements":'.repeat(200)}{}${"}".repeat(200)}`, /nested too deeply/],
  ['{"$schema": "x", "type": "object"}', /cannot stand/],
];

for (const [text, problem] of wrong) {
  test(`${text.slice(0, 60)} is no schema, and the problem says where`, () => {
    const read = parseJtd(text);
    assert.ok(isJtdProblem(read));
    assert.match(read.problem, problem);
  });
}
