import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { callTool } from "@stet/agent/call-tool";
import { Hooks } from "@stet/agent/hooks";
import type { ToolsetName } from "@stet/protocol/toolset";
import { bareCapabilities } from "@stet/testkit/capabilities";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { beginTurnFor, openToolset } from "./open-toolset.ts";

async function answerOf(
  t: TestContext,
  toolset: ToolsetName,
  calls: readonly (readonly [name: string, input: Record<string, unknown>])[],
): Promise<string> {
  const place = new TestWorkspace(t, { "a.json": '{\n  "a": 1,\n  "b": 2\n}\n' });
  const workspace = await place.open();
  must(workspace.tabs.open("a.json"));
  const turn = must(beginTurnFor(toolset, workspace, {}));
  const { tools, hooks: given = [] } = must(
    await openToolset(toolset, bareCapabilities({ workspace, turn })),
  );
  const hooks = new Hooks(given);
  let told = "";
  for (const [index, [name, input]] of calls.entries()) {
    const call = { type: "toolCall", id: `call_${index}`, name, arguments: input } as const;
    const signal = AbortSignal.timeout(60_000);
    await hooks.beforeCall(call);
    const called = await callTool(call, { batch: String(index), tools, signal, progress: () => {} });
    const tool = tools.find((candidate) => candidate.name === name);
    const isRefused = called.error !== undefined;
    const { result } = await hooks.afterCall({ call, tool, result: called.result, isRefused });
    told = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  }
  return told;
}

test("an edit that breaks a JSON file is made, with a warning in the answer", async (t) => {
  const told = await answerOf(t, "tabs", [
    ["read_document", {}],
    ["replace_lines", { version: "1", start_line: 1, end_line: 1, content: '  "a": 1' }],
  ]);
  assert.match(told, /"status":\s*"success"/);
  assert.match(told, /a\.json: It is not valid JSON any more: comma expected, line 3/);
});

test("an edit that leaves it valid has none, nor has reading a file that is not", async (t) => {
  const told = await answerOf(t, "tabs", [
    ["read_document", {}],
    ["replace_lines", { version: "1", start_line: 1, end_line: 1, content: '  "a": 7,' }],
  ]);
  assert.doesNotMatch(told, /Warning/);
});

test("a new document is looked at, too", async (t) => {
  const told = await answerOf(t, "tabs", [["create_document", { title: "x.json", content: "{bad json" }]]);
  assert.match(told, /x\.json: It is not valid JSON/);
});
