// Writes what a person has decided, from the command line.
//
// A file that was deleted on disk is not written again for a decision that leaves its text as it was; where a decision gave
// it another text, it comes back, and that is told.

import { type Fault, isFault } from "@stet/protocol/fault";
import { isGone } from "@stet/workspace/documents/file-state";
import type { SavedDocument } from "@stet/workspace/saving/saving";
import type { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";

export async function saveDecided(
  workspace: Workspace,
  { terminal }: CommandContext,
  documents: readonly number[],
): Promise<SavedDocument[] | Fault> {
  const states = documents.flatMap((document) => {
    if (workspace.documents.row(document)?.path == null) return [];
    const state = workspace.documents.current(document);
    return isFault(state) || isGone(state) ? [] : state;
  });
  const deleted = new Set(states.filter(({ vanished }) => vanished !== null).map(({ id }) => id));
  const saved = await workspace.saving.save(states.map(({ id }) => id));
  if (isFault(saved)) return saved;
  for (const { document, path } of saved) {
    if (deleted.has(document)) terminal.note(`${path} had been deleted on disk. It is there again.\n`);
  }
  return saved;
}
