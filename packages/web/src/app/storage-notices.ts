// Damage to Stet's own files, told in the window: each once in a browser, whether it was met before the window was opened or
// since, and until it is closed.

import { keep, keptTexts } from "../workspace/browser-storage.ts";
import type { Workbench } from "../workspace/workbench.ts";
import type { WorkspaceInfo } from "./sign-in.ts";

type StorageNotice = WorkspaceInfo["notices"][number];

const maxRemembered = 50;

export function followStorageNotices(workbench: Workbench, notices: readonly StorageNotice[]): void {
  for (const notice of notices) tellOnce(workbench, notice);
  workbench.feed.on("storage.notice", (notice) => tellOnce(workbench, notice));
}

function tellOnce(workbench: Workbench, { message, suggestion, at }: StorageNotice): void {
  const key = `stet.notices:${workbench.state.root}`;
  const known = keptTexts("localStorage", key) ?? [];
  const id = `${at} ${message}`;
  if (known.includes(id)) return;
  keep("localStorage", key, [id, ...known].slice(0, maxRemembered));
  workbench.notices.tell({ text: message, detail: suggestion, tone: "bad" });
}
