// Whether a job works in a session: then its conversation goes on from where it is.

import { Fault } from "@stet/protocol/fault";
import type { Store } from "../store/store.ts";

/** A job that waits its turn was asked in the conversation as it is. */
export async function jobAtWork(store: Store, session: string): Promise<string | undefined> {
  for (const status of ["running", "waiting_for_user", "queued"] as const) {
    const [job] = await store.jobs({ session, status, limit: 1 });
    if (job !== undefined) return job.id;
  }
  return undefined;
}

export function isAtWork(id: string, job: string | undefined): Fault {
  return new Fault(
    "session_busy",
    job === undefined
      ? `The session ${id} is being summed up.`
      : `A job is at work in the session ${id}, so its conversation cannot be changed now.`,
    "Wait until it is done, or cancel it, and try again then.",
    { session_id: id, job_id: job ?? null },
  );
}
