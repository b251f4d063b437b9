// Where a host's state is stored and who carries out its jobs, as one port. The default is this process alone: an SQLite
// store beside the ledger, logs and a queue of its own (local-hosting.ts). A hosting that several processes share brings
// another store, a lease on the ledger and a queue that workers take from. Nothing else asks which of them it is.

import type { Operations } from "@stet/protocol/api/operation";
import type { Fault } from "@stet/protocol/fault";
import type { Workspace, WorkspaceOptions } from "@stet/workspace/workspace";
import type { ChatFeed } from "../events/chat-feed.ts";
import type { Logs, OpenLog } from "../events/logs.ts";
import type { JobDispatch, JobsHere } from "../jobs/job-dispatch.ts";
import type { JobRecord, Store } from "./store.ts";

/** Opens a folder with its ledger and its store. */
export type OpenHosting = (folder: string, options: WorkspaceOptions) => Promise<Hosting | Fault>;

/** Where what happens in a chat's turns goes, and where its readers hear it from. */
export type ChatRoute = Pick<ChatFeed, "hear" | "follow">;

export interface Hosting {
  /** Closed by the host, after everything that uses it. */
  readonly workspace: Workspace;
  readonly store: Store;
  readonly openLog: OpenLog;
  /** Runs an action that may change the workspace while no other process does; returns when it is committed. */
  exclusively<T>(action: () => Promise<T | Fault> | T | Fault): Promise<T | Fault>;
  /** Whether this process logs the event of a ledger entry. Where the log is shared, the process that made the entry does. */
  tells(isOwn: boolean): boolean;
  /** The operations, each run as this hosting needs it. */
  wrap(operations: Operations): Operations;
  /** `isServed`: whether this process has readers. */
  routeChats(feed: ChatFeed, logs: Logs, isServed: boolean): ChatRoute;
  dispatch(jobs: JobsHere): JobDispatch;
  /** Why a running job takes no messages; undefined where it does. */
  unreachable(job: string): Fault | undefined;
  /** Calls back for jobs whose status another process has changed; returns how to stop that. */
  onJob(listener: (job: JobRecord) => void): () => void;
  /** Closes the store, and lets others in. */
  close(): Promise<void>;
}
