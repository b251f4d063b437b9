// What happens in a turn: what the model says, the tools that it calls, what it asks, and the limits that it meets.

import * as z from "zod";
import { openQuestion, queuedMessage } from "../api/job.ts";
import { callOutcome, sessionUse, toolCall } from "../api/sessions.ts";

import { chatEvent } from "./chat-events.ts";
import { event } from "./event.ts";

const ofCall = z.object({ tool_call_id: z.string() });
const ofTool = ofCall.extend({ tool: z.string() });
const count = z.number().int().nonnegative();
const text = z.object({ text: z.string() });

export const limitName = z.enum([
  "iterations",
  "tool_calls",
  "tokens",
  "cost",
  "time",
  "schema_retries",
  "no_progress",
  "context",
  "output",
  "empty_answer",
]);

export const turnEvents = [
  event(
    "model.chosen",
    z.object({
      mode: z.enum(["local", "remote", "hybrid_auto"]),
      target: z.enum(["local", "remote"]),
      model: z.string(),
      trigger: z.enum([
        "start",
        "tool_budget_exhausted",
        "schema_failed",
        "validation_failed",
        "context_overflow",
        "timeout",
        "local_failed",
        "fallback",
        "reverted",
      ]),
      reason: z.string(),
    }),
  ),
  event(
    "model.retry",
    z.object({
      delay_ms: z.number(),
      reason: z.string(),
      attempt: count
        .optional()
        .describe("With max_attempts: which attempt follows; what a broken answer said is dropped"),
      max_attempts: count.optional(),
    }),
  ),
  event("message.delta", text.describe("A piece as it comes; not kept")),
  event("thinking.delta", text.describe("A piece as it comes; not kept")),
  event("message.completed", text.extend({ thinking: z.string().optional() }).describe("The whole message")),
  event("message.queued", queuedMessage.describe("What the person said while the agent worked")),
  event("message.delivered", queuedMessage),
  event("message.withdrawn", queuedMessage.pick({ message_id: true })),
  event("message.unheard", queuedMessage.describe("The job ends without having heard it")),
  event(
    "tool.preview",
    ofTool
      .extend({ diff: z.string() })
      .describe("What the edit that the model is writing would do; not kept"),
  ),
  event("tool.call.requested", toolCall.describe("Of its arguments, long texts are cut")),
  event("tool.call.progress", ofCall.extend({ text: z.string() }).describe("What it says now; not kept")),
  event(
    "tool.call.completed",
    ofTool.extend({
      ok: z.boolean().describe("False also for a command whose exit code is not 0"),
      duration_ms: z.number(),
      result_count: count.optional(),
      error: z.string().optional(),
      ...callOutcome.shape,
    }),
  ),
  event(
    "subagents.active",
    z.object({
      active: count,
      tool_call_id: z
        .string()
        .optional()
        .describe("Of the call that they work for; all jobs' where it is missing"),
    }),
  ),
  event("usage.updated", sessionUse.describe("What the session has used after a reply")),
  event("clarification.requested", openQuestion),
  event(
    "clarification.received",
    z.object({
      question_id: z.string(),
      answer: z.string().describe("The text of the option, or the person's own words"),
      option_id: z.string().optional().describe("Of a permission, the option that was chosen"),
    }),
  ),
  event("context.compacted", z.object({ by: z.enum(["eliding", "summary"]), before: count, after: count })),
  event("limit.reached", z.object({ limit: limitName, message: z.string() })),
  event(
    "chat.event",
    z.object({ event: chatEvent }).describe("In the log of a chat that several processes share"),
  ),
] as const;
