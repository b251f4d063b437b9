// A job: what was asked, how far it is, what it asks, and what it proposes.

import * as z from "zod";
import { modelFields } from "../model-stream.ts";
import { question } from "../question.ts";
import { toolsetNames } from "../toolset.ts";
import { faultCode } from "./route.ts";

const time = z.iso.datetime().describe("UTC");
const line = z.number().int().positive();

export const toolsetName = z.enum(toolsetNames);

/** A queued message: sent while the agent worked, and not delivered to it yet. */
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

export const openQuestion = z.object({
  question_id: z.string(),
  question: z.string().describe("How it reads"),
  options: z.array(z.string()).describe("How its options read"),
  asked: question,
});

/** Why a job failed, and what it had done until then. */
export const jobError = z.object({
  error: faultCode,
  message: z.string(),
  suggestion: z.string(),
  details: z
    .object({ provider: z.string(), model: z.string(), field: z.enum(modelFields) })
    .partial()
    .optional()
    .describe("Of a model that failed: which, and what of its connection to mend"),
});

export type JobError = z.infer<typeof jobError>;

export const appliedFile = z.object({
  file_path: z.string(),
  applied_hunks: z.number().int(),
  rejected_hunks: z.number().int(),
});
export type AppliedFile = z.infer<typeof appliedFile>;

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
  question: openQuestion.nullable(),
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
