// What becomes of a job: it begins, proposes, is reviewed, applied or rolled back, and ends.

import * as z from "zod";
import { appliedFile, jobError, jobStatus } from "../api/job.ts";
import { pendingStep } from "../api/review.ts";
import { faultCode } from "../api/route.ts";

import { event } from "./event.ts";

const count = z.number().int().nonnegative();
const documents = z.array(z.number().int());
const rollback = z.object({ checkpoint_id: z.string(), mode: z.enum(["hard_all", "scoped_selected"]) });

export const jobEvents = [
  event(
    "job.started",
    z.object({
      instruction: z.string(),
      reason: z.string().optional().describe("Why it begins anew"),
    }),
  ),
  event("job.status", z.object({ job_id: z.string(), session_id: z.string(), status: jobStatus })),
  event("edits.proposed", z.object({ count, edit_ids: z.array(z.string()) })),
  event("checkpoint.created", z.object({ checkpoint_id: z.string() })),
  event(
    "diff.generated",
    z.object({ turn: z.string(), documents, hunks: count }).describe("It awaits review"),
  ),
  event(
    "review.updated",
    z.object({
      open_hunks: count,
      document: z.number().int().optional().describe("Only in the workspace's log"),
      pending: pendingStep.optional().describe("There, where the text stays as it is"),
    }),
  ),
  event("apply.started", z.object({ accepted: count, rejected: count })),
  event("apply.conflict", z.object({ file_path: z.string(), message: z.string() })),
  event("apply.failed", z.object({ error: faultCode, message: z.string() })),
  event("apply.completed", z.object({ applied_files: z.array(appliedFile) })),
  event(
    "job.completed",
    z.object({
      outcome: z.enum(["completed", "stopped", "decided"]),
      accepted: count.optional().describe("With rejected: of a job on which everything was decided"),
      rejected: count.optional(),
    }),
  ),
  event(
    "job.failed",
    jobError.extend({ turn: z.string().optional().describe("What stays of it for review") }),
  ),
  event("checkpoint.rollback.started", rollback),
  event(
    "checkpoint.rollback.completed",
    rollback.extend({
      undo_checkpoint_id: z.string().nullable(),
      documents,
      rolled_back: count,
      conflicts: z.array(z.string()),
    }),
  ),
  event("checkpoint.rollback.failed", rollback.extend({ error: faultCode, message: z.string() })),
] as const;
