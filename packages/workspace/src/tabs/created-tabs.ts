// Tabs of documents that a turn made: they come and go with what is decided on the turn.
//
// A tab names the turn that made it. A document without text has no hunk to decide on, and no entry: its tab goes when
// what else the turn did is rejected, and belongs to nobody where the turn did nothing else.

import { type Fault, ignoreFault } from "@stet/protocol/fault";
import type { DocumentState } from "../documents/document-state.ts";
import { hasFile } from "../documents/file-state.ts";
import type { Ledger } from "../ledger/ledger.ts";

const hasNoEntries = "NOT EXISTS (SELECT 1 FROM entries WHERE entries.document = tabs.document)";

/** Tabs of empty documents of a turn that changed nothing else stay as they are. Only in a transaction. */
export function keepEmptyTabs({ database }: Ledger, turn: string): void {
  const isUnknown = "NOT EXISTS (SELECT 1 FROM turns WHERE turns.id = tabs.turn)";
  database.run(`UPDATE tabs SET turn = NULL WHERE turn = ? AND ${hasNoEntries} AND ${isUnknown}`, turn);
}

/** Tabs of documents that a turn made and never committed: its process is gone. Only where no turn is running. */
export function removeOrphanTabs(ledger: Ledger): void {
  const isUnknown = "NOT EXISTS (SELECT 1 FROM turns WHERE turns.id = tabs.turn)";
  const orphans = `turn IS NOT NULL AND ${hasNoEntries} AND ${isUnknown}`;
  if (ledger.database.get(`SELECT 1 FROM tabs WHERE ${orphans}`) === undefined) return;
  // The next opening tries again.
  ignoreFault(ledger.write(() => ledger.database.run(`DELETE FROM tabs WHERE ${orphans}`)));
}

/** The tab of a new document that was not wanted goes with it. Only in a transaction. */
export function closeUnwanted({ database }: Ledger, state: DocumentState): void {
  if (!hasFile(state, "current"))
    database.run("DELETE FROM tabs WHERE document = ? AND turn IS NOT NULL", state.id);
}

/** Those of its empty documents. Only in a transaction. */
export function closeEmptyTabs({ database }: Ledger, turn: string): void {
  database.run(`DELETE FROM tabs WHERE turn = ? AND ${hasNoEntries}`, turn);
}

/** The tab of a new document whose rejection was undone, with a new id: ids are never used again. Only in a transaction. */
export function reopenTab({ database }: Ledger, state: DocumentState, turn: string): void {
  if (state.saved !== null || !hasFile(state, "current")) return;
  database.run(
    `INSERT INTO tabs (document, position, first_version, is_active, turn)
     SELECT ?1, (SELECT coalesce(max(position), 0) + 1 FROM tabs), ?2, NOT EXISTS (SELECT 1 FROM tabs), ?3
     WHERE NOT EXISTS (SELECT 1 FROM tabs WHERE document = ?1)`,
    state.id,
    state.versions.current,
    turn,
  );
}

/** A document that nothing was ever done to, as the empty file that whoever saves it wants. */
export function asEmptyFile(ledger: Ledger, state: DocumentState): DocumentState | Fault {
  if (state.entry > 0 || hasFile(state, "current")) return state;
  return ledger.write(() => {
    return ledger.append(state, { kind: "change", origin: "user", change: [], exists: true });
  });
}
