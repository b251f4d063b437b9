// A job as it is before anything happened to it.

import { uniqueSuffix } from "@stet/protocol/ids";
import type { JobRecord } from "../store/store.ts";

export type NewJob = Pick<
  JobRecord,
  "session" | "instruction" | "toolset" | "model" | "maxToolCalls" | "tab" | "context"
>;

export function newJob(request: NewJob): JobRecord {
  return {
    id: `job_${uniqueSuffix()}`,
    ...request,
    status: "queued",
    createdAt: Date.now(),
    startedAt: null,
    finishedAt: null,
    question: null,
    suspended: null,
    suspendedEdits: [],
    edits: [],
    proposal: [],
    turn: null,
    usage: null,
    error: null,
  };
}
