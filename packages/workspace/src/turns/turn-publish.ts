// What a turn enters into the ledger: its changes, their checkpoints, its own row. Every function here is one
// transaction, or part of the caller's.

import { type Fault, isFault } from "@stet/protocol/fault";
import type { TurnId } from "@stet/protocol/ids";
import { isOpen } from "@stet/text/pending";
import { recordCheckpoint } from "../checkpoints/checkpoint-record.ts";
import type { DocumentState } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { hasFile } from "../documents/file-state.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { decidedHunks } from "../review/decision-record.ts";
import { type Entered, takeBack } from "./take-back.ts";
import type { Copy } from "./turn-copy.ts";
import { canReject } from "./turn-parts.ts";

/** Enters what a copy has staged, and its checkpoint; undefined where it changes nothing. Only in a transaction. */
export function enterCopy(
  ledger: Ledger,
  before: DocumentState,
  { staged: change, steps, file }: Copy,
  { turn, isImmediate }: { turn: TurnId; isImmediate: boolean },
): Entered | undefined {
  if (change === undefined) return undefined;
  const exists = file === undefined ? undefined : file.kind === "made";
  if (change.empty && (exists === undefined || exists === hasFile(before, "current"))) return undefined;
  // What may have to come back as it was keeps its line ends.
  const format = before.pending.base.length === 0 ? file?.format : undefined;
  const after = ledger.append(before, {
    kind: "change",
    origin: "agent",
    turn,
    change: change.toJSON(),
    steps,
    ...(isImmediate ? { follows: "current" } : {}),
    exists,
    format,
  });
  recordCheckpoint(ledger, turn, before, after);
  return { before, after };
}

/** Takes back what was just entered, as if it had not happened; `earlier` are the documents of the turn that stay. */
export function takeBackEntered(
  ledger: Ledger,
  turn: TurnId,
  entered: readonly Entered[],
  earlier: ReadonlySet<number>,
): true | Fault {
  return ledger.write(
    () => {
      for (const one of entered) {
        const state = takeBack(ledger, one, turn);
        if (earlier.has(state.id)) recordCheckpoint(ledger, turn, one.before, state);
        else
          ledger.database.run("DELETE FROM checkpoints WHERE turn = ? AND document = ?", turn, one.before.id);
      }
      if (earlier.size === 0) ledger.database.run("DELETE FROM turns WHERE id = ?", turn);
      return true;
    },
    { durable: true, settles: true },
  );
}

/** Rejects what a turn has published and is still open. Only in a transaction. */
export function rejectPublished(
  ledger: Ledger,
  documents: Documents,
  turn: TurnId,
  document: number,
): undefined | Fault {
  const state = documents.state(document);
  if (isFault(state)) return state;
  const own = new Map<number, ReadonlySet<string>>();
  for (const piece of state.pending.pieces) {
    if (!isOpen(piece) || !piece.turns.includes(turn)) continue;
    // What came of it cannot stay, so where its part cannot be told apart, it takes the others' along.
    own.set(piece.id, new Set(canReject(state, piece.id, turn) ? [turn] : piece.turns));
  }
  const hunks = decidedHunks(state, own, "rejected");
  // A file without text has no hunk: whether it exists is decided by the turn's name.
  const hasStep = state.file.existence.steps.some((step) => step.verdict === null && step.turn === turn);
  if (hunks.length > 0 || hasStep)
    ledger.append(state, { kind: "decision", verdict: "rejected", hunks, turn });
  return undefined;
}
