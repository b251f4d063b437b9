// Sessions and jobs: an agent works in the background, tells what it does, asks, and leaves a review.

import * as z from "zod";
import { route } from "./route.ts";

const time = z.iso.datetime().describe("UTC");
const line = z.number().int().positive();

export const toolsetName = z.enum(["project", "tabs", "paper"]);

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

export const shownContextRow = contextRow.extend({
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
  input: z.number(),
  output: z.number(),
  context_tokens: z.number().int().describe("What the next request would send, without the message itself"),
  context_window: z.number().int().nullable().describe("What the model takes; null where it is not known"),
});

export const agentSession = sessionSummary.extend({
  chat: z.array(chatMessage),
  context_rows: z.array(shownContextRow),
  pending_review: z.object({ job_id: z.string(), hunks: z.number().int() }).nullable(),
  running_job_id: z.string().nullable().describe("The newest job that is queued, running or waiting"),
  use: sessionUse,
});

/** One entry of a conversation as a person reads it. */
export const sessionMessage = z.object({
  entry_id: z.string(),
  kind: z.enum(["user", "assistant", "tool", "turn", "decision", "summary"]),
  text: z.string(),
  ts: time,
  label: z.string().optional(),
  /** Of an assistant. */
  thinking: z.string().optional(),
  model: z.string().optional(),
  cost_usd: z.number().optional(),
  calls: z.array(z.object({ tool_call_id: z.string(), tool: z.string(), arguments: z.unknown() })).optional(),
  /** Of a tool. */
  tool_call_id: z.string().optional(),
  tool: z.string().optional(),
  is_error: z.boolean().optional(),
  /** Of a turn or a decision. */
  turn: z.string().optional(),
  files: z.array(z.string()).optional(),
  verdict: z.enum(["accepted", "rejected"]).optional(),
  hunks: z.number().int().optional(),
  /** How many other ways the conversation went on from the entry before. */
  siblings: z.number().int(),
});
export type SessionMessage = z.infer<typeof sessionMessage>;

export const treeNode = z.object({
  entry_id: z.string(),
  parent_id: z.string().nullable().describe("The nearest one above it that is shown"),
  depth: z.number().int().describe("How many branchings are above it"),
  kind: sessionMessage.shape.kind,
  text: z.string(),
  ts: time,
  label: z.string().nullable(),
  is_on_path: z.boolean().describe("Whether it leads to where the conversation goes on"),
});
export type SessionTreeNode = z.infer<typeof treeNode>;

/** What the person said while the agent worked, and the agent has not heard yet. */
export const queuedMessage = z.object({
  message_id: z.string(),
  text: z.string(),
  mode: z.enum(["steer", "follow_up"]),
});

export const jobStatus = z.enum([
  "queued",
  "running",
  "waiting_for_user",
  "awaiting_review",
  "completed",
  "failed",
]);
export type JobStatus = z.infer<typeof jobStatus>;

export const proposedEdit = z.object({
  edit_id: z.string(),
  file_path: z.string(),
  operation: z.enum(["replace", "insert", "delete"]),
  start_line: line,
  end_line: line.optional(),
  new_text: z.string().optional(),
  expected_hash: z.string().optional(),
  rationale: z.string().optional(),
});
export type ProposedEdit = z.infer<typeof proposedEdit>;

export const diffHunk = z.object({
  hunk_id: z.string(),
  patch: z.string().describe("Unified, with its @@ line"),
  accepted: z.boolean().nullable(),
  edit_ids: z.array(z.string()),
  oversized_hunk: z.boolean().optional(),
});

export const diffBundle = z.object({
  job_id: z.string(),
  files: z.array(
    z.object({ file_path: z.string(), base_file_hash: z.string().nullable(), hunks: z.array(diffHunk) }),
  ),
});
export type DiffBundle = z.infer<typeof diffBundle>;

export const question = z.object({
  question_id: z.string(),
  question: z.string(),
  options: z.array(z.string()),
});

/** Why a job failed, and what it had done until then. */
export const jobError = z.object({
  error: z.string(),
  message: z.string(),
  suggestion: z.string(),
});

export const jobEvent = z.object({
  cursor: z.number().int().positive(),
  type: z.string(),
  ts: time,
  data: z.record(z.string(), z.unknown()),
});
export type JobEvent = z.infer<typeof jobEvent>;

export const usageReport = z.object({
  input: z.number(),
  output: z.number(),
  cache_read: z.number(),
  cache_write: z.number(),
  cost_usd: z.number(),
});

export const agentJob = z.object({
  job_id: z.string(),
  session_id: z.string(),
  status: jobStatus,
  instruction: z.string(),
  toolset: toolsetName,
  model: z.string().describe("As it was asked for; empty for the one that is set"),
  queued_messages: z.array(queuedMessage),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  cursor: z.number().int().nonnegative().describe("The newest event"),
  question: question.nullable(),
  proposed_edits: z.array(proposedEdit),
  diff_bundle: diffBundle.nullable(),
  checkpoint_id: z.string().nullable(),
  usage: usageReport.nullable(),
  error: jobError.nullable(),
});
export type AgentJob = z.infer<typeof agentJob>;

export const jobSummary = agentJob.omit({ proposed_edits: true, diff_bundle: true });

const bySession = z.object({ session_id: z.string() });
const byJob = z.object({ job_id: z.string() });

export const agentRoutes = {
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
    body: z.object({ title: z.string().trim().min(1).max(200) }),
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
      query: z.string().max(1000).optional().describe("Only entries that hold these words"),
      filter: z.enum(["all", "messages", "user", "labelled"]).default("messages"),
      limit: z.coerce.number().int().positive().max(20_000).default(5000),
    }),
    reply: z.object({ leaf_id: z.string().nullable(), nodes: z.array(treeNode), truncated: z.boolean() }),
  }),
  branchSession: route({
    method: "POST",
    path: "/api/agent/sessions/:session_id/branch",
    about: "Goes on from an earlier entry. What was said since stays in the tree.",
    params: bySession,
    body: z.object({ entry_id: z.string().max(100) }),
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
  setContextRows: route({
    method: "PUT",
    path: "/api/agent/sessions/:session_id/context_rows",
    about: "Replaces the context rows that the agent is shown with every request.",
    params: bySession,
    body: z.object({ context_rows: z.array(contextRow).max(200) }),
    reply: z.object({ context_rows: z.array(shownContextRow) }),
  }),
  run: route({
    method: "POST",
    path: "/api/agent/run",
    about: "Starts a background job.",
    body: z.object({
      session_id: z.string(),
      instruction: z.string().min(1).max(1_000_000),
      context_rows: z.array(contextRow).max(200).optional(),
      tool_config: z.object({ max_tool_calls: z.number().int().positive().max(1000).optional() }).optional(),
      toolset: toolsetName.optional(),
      model: z.string().max(200).optional(),
    }),
    reply: z.object({ job_id: z.string(), status: jobStatus }),
  }),
  listJobs: route({
    method: "GET",
    path: "/api/agent/jobs",
    about: "Jobs, the newest first.",
    query: z.object({
      session_id: z.string().optional(),
      status: jobStatus.optional(),
      limit: z.coerce.number().int().positive().max(500).default(50),
    }),
    reply: z.object({ jobs: z.array(jobSummary) }),
  }),
  getJob: route({
    method: "GET",
    path: "/api/agent/jobs/:job_id",
    about: "A job as it is now, with its diff bundle where it awaits review.",
    params: byJob,
    reply: agentJob,
  }),
  getJobEvents: route({
    method: "GET",
    path: "/api/agent/jobs/:job_id/events",
    about: "The events after a cursor.",
    params: byJob,
    query: z.object({
      cursor: z.coerce.number().int().nonnegative().default(0),
      limit: z.coerce.number().int().positive().max(3000).default(500),
    }),
    reply: z.object({
      job_id: z.string(),
      status: jobStatus,
      next_cursor: z.number().int().nonnegative(),
      events: z.array(jobEvent),
    }),
  }),
  streamJobEvents: route({
    method: "GET",
    path: "/api/agent/jobs/:job_id/stream",
    about: "The same events as they happen, from a cursor or from Last-Event-ID.",
    params: byJob,
    query: z.object({ cursor: z.coerce.number().int().nonnegative().optional() }),
    reply: jobEvent,
    isStream: true,
  }),
  clarify: route({
    method: "POST",
    path: "/api/agent/jobs/:job_id/clarify",
    about: "Answers the job's question; no_user_answer skips it.",
    params: byJob,
    body: z.object({ question_id: z.string(), answer: z.string().max(100_000) }),
    reply: z.object({ job_id: z.string(), status: jobStatus }),
  }),
  sendMessage: route({
    method: "POST",
    path: "/api/agent/jobs/:job_id/messages",
    about:
      "Says something to a job at work: steer is heard after the running tool, follow_up when it is done.",
    params: byJob,
    body: z.object({ text: z.string().min(1).max(1_000_000), mode: queuedMessage.shape.mode }),
    reply: queuedMessage,
  }),
  withdrawMessage: route({
    method: "DELETE",
    path: "/api/agent/jobs/:job_id/messages/:message_id",
    about: "Takes back what the job has not heard yet.",
    params: z.object({ job_id: z.string(), message_id: z.string() }),
    reply: queuedMessage,
  }),
  cancelJob: route({
    method: "POST",
    path: "/api/agent/jobs/:job_id/cancel",
    about: "Stops a job; what it had staged is discarded.",
    params: byJob,
    body: z.object({}),
    reply: z.object({ job_id: z.string(), status: jobStatus }),
  }),
  apply: route({
    method: "POST",
    path: "/api/agent/apply",
    about: "Writes the accepted hunks of a job to disk and rejects its others.",
    body: z.object({
      session_id: z.string(),
      job_id: z.string(),
      accepted_hunk_ids: z.array(z.string()).max(100_000),
    }),
    reply: z.object({
      status: jobStatus,
      applied_files: z.array(
        z.object({
          file_path: z.string(),
          applied_hunks: z.number().int(),
          rejected_hunks: z.number().int(),
        }),
      ),
    }),
  }),
};
