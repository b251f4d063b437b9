// Sessions: conversations, what is pinned in them, and what of them waits for review.

import type { Operations } from "@stet/protocol/api/operation";
import { type Fault, isFault } from "@stet/protocol/fault";
import { isOpen } from "@stet/text/pending";
import type { Host } from "../host.ts";
import { withTokens } from "../jobs/context-rows.ts";
import { openHunkIds } from "../jobs/diff-bundle.ts";
import type { SessionRecord } from "../store/store.ts";
import { keptChoices } from "../turn/session-choices.ts";
import { choicesIn, choicesView } from "./choices.ts";
import { windowOf } from "./context-window.ts";
import { wordsOf } from "./session-tree.ts";
import { timeOf } from "./time-of.ts";

/** Sessions whose titles are looked through. */
const maxSearched = 10_000;

export function sessionOperations(host: Host) {
  const { sessions, store, workspace } = host;

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

  /** The newest job whose changes are not all decided: a decision that was undone counts, though its job is completed. */
  const pendingReview = async (session: string) => {
    const open = new Set<string>();
    for (const document of workspace.review.openDocuments()) {
      for (const piece of workspace.ledger.state(document)?.pending.pieces ?? [])
        if (isOpen(piece)) for (const turn of piece.turns) open.add(turn);
    }
    const own = [...open].filter((turn) => workspace.review.turn(turn)?.session === session);
    const jobs = await Promise.all(own.map((turn) => store.jobByTurn(turn)));
    const [job] = jobs.flatMap((one) => one ?? []).sort((one, other) => other.createdAt - one.createdAt);
    if (job === undefined || job.turn === null) return null;
    return { job_id: job.id, hunks: openHunkIds(workspace, job.turn).length };
  };

  const runningJob = async (session: string) => {
    const statuses = ["queued", "running", "waiting_for_user"] as const;
    const jobs = await Promise.all(statuses.map((status) => store.jobs({ session, status, limit: 1 })));
    const [newest] = jobs.flat().sort((one, other) => other.createdAt - one.createdAt);
    return newest?.id ?? null;
  };

  /** Sends an event to the windows that display the session. */
  const change = async (id: string, action: (record: SessionRecord) => Promise<SessionRecord | Fault>) => {
    const record = await sessions.record(id);
    const changed = isFault(record) ? record : await action(record);
    if (!isFault(changed)) host.events.tellSession(id);
    return changed;
  };

  return {
    async createSession({ body }) {
      const record = await sessions.create(body.title);
      if (isFault(record)) return record;
      return { session_id: record.id, status: record.status, created_at: timeOf(record.createdAt) };
    },

    async listSessions({ query }) {
      const words = wordsOf(query.query ?? "");
      const listed = await sessions.list(words.length === 0 ? query.limit : maxSearched);
      const found = listed.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
      return { sessions: await Promise.all(found.slice(0, query.limit).map(summaryOf)) };
    },

    async getSession({ params }) {
      const record = await sessions.record(params.session_id);
      if (isFault(record)) return record;
      const session = sessions.open(record);
      if (isFault(session)) return session;
      const chat = sessions.chat(session);
      return {
        ...(await summaryOf(record)),
        chat,
        context_rows: withTokens(workspace, record.contextRows),
        pending_review: await pendingReview(record.id),
        running_job_id: await runningJob(record.id),
        choices: choicesView(keptChoices(session)),
        use: { ...(await sessions.uses.of(session)), context_window: await windowOf(host, record.id) },
      };
    },

    async archiveSession({ params, body }) {
      const changed = await change(params.session_id, (record) =>
        sessions.setArchived(record, body.archived),
      );
      return isFault(changed) ? changed : summaryOf(changed);
    },

    async renameSession({ params, body }) {
      const changed = await change(params.session_id, (record) =>
        sessions.rename(record, body.title, body.source),
      );
      return isFault(changed) ? changed : summaryOf(changed);
    },

    async setChoices({ params, body }) {
      const record = await sessions.record(params.session_id);
      if (isFault(record)) return record;
      const choices = choicesIn(host, body);
      const kept = isFault(choices) ? choices : await sessions.choose(record, choices);
      if (isFault(kept)) return kept;
      host.events.tellSession(record.id);
      return { choices: choicesView(kept) };
    },

    async tellSession({ params, body }) {
      const record = await sessions.record(params.session_id);
      if (isFault(record)) return record;
      const session = sessions.open(record);
      if (isFault(session)) return session;
      const entry = session.append({
        type: "custom_message",
        customType: "told",
        content: host.redact(body.text),
        display: true,
        attribution: "user",
      });
      if (isFault(entry)) return entry;
      host.events.tellSession(record.id);
      return { entry_id: entry.id };
    },

    async setContextRows({ params, body }) {
      const rows = { contextRows: body.context_rows };
      const changed = await change(params.session_id, (record) => sessions.change(record, rows));
      return isFault(changed) ? changed : { context_rows: withTokens(workspace, changed.contextRows) };
    },
  } satisfies Partial<Operations>;
}
