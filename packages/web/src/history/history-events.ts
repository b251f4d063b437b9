// When the history of something may be another one.

import { onCleanup } from "solid-js";
import { soon } from "../workspace/soon.ts";
import type { Workbench } from "../workspace/workbench.ts";

const types = ["review.updated", "checkpoint.rollback.completed", "job.status"] as const;

/** For as long as the component lives; many events at once are one call. */
export function onHistoryChange(workbench: Workbench, action: () => void): void {
  let isOver = false;
  const later = soon(200, () => {
    if (!isOver) action();
  });
  const ends = [...types.map((type) => workbench.feed.on(type, later)), workbench.feed.onReturn(later)];
  onCleanup(() => {
    isOver = true;
    for (const end of ends) end();
  });
}
