// Events as a log has them, for tests that need some: written as type and data, in order.

import type { EventData, EventType, LogEvent } from "@stet/protocol/events/log-event";
import { isEventOf, newEvent } from "@stet/protocol/events/new-event";

/** A type with its data. */
export type WrittenEvent = { [Type in EventType]: readonly [type: Type, data: EventData<Type>] }[EventType];

export function eventAt<Type extends EventType>(cursor: number, type: Type, data: EventData<Type>): LogEvent {
  const ts = new Date(1_700_000_000_000 + cursor).toISOString();
  return { ...newEvent(type, data), cursor, ts };
}

/** With the cursors 1, 2, 3… */
export function logEvents(...written: readonly WrittenEvent[]): LogEvent[] {
  return written.map(([type, data], index) => eventAt(index + 1, type, data));
}

/** The data of all events of one type. */
export function dataOf<Type extends EventType>(events: readonly LogEvent[], type: Type): EventData<Type>[] {
  const data: EventData<Type>[] = [];
  for (const event of events) if (isEventOf(event, type)) data.push(event.data);
  return data;
}
