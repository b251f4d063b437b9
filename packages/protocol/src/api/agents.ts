// Agents that work for another one: which there are to choose from, and those of a session as a tree.

import * as z from "zod";
import { isolationKinds } from "../agent-modes.ts";
import { thinkingLevels } from "../model-stream.ts";
import { permissionModes } from "../permission-mode.ts";
import { openQuestion, toolsetName } from "./job.ts";
import { route } from "./route.ts";

const count = z.number().int().nonnegative();
const time = z.iso.datetime().describe("UTC");

export const agentStatus = z.enum(["pending", "running", "completed", "failed", "aborted"]);
export type AgentStatus = z.infer<typeof agentStatus>;

export const agentSource = z.enum(["builtin", "user", "project"]);
export type AgentSource = z.infer<typeof agentSource>;

export const agentView = z.object({
  agent_id: z.string().describe("0-Look, and 0-Look.0-Deeper for one that works for that"),
  parent: z.string().describe("Whom it works for: main, or an agent's id"),
  agent: z.string().describe("Its kind: explore, task, …"),
  source: agentSource,
  description: z.string(),
  status: agentStatus,
  step: z.string().describe("What it does now, or did last"),
  job_id: z.string().nullable().describe("For following, steering and stopping it"),
  session_id: z.string().describe("Its own conversation"),
  model: z.string(),
  isolation: z.enum(isolationKinds),
  started_at: time.nullable(),
  duration_ms: z.number(),
  tool_calls: count,
  tokens: count,
  cost_usd: z.number(),
  cost_known: z.boolean(),
  question: openQuestion.nullable().describe("What it asks the person"),
  turn: z.string().nullable().describe("Its changes, once it has ended"),
  documents: z.array(count).describe("What it changed"),
  conflicts: count.describe("Changes of it that did not fit any more"),
  summary: z.string().describe("How it ended, in a line"),
});
export type AgentView = z.infer<typeof agentView>;

export const agentDefinition = z.object({
  name: z.string(),
  source: agentSource,
  from: z.string().describe("Its file; empty for one that is built in"),
  description: z.string(),
  toolset: toolsetName.nullable(),
  tools: z.array(z.string()).nullable().describe("Null for all"),
  spawns: z.array(z.string()).nullable().describe("Whom it may send in turn; null for nobody, * for all"),
  model: z.string().nullable(),
  thinking: z.enum(thinkingLevels).nullable(),
  permission: z.enum(permissionModes).nullable(),
  blocking: z.boolean(),
  problem: z.string().nullable().describe("Why its file cannot be used"),
});
export type AgentDefinitionView = z.infer<typeof agentDefinition>;

export const agentsRoutes = {
  listAgentDefinitions: route({
    method: "GET",
    path: "/api/agents",
    about: "The agents that a model may send to work, each with where it came from.",
    reply: z.object({ agents: z.array(agentDefinition) }),
  }),
  listAgents: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/agents",
    about: "The agents that work or worked for a session, in the order in which they began.",
    params: z.object({ session_id: z.string() }),
    reply: z.object({
      agents: z.array(agentView),
      tokens: count.describe("What all of them used"),
      cost_usd: z.number(),
      cost_known: z.boolean(),
    }),
  }),
};
