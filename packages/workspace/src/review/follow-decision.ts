// The disk follows what was decided: texts and nodes of the documents, all texts or none.

import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { KeptNode, Nodes } from "../command-effects/nodes.ts";
import type { DocumentState } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { absorbDisk } from "../documents/external.ts";
import { fileText, isGone } from "../documents/file-state.ts";
import type { Root } from "../files/containment.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Saving } from "../saving/saving.ts";

interface Parts {
  readonly root: Root;
  readonly ledger: Ledger;
  readonly documents: Documents;
  readonly saving: Saving;
  readonly nodes: Nodes;
}

/** Nodes that stay as they are. A fault where the texts could not be written: then nothing is as it was decided. */
export async function followDecision(
  { root, ledger, documents, saving, nodes }: Parts,
  decided: readonly number[],
): Promise<KeptNode[] | Fault> {
  const states = decided.flatMap((document) => {
    const state = documents.row(document)?.path == null ? undefined : documents.state(document);
    return state === undefined || isFault(state) || !state.file.isThrough || !saving.isDirty(state)
      ? []
      : state;
  });
  const texts = states.map(({ id }) => id);
  const steps = nodes.steps(decided);
  const save = async (ids: readonly number[]) => (ids.length === 0 ? [] : saving.save(ids));
  if (steps.length === 0) {
    const saved = await save(texts);
    return isFault(saved) ? saved : [];
  }
  const hasText = (state: DocumentState | undefined) =>
    state !== undefined && !isGone(state) && (fileText(state)?.length ?? 0) > 0;
  const written = states.filter(hasText).flatMap(({ id }) => documents.row(id)?.path ?? []);
  const left = new Set(texts);
  const { settleNodes, takeBackSteps } = await import("../command-effects/settle-nodes.ts");
  const settled = await settleNodes(nodes, steps, {
    isBlocked: () => written.some((path) => isBlocked(root.path, path)),
    hasText: (path) => hasText(ledger.state(documents.rowAt(path)?.id ?? 0)),
    isLeaving: (path) => {
      const state = ledger.state(documents.rowAt(path)?.id ?? 0);
      return state !== undefined && left.has(state.id) && fileText(state) === null;
    },
    remove: () => {
      const gone = states.filter((state) => fileText(state) === null).map(({ id }) => id);
      for (const id of gone) left.delete(id);
      return save(gone);
    },
    write: () => save([...left]),
  });
  if ("fault" in settled) {
    takeBackSteps(nodes, settled.changed);
    return settled.fault;
  }
  const recorded = ledger.write(() => {
    for (const step of settled.done) {
      nodes.recordDone(step);
      recordFile(ledger, documents, step.path);
    }
    return true;
  });
  return isFault(recorded) ? recorded : settled.kept;
}

/** Where a node has made or removed an empty file, the document of its text knows of it. */
function recordFile(ledger: Ledger, documents: Documents, path: string): void {
  const row = documents.rowAt(path);
  const state = row === undefined ? undefined : ledger.state(row.id);
  const found = state === undefined ? undefined : documents.disk.find(state.id);
  if (state === undefined || found === undefined || isFault(found)) return;
  const entry = absorbDisk(state, found.content, path);
  if (entry !== undefined && !isFault(entry)) ledger.append(state, entry);
}

/** Whether a folder is where a file is to be, or something else where a folder on its way is to be. */
function isBlocked(root: string, path: string): boolean {
  if (kindAt(join(root, path)) === "folder") return true;
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (kindAt(join(root, folder)) === "other") return true;
  }
  return false;
}

function kindAt(absolute: string): "folder" | "other" | undefined {
  try {
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    return stats === undefined ? undefined : stats.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}
