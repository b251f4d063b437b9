// Follows a log of events in the process that has its operations: what follow.ts does over HTTP, without a connection that
// could break.

import type { StartStream } from "@stet/protocol/api/operation";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { Fault } from "@stet/protocol/fault";

/** Ends when the signal is aborted or the log is closed, or with the fault of the operation that starts the stream. */
export async function* followDirect(
  starting: Promise<StartStream | Fault>,
  signal: AbortSignal,
): AsyncGenerator<LogEvent, Fault | undefined> {
  const start = await starting;
  if (start instanceof Fault) return start;
  const waiting: LogEvent[] = [];
  let hasEnded = false;
  let wake = () => {};
  const end = () => {
    hasEnded = true;
    wake();
  };
  signal.addEventListener("abort", end, { once: true });
  const stop = await start({
    send(events) {
      for (const { data } of events) waiting.push(data as LogEvent);
      wake();
    },
    end,
  });
  try {
    while (!signal.aborted) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (hasEnded) break;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
    return undefined;
  } finally {
    signal.removeEventListener("abort", end);
    stop();
  }
}
