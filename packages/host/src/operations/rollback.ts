// A rollback with its events, in the log of the workspace and in that of the job whose turn it takes back.

import type { EventData, EventType } from "@stet/protocol/events/log-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { RollbackReport, RollbackRequest } from "@stet/workspace/checkpoints/checkpoints";
import { jobLog } from "../events/logs.ts";
import type { Host } from "../host.ts";

/** Back to before a turn, by the name of its checkpoint. */
export type RollBack = (id: string, request: RollbackRequest) => Promise<RollbackReport | Fault>;

export async function rollback(host: Host, ...[id, request]: Parameters<RollBack>): ReturnType<RollBack> {
  const turn = id.startsWith("ckpt_") ? `turn_${id.slice("ckpt_".length)}` : id;
  const job = await host.store.jobByTurn(turn);
  const tell = async <Type extends EventType>(type: Type, data: EventData<Type>) => {
    host.events.tell(type, data);
    if (job !== undefined) await host.logs.with(jobLog(job.id), (log) => log.append(type, data));
  };
  const told = { checkpoint_id: id, mode: request.mode };
  await tell("checkpoint.rollback.started", told);
  const report = await host.workspace.rollback(id, request);
  if (isFault(report)) {
    const { error, message } = report;
    await tell("checkpoint.rollback.failed", { ...told, error, message });
    return report;
  }
  const { documents, rolledBack, conflicts, checkpoint } = report;
  await tell("checkpoint.rollback.completed", {
    ...told,
    undo_checkpoint_id: checkpoint,
    documents: [...documents],
    rolled_back: rolledBack.length,
    conflicts: [...conflicts],
  });
  // A job that has nothing left to decide on is completed by now.
  await host.reviews.settled();
  return report;
}
