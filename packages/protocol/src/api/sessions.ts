// Sessions: conversations as trees, what is pinned in them, and what they have used.

import * as z from "zod";
import { toolTraits } from "../message.ts";
import { thinkingLevels } from "../model-stream.ts";
import { permissionModes } from "../permission-mode.ts";
import { deliverySource } from "./background.ts";
import { toolsetName } from "./job.ts";
import { route } from "./route.ts";

const time = z.iso.datetime().describe("UTC");
const line = z.number().int().positive();

/** What the person pinned for the agent to see with every request. */
export const contextRow = z.object({
  id: z.string().min(1).max(100),
  kind: z.enum(["selection", "file", "pinned"]),
  file_path: z.string().max(4096).optional(),
  start_line: line.optional(),
  end_line: line.optional(),
  content: z.string().max(200_000).optional(),
});
export type ContextRow = z.infer<typeof contextRow>;

export const measuredContextRow = contextRow.extend({
  tokens: z.number().int().describe("About how much of the model's context it takes"),
});

export const sessionStatus = z.enum(["active", "archived"]);

export const sessionSummary = z.object({
  session_id: z.string(),
  status: sessionStatus,
  title: z.string(),
  created_at: time,
  updated_at: time,
  last_job_id: z.string().nullable(),
});

export const chatMessage = z.object({
  role: z.enum(["user", "assistant", "tool"]),
  text: z.string(),
  ts: time,
  tool: z.string().optional(),
  is_error: z.boolean().optional(),
});

/** What a session has used so far, and how full the model's context is. */
export const sessionUse = z.object({
  cost_usd: z.number(),
  cost_known: z
    .boolean()
    .describe("False where some of the tokens have no known price, which cost_usd leaves out"),
  input: z.number(),
  cache_read: z.number().optional().describe("How much of input came from the provider's cache"),
  output: z.number(),
  context_tokens: z.number().int().describe("What the next request would send, without the message itself"),
  context_window: z.number().int().nullable().describe("What the model takes; null where it is not known"),
});

export type SessionUse = z.infer<typeof sessionUse>;

/** What a turn is asked with; its session goes on with it. */
export const turnChoices = z.object({
  toolset: toolsetName.optional(),
  model: z.string().max(200).optional(),
  thinking: z.enum(thinkingLevels).optional(),
  permission: z.enum(permissionModes).optional(),
});

/** What was chosen in a session, and its next turn goes on with; the rest is as configured. */
const sessionChoices = z.object({
  model: z.string().optional(),
  thinking: z.string().optional(),
  toolset: z.string().optional(),
  permission: z.string().optional(),
});

export const agentSession = sessionSummary.extend({
  chat: z.array(chatMessage),
  context_rows: z.array(measuredContextRow),
  pending_review: z.object({ job_id: z.string(), hunks: z.number().int() }).nullable(),
  running_job_id: z.string().nullable().describe("The newest job that is queued, running or waiting"),
  use: sessionUse,
  choices: sessionChoices,
});

export const toolCall = z.object({
  tool_call_id: z.string(),
  tool: z.string(),
  arguments: z.unknown(),
  words: z.string().optional().describe("The call as a person reads it"),
  traits: z.array(z.enum(toolTraits)).optional().describe("What its tool declares of itself"),
});

const count = z.number().int().nonnegative();

export const todoPhase = z.object({
  name: z.string(),
  tasks: z.array(
    z.object({
      content: z.string(),
      status: z.enum(["pending", "in_progress", "completed", "abandoned"]),
    }),
  ),
});
export type TodoPhase = z.infer<typeof todoPhase>;

/** What a call came to, for people. */
export const callOutcome = z.object({
  reason: z.string().optional().describe("Why it failed, in a sentence"),
  diff: z.string().optional().describe("What an edit did"),
  command: z
    .object({
      exit_code: z.number().int().nullable().describe("Null where it goes on in the background"),
      timed_out: z.boolean(),
      output: z.string().describe("The end of what it printed"),
      hidden_lines: count.describe("How many lines came before that"),
    })
    .optional(),
  todo: z.array(todoPhase).optional().describe("The agent's list of tasks, as it is after the call"),
});
export type CallOutcome = z.infer<typeof callOutcome>;

const sessionEntry = z.object({
  entry_id: z.string(),
  text: z.string(),
  ts: time,
  label: z.string().optional(),
  siblings: z.number().int().describe("How many other ways the conversation went on from the entry before"),
});

/** One entry of a conversation as a person reads it. */
export const sessionMessage = z.discriminatedUnion("kind", [
  sessionEntry.extend({ kind: z.literal("user") }),
  sessionEntry.extend({
    kind: z.literal("assistant"),
    thinking: z.string().optional(),
    model: z.string().optional(),
    cost_usd: z.number().optional(),
    calls: z.array(toolCall).optional(),
    error: z.string().optional().describe("Why the answer broke off"),
  }),
  sessionEntry.extend({
    ...callOutcome.shape,
    kind: z.literal("tool"),
    tool_call_id: z.string(),
    tool: z.string(),
    is_error: z.boolean(),
  }),
  sessionEntry.extend({ kind: z.literal("turn"), turn: z.string(), files: z.array(z.string()) }),
  sessionEntry.extend({
    kind: z.literal("stop"),
    reason: z
      .string()
      .describe(
        "The limit that was reached, `output` for an answer that was cut off, `empty_answer` for none",
      ),
  }),
  sessionEntry.extend({
    kind: z.literal("decision"),
    turn: z.string(),
    verdict: z.enum(["accepted", "rejected", "reopened"]),
    hunks: z.number().int(),
  }),
  sessionEntry.extend({ kind: z.literal("summary") }),
  sessionEntry.extend({
    kind: z.literal("delivery"),
    source: deliverySource.describe("Why it was said, and about what: nobody typed it"),
  }),
]);
export type SessionMessage = z.infer<typeof sessionMessage>;
export type SessionMessageOf<Kind extends SessionMessage["kind"]> = Extract<SessionMessage, { kind: Kind }>;

/** default: what was said and done. no-tools: without results of tools. all: also what was set, and calls without words. */
export const treeFilters = ["default", "no-tools", "user-only", "labeled-only", "all"] as const;
export type TreeFilter = (typeof treeFilters)[number];

export const treeNode = z.object({
  entry_id: z.string(),
  parent_id: z.string().nullable().describe("The nearest one above it that is shown"),
  depth: z.number().int().describe("How many branchings are above it"),
  kind: z
    .enum(["user", "assistant", "tool", "turn", "stop", "decision", "summary", "delivery", "note"])
    .describe("note: what was set or remembered there, such as a model or a label"),
  text: z.string(),
  ts: time,
  label: z.string().nullable(),
  is_on_path: z.boolean().describe("Whether it leads to where the conversation goes on"),
});
export type SessionTreeNode = z.infer<typeof treeNode>;

const bySession = z.object({ session_id: z.string() });

export const sessionRoutes = {
  createSession: route({
    method: "POST",
    path: "/api/agent/sessions",
    about: "Creates a session.",
    body: z.object({ title: z.string().max(200).optional() }),
    reply: z.object({ session_id: z.string(), status: sessionStatus, created_at: time }),
  }),
  listSessions: route({
    method: "GET",
    path: "/api/agent/sessions",
    about: "All sessions of the folder, the newest first.",
    query: z.object({
      limit: z.coerce.number().int().positive().max(500).default(50),
      query: z.string().max(1000).optional().describe("Words of the title"),
    }),
    reply: z.object({ sessions: z.array(sessionSummary) }),
  }),
  getSession: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id",
    about: "A session with its conversation, its context rows and what waits for review.",
    params: bySession,
    reply: agentSession,
  }),
  archiveSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/archive",
    about: "Puts a session aside, or takes it up again.",
    params: bySession,
    body: z.object({ archived: z.boolean().default(true) }),
    reply: sessionSummary,
  }),
  renameSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/rename",
    about: "Gives a session another title.",
    params: bySession,
    body: z.object({
      title: z.string().trim().min(1).max(200),
      source: z
        .enum(["user", "auto"])
        .default("user")
        .describe("auto: not in place of one that the person gave"),
    }),
    reply: sessionSummary,
  }),
  sessionMessages: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/messages",
    about: "The newest part of a conversation, or the part before an entry; the oldest first.",
    params: bySession,
    query: z.object({
      before: z.string().max(100).optional(),
      limit: z.coerce.number().int().positive().max(1000).default(200),
    }),
    reply: z.object({ messages: z.array(sessionMessage), has_more: z.boolean() }),
  }),
  sessionTree: route({
    method: "GET",
    path: "/api/agent/sessions/:session_id/tree",
    about:
      "Everything that was said in a session, also on the ways that were left; each before what followed it.",
    params: bySession,
    query: z.object({
      query: z
        .string()
        .max(1000)
        .optional()
        .describe("Only entries with all these words in their text, label, kind or calls"),
      filter: z.enum(treeFilters).default("default"),
      limit: z.coerce.number().int().positive().max(20_000).default(5000),
    }),
    reply: z.object({ leaf_id: z.string().nullable(), nodes: z.array(treeNode), truncated: z.boolean() }),
  }),
  branchSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/branch",
    about: "Goes on from an earlier entry. What was said since stays in the tree.",
    params: bySession,
    body: z.object({
      entry_id: z.string().max(100),
      summarise: z
        .boolean()
        .optional()
        .describe(
          "Whether the model tells there what is left behind; as the setting branchSummary.enabled says",
        ),
      summary_prompt: z.string().max(10_000).optional().describe("What the summary shall tell"),
    }),
    reply: z.object({
      leaf_id: z.string().nullable(),
      prefill: z.string().nullable().describe("The person's own words there, to be said again or otherwise"),
      left_turns: z
        .array(z.object({ turn: z.string(), checkpoint_id: z.string(), summary: z.string() }))
        .describe(
          "Turns on the way that was left, the newest first: their changes are still in the documents",
        ),
    }),
  }),
  labelEntry: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/labels",
    about: "Names a place in a conversation; an empty label takes the name away.",
    params: bySession,
    body: z.object({ entry_id: z.string().max(100), label: z.string().trim().max(100) }),
    reply: z.object({ entry_id: z.string(), label: z.string().nullable() }),
  }),
  setChoices: route({
    method: "PUT",
    path: "/api/agent/sessions/:session_id/choices",
    about: "Chooses what the next turn of a session goes on with; what is not named stays as it is.",
    params: bySession,
    body: turnChoices,
    reply: z.object({ choices: sessionChoices }),
  }),
  tellSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/notes",
    about: "Tells the agent something in the person's name, without a turn: the next one knows it.",
    params: bySession,
    body: z.object({ text: z.string().regex(/\S/, "It says nothing").max(1_000_000) }),
    reply: z.object({ entry_id: z.string() }),
  }),
  setContextRows: route({
    method: "PUT",
    path: "/api/agent/sessions/:session_id/context_rows",
    about: "Replaces the context rows that the agent is shown with every request.",
    params: bySession,
    body: z.object({ context_rows: z.array(contextRow).max(200) }),
    reply: z.object({ context_rows: z.array(measuredContextRow) }),
  }),
};
