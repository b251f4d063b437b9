import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { checkArguments, toolParameters } from "./tool-schema.ts";

const anchor = z
  .string()
  .regex(/^\d+[a-z]{2}$/)
  .describe("A line's anchor.");
const edit = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("replace").describe("What to do."),
    at: anchor,
    text: z.string().describe("New text."),
  }),
  z.object({
    op: z.literal("delete").describe("What to do."),
    at: anchor,
    count: z.number().int().min(1).optional(),
  }),
]);
const schema = z.object({
  path: z.string().min(1).describe("The file's path."),
  mode: z.union([z.literal("soft"), z.literal("hard")]).default("soft"),
  note: z.string().nullable().optional().describe("Why."),
  edits: z.array(edit).min(1).max(20).describe("The edits, in order."),
});

function words(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const item of node) words(item, found);
  else if (typeof node === "object" && node !== null) {
    for (const [word, value] of Object.entries(node)) {
      if (typeof value !== "object" || Array.isArray(value) || word === "items") found.add(word);
      words(value, found);
    }
  }
  return found;
}

test("strict servers see no word that they refuse", () => {
  const sent = toolParameters(schema);
  const found = words(sent);
  for (const word of [
    "$ref",
    "$schema",
    "pattern",
    "format",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "default",
  ]) {
    assert.ok(!found.has(word), word);
  }
  assert.deepEqual(sent, {
    type: "object",
    properties: {
      path: { type: "string", description: "The file's path." },
      mode: { type: "string", enum: ["soft", "hard"], description: "The mode." },
      note: { type: "string", description: "Why." },
      edits: {
        type: "array",
        description: "The edits, in order.",
        minItems: 1,
        maxItems: 20,
        items: {
          type: "object",
          properties: {
            op: { type: "string", enum: ["replace", "delete"], description: "What to do." },
            at: { type: "string", description: "A line's anchor." },
            text: { type: "string", description: "New text." },
            count: { type: "integer", minimum: 1, description: "The count." },
          },
          required: ["op", "at"],
          additionalProperties: false,
        },
      },
    },
    required: ["path", "edits"],
    additionalProperties: false,
  });
});

test("a tool without parameters, a map, an intersection and a union of kinds", () => {
  assert.deepEqual(toolParameters(z.object({})), {
    type: "object",
    properties: {},
    additionalProperties: false,
  });
  const map = toolParameters(z.object({ names: z.record(z.string(), z.number()).describe("Names.") }));
  assert.deepEqual((map.properties as Record<string, unknown>).names, {
    type: "object",
    description: "Names.",
    properties: {},
    additionalProperties: { type: "number" },
  });
  const both = toolParameters(z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })));
  assert.deepEqual(both.required, ["a", "b"]);
  const mixed = toolParameters(
    z.object({ value: z.union([z.string(), z.array(z.string())]).describe("One or many.") }),
  );
  assert.deepEqual((mixed.properties as Record<string, unknown>).value, {
    description: "One or many.",
    anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }],
  });
});

test("what the sent form leaves out is still enforced, and the model is told", () => {
  const wrong = checkArguments(schema, { path: "", edits: [{ op: "replace", at: "nonsense", text: 5 }] });
  assert.ok(!wrong.valid);
  assert.match(wrong.message, /- path: .*got ""/);
  assert.match(wrong.message, /- edits\[0\]\.at: .*pattern.*got "nonsense"/);
  assert.match(wrong.message, /- edits\[0\]\.text: .*expected string.*got 5/);
  const missing = checkArguments(schema, {});
  assert.ok(!missing.valid);
  assert.match(missing.message, /- path: .*it is missing/);
});

test("null for what may be left out is taken as left out", () => {
  const checked = checkArguments(schema, {
    path: "a",
    mode: null,
    edits: [{ op: "delete", at: "1ab", count: null }],
  });
  assert.ok(checked.valid, checked.valid ? "" : checked.message);
  assert.equal(checked.value.mode, "soft");
});
