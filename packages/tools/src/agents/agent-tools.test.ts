import assert from "node:assert/strict";
import { test } from "node:test";
import { Background } from "@stet/agent/background/background";
import { defineTool, type Tool } from "@stet/agent/tool";
import { scout } from "@stet/testkit/delegation-fixture";
import * as z from "zod";
import type { AgentDefinition } from "./agent-definition.ts";
import { type AgentPorts, agentTools, allowedTools, namedAgents } from "./agent-tools.ts";
import type { AgentMessages, Assignment, Delegation } from "./delegation.ts";

const messages: AgentMessages = { self: "main", peers: () => [], say: async () => ({ reply: undefined }) };
const delegation: Delegation = {
  isAsync: true,
  mode: "default",
  agents: async () => [scout],
  refusal: () => undefined,
  allocate: (wishes) => wishes,
  send: () => {
    throw new Error("Nobody is sent here");
  },
  standing: () => undefined,
};
const assignment: Assignment = { schema: undefined, findings: [], yielded: undefined, reminders: 0 };

const portsOf = (more: Partial<AgentPorts> = {}): AgentPorts => {
  const none = { outputs: undefined, assignment: undefined, allowed: undefined, isNamed: false };
  return { delegation, known: [scout], messages, ...none, ...more };
};

const names = (tools: readonly Tool[]) => tools.map(({ name }) => name);

/** Names of the tools that an agent has: those in each request, and those that it has to ask for. */
function toolsOf(ports: AgentPorts, isAsync = true): [string[], string[]] {
  const { offered, hidden } = agentTools(ports, new Background({ isAsync, maxJobs: 9 }).of("main"));
  return [names(offered), names(hidden)];
}

test("the session's own agent finds task and irc when it needs them, and has them where the person names an agent", () => {
  assert.deepEqual(toolsOf(portsOf()), [[], ["task", "irc"]]);
  assert.deepEqual(toolsOf(portsOf({ isNamed: true })), [["task", "irc"], []]);
});

test("where it waits for agents, the session's own agent cannot speak with them", () => {
  assert.deepEqual(toolsOf(portsOf(), false), [[], ["task"]]);
});

test("an agent that was sent can yield, speak, and send others where it may", () => {
  assert.deepEqual(toolsOf(portsOf({ assignment }), false), [["yield", "report_finding", "task", "irc"], []]);
  assert.deepEqual(toolsOf(portsOf({ assignment, delegation: undefined, messages: undefined })), [
    ["yield", "report_finding"],
    [],
  ]);
});

const all = [
  ...["read", "edit", "bash", "job", "eval", "ast_edit", "resolve", "checkpoint", "rewind", "todo"],
  ...["monitor", "CronCreate", "CronList", "CronDelete", "search_tool_bm25"],
  ...["yield", "report_finding", "task", "irc"],
].map((name) =>
  defineTool({
    name,
    description: "",
    traits: [],
    schema: z.object({}),
    execute: async () => ({ content: "" }),
  }),
);

const always = ["search_tool_bm25", "yield", "irc"];

const allowances: readonly [string, Partial<AgentPorts>, readonly string[]][] = [
  ["nothing: what it reads with is not there either", { allowed: [], delegation: undefined }, always],
  ["read", { allowed: ["read"], delegation: undefined }, ["read", ...always]],
  ["read, and it may send others", { allowed: ["read"] }, ["read", ...always, "task"]],
  ["task, and it may send nobody", { allowed: ["task"], delegation: undefined }, always],
  ["exec", { allowed: ["exec"], delegation: undefined }, ["bash", "job", "eval", ...always]],
  ["bash", { allowed: ["bash"], delegation: undefined }, ["bash", "job", ...always]],
  ["ast_edit", { allowed: ["ast_edit"], delegation: undefined }, ["ast_edit", "resolve", ...always]],
  ["checkpoint", { allowed: ["checkpoint"], delegation: undefined }, ["checkpoint", "rewind", ...always]],
  ["report_finding", { allowed: ["report_finding"], delegation: undefined }, [...always, "report_finding"]],
  [
    "what belongs to the session's own agent",
    { allowed: ["todo", "monitor", "CronCreate", "CronList", "CronDelete"], delegation: undefined },
    always,
  ],
];

for (const [listed, ports, expected] of allowances) {
  test(`an agent whose file lists ${listed}`, () => {
    const kept = names(allowedTools(all, portsOf({ assignment, ...ports })));
    assert.deepEqual(kept.toSorted(), expected.toSorted());
  });
}

test("an agent whose file lists no tools has all but those of the session's own agent and a reviewer's", () => {
  const kept = names(allowedTools(all, portsOf({ assignment })));
  const missing = names(all).filter((name) => !kept.includes(name));
  assert.deepEqual(missing, ["todo", "monitor", "CronCreate", "CronList", "CronDelete", "report_finding"]);
  assert.deepEqual(names(allowedTools(all, portsOf({ allowed: ["read"] }))), names(all), "the session's own");
});

const known: readonly AgentDefinition[] = [scout, { ...scout, name: "quick_task" }];

const prompts: readonly [string, readonly string[]][] = [
  ["@explore where are the routes?", ["explore"]],
  ["Ask @Explore, then (@quick_task) and @explore.", ["explore", "quick_task"]],
  ["@explorer @nobody explore", []],
  ["anna@explore.org, src/@explore, @@explore, a.@explore", []],
  ["Line\n@quick_task: go", ["quick_task"]],
];

for (const [text, expected] of prompts) {
  test(`agents that are named in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(namedAgents(text, known), expected);
  });
}
