// What is known of the conversation that the sidebar shows.

import type { QueuedText, TurnView } from "@stet/client/fold";
import type { Item } from "@stet/client/items";
import type { jobSummary } from "@stet/protocol/api/job";
import type { ContextRow, measuredContextRow, SessionUse } from "@stet/protocol/api/sessions";
import type * as z from "zod";

export type MeasuredRow = z.infer<typeof measuredContextRow>;
export type JobSummary = z.infer<typeof jobSummary>;

export interface AgentState {
  /** Null before anything was said. */
  session: string | null;
  title: string;
  hasMore: boolean;
  isOpening: boolean;
  rows: MeasuredRow[];
  use: SessionUse | null;
  /** The model that was chosen for this conversation; empty where the default answers. */
  model: string;
  /** The job at work in this conversation. */
  job: string | null;
  queued: QueuedText[];
  /** The message that was just sent, before its event arrives. */
  pending: string | null;
  live: Item[];
  /** Messages of the session since then are part of `live`. */
  liveSince: string | null;
  lastJob: JobSummary | null;
  /** For screen readers. */
  announcement: string;
}

/** What others may do with the composer while it is shown. */
export interface ComposerControl {
  focus(): void;
  openModels(): void;
  openToolsets(): void;
}

/** A new one each time: the store changes what it is given. */
export const nothing = (): AgentState => ({
  session: null,
  title: "",
  hasMore: false,
  isOpening: false,
  rows: [],
  use: null,
  model: "",
  job: null,
  queued: [],
  pending: null,
  live: [],
  liveSince: null,
  lastJob: null,
  announcement: "",
});

/** Without what the server adds. */
export function sentRow({ id, kind, file_path, start_line, end_line, content }: ContextRow): ContextRow {
  return {
    id,
    kind,
    ...(file_path === undefined ? {} : { file_path }),
    ...(start_line === undefined ? {} : { start_line }),
    ...(end_line === undefined ? {} : { end_line }),
    ...(content === undefined ? {} : { content }),
  };
}

export function announcementOf({ end, items }: TurnView): string {
  const stop = items.findLast((item) => item.kind === "stop");
  const how = end?.kind === "failed" ? "The agent stopped." : (stop?.text ?? "The agent is done.");
  if (end?.kind !== "review") return how;
  return `${how} ${end.hunks === 1 ? "One change waits" : `${end.hunks} changes wait`} for your review.`;
}
