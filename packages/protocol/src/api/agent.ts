// Jobs: an agent works in the background, tells what it does, asks, and leaves a review.

import * as z from "zod";
import { logEvent } from "../events/log-event.ts";
import { agentJob, appliedFile, jobStatus, jobSummary, queuedMessage } from "./job.ts";
import { alsoTurns } from "./review.ts";
import { route } from "./route.ts";
import { contextRow, turnChoices } from "./sessions.ts";

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
      ...turnChoices.shape,
      images: z
        .array(
          z.object({
            data: z.base64().max(10_000_000),
            mime_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
          }),
        )
        .max(20)
        .optional()
        .describe("Pictures that belong to the instruction"),
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
      events: z.array(logEvent),
    }),
  }),
  streamJobEvents: route({
    method: "GET",
    path: "/api/agent/jobs/:job_id/stream",
    about: "The same events as they happen, from a cursor or from Last-Event-ID.",
    params: byJob,
    query: z.object({ cursor: z.coerce.number().int().nonnegative().optional() }),
    reply: logEvent,
    isStream: true,
    ends: "It stays open after the job's last event, because a rollback may follow.",
  }),
  clarify: route({
    method: "POST",
    path: "/api/agent/jobs/:job_id/clarify",
    about:
      "Answers the job's question, by an option's id or text or in other words; no_user_answer skips it.",
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
      applied_files: z.array(appliedFile),
    }),
  }),
};
