// Events of a log, as a poll and as a stream tell them.

import { type StartStream, streamed } from "@stet/protocol/api/operation";
import type { LogEvent } from "@stet/protocol/events/log-event";
import type { Host } from "../host.ts";

export interface EventPage {
  readonly next_cursor: number;
  readonly events: LogEvent[];
}

export async function eventPage(
  host: Host,
  name: string,
  { cursor, limit }: { cursor: number; limit: number },
): Promise<EventPage> {
  const events = await host.logs.with(name, (log) => log.read(cursor, limit));
  return { next_cursor: events.at(-1)?.cursor ?? cursor, events };
}

/** From a cursor on, or from now on where there is none. */
export function eventStream(host: Host, name: string, cursor: number | undefined): StartStream {
  return async (sink) => {
    const held = await host.logs.hold(name);
    try {
      const stop = await held.log.follow(cursor ?? held.log.cursor, (events) => sink.send(streamed(events)));
      return () => {
        stop();
        held.release();
      };
    } catch (error) {
      held.release();
      throw error;
    }
  };
}
