// The exclusive lock over all documents of a workspace, for dialects in which only the agent edits while it works.
//
// Reading is always allowed. What the disk does is taken over as ever: it cannot be locked out. The lock belongs to a
// process, so it ends with the turn or with the process, whichever comes first.

import { Fault, isFault } from "@stet/protocol/fault";
import { type Hold, type Holder, hold, holderOf } from "./holders.ts";
import type { Ledger } from "./ledger.ts";

const name = "turn";

/** Takes the lock for a turn, or says whose turn has it. */
export function lockEditing(ledger: Ledger, purpose: string): Hold | Fault {
  const held = hold(ledger, name, purpose);
  return isFault(held) && held.error === "workspace_busy" ? (lockedByTurn(ledger) ?? held) : held;
}

/** Whose turn holds the lock; undefined where everyone may edit. */
export function lockHolder(ledger: Ledger): Holder | undefined {
  return holderOf(ledger, name);
}

/** Why a person cannot edit, decide or roll back now; undefined where they can. */
export function lockedByTurn(ledger: Ledger): Fault | undefined {
  const holder = lockHolder(ledger);
  if (holder === undefined) return undefined;
  return new Fault(
    "editing_locked",
    "The agent is working, so all documents can only be read until its turn ends. Nothing was changed.",
    "Wait for the turn to end, or cancel it, and try again.",
    { ...holder },
  );
}
