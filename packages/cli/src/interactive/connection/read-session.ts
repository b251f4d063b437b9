// A session as the host has it: what it is, its newest messages, and its latest job.

import type { Api } from "@stet/client/direct";
import type { SessionMessage } from "@stet/protocol/api/sessions";
import { isFault } from "@stet/protocol/fault";

/** The newest part of the session; the rest is in the tree and in exports. */
export const pageLength = 1000;

export async function readSession(api: Api<"getSession" | "sessionMessages" | "listJobs">, id: string) {
  const params = { session_id: id };
  const [view, page, jobs] = await Promise.all([
    api.call("getSession", { params }),
    api.call("sessionMessages", { params, query: { limit: pageLength } }),
    api.call("listJobs", { query: { session_id: id, limit: 1 } }),
  ]);
  if (isFault(view)) return view;
  if (isFault(page)) return page;
  if (isFault(jobs)) return jobs;
  return { view, page, last: jobs.jobs[0] };
}

/** Decisions are nobody's words: whenever they come, only the session tells them. */
export function isBefore({ kind, ts }: SessionMessage, since: string): boolean {
  return kind === "decision" || ts < since;
}
