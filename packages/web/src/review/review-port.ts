// What decisions need of the window around them: the server, the editors, notices.

import { redo, undo } from "@codemirror/commands";
import type { TransactionSpec } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Notice } from "../app/notices.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { type Act, actsWanted } from "./decision-history.ts";
import type { DecideBody, Verdict } from "./selection.ts";

/** A file of the review, as far as a decision needs it. */
export interface DecidableFile {
  readonly document: number;
  readonly hunks: readonly {
    readonly hunk_id: string;
    readonly turns: readonly string[];
    readonly origins: readonly string[];
  }[];
}

export type ReviewPort = ReturnType<typeof portOf>;

export function portOf(workbench: Workbench) {
  return {
    decide: (body: DecideBody & { readonly verdict: Verdict }) => workbench.client.call("decide", { body }),
    undoDecision: (ids: readonly string[] | undefined) =>
      workbench.client.call("undoDecision", { body: ids === undefined ? {} : { hunk_ids: [...ids] } }),
    /** What waits for review in all documents, by the last reply. */
    files: (): readonly DecidableFile[] => workbench.state.review.files,
    loadReview: () => workbench.loadReview(),
    documentInFront: () => workbench.activeTab()?.document,
    /** In the editor of a document, where it is loaded. */
    dispatch: (document: number, spec: TransactionSpec): void => {
      workbench.documents.known(document)?.dispatch(spec);
    },
    /** The same as soon as it is loaded. */
    async dispatchLater(id: number, spec: TransactionSpec): Promise<void> {
      const document = await workbench.documents.get(id);
      if (!isFault(document)) document.dispatch(spec);
    },
    /** To before a checkpoint; returns the one that leads back. */
    async rollback(checkpoint: string): Promise<string | null | Fault> {
      const params = { checkpoint_id: checkpoint };
      const reply = await workbench.client.call("rollback", { params, body: { mode: "hard_all" } });
      return isFault(reply) ? reply : reply.checkpoint_id;
    },
    /** Brings a document to the front and undoes (or makes again) its latest step, where that is the one that is wanted. */
    async stepIn(id: number, isMade: boolean, isWanted: (act: Act) => boolean): Promise<boolean> {
      await workbench.openDocument(id);
      const document = await workbench.documents.get(id);
      if (isFault(document)) return false;
      return document.step(isMade ? redo : undo, (transaction) => actsWanted(transaction).some(isWanted));
    },
    saveAll: () => workbench.saveAll(),
    /** Returns how to close it. */
    tell: (notice: Omit<Notice, "id">) => workbench.notices.tell(notice),
    refuse: (fault: Fault) => workbench.refuse(fault),
  };
}
