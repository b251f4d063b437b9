// What stands behind the API: one operation for each route, by its name. A host has them; HTTP and the direct client call
// them. The compiler tells which one is missing.

import type { Fault } from "../fault.ts";
import type { Received, Reply, RouteShape } from "./route.ts";
import type { RouteName, Routes } from "./routes.ts";

/** Who asked, as far as an operation may know. */
export interface Caller {
  /** Aborted when the caller goes away. */
  readonly signal: AbortSignal;
  /** Where a stream goes on: the Last-Event-ID header, where it is sent. */
  readonly lastEventId: number | undefined;
}

/** An event of a stream. With a cursor, it can be resumed from. */
export interface StreamEvent {
  readonly id?: number | undefined;
  /** The name that a browser's EventSource listens for; `message` unless given. */
  readonly event?: string | undefined;
  /** Belongs to this event alone: it is serialised once, for all readers. */
  readonly data: unknown;
}

/** Where a stream's events go. */
export interface Sink {
  /** Many at once are written at once. */
  send(events: readonly StreamEvent[]): void;
  /** Ends the stream; a reason is sent as the last event, `stream.closed`. */
  end(reason?: string): void;
}

/** Starts a stream; what it returns is called when the reader is gone. */
export type StartStream = (sink: Sink) => Promise<() => void>;

type Answer<Shape extends RouteShape> = Shape extends { isStream: true } ? StartStream : Reply<Shape>;
type Operation<Shape extends RouteShape> = (
  received: Received<Shape>,
  caller: Caller,
) => Promise<Answer<Shape> | Fault>;

export type Operations = { readonly [Name in RouteName]: Operation<Routes[Name]> };

/** Log events as a stream tells them: under their type's name, resumable by their cursor. */
export function streamed(events: readonly { cursor: number; type: string }[]): StreamEvent[] {
  return events.map((event) => ({ id: event.cursor, event: event.type, data: event }));
}
