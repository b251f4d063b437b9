// Makes and tells apart events of a log. Loads no schema: the compiler knows which data a type has.

import type { EventData, EventType, NewEvent } from "./log-event.ts";

/** The agent of a job's own turn; a subagent has an id of its own. */
export const mainAgent = "main";

export function newEvent<Type extends EventType>(
  type: Type,
  data: EventData<Type>,
  agent: string = mainAgent,
): NewEvent {
  // The compiler does not follow a type and its data through a union; the parameters hold them together.
  return { ts: new Date().toISOString(), agent, type, data } as NewEvent;
}

interface Typed {
  readonly type: string;
  readonly data: unknown;
}

export function isEventOf<Type extends EventType>(
  event: Typed,
  type: Type,
): event is { readonly type: Type; readonly data: EventData<Type> } {
  return event.type === type;
}
