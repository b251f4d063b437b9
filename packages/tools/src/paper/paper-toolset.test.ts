import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool } from "@stet/agent/tool";
import { isRecord } from "@stet/protocol/json-record";
import { PaperFixture } from "@stet/testkit/paper-fixture";
import * as z from "zod";

test("fourteen tools, each exclusive, each parameter described by hand", async (t) => {
  const { toolset } = await PaperFixture.open(t, "");
  assert.equal(toolset.name, "paper");
  assert.deepEqual(
    toolset.tools.map(({ name }) => name),
    [
      "search_paper",
      "search_chat",
      "search_tools",
      "get_context_lines",
      "keep_search",
      "retrieve_search",
      "get_kept_searches",
      "clear_kept_search",
      "clear_all_kept_searches",
      "write_append",
      "write_replace_line",
      "set_text",
      "clear_all",
      "verify",
    ],
  );
  const described: string[] = [];
  for (const tool of toolset.tools) {
    assert.ok(tool.traits.includes("exclusive"));
    assert.ok(tool.description.length > 30, tool.name);
    for (const [name, { description }] of propertiesIn(tool.parameters())) {
      assert.notEqual(description, descriptionMadeOf(name), `${tool.name}: ${name} has no description`);
      described.push(`${tool.name}.${name}`);
    }
  }
  // The properties of nested objects were looked at, too.
  assert.ok(described.includes("get_context_lines.start"));
});

/** All properties of a JSON Schema, those of its arrays' items included. */
function propertiesIn(schema: unknown): [name: string, property: Readonly<Record<string, unknown>>][] {
  if (!isRecord(schema)) return [];
  const own = Object.entries(isRecord(schema.properties) ? schema.properties : {});
  return [
    ...own.flatMap(([name, property]) =>
      isRecord(property) ? [[name, property] as [string, typeof property]] : [],
    ),
    ...own.flatMap(([, property]) => propertiesIn(property)),
    ...propertiesIn(schema.items),
  ];
}

/** What a model is sent for a property whose schema has no description of its own. */
function descriptionMadeOf(name: string): unknown {
  const schema = z.object({ [name]: z.string() });
  const tool = defineTool({
    name: "undescribed",
    description: "",
    traits: [],
    schema,
    execute: async () => ({ content: "" }),
  });
  const [[, property] = ["", {}]] = propertiesIn(tool.parameters());
  assert.ok(property.description !== undefined);
  return property.description;
}
