// What a turn is begun with, and what it leaves.

import type { TurnId } from "@stet/protocol/ids";
import type { Hold } from "../ledger/holders.ts";
import type { Entered } from "./take-back.ts";

export interface StagedTurnOptions {
  readonly session?: string;
  readonly summary?: string;
  /** Whether the person decides on all of its changes at once. */
  readonly isWhole?: boolean;
  /** Whether its edits are on disk at once, before anyone has decided on them. */
  readonly isImmediate?: boolean;
  /** Whether all of its edits wait for its end, also where they belong on disk at once: others work on the same files. */
  readonly isHeld?: boolean;
  /** The agent that made it, where that was sent by another one. */
  readonly agent?: string;
  /** Whether nobody can tell if its changes are the agent's. */
  readonly isInDoubt?: boolean;
  /** Keeps everyone else from editing until the turn ends. */
  readonly lock?: Hold;
}

export interface CommittedTurn {
  readonly id: TurnId;
  /** Ids of the documents that the turn changed. */
  readonly documents: readonly number[];
}

export interface PublishedTurn extends CommittedTurn {
  /** What was entered just now. */
  readonly entered: readonly Entered[];
}
