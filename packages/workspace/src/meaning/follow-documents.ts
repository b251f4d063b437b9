// Keeps the documents that are open in tabs searchable by meaning, while they are edited.
//
// Every entry of the ledger that concerns an open document has it indexed again, shortly after the last of a series: then
// only the passages that it touched are embedded. What is under way for an older text is given up; nothing of it is lost.

import type { Fault } from "@stet/protocol/fault";
import { isFault } from "@stet/protocol/fault";
import { fileTypeOf } from "../file-type.ts";
import type { Workspace } from "../workspace.ts";
import type { IndexReport, Meaning, MeaningDocument } from "./meaning.ts";

export interface FollowOptions {
  /** How long a document must be left alone before it is indexed, in milliseconds. */
  readonly quietMs?: number;
  /** Told after each document, also when it was given up. */
  onIndexed?(document: MeaningDocument, result: IndexReport | Fault): void;
}

export interface Following {
  /** Takes up what is open now. Opening a tab writes no entry, so whoever opens one calls this. */
  look(): void;
  stop(): void;
}

const defaultQuiet = 100;
/** Who never stops typing is indexed after so many quiet times nevertheless. */
const mostPostponements = 20;

/** Call `stop` before the workspace is closed. */
export function followDocuments(
  workspace: Workspace,
  meaning: Meaning,
  options: FollowOptions = {},
): Following {
  const quiet = options.quietMs ?? defaultQuiet;
  const changed = new Set<number>();
  const running = new Map<number, AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let firstChange = 0;

  const index = async (id: number) => {
    running.get(id)?.abort();
    running.delete(id);
    const document = documentOf(workspace, id);
    if (document === undefined || meaning.status(document) === "ready") return;
    const controller = new AbortController();
    running.set(id, controller);
    const result = await meaning.index(document, { signal: controller.signal });
    if (running.get(id) === controller) running.delete(id);
    options.onIndexed?.(document, result);
  };

  const indexChanged = () => {
    timer = undefined;
    const open = openDocuments(workspace);
    const wanted = open.filter((id) => changed.has(id));
    changed.clear();
    for (const [id, controller] of running) if (!open.includes(id)) controller.abort();
    for (const id of wanted) void index(id);
  };

  const schedule = () => {
    const now = performance.now();
    if (timer === undefined) firstChange = now;
    else if (now - firstChange > quiet * mostPostponements) return;
    clearTimeout(timer);
    timer = setTimeout(indexChanged, quiet).unref();
  };

  const look = () => {
    for (const id of openDocuments(workspace)) changed.add(id);
    schedule();
  };

  const unlisten = workspace.ledger.listen((entry) => {
    changed.add(entry.document);
    schedule();
  });
  look();
  return {
    look,
    stop() {
      unlisten();
      clearTimeout(timer);
      for (const controller of running.values()) controller.abort();
    },
  };
}

/** The one in front first. */
function openDocuments(workspace: Workspace): number[] {
  const rows = workspace.ledger.database.all(
    "SELECT document FROM tabs GROUP BY document ORDER BY max(is_active) DESC, min(position)",
  );
  return rows.map((row) => Number(row.document));
}

function documentOf(workspace: Workspace, id: number): MeaningDocument | undefined {
  const state = workspace.documents.state(id);
  // A file that is not text, or is gone: there is nothing to index.
  if (isFault(state)) return undefined;
  const row = workspace.documents.row(id);
  return {
    key: `document:${id}`,
    text: state.pending.current,
    fileType: fileTypeOf(row?.path ?? row?.title ?? ""),
  };
}
