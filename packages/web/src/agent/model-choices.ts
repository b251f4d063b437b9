// Why another model took over: only the events of a job say so. They are read for the newest job, where its answers are not
// all of the model that was asked.

import type { Client } from "@stet/client/client";
import { isTold } from "@stet/client/fold";
import type { ModelChoice } from "@stet/client/session-items";
import type { SessionMessage } from "@stet/protocol/api/sessions";
import { isFault } from "@stet/protocol/fault";
import type { JobSummary } from "./agent-state.ts";

/** `current`: the default, where it is known. */
export function hasTakeover(
  job: Pick<JobSummary, "answered_by" | "model" | "created_at">,
  messages: readonly SessionMessage[],
  current: string | undefined,
): boolean {
  if (job.answered_by === null) return false;
  const authors = messages.flatMap((message) =>
    message.kind === "assistant" && message.ts >= job.created_at ? (message.model ?? []) : [],
  );
  const asked = job.model || current;
  // Right after a reload the default is not known yet.
  if (asked === undefined) return true;
  return authors.some((author) => author !== asked);
}

const maxPages = 10;
const pageLength = 3000;

/** None where the events are gone. */
export async function readChoices(client: Client, job: string): Promise<ModelChoice[]> {
  const choices: ModelChoice[] = [];
  let cursor = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { cursor, limit: pageLength };
    const reply = await client.call("getJobEvents", { params: { job_id: job }, query });
    if (isFault(reply)) return choices;
    for (const event of reply.events) {
      if (event.type !== "model.chosen" || !isTold(event.data)) continue;
      const { model, reason } = event.data;
      choices.push({ cursor: event.cursor, ts: event.ts, model, reason });
    }
    if (reply.events.length < pageLength) return choices;
    cursor = reply.next_cursor;
  }
  return choices;
}
