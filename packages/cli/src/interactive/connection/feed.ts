// What happens to the workspace, in whichever front end: jobs that begin, sessions and reviews that change.

import type { LogEvent } from "@stet/protocol/events/log-event";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Connection } from "./connection.ts";

export interface FeedOptions {
  readonly connection: Pick<Connection, "api" | "follow">;
  readonly signal: AbortSignal;
  readonly onEvent: (event: LogEvent) => void;
  /** Called with how many hunks wait for a decision, when that may be another number. */
  readonly onOpenHunks: (count: number) => void;
  readonly onFault: (fault: Fault) => void;
}

/** Reviews change with each keystroke in a browser; they are counted at most this often, in milliseconds. */
const countEveryMs = 200;

export async function followWorkspace(options: FeedOptions): Promise<void> {
  const { connection, signal, onEvent, onOpenHunks, onFault } = options;
  let counting: NodeJS.Timeout | undefined;
  const count = async () => {
    const workspace = await connection.api.call("getWorkspace", {});
    if (isFault(workspace) || signal.aborted) return undefined;
    onOpenHunks(workspace.open_hunks);
    return workspace;
  };
  const workspace = await count();
  if (workspace === undefined) return;
  const events = connection.follow({ cursor: workspace.cursor, signal });
  for (;;) {
    const next = await events.next();
    if (signal.aborted) break;
    if (next.done === true) {
      if (isFault(next.value)) onFault(next.value);
      break;
    }
    const event = next.value;
    if (event.type === "review.updated" || event.type === "log.truncated")
      counting ??= setTimeout(() => {
        counting = undefined;
        void count();
      }, countEveryMs);
    onEvent(event);
  }
  clearTimeout(counting);
  await events.return(undefined);
}
