// What a person wrote inside a hunk is a part of it, and goes when the hunk is rejected. Undoing brings it back only while
// nobody has touched those lines. So the documents as they were are kept beyond that, as the checkpoint of a turn of its own:
// rolling back to it, or comparing with it, has the words.

import { uniqueSuffix } from "@stet/protocol/ids";
import { locateChosen } from "@stet/text/pending";
import { recordCheckpoint } from "../checkpoints/checkpoint-record.ts";
import type { DocumentState } from "../documents/document-state.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { recordTurn } from "../turns/turn-record.ts";

export interface RejectedIn {
  readonly before: DocumentState;
  readonly after: DocumentState;
  readonly hunks: ReadonlyMap<number, unknown>;
}

/** Only in a transaction. */
export function keepRejectedWords(ledger: Ledger, rejected: readonly RejectedIn[]): void {
  const withWords = rejected.flatMap(({ before, after, hunks }) => {
    const located = locateChosen(before.pending, hunks);
    const count = located.filter(({ piece }) => piece.origins.includes("user")).length;
    return count === 0 ? [] : [{ before, after, count }];
  });
  if (withWords.length === 0) return;
  const id = `turn_${uniqueSuffix()}` as const;
  for (const { before, after } of withWords) recordCheckpoint(ledger, id, before, after);
  const count = withWords.reduce((sum, one) => sum + one.count, 0);
  const summary = `Rejection of ${count} ${count === 1 ? "hunk" : "hunks"} with words of yours`;
  recordTurn(ledger, { id, kind: "rollback", status: "committed", startedAt: Date.now(), summary });
}
