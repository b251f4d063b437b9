// What decisions need of the window around them: the server, the editors, notices.

import { redo, undo } from "@codemirror/commands";
import type { TransactionSpec } from "@codemirror/state";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Notice } from "../app/notices.ts";
import type { Workbench } from "../workspace/workbench.ts";
import { type Act, actsWanted } from "./decision-history.ts";
import type { DecideBody, Verdict } from "./selection.ts";

type Decided = Promise<Reply<Routes["decide"]> | Fault>;
export interface ReviewPort {
  decide(body: DecideBody & { readonly verdict: Verdict }): Decided;
  undoDecision(ids: readonly string[] | undefined): Decided;
  /** What waits for review in all documents, by the last reply. */
  files(): readonly {
    readonly document: number;
    readonly hunks: readonly {
      readonly hunk_id: string;
      readonly turns: readonly string[];
      readonly origins: readonly string[];
    }[];
  }[];
  loadReview(): Promise<void>;
  documentInFront(): number | undefined;
  /** In the editor of a document, where it is loaded. */
  dispatch(document: number, spec: TransactionSpec): void;
  /** The same as soon as it is loaded. */
  dispatchLater(document: number, spec: TransactionSpec): void;
  saveAll(): Promise<boolean>;
  /** Returns how to close it. */
  tell(notice: Omit<Notice, "id">): () => void;
  /** To before a checkpoint; returns the one that leads back. */
  rollback(checkpoint: string): Promise<string | null | Fault>;
  /** Brings a document to the front and undoes (or makes again) its latest step, where that is the one that is wanted. */
  stepIn(document: number, isMade: boolean, isWanted: (act: Act) => boolean): Promise<boolean>;
  refuse(fault: Fault): false;
}

export function portOf(workbench: Workbench): ReviewPort {
  return {
    decide: (body) => workbench.client.call("decide", { body }),
    undoDecision: (ids) =>
      workbench.client.call("undoDecision", { body: ids === undefined ? {} : { hunk_ids: [...ids] } }),
    files: () => workbench.state.review.files,
    loadReview: () => workbench.loadReview(),
    documentInFront: () => workbench.activeTab()?.document,
    dispatch: (document, spec) => workbench.documents.known(document)?.dispatch(spec),
    async dispatchLater(id, spec) {
      const document = await workbench.documents.get(id);
      if (!isFault(document)) document.dispatch(spec);
    },
    async rollback(checkpoint) {
      const params = { checkpoint_id: checkpoint };
      const reply = await workbench.client.call("rollback", { params, body: { mode: "hard_all" } });
      return isFault(reply) ? reply : reply.checkpoint_id;
    },
    async stepIn(id, isMade, isWanted) {
      await workbench.openDocument(id);
      const document = await workbench.documents.get(id);
      if (isFault(document)) return false;
      return document.step(isMade ? redo : undo, (transaction) => actsWanted(transaction).some(isWanted));
    },
    saveAll: () => workbench.saveAll(),
    tell: (notice) => workbench.notices.tell(notice),
    refuse: (fault) => workbench.refuse(fault),
  };
}
