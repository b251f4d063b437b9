// What becomes of a job when its turn has ended.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { EventLog } from "../events/event-log.ts";
import type { FinishedTurn, TurnEvent } from "../turn/agent-turn.ts";
import * as faults from "./job-faults.ts";
import type { JobProgress } from "./job-progress.ts";
import type { ProposedEdits } from "./proposed-edits.ts";

/** Why jobs are stopped when the server ends. */
export const closing = Symbol("closing");

export interface SeenTurn {
  readonly end: Extract<TurnEvent, { type: "turn_end" }> | undefined;
  readonly answeredBy: string | null;
  readonly edits: ProposedEdits;
  readonly signal: AbortSignal;
}

export async function concludeJob(
  progress: JobProgress,
  id: string,
  log: EventLog,
  finished: FinishedTurn | Fault,
  { end, answeredBy, edits, signal }: SeenTurn,
): Promise<void> {
  const stop = end?.stop ?? null;
  if (end !== undefined) {
    const { usage, outcome } = end;
    await progress.change(id, { usage, answeredBy, outcome, stop });
  }
  if (isFault(finished)) return progress.fail(id, log, finished);
  const { outcome, turn } = finished;
  if (outcome === "aborted")
    return progress.fail(id, log, signal.reason === closing ? faults.closed(turn) : faults.cancelled(turn));
  if (outcome === "failed") return progress.fail(id, log, faults.modelFailed(end?.failure, turn));
  if (turn === undefined && stop !== null && !stop.isAnswered)
    return progress.fail(id, log, faults.stopped(stop.message));
  if (turn === undefined) return progress.finish(id, log, outcome);
  return progress.propose(id, log, turn, edits);
}
