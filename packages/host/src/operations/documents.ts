// Documents as windows edit them: the text with what is open, and everyone's changes.

import type { Operations } from "@stet/protocol/api/operation";
import type { DocumentText } from "@stet/protocol/api/tabs";
import { type Fault, isFault } from "@stet/protocol/fault";
import { contentOf } from "@stet/text/document";
import { storePieces } from "@stet/text/stored-pieces";
import type { Workspace } from "@stet/workspace/workspace";
import { diskState } from "../documents/disk-state.ts";
import { joinBoth } from "../documents/join-both.ts";
import type { LiveDocuments } from "../documents/live-documents.ts";

export interface DocumentParts {
  readonly workspace: Workspace;
  readonly documents: Pick<LiveDocuments, "state" | "change" | "since">;
  /** Looks at what may have changed, for those who follow. */
  readonly events: { look(): void };
  /** The workspace's event log. */
  readonly log: { settled(): Promise<unknown>; readonly cursor: number };
}

export function documentOperations(parts: DocumentParts) {
  const { documents, workspace, events } = parts;
  return {
    async getDocument({ params }) {
      return documentText(parts, params.document);
    },

    async changeDocument({ params, body }) {
      return documents.change(params.document, body);
    },

    async documentChanges({ params, query }) {
      return documents.since(params.document, query.revision);
    },

    async diskState({ params }) {
      return diskState(workspace, params.document);
    },

    async resolveDisk({ params, body }) {
      const { document } = params;
      const opened = workspace.lockedByTurn() ?? documents.state(document);
      if (isFault(opened)) return opened;
      const { tabs, saving } = workspace;
      const joined = body.choice === "both" ? joinBoth(workspace, opened) : undefined;
      if (isFault(joined)) return joined;
      const choice = body.choice === "both" ? "settled" : body.choice;
      const resolved = choice === "reload" ? tabs.reloadDocument(document) : saving.resolve(document, choice);
      events.look();
      if (isFault(resolved)) return resolved;
      const { state, checkpoint } = resolved;
      return { document, revision: state.history.revision, checkpoint_id: checkpoint };
    },
  } satisfies Partial<Operations>;
}

/** A document as a window begins to edit it. */
export async function documentText(
  { documents, log }: DocumentParts,
  id: number,
): Promise<DocumentText | Fault> {
  // Events of changes in this text come before the cursor; those after it are not part of the text.
  await log.settled();
  const state = documents.state(id);
  if (isFault(state)) return state;
  return {
    document: state.id,
    revision: state.history.revision,
    text: contentOf(state.history.text),
    pending: storePieces(state.pending),
    next_id: state.pending.nextId,
    cursor: log.cursor,
  };
}
