// What fills a session's context, what it cost, what it may do, and its list of tasks.

import * as z from "zod";
import { permissionModes } from "../permission-mode.ts";
import { route } from "./route.ts";
import { todoPhase } from "./sessions.ts";

const bySession = z.object({ session_id: z.string() });
const tokens = z.number().int();

/** What takes room in the model's context. */
export const contextPart = z.object({
  name: z.enum(["system", "instructions", "tools", "summary", "messages", "thinking", "calls", "results"]),
  tokens,
});
export type ContextPart = z.infer<typeof contextPart>;

export const modelCost = z.object({
  model: z.string(),
  answers: z.number().int(),
  input: tokens,
  output: tokens,
  cache_read: tokens,
  cache_write: tokens,
  cost_usd: z.number(),
  cost_known: z.boolean().describe("False where some of the tokens have no known price"),
});
export type ModelCost = z.infer<typeof modelCost>;

export const permissionRule = z.object({
  tool: z.string().min(1).max(200),
  target: z.string().min(1).max(10_000),
  effect: z.enum(["allow", "ask", "deny"]),
});

export const todoPhases = z.array(todoPhase).describe("Phases with their tasks");
export type TodoPhases = z.infer<typeof todoPhases>;

const todoList = z.object({ phases: todoPhases, markdown: z.string() });

export const sessionStateRoutes = {
  sessionContext: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/context",
    about: "What fills the model's context in a session, in tokens.",
    params: bySession,
    reply: z.object({
      parts: z.array(contextPart),
      tokens: tokens.describe("What the next request would send, without the message itself"),
      window: tokens.nullable().describe("What the model takes; null where it is not known"),
      instruction_files: z.array(z.object({ path: z.string(), tokens })),
      is_complete: z
        .boolean()
        .describe("False until a turn ran here: the system prompt and the tools are not in it then"),
    }),
  }),
  sessionCost: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/cost",
    about: "What a session has used, by model, over all ways that it took.",
    params: bySession,
    reply: z.object({ models: z.array(modelCost) }),
  }),
  listPermissions: route({
    method: "GET",
    path: "/api/permissions",
    about: "The permission mode and every rule in force, with where it came from; later ones win.",
    query: z.object({ session_id: z.string().max(100).optional() }),
    reply: z.object({
      mode: z.enum(permissionModes),
      mode_source: z.string(),
      rules: z.array(
        permissionRule.extend({
          source: z.enum(["configuration", "project", "session"]),
          from: z.string().describe("The file of a configuration"),
        }),
      ),
      problem: z.string().nullable().describe("Why the rules of the project cannot be used"),
    }),
  }),
  removePermission: route({
    method: "POST",
    path: "/api/permissions/remove",
    about: "Takes back a rule that was given for the project, or for a session.",
    body: permissionRule.extend({
      source: z.enum(["project", "session"]),
      session_id: z.string().max(100).optional(),
    }),
    reply: z.object({ removed: z.boolean() }),
  }),
  getTodo: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/todo",
    about: "The agent's list of tasks in a session.",
    params: bySession,
    reply: todoList,
  }),
  setTodo: route({
    method: "PUT",
    path: "/api/agent/sessions/:session_id/todo",
    about: "Replaces the list of tasks by one in Markdown; the model is told.",
    params: bySession,
    body: z.object({ markdown: z.string().max(200_000) }),
    reply: todoList,
  }),
};
