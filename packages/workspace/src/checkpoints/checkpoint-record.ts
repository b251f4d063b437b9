// What a turn leaves behind for each document it touched: where it was before, where after, and the hunks it made.

import { isFault } from "@stet/protocol/fault";
import { encodeDocument } from "@stet/text/document";
import { type Hunk, hunksOf } from "@stet/text/hunks";
import type { DocumentState } from "../documents/document-state.ts";
import { hashBytes } from "../files/files.ts";
import type { Ledger } from "../ledger/ledger.ts";

/** A hunk of a turn: forward from `removed` to `added`, reverse the other way. */
export interface CheckpointHunk {
  readonly id: number;
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Writes or extends the checkpoint of a turn for one document. Only in a transaction. */
export function recordCheckpoint(
  ledger: Ledger,
  turn: string,
  before: DocumentState,
  after: DocumentState,
): void {
  const hunks = JSON.stringify(
    hunksOf(after.pending)
      .filter((hunk) => hunk.turns.includes(turn))
      .map(checkpointHunk),
  );
  const { database } = ledger;
  const isExtended =
    database.get("SELECT 1 FROM checkpoints WHERE turn = ? AND document = ?", turn, before.id) !== undefined;
  if (isExtended) {
    const sql = "UPDATE checkpoints SET entry_after = ?, hunks = ? WHERE turn = ? AND document = ?";
    database.run(sql, after.entry, hunks, turn, before.id);
    return;
  }
  // A document without entries got its first one just now; its starting state is the checkpoint.
  const entryBefore = before.entry === 0 ? startOf(ledger, before.id) : before.entry;
  database.run(
    `INSERT INTO checkpoints (turn, document, entry_before, entry_after, base_hash, hunks)
     VALUES (?, ?, ?, ?, ?, ?)`,
    turn,
    before.id,
    entryBefore,
    after.entry,
    contentHash(before),
    hunks,
  );
}

function startOf(ledger: Ledger, document: number): number {
  return Number(ledger.database.get("SELECT min(id) AS id FROM entries WHERE document = ?", document)?.id);
}

/** The hash that the file would have with the current text. */
export function contentHash(state: DocumentState): string {
  const bytes = encodeDocument({ text: state.pending.current, format: state.format });
  return isFault(bytes) ? "" : hashBytes(bytes);
}

function checkpointHunk({ id, oldStart, newStart, removed, added }: Hunk): CheckpointHunk {
  return { id, oldStart, newStart, removed, added };
}
