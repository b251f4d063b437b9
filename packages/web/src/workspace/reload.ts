// What a component shows of the server is read again when something has happened to it.

import type { EventData, EventType } from "@stet/protocol/events/log-event";
import { onCleanup } from "solid-js";
import { soon } from "./soon.ts";
import type { Workbench } from "./workbench.ts";

/**
 * Calls an action a moment after events of these types, once for many, and when the server can be reached again. For as long
 * as the component lives.
 */
export function reloadOn<Type extends EventType>(
  { feed }: Workbench,
  types: readonly Type[],
  milliseconds: number,
  action: () => unknown,
  isConcerned: (data: EventData<Type>) => boolean = () => true,
): void {
  let isOver = false;
  const later = soon(milliseconds, () => {
    if (!isOver) action();
  });
  const hear = (data: EventData<Type>) => {
    if (isConcerned(data)) later();
  };
  const ends = [...types.map((type) => feed.on(type, hear)), feed.onReturn(later)];
  onCleanup(() => {
    isOver = true;
    for (const end of ends) end();
  });
}

/** When the history of something may be another one. */
export function onHistoryChange(workbench: Workbench, action: () => unknown): void {
  reloadOn(workbench, ["review.updated", "checkpoint.rollback.completed", "job.status"], 200, action);
}
