// Follows a log of events: from a cursor, as they happen, over broken connections, each event once and in order.

import type { Sent } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import type { LogEvent } from "@stet/protocol/events/log-event";
import { detailsOf, Fault } from "@stet/protocol/fault";
import type { Client } from "./client.ts";
import { sentEvents } from "./event-lines.ts";

type LogRoute = "streamJobEvents" | "streamWorkspaceEvents";

export interface LogFollowOptions {
  /** Events after this one; from the beginning unless given. */
  readonly cursor?: number;
  readonly signal: AbortSignal;
  /** Called when the connection is lost and when it is there again. */
  readonly onConnection?: (state: "connected" | "lost") => void;
  /** Exponential backoff: the wait before the first new try, in milliseconds; it doubles up to 10 s. */
  readonly retryMs?: number;
}

const longestRetry = 10_000;

/** Ends when the signal is aborted, or with a fault that trying again cannot mend. */
export async function* follow<Name extends LogRoute>(
  client: Client,
  route: Name,
  sent: Sent<Routes[Name]>,
  options: LogFollowOptions,
): AsyncGenerator<LogEvent, Fault | undefined> {
  const { signal, onConnection, retryMs = 250 } = options;
  let { cursor = 0 } = options;
  let wait = retryMs;
  while (!signal.aborted) {
    const stream = await client.open(route, sent, { signal, lastEventId: cursor });
    if (stream instanceof Fault) {
      if (!isPassing(stream)) return stream;
    } else {
      onConnection?.("connected");
      try {
        for await (const event of sentEvents(stream)) {
          wait = retryMs;
          if (event?.id === undefined) continue;
          const logEvent: LogEvent = JSON.parse(event.data);
          if (logEvent.cursor <= cursor) continue;
          cursor = logEvent.cursor;
          yield logEvent;
        }
      } catch (error) {
        // A broken connection is what this is for; anything else is a bug.
        if (!(error instanceof TypeError || signal.aborted)) throw error;
      }
    }
    if (signal.aborted) return undefined;
    onConnection?.("lost");
    await pause(wait, signal);
    wait = Math.min(2 * wait, longestRetry);
  }
  return undefined;
}

/** Whether it may be over in a moment: a server that restarts, or has too much to do. */
function isPassing(fault: Fault): boolean {
  return isOutage(fault) || fault.error === "workspace_busy";
}

/** No reply, or one of a server that broke. */
export function isOutage(fault: Fault): boolean {
  const { status = 500 } = detailsOf(fault, "io_failed");
  return fault.error === "io_failed" && status >= 500;
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, milliseconds);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
