// A job as the API tells it.

import type { AgentJob } from "@stet/protocol/api/job";
import type { Usage } from "@stet/protocol/message";
import { checkpointIdOf } from "@stet/workspace/checkpoints/checkpoints";
import { jobLog } from "../events/logs.ts";
import type { Host } from "../host.ts";
import { diffBundle } from "../jobs/diff-bundle.ts";
import { questionView } from "../jobs/question-view.ts";
import type { JobRecord } from "../store/store.ts";
import { queuedView } from "./job-messages.ts";
import { timeOf } from "./time-of.ts";

type JobSummary = Omit<AgentJob, "proposed_edits" | "diff_bundle">;

export async function jobSummary(host: Host, job: JobRecord): Promise<JobSummary> {
  const isWaiting = job.status === "waiting_for_user";
  const isProposed = job.status === "awaiting_review" || job.status === "completed";
  return {
    job_id: job.id,
    session_id: job.session,
    status: job.status,
    instruction: job.instruction,
    toolset: job.toolset,
    model: job.model,
    answered_by: job.answeredBy ?? null,
    queued_messages: (job.messages ?? []).map(queuedView),
    created_at: timeOf(job.createdAt),
    started_at: job.startedAt === null ? null : timeOf(job.startedAt),
    finished_at: job.finishedAt === null ? null : timeOf(job.finishedAt),
    cursor: await host.logs.cursor(jobLog(job.id)),
    question: isWaiting && job.question !== null ? questionView(job.question) : null,
    checkpoint_id: isProposed && job.turn !== null ? checkpointIdOf(job.turn) : null,
    usage: job.usage === null ? null : usageOf(job.usage),
    outcome: job.outcome ?? null,
    stop: job.stop ? { limit: job.stop.limit, message: job.stop.message } : null,
    error: job.error,
  };
}

export async function jobView(host: Host, job: JobRecord): Promise<AgentJob> {
  const summary = await jobSummary(host, job);
  const hasDiff = summary.checkpoint_id !== null && job.turn !== null;
  const bundle = hasDiff ? diffBundle(host.workspace, job.id, job.turn ?? "", job.proposal) : undefined;
  return { ...summary, proposed_edits: [...job.edits], diff_bundle: bundle ?? null };
}

function usageOf({ input, output, cacheRead, cacheWrite, cost }: Usage): NonNullable<AgentJob["usage"]> {
  const { total: cost_usd, isUnknown = false } = cost;
  return {
    input,
    output,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    cost_usd,
    cost_known: !isUnknown,
  };
}
