// Decisions on what the agent proposed, and saving what was decided.

import type { Operations } from "@stet/protocol/api/operation";
import { Fault, isFault } from "@stet/protocol/fault";
import { shownPath } from "@stet/workspace/command-effects/raw-path";
import type { Selection } from "@stet/workspace/review/review";
import type { Decided, Decisions } from "../review/decisions.ts";

export interface DecisionParts {
  readonly decisions: Decisions;
  /** Jobs that have nothing left to decide on are completed when this is. */
  readonly reviews: { settled(): Promise<void> };
}

export function decisionOperations({ decisions, reviews }: DecisionParts) {
  return {
    async decide({ body }) {
      const selection = selectionOf(body);
      if (isFault(selection)) return selection;
      const decided = await decisions[body.verdict](selection);
      if (isFault(decided)) return decided;
      await reviews.settled();
      return decisionOf(decided);
    },

    async undoDecision({ body }) {
      const undone = await decisions.undo(body.hunk_ids);
      return isFault(undone) ? undone : decisionOf(undone);
    },

    async saveDecided({ body }) {
      const saved = await decisions.save(body.documents);
      if (isFault(saved)) return saved;
      return {
        saved: saved.map(({ document, path, isBack }) => {
          return { document, file_path: path, ...(isBack ? { was_deleted: true } : {}) };
        }),
      };
    },
  } satisfies Partial<Operations>;
}

function decisionOf({ documents, hunks, kept }: Decided) {
  const told = kept.map(({ path, why }) => ({ path: shownPath(path), why }));
  return { documents: [...documents], hunk_ids: [...hunks], ...(told.length === 0 ? {} : { kept: told }) };
}

interface Choice {
  readonly hunk_ids?: readonly string[] | undefined;
  readonly document?: number | undefined;
  readonly turn?: string | undefined;
  readonly also_turns?: readonly string[] | undefined;
  readonly everything?: boolean | undefined;
  readonly during?: boolean | undefined;
}

function selectionOf(choice: Choice): Selection | Fault {
  const { hunk_ids, document, turn, also_turns: also, everything, during } = choice;
  // With both, it is about what the turn did in those hunks.
  const isInTurn = turn !== undefined;
  const chosen: Selection[] = [
    ...(hunk_ids === undefined || isInTurn ? [] : [{ hunks: hunk_ids }]),
    ...(document === undefined ? [] : [{ document }]),
    ...(isInTurn ? [{ turn, hunks: hunk_ids, also }] : []),
    ...(everything !== true ? [] : ([during ? "everything and what is in doubt" : "everything"] as const)),
  ];
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return only;
  return new Fault(
    "invalid_arguments",
    only === undefined ? "Nothing says what to decide on." : "More than one thing says what to decide on.",
    "Give one of hunk_ids, document, turn (alone or with hunk_ids), or everything: true. Nothing was decided.",
  );
}
