// What the server keeps beside the ledger: sessions' settings, jobs, and logs of events. One conformance suite runs against
// every implementation.
//
// A cursor is given out once and never again, also across a crash: what a reader has seen up to a cursor stays true.

import type { TurnOutcome, TurnStop } from "@stet/agent/agent-event";
import type { Delivery } from "@stet/agent/background/deliveries";
import type { InboxMessage } from "@stet/agent/inbox";
import type { JobError, JobStatus, ProposedEdit } from "@stet/protocol/api/job";
import type { ContextRow } from "@stet/protocol/api/sessions";
import type { LogEvent } from "@stet/protocol/events/log-event";
import type { Fault } from "@stet/protocol/fault";
import type { Usage } from "@stet/protocol/message";
import type { Question } from "@stet/protocol/question";
import type { ToolsetName } from "@stet/protocol/toolset";
import type { SuspendedTurn } from "@stet/workspace/turns/turn-copy";
import type { SessionChoices } from "../turn/session-choices.ts";

export interface SessionRecord {
  readonly id: string;
  readonly status: "active" | "archived";
  readonly title: string;
  /** Whether the person gave it, or it was made; the person, where it is missing. */
  readonly titleSource?: "user" | "auto" | undefined;
  readonly contextRows: readonly ContextRow[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The name of its file, which may not exist yet. Older records lack it. */
  readonly file?: string | undefined;
  /** What was chosen in it while it had no file yet. */
  readonly choices?: SessionChoices | undefined;
  /** The session that it was branched from, while it has no file yet. */
  readonly parentSession?: string | undefined;
}

export interface OpenQuestion {
  readonly id: string;
  readonly asked: Question;
  /** The tool call that asked. */
  readonly callId: string;
  /** What the person answered, until the job goes on. */
  readonly answer?: string;
}

/** An edit, and where its lines are now: from 1; an empty range stands before its first line. */
export interface LocatedEdit {
  readonly edit: ProposedEdit;
  readonly first: number;
  readonly count: number;
}

/** What a job proposed for one document, as it was when the turn was committed. */
export interface ProposedFile {
  readonly document: number;
  /** Of the file on disk at that time; null where there was none. */
  readonly baseFileHash: string | null;
  /** The edits that each hunk came from. */
  readonly edits: Readonly<Record<string, readonly string[]>>;
}

export interface JobRecord {
  readonly id: string;
  readonly session: string;
  readonly status: JobStatus;
  readonly instruction: string;
  readonly toolset: ToolsetName;
  readonly model: string;
  /** What was chosen with it, beside the model and the toolset. Older records lack it. */
  readonly choices?: Pick<SessionChoices, "thinking" | "permission.mode">;
  /** Pictures that belong to the instruction, by their names in the blob store. Older records lack it. */
  readonly pictures?: readonly { readonly blob: string; readonly mimeType: string }[];
  readonly maxToolCalls: number | null;
  /** The agent whose turn it is, where the session's own had sent it. */
  readonly agent?: string;
  /** What happened in the background, and is told with the instruction; it may be all that there is. */
  readonly deliveries?: readonly Delivery[];
  /** The tab that toolset paper works on. */
  readonly tab: string | null;
  /** The person's pinned rows, as the model gets them. */
  readonly context: string;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly question: OpenQuestion | null;
  /** What is staged while the job waits for an answer. */
  readonly suspended: SuspendedTurn | null;
  /** The edits that are part of what is staged. */
  readonly suspendedEdits: readonly LocatedEdit[];
  readonly edits: readonly ProposedEdit[];
  readonly proposal: readonly ProposedFile[];
  /** The turn in the ledger, known since it began; null again where it changed nothing. */
  readonly turn: string | null;
  /** What the person said while it worked, and the model has not heard yet. Records from before there was any lack it. */
  readonly messages?: readonly InboxMessage[];
  readonly usage: Usage | null;
  /** The model of the last answer. Older records lack it. */
  readonly answeredBy?: string | null;
  /** How the turn ended, and what stopped it. Older records lack both. */
  readonly outcome?: TurnOutcome | null;
  readonly stop?: TurnStop | null;
  readonly error: JobError | null;
}

export type JobPatch = Partial<Omit<JobRecord, "id" | "session" | "createdAt">>;

export interface Collected {
  readonly jobs: number;
  readonly sessions: number;
}

export interface CollectionRules {
  readonly maxSessions: number;
  readonly maxJobsPerSession: number;
  readonly completedTtlHours: number;
  readonly now: number;
  /** The only session that may have too many jobs: one was just begun in it. Every session, unless given. */
  readonly session?: string | undefined;
}

export interface Store {
  putSession(session: SessionRecord): Promise<undefined | Fault>;
  session(id: string): Promise<SessionRecord | undefined>;
  /** The newest first. */
  sessions(limit: number): Promise<SessionRecord[]>;

  putJob(job: JobRecord): Promise<undefined | Fault>;
  updateJob(id: string, patch: JobPatch): Promise<JobRecord | Fault>;
  job(id: string): Promise<JobRecord | undefined>;
  jobByTurn(turn: string): Promise<JobRecord | undefined>;
  /** The newest first. */
  jobs(filter: { session?: string; status?: JobStatus; limit: number }): Promise<JobRecord[]>;

  /** Keeps events under the cursors that they have. */
  keepEvents(log: string, events: readonly LogEvent[]): Promise<undefined | Fault>;
  /** Makes cursors up to this one known as given out, so that a restart goes on above it. */
  reserveCursors(log: string, upTo: number): Promise<undefined | Fault>;
  /** Where to go on: above everything that was ever given out. */
  lastCursor(log: string): Promise<number>;
  /** In order, those after the cursor. */
  events(log: string, after: number, limit: number): Promise<LogEvent[]>;
  /** Drops the oldest beyond so many. */
  trimEvents(log: string, keep: number): Promise<void>;

  /**
   * Forgets finished work beyond the rules; never a job that waits for someone, nor its session. A session goes where it
   * was put aside, or where it was not used for the retention time of finished work.
   */
  collect(rules: CollectionRules): Promise<Collected>;
  close(): Promise<void>;
}
