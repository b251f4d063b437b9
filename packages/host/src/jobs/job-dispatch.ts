// Who carries out jobs: this process, from a queue of its own (local-dispatch.ts), or a worker of a shared queue.

import type { JobRecord } from "../store/store.ts";
import type { ResumedTurn } from "../turn/agent-turn.ts";

/** The jobs of this process, as a dispatch begins them. */
export interface JobsHere {
  /** Whether one more may begin now. */
  hasRoom(): boolean;
  /** Carries a job out; resolves when it rests. */
  begin(id: string, resumed: ResumedTurn | undefined): Promise<void>;
  /** Ends a job that was at work when this process was lost the last time. */
  settle(job: JobRecord): Promise<void>;
}

export interface JobDispatch {
  /** How many jobs wait to begin; as far as `limit` it is exact. */
  queued(limit: number): Promise<number>;
  offer(job: JobRecord, resumed?: ResumedTurn): void;
  /**
   * A job that begins here at once, because another one here has sent it: no other process may take it up. Returns what is
   * called when it has ended.
   */
  adopt(job: JobRecord): Promise<() => Promise<void>>;
  /** Takes a job off this process's queue; false where it is not on it. */
  withdraw(id: string): boolean;
  /** Has a job stopped that is at work elsewhere; returns when it is, or after a while. */
  stop(id: string): Promise<void>;
  /** After a start: takes up what this process left. */
  recover(): Promise<void>;
  /** A job rests, or waits for the person: others may begin. */
  release(id?: string): void;
  close(): void;
}

/** The turn that goes on with the person's answer; undefined where the job begins. */
export function resumedOf({ question, suspended }: JobRecord): ResumedTurn | undefined {
  if (question?.answer === undefined || suspended === null) return undefined;
  return { suspended, callId: question.callId, answer: question.answer };
}
