// Sessions: conversations, what is pinned in them, and what of them waits for review.

import { isFault } from "@stet/protocol/fault";
import type { Handlers } from "../http/handlers.ts";
import { openHunkIds } from "../jobs/diff-bundle.ts";
import type { Service } from "../service.ts";
import type { SessionRecord } from "../store/store.ts";
import { timeOf } from "./job-view.ts";

type SessionHandlers = Pick<
  Handlers,
  "createSession" | "listSessions" | "getSession" | "archiveSession" | "setContextRows"
>;

export function sessionHandlers(service: Service): SessionHandlers {
  const { sessions, store, workspace } = service;

  const summaryOf = async ({ id, status, title, createdAt, updatedAt }: SessionRecord) => {
    const [last] = await store.jobs({ session: id, limit: 1 });
    return {
      session_id: id,
      status,
      title,
      created_at: timeOf(createdAt),
      updated_at: timeOf(updatedAt),
      last_job_id: last?.id ?? null,
    };
  };

  /** The newest job whose changes are not all decided. */
  const pendingReview = async (session: string) => {
    const [job] = await store.jobs({ session, status: "awaiting_review", limit: 1 });
    if (job?.turn === undefined || job.turn === null) return null;
    return { job_id: job.id, hunks: openHunkIds(workspace, job.turn).length };
  };

  return {
    async createSession({ body }) {
      const record = await sessions.create(body.title);
      if (isFault(record)) return record;
      return { session_id: record.id, status: record.status, created_at: timeOf(record.createdAt) };
    },

    async listSessions({ query }) {
      return { sessions: await Promise.all((await sessions.list(query.limit)).map(summaryOf)) };
    },

    async getSession({ params }) {
      const record = await sessions.record(params.session_id);
      if (isFault(record)) return record;
      const chat = sessions.chat(record);
      if (isFault(chat)) return chat;
      return {
        ...(await summaryOf(record)),
        chat,
        context_rows: [...record.contextRows],
        pending_review: await pendingReview(record.id),
      };
    },

    async archiveSession({ params, body }) {
      const record = await sessions.record(params.session_id);
      if (isFault(record)) return record;
      const changed = await sessions.change(record, { status: body.archived ? "archived" : "active" });
      return isFault(changed) ? changed : summaryOf(changed);
    },

    async setContextRows({ params, body }) {
      const record = await sessions.record(params.session_id);
      if (isFault(record)) return record;
      const changed = await sessions.change(record, { contextRows: body.context_rows });
      return isFault(changed) ? changed : { context_rows: [...changed.contextRows] };
    },
  };
}
