// A choice between the text here and the file's drops one of the two. The dropped side is kept as the checkpoint of a turn of
// its own, so that a rollback to it, and the history, still have it:
//
//   reload          the document as it was: what was not saved, and what was not decided
//   keep, settled   the file's text, which the document knows as what was saved (`asSaved`)

import { type TurnId, uniqueSuffix } from "@stet/protocol/ids";
import { hasOpenPieces, nothingPending } from "@stet/text/pending";
import { recordCheckpoint } from "../checkpoints/checkpoint-record.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { recordTurn } from "../turns/turn-record.ts";
import type { DocumentState } from "./document-state.ts";

export type DiskChoice = "reload" | "keep" | "settled";

const summaries: Readonly<Record<DiskChoice, string>> = {
  reload: "You loaded the file’s text",
  keep: "You kept your text instead of the file’s",
  settled: "You put your text and the file’s together",
};

/** Returns the turn whose checkpoint has the dropped side; null where nothing was dropped. Only in a transaction. */
export function recordDiskChoice(
  ledger: Ledger,
  choice: DiskChoice,
  before: DocumentState,
  after: DocumentState,
): TurnId | null {
  const { current } = after.pending;
  const isSame =
    choice === "reload"
      ? current.eq(before.pending.current) && !hasOpenPieces(before.pending)
      : (after.saved?.text.eq(current) ?? true);
  if (isSame) return null;
  const id: TurnId = `turn_${uniqueSuffix()}`;
  const kind = choice === "reload" ? "rollback" : "kept";
  recordCheckpoint(ledger, id, choice === "reload" ? before : after, after);
  recordTurn(ledger, { id, kind, status: "committed", startedAt: Date.now(), summary: summaries[choice] });
  return id;
}

/** The document as its file has it, with nothing to decide on. */
export function asSaved(state: DocumentState): DocumentState {
  return state.saved === null
    ? state
    : { ...state, pending: nothingPending(state.saved.text, state.pending.nextId) };
}
