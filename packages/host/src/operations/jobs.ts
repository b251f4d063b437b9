// Jobs: start one, follow it, answer it, stop it, apply what it proposed.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { policyOf } from "@stet/tools/toolset-policies";
import { childOfSession } from "../agents/agent-ids.ts";
import { jobLog } from "../events/logs.ts";
import type { Host } from "../host.ts";
import { applyJob } from "../jobs/apply.ts";
import { unknownJob } from "../store/sqlite-store.ts";
import type { JobRecord } from "../store/store.ts";
import { keptChoices } from "../turn/session-choices.ts";
import { choicesIn, storePictures } from "./choices.ts";
import { jobSummary, jobView } from "./job-view.ts";
import { eventPage, eventStream } from "./log-reply.ts";

export function jobOperations(host: Host) {
  const { store, sessions, runner, reviews, logs } = host;
  const found = async (id: string) => (await store.job(id)) ?? unknownJob(id);

  return {
    async run({ body }, { signal }) {
      const record = await sessions.record(body.session_id);
      if (isFault(record)) return record;
      const configured = host.configuration();
      if (isFault(configured)) return configured;
      const chosen = choicesIn(host, body);
      if (isFault(chosen)) return chosen;
      const pictures = await storePictures(body.images ?? [], host.files.blobs, signal);
      if (isFault(pictures)) return pictures;
      const { model = "", toolset: named, ...choices } = chosen;
      const { context_rows: rows } = body;
      const session = rows === undefined ? record : await sessions.change(record, { contextRows: rows });
      if (isFault(session)) return session;
      const wanted = body.tool_config?.max_tool_calls ?? null;
      const talk = sessions.open(session);
      if (isFault(talk)) return talk;
      // An agent that was sent goes on with the tools that it was sent with.
      const wish = childOfSession(session.id) === undefined ? named : undefined;
      const toolset = wish ?? keptChoices(talk).toolset ?? configured.settings.toolset;
      const job = await host.startJob(session, {
        instruction: body.instruction,
        toolset,
        model,
        choices,
        pictures,
        maxToolCalls: wanted === "setting" ? configured.settings.maxToolCalls : wanted,
        // The document in front now, whatever is in front when the job begins.
        tab: policyOf(toolset).needsTab ? (host.workspace.tabs.active()?.tab_id ?? null) : null,
      });
      return isFault(job) ? job : { job_id: job.id, status: job.status };
    },

    async listJobs({ query }) {
      const { session_id: session, status, limit } = query;
      const jobs = await store.jobs({
        ...(session === undefined ? {} : { session }),
        ...(status === undefined ? {} : { status }),
        limit,
      });
      return { jobs: await Promise.all(jobs.map((job) => jobSummary(host, job))) };
    },

    async getJob({ params }) {
      const job = await found(params.job_id);
      return isFault(job) ? job : jobView(host, job);
    },

    async getJobEvents({ params, query }) {
      // The status first: by the time that it says "done", the last event is in the log.
      const job = await found(params.job_id);
      if (isFault(job)) return job;
      const page = await eventPage(host, jobLog(job.id), query);
      return { job_id: job.id, status: job.status, ...page };
    },

    async streamJobEvents({ params, query }, caller) {
      const job = await found(params.job_id);
      if (isFault(job)) return job;
      return eventStream(host, jobLog(job.id), caller.lastEventId ?? query.cursor ?? 0);
    },

    async clarify({ params, body }) {
      const job = await runner.answer(params.job_id, body.question_id, body.answer);
      return isFault(job) ? job : { job_id: job.id, status: job.status };
    },

    async cancelJob({ params }) {
      const job = await runner.cancel(params.job_id);
      return isFault(job) ? job : { job_id: job.id, status: job.status };
    },

    async apply({ body }) {
      const known = await found(body.job_id);
      if (isFault(known)) return known;
      if (known.session !== body.session_id) return otherSession(known, body.session_id);
      const applied = await reviews.whileApplying(known.id, () =>
        logs.with(jobLog(known.id), async (log) => {
          const job = await found(known.id);
          return isFault(job) ? job : applyJob(host, job, log, body.accepted_hunk_ids, body.also_turns);
        }),
      );
      if (applied === undefined) return isBeingApplied(known);
      if (isFault(applied)) return applied;
      return { status: "completed", applied_files: applied };
    },
  } satisfies Partial<Operations>;
}

function otherSession({ id }: JobRecord, session: string): Fault {
  return new Fault(
    "unknown_job",
    `The session ${session} has no job ${id}.`,
    "Name the session that the job belongs to.",
    { job_id: id, session_id: session },
  );
}

function isBeingApplied({ id }: JobRecord): Fault {
  return new Fault(
    "job_not_ready",
    `The job ${id} is being applied already.`,
    "Look at the job to see how that ended.",
    { job_id: id },
  );
}
