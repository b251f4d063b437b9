// Jobs: an agent works in the background, tells what it does, asks, and leaves a review.

import * as z from "zod";
import { alsoTurns } from "./review.ts";
import { route } from "./route.ts";
import { contextRow } from "./sessions.ts";

const time = z.iso.datetime().describe("UTC");
const line = z.number().int().positive();

export const toolsetName = z.enum(["project", "tabs", "paper", "code"]);

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
  cost_known: z
    .boolean()
    .describe("False where some of the tokens have no known price, which cost_usd leaves out"),
});

/** A limit that ended a turn, or an answer that was cut off or empty. */
export const turnStop = z.object({ limit: z.string(), message: z.string() });

export const agentJob = z.object({
  job_id: z.string(),
  session_id: z.string(),
  status: jobStatus,
  instruction: z.string(),
  toolset: toolsetName,
  model: z.string().describe("As it was asked for; empty for the one that is set"),
  answered_by: z.string().nullable().describe("The model of the last answer; null until the turn has ended"),
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
  outcome: z
    .enum(["completed", "stopped", "aborted", "failed"])
    .nullable()
    .describe("How its turn ended; null until then"),
  stop: turnStop.nullable().describe("What stopped the turn before the model was done"),
  error: jobError.nullable(),
});
export type AgentJob = z.infer<typeof agentJob>;

export const jobSummary = agentJob.omit({ proposed_edits: true, diff_bundle: true });

const byJob = z.object({ job_id: z.string() });

export const agentRoutes = {
  run: route({
    method: "POST",
    path: "/api/agent/run",
    about: "Starts a background job.",
    body: z.object({
      session_id: z.string(),
      instruction: z.string().regex(/\S/, "It says nothing").max(1_000_000),
      context_rows: z.array(contextRow).max(200).optional(),
      tool_config: z
        .object({
          max_tool_calls: z
            .union([z.number().int().positive().max(1000), z.literal("setting")])
            .optional()
            .describe("`setting`: as many as the setting maxToolCalls allows"),
        })
        .optional(),
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
    about: "Stops a job; what it had staged is discarded. What it has on disk already stays, for review.",
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
      also_turns: alsoTurns.optional(),
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
