// Jobs that wait for their turn, and what each of them needs for itself alone.
//
// A lane is held by one job at a time: its session, because two conversations cannot be one; and all documents for a
// toolset that locks them. Jobs begin in the order in which they came, as far as their lanes are free.

import { uniqueSuffix } from "@stet/protocol/ids";
import { policyOf } from "@stet/tools/toolset-policies";
import type { JobRecord } from "../store/store.ts";
import type { ResumedTurn } from "../turn/agent-turn.ts";

export type NewJob = Pick<
  JobRecord,
  | "session"
  | "instruction"
  | "toolset"
  | "model"
  | "choices"
  | "pictures"
  | "maxToolCalls"
  | "tab"
  | "context"
  | "agent"
  | "deliveries"
>;

/** A job as it is before anything happened to it. */
export function newJob(request: NewJob): JobRecord {
  return {
    id: `job_${uniqueSuffix()}`,
    ...request,
    status: "queued",
    createdAt: Date.now(),
    startedAt: null,
    finishedAt: null,
    question: null,
    suspended: null,
    suspendedEdits: [],
    edits: [],
    proposal: [],
    turn: null,
    usage: null,
    error: null,
  };
}

export interface QueuedJob {
  readonly id: string;
  readonly lanes: readonly string[];
  readonly resumed: ResumedTurn | undefined;
}

export function lanesOf({ session, toolset }: Pick<JobRecord, "session" | "toolset">): string[] {
  return [`session:${session}`, ...(policyOf(toolset).locksDocuments ? ["all documents"] : [])];
}

export class JobQueue {
  readonly #waiting: QueuedJob[] = [];
  readonly #held = new Map<string, string>();

  get length(): number {
    return this.#waiting.length;
  }

  add(job: QueuedJob): void {
    this.#waiting.push(job);
  }

  /** False where it is not waiting. */
  remove(id: string): boolean {
    const at = this.#waiting.findIndex((job) => job.id === id);
    if (at >= 0) this.#waiting.splice(at, 1);
    return at >= 0;
  }

  hold(id: string, lanes: readonly string[]): void {
    for (const lane of lanes) this.#held.set(lane, id);
  }

  release(id: string): void {
    for (const [lane, holder] of this.#held) if (holder === id) this.#held.delete(lane);
  }

  /** The first job that may begin; it holds its lanes from now on. */
  take(): QueuedJob | undefined {
    const at = this.#waiting.findIndex(({ id, lanes }) => {
      return lanes.every((lane) => (this.#held.get(lane) ?? id) === id);
    });
    const [job] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (job !== undefined) this.hold(job.id, job.lanes);
    return job;
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}
