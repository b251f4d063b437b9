// What waits for a decision, and what was decided and can still be undone.

import type { Operations } from "@stet/protocol/api/operation";
import { isFault } from "@stet/protocol/fault";
import { storePieces } from "@stet/text/stored-pieces";
import { type ReviewParts, ReviewView } from "./review-view.ts";

/** How many decisions are listed, and in how many documents they are looked for. */
const mostDecided = 2000;
const mostDecidedDocuments = 200;

export function reviewOperations(parts: ReviewParts) {
  const { workspace } = parts;
  const { review } = workspace;

  const decidedView = (document: number) => {
    return review.decided(document).map(({ id, verdict, newStart, lines }) => {
      return { hunk_id: id, verdict, new_start: newStart, lines };
    });
  };

  return {
    async listReview({ query }) {
      const conflicts = query.compare === undefined ? undefined : workspace.compareInUse();
      // Where the ledger is shared, what is found on disk is only taken over with its lease: a fault asks for that.
      const unleased = conflicts?.find(({ details }) => details.lease === true);
      if (unleased !== undefined) return unleased;
      const files = review.list();
      const unsaved = workspace.documents.unsavedFiles().filter((id) => {
        const state = workspace.documents.state(id);
        return !isFault(state) && workspace.saving.isDirty(state);
      });
      const view = await ReviewView.of(parts, files);
      return {
        files: files.map((file) => view.file(file)),
        turns: view.openTurns(files),
        unsaved: unsaved.map((document) => ({
          document,
          path: workspace.documents.row(document)?.path ?? "",
        })),
        ...(conflicts === undefined ? {} : { conflicts }),
      };
    },

    async listDecided() {
      let left = mostDecided;
      const files = workspace.review.decidedDocuments(mostDecidedDocuments).flatMap((document) => {
        const row = workspace.documents.row(document);
        const decided = decidedView(document).slice(0, left);
        left -= decided.length;
        if (row === undefined || decided.length === 0) return [];
        return [{ document, file_path: row.path, title: row.title, decided }];
      });
      return { files };
    },

    async documentReview({ params, query }) {
      // Everything in the reply is taken from one text, before the first await.
      const state = workspace.documents.state(params.document);
      if (isFault(state)) return state;
      const open = review.file(state.id);
      const decided = decidedView(state.id);
      const { pending } = state;
      const pieces = query.pieces === undefined ? undefined : storePieces(pending);
      const files = open === undefined ? [] : [open];
      const view = await ReviewView.of(parts, files);
      return {
        document: state.id,
        revision: state.history.revision,
        is_on_disk: state.file.side === "current",
        hunks: open?.hunks.map((hunk) => view.hunk(hunk)) ?? [],
        decided,
        turns: view.openTurns(files),
        ...(pieces === undefined ? {} : { pending: { next_id: pending.nextId, pieces } }),
      };
    },
  } satisfies Partial<Operations>;
}
