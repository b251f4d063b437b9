// Damage to Stet's own files, told in the window: each once in a browser, whether it was met before the window was opened or
// since, and until it is closed.

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
  const known = remembered(key);
  const id = `${at} ${message}`;
  if (known.includes(id)) return;
  try {
    localStorage.setItem(key, JSON.stringify([id, ...known].slice(0, maxRemembered)));
  } catch {
    // A browser that keeps nothing is told again.
  }
  workbench.notices.tell({ text: message, detail: suggestion, tone: "bad" });
}

function remembered(key: string): unknown[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(known) ? known : [];
  } catch {
    return [];
  }
}
