// The name of the window: what is in front, and whether something of it is not saved.

import { visible } from "@stet/protocol/visible";
import { createEffect } from "solid-js";
import type { Workbench } from "../workspace/workbench.ts";

export function followTitle(workbench: Workbench): void {
  createEffect(() => {
    const view = workbench.views.active();
    const tab = workbench.activeTab();
    const front = tab?.title ?? (view !== undefined && view.kind !== "document" ? view.title : undefined);
    document.title = visible(windowTitle(workbench.state.name, front, tab?.is_dirty === true));
  });
}

export function windowTitle(folder: string, front: string | undefined, isDirty: boolean): string {
  const name = front === undefined ? [] : [`${isDirty ? "● " : ""}${front}`];
  return [...name, folder, "Stet"].join(" – ");
}
