// What the person says to a job at work, and takes back.

import type { InboxMessage } from "@stet/agent/inbox";
import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import { jobLog } from "../events/logs.ts";
import type { Host } from "../host.ts";
import { unknownJob } from "../store/sqlite-store.ts";

export function jobMessageOperations({ store, logs, progress, redact }: Host) {
  return {
    async sendMessage({ params, body }) {
      const { job_id: id } = params;
      // A log is opened only for a job that there is.
      if ((await store.job(id)) === undefined) return unknownJob(id);
      const said = { ...body, text: redact(body.text) };
      const sent = await logs.with(jobLog(id), (log) => progress.messages.send(log, id, said));
      return isFault(sent) ? sent : queuedView(sent);
    },

    async withdrawMessage({ params }) {
      const { job_id: id, message_id: message } = params;
      if ((await store.job(id)) === undefined) return unknownJob(id);
      const taken = await logs.with(jobLog(id), (log) => progress.messages.withdraw(log, id, message));
      return isFault(taken) ? taken : queuedView(taken);
    },
  } satisfies Partial<Operations>;
}

export function queuedView({ id, text, mode }: InboxMessage) {
  return { message_id: id, text, mode };
}
