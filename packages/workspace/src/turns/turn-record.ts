// A turn's row in the ledger: who asked for what, and how it ended.

import type { TurnId } from "@stet/protocol/ids";
import type { Ledger } from "../ledger/ledger.ts";

/**
 * `kept`: the person's text was kept, and the checkpoint is of the file's text, which was not. `during`: what was changed
 * while an agent's turn went on, and of which nobody can tell whether the agent or somebody else did it.
 */
export type TurnKind = "agent" | "rollback" | "kept" | "during";

export interface TurnRecord {
  readonly session?: string;
  readonly summary?: string;
  readonly isWhole?: boolean;
  /** Who made it, where that is not the session's own agent. */
  readonly agent?: string;
  readonly id: TurnId;
  readonly kind: TurnKind;
  readonly status: "open" | "committed" | "discarded";
  readonly startedAt: number;
}

/** Writes the turn's row. Only in a transaction. */
export function recordTurn(ledger: Ledger, turn: TurnRecord): void {
  ledger.database.run(
    `INSERT INTO turns (id, kind, session, summary, status, started_at, ended_at, is_whole, agent)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, ended_at = excluded.ended_at`,
    turn.id,
    turn.kind,
    turn.session ?? null,
    turn.summary ?? "",
    turn.status,
    turn.startedAt,
    turn.status === "open" ? null : Date.now(),
    turn.isWhole ? 1 : 0,
    turn.agent ?? null,
  );
}
