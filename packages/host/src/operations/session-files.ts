// Sessions as files: found in any folder, copied, shortened and exported.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { oneLine } from "@stet/session/entry-text";
import type { SessionInfo } from "@stet/session/session-listing";
import { isSameFolder } from "@stet/session/session-paths";
import { SessionSearch } from "@stet/session/session-search";
import type { Session } from "@stet/session/session-tree";
import type { Host } from "../host.ts";
import { modelFailed } from "../jobs/job-faults.ts";
import { unknownSession } from "../jobs/sessions.ts";
import { isRefused } from "../turn/choose-model.ts";
import { compactSession } from "../turn/compact-session.ts";
import { keptChoices, modelFor } from "../turn/session-choices.ts";
import { isAtWork, jobAtWork } from "./job-at-work.ts";
import { timeOf } from "./time-of.ts";

/** Characters of an export; a longer one is for `stet sessions export`, which writes a file. */
const maxExport = 64 * 1024 * 1024;

const endings = { markdown: "md", html: "html", jsonl: "jsonl" } as const;

export function sessionFileOperations(host: Host) {
  const { sessions, files, workspace, events, redact } = host;
  const root = workspace.root.path;
  const search = new SessionSearch();

  /** In any folder; an id is no path, and must be whole. */
  const infoOf = (id: string): SessionInfo | Fault => {
    const found = /^[\w-]+$/.test(id) ? files.find(id, root) : unknownSession(id);
    if (isFault(found)) return found;
    return found.info.id === id ? found.info : unknownSession(id);
  };

  const adopted = async (session: Session | Fault) => {
    const record = isFault(session) ? session : await sessions.adopt(session);
    if (!isFault(record)) events.tellSession(record.id);
    return record;
  };

  return {
    async findSessions({ query }) {
      const { folders, limit, query: words = "" } = query;
      const all = folders === "all" ? files.listAll() : files.list(root);
      const found = await search.find(all, words);
      return {
        sessions: found.slice(0, limit).map((info) => viewOf(info, root)),
        truncated: found.length > limit,
      };
    },

    async forkSession({ params }) {
      const info = infoOf(params.session_id);
      const copy = await adopted(isFault(info) ? info : files.fork(info.path, root));
      return isFault(copy) ? copy : { session_id: copy.id };
    },

    async branchOff({ params, body }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      const destination = session.destination(body.entry_id);
      if (isFault(destination)) return destination;
      const { leafId, prefill } = destination;
      const branch = await adopted(files.branchOff(session, leafId));
      return isFault(branch) ? branch : { session_id: branch.id, prefill: prefill ?? null };
    },

    async compactSession({ params, body }, { signal }) {
      const { session_id: id } = params;
      const job = await jobAtWork(host.store, id);
      if (job !== undefined || sessions.isHeld(id)) return isAtWork(id, job);
      const record = await sessions.record(id);
      if (isFault(record)) return record;
      events.tell("session.compacting", { session_id: id, is_running: true });
      try {
        const options = { signal, instructions: body.instructions };
        return await sessions.whileSummed(record, (session) => compact(host, session, options));
      } finally {
        events.tell("session.compacting", { session_id: id, is_running: false });
        events.tellSession(id);
      }
    },

    async exportSession({ params, query }) {
      const session = await sessions.find(params.session_id);
      if (isFault(session)) return session;
      const text = await exported(session, query, redact);
      if (text.length > maxExport) return tooLong(params.session_id);
      const title = oneLine(session.header.title ?? "", 60).replace(/[^\p{L}\p{N}]+/gu, "-");
      const name = title.replace(/^-+|-+$/g, "") || `session-${session.header.id.slice(0, 8)}`;
      return { name: `${name}.${endings[query.format]}`, text };
    },
  } satisfies Partial<Operations>;
}

async function compact(
  host: Host,
  session: Session,
  options: { readonly signal: AbortSignal; readonly instructions: string | undefined },
) {
  const configured = host.configuration();
  if (isFault(configured)) return configured;
  const { settings } = configured;
  const chosen = await host.chooseModel(settings, {}, modelFor(session, settings, keptChoices(session)));
  if (isRefused(chosen)) return modelFailed(chosen);
  const compacted = await compactSession(session, chosen.model, options);
  if (isFault(compacted)) return compacted;
  const { before, after, shortened } = compacted;
  return {
    summary: shortened?.summary ?? "",
    short_summary: shortened?.shortSummary ?? "",
    tokens_before: before,
    tokens_after: after,
  };
}

interface ExportQuery {
  readonly format: keyof typeof endings;
  readonly page_colour?: string | undefined;
  readonly card_colour?: string | undefined;
  readonly info_colour?: string | undefined;
}

/** What is stored has no secrets any more; a session of an earlier time may have some. */
async function exported(session: Session, query: ExportQuery, redact: Host["redact"]): Promise<string> {
  const { format, page_colour: page, card_colour: card, info_colour: info } = query;
  if (format === "jsonl") return (await import("@stet/session/export-lines")).exportLines(session, redact);
  if (format === "html")
    return redact((await import("@stet/session/export-html")).exportHtml(session, { page, card, info }));
  return redact((await import("@stet/session/export-markdown")).exportMarkdown(session));
}

function viewOf(info: SessionInfo, root: string) {
  return {
    session_id: info.id,
    title: info.title ?? null,
    name: info.name,
    first_message: info.firstMessage,
    message_count: info.messageCount ?? null,
    folder: info.cwd,
    is_here: isSameFolder(info.cwd, root),
    path: info.path,
    created_at: timeOf(info.created),
    updated_at: timeOf(Math.round(info.modified)),
    damage: info.damage ?? null,
  };
}

function tooLong(id: string): Fault {
  return new Fault(
    "too_large",
    `The session ${id} is too long for one reply.`,
    `Write it to a file: stet sessions export ${id.slice(0, 8)} FILE.`,
    { session_id: id, limit: maxExport },
  );
}
