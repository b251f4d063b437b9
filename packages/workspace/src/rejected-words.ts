// What a person wrote inside a hunk is a part of it, and goes when the hunk is rejected. Undoing brings it back only while
// nobody has touched those lines. So the documents as they were are kept beyond that, as the checkpoint of a turn of its own:
// rolling back to it, or comparing with it, has the words.

import { uniqueSuffix } from "@stet/protocol/ids";
import { recordCheckpoint } from "./checkpoint-record.ts";
import type { DocumentState } from "./document-state.ts";
import type { Ledger } from "./ledger.ts";
import { recordTurn } from "./turn-record.ts";

export interface RejectedIn {
  readonly before: DocumentState;
  readonly after: DocumentState;
  readonly hunks: { has(id: number): boolean };
}

/** Only in a transaction. */
export function keepRejectedWords(ledger: Ledger, rejected: readonly RejectedIn[]): void {
  const id = `turn_${uniqueSuffix()}` as const;
  let count = 0;
  for (const { before, after, hunks } of rejected) {
    const { pieces } = before.pending;
    const written = pieces.filter((piece) => hunks.has(piece.id) && piece.origins.includes("user")).length;
    if (written === 0) continue;
    count += written;
    recordCheckpoint(ledger, id, before, after);
  }
  if (count === 0) return;
  const summary = `Rejection of ${count} ${count === 1 ? "hunk" : "hunks"} with words of yours`;
  recordTurn(ledger, { id, kind: "rollback", status: "committed", startedAt: Date.now(), summary });
}
