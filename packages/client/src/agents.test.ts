import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentView } from "@stet/protocol/api/agents";
import { agentOfSession, agentPath, agentTree, rootSession, sumOfAgents, withAgent } from "./agents.ts";

function agent(id: string, parent: string, more: Partial<AgentView> = {}): AgentView {
  return {
    agent_id: id,
    parent,
    agent: "task",
    source: "builtin",
    description: id,
    status: "running",
    step: "reads",
    job_id: null,
    session_id: `s~${id}`,
    model: "a/b",
    isolation: "ledger",
    started_at: null,
    duration_ms: 0,
    tool_calls: 0,
    tokens: 10,
    cost_usd: 0.5,
    cost_known: true,
    question: null,
    turn: null,
    documents: [],
    conflicts: 0,
    summary: "",
    ...more,
  };
}

test("each agent stands below the one that sent it, and costs are counted once", () => {
  const first = [agent("0-A", "main"), agent("1-B", "main"), agent("0-A.0-C", "0-A")];
  const agents = withAgent(first, agent("1-B", "main", { status: "completed", cost_known: false }));
  assert.deepEqual(
    agentTree(agents).map(({ agent: { agent_id: id }, depth }) => `${depth} ${id}`),
    ["0 0-A", "1 0-A.0-C", "0 1-B"],
  );
  const sum = { working: 2, asking: 0, tokens: 20, costUsd: 1, isCostKnown: false };
  assert.deepEqual(sumOfAgents(agents), sum);
});

test("an agent whose sender is not known is not lost", () => {
  assert.deepEqual(
    agentTree([agent("0-A.0-C", "0-A")]).map(({ depth }) => depth),
    [0],
  );
});

test("an agent's conversation says whose it is, and for which session it works", () => {
  assert.equal(rootSession("s1~0-A.0-B"), "s1");
  assert.equal(rootSession("s1"), "s1");
  assert.equal(agentOfSession("s1~0-A.0-B"), "0-A.0-B");
  assert.equal(agentOfSession("s1"), undefined);
  assert.equal(agentOfSession(null), undefined);
  assert.deepEqual(agentPath("0-A.0-B"), ["0-A", "0-A.0-B"]);
});
