// What the server keeps beside the ledger: sessions' settings, jobs, and logs of events. One conformance suite runs against
// every implementation.
//
// A cursor is given out once and never again, also across a crash: what a reader has seen up to a cursor stays true.

import type { ContextRow, JobEvent, JobStatus, ProposedEdit } from "@stet/protocol/api/agent";
import type { Fault } from "@stet/protocol/fault";
import type { Usage } from "@stet/protocol/message";
import type { ToolsetName } from "@stet/tools/toolset";
import type { SuspendedTurn } from "@stet/workspace/turns";

export interface SessionRecord {
  readonly id: string;
  readonly status: "active" | "archived";
  readonly title: string;
  readonly contextRows: readonly ContextRow[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Question {
  readonly id: string;
  readonly text: string;
  readonly options: readonly string[];
  /** The tool call that asked. */
  readonly callId: string;
}

export interface JobRecord {
  readonly id: string;
  readonly session: string;
  readonly status: JobStatus;
  readonly instruction: string;
  readonly toolset: ToolsetName;
  readonly model: string;
  readonly maxToolCalls: number | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly question: Question | null;
  /** What is staged while the job waits for an answer. */
  readonly suspended: SuspendedTurn | null;
  readonly edits: readonly ProposedEdit[];
  /** The turn in the ledger, once it is committed. */
  readonly turn: string | null;
  readonly usage: Usage | null;
  readonly error: { readonly error: string; readonly message: string; readonly suggestion: string } | null;
}

export type JobPatch = Partial<Omit<JobRecord, "id" | "session" | "createdAt">>;

/** An event that is not in a log yet. */
export type NewEvent = Omit<JobEvent, "cursor">;

export interface Collected {
  readonly jobs: number;
  readonly sessions: number;
}

export interface CollectionRules {
  readonly maxSessions: number;
  readonly maxJobsPerSession: number;
  readonly completedTtlHours: number;
  readonly now: number;
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
  keepEvents(log: string, events: readonly JobEvent[]): Promise<undefined | Fault>;
  /** Makes cursors up to this one known as given out, so that a restart goes on above it. */
  reserveCursors(log: string, upTo: number): Promise<undefined | Fault>;
  /** Where to go on: above everything that was ever given out. */
  lastCursor(log: string): Promise<number>;
  /** In order, those after the cursor. */
  events(log: string, after: number, limit: number): Promise<JobEvent[]>;
  /** Drops the oldest beyond so many. */
  trimEvents(log: string, keep: number): Promise<void>;

  /** Forgets finished work beyond the rules; never a job that waits for someone, nor its session. */
  collect(rules: CollectionRules): Promise<Collected>;
  close(): Promise<void>;
}
