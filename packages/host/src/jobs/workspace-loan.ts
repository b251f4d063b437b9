// A job as whoever takes it from a queue of several processes finds it, and what it works with there.

import type { JobRecord } from "../store/store.ts";
import type { ResumedTurn } from "../turn/agent-turn.ts";

/** Where the workspace is shared: lets others have it while a job needs nothing of it. */
export interface WorkspaceLoan {
  release(): void;
  reacquire(): Promise<unknown>;
}

/** The turn that goes on with the person's answer; undefined where the job begins. */
export function resumedOf({ question, suspended }: JobRecord): ResumedTurn | undefined {
  if (question?.answer === undefined || suspended === null) return undefined;
  return { suspended, callId: question.callId, answer: question.answer };
}
