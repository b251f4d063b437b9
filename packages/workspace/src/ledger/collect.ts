// Collection: keeps the ledger within its disk budget by forgetting old, finished turns.
//
// Kept always: everything that is open, the newest state of every document, and what undoing needs. A finished turn is
// forgotten when it is older than the time to live and not among the newest ones; if the ledger is over its budget, the
// oldest finished turns go first, whatever their age. The user's own files and `.git` are never touched.

import { type Fault, isFault } from "@stet/protocol/fault";
import { completedTtlHours, ledgerBudgetBytes, minKeptTurns } from "@stet/protocol/limits";
import type { Ledger } from "./ledger.ts";

export interface CollectionLimits {
  readonly ttlHours?: number;
  readonly keptTurns?: number;
  readonly budgetBytes?: number;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

export interface CollectionReport {
  readonly turns: number;
  readonly entries: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export function collect(ledger: Ledger, limits: CollectionLimits = {}): CollectionReport | Fault {
  const { ttlHours = completedTtlHours, keptTurns = minKeptTurns, now = Date.now() } = limits;
  const { budgetBytes = ledgerBudgetBytes } = limits;
  const { database } = ledger;
  const bytesBefore = database.size();
  const result = ledger.write(() => {
    const oldest = now - ttlHours * 3_600_000;
    const finished = finishedTurns(ledger);
    let turns = forget(
      ledger,
      finished
        .slice(keptTurns)
        .filter((turn) => turn.endedAt < oldest)
        .map((turn) => turn.id),
    );
    let entries = dropUnneeded(ledger);
    // Freed pages still count towards the file's size until it is shrunk, so they are looked at apart.
    for (
      let left = finishedTurns(ledger);
      used(ledger) > budgetBytes && left.length > 0;
      left = finishedTurns(ledger)
    ) {
      turns += forget(
        ledger,
        left.slice(Math.floor(left.length / 2)).map((turn) => turn.id),
      );
      entries += dropUnneeded(ledger);
    }
    return { turns, entries };
  });
  if (isFault(result)) return result;
  if (result.turns + result.entries > 0) database.shrink();
  return { ...result, bytesBefore, bytesAfter: database.size() };
}

/** Collects where turns may be too old or the ledger too large: finding out is far cheaper than collecting. */
export function collectWhenDue(ledger: Ledger): undefined | Fault {
  const { database } = ledger;
  const row = database.get("SELECT count(*) AS turns, min(started_at) AS first FROM turns");
  const mayBeOld =
    Number(row?.turns) > minKeptTurns && Number(row?.first) < Date.now() - completedTtlHours * 3_600_000;
  if (!mayBeOld && database.size() <= ledgerBudgetBytes) return undefined;
  const collected = collect(ledger);
  return isFault(collected) ? collected : undefined;
}

/** Turns that have ended and have nothing open, the newest first. */
function finishedTurns(ledger: Ledger): { id: string; endedAt: number }[] {
  const rows = ledger.database.all(
    `SELECT id, ended_at FROM turns WHERE status != 'open' AND NOT EXISTS (
       SELECT 1 FROM checkpoints JOIN open_reviews USING (document) WHERE checkpoints.turn = turns.id
     ) ORDER BY ended_at DESC, rowid DESC`,
  );
  return rows.map((row) => ({ id: String(row.id), endedAt: Number(row.ended_at) }));
}

function forget(ledger: Ledger, turns: readonly string[]): number {
  for (const turn of turns) {
    ledger.database.run("DELETE FROM checkpoints WHERE turn = ?", turn);
    ledger.database.run("DELETE FROM turns WHERE id = ?", turn);
  }
  return turns.length;
}

/** Drops entries and snapshots before the newest snapshot that is old enough for every remaining checkpoint. */
function dropUnneeded(ledger: Ledger): number {
  const { database } = ledger;
  let dropped = 0;
  for (const row of database.all("SELECT document, max(entry) AS newest FROM snapshots GROUP BY document")) {
    const document = Number(row.document);
    const needed = database.get(
      `SELECT min(entry) AS entry FROM (
         SELECT min(entry_before) AS entry FROM checkpoints WHERE document = ?1
         UNION ALL SELECT min(entry) FROM saves WHERE document = ?1
         UNION ALL SELECT ?2)`,
      document,
      Number(row.newest),
    );
    const from = database.get(
      "SELECT max(entry) AS entry FROM snapshots WHERE document = ? AND entry <= ?",
      document,
      Number(needed?.entry),
    );
    if (from?.entry === null || from === undefined) continue;
    const first = Number(from.entry);
    const count = database.get(
      "SELECT count(*) AS count FROM entries WHERE document = ? AND id < ?",
      document,
      first,
    );
    database.run("DELETE FROM snapshots WHERE document = ? AND entry < ?", document, first);
    database.run("DELETE FROM entries WHERE document = ? AND id < ?", document, first);
    dropped += Number(count?.count);
  }
  return dropped;
}

function used(ledger: Ledger): number {
  const free = Number(ledger.database.get("PRAGMA freelist_count")?.freelist_count);
  const page = Number(ledger.database.get("PRAGMA page_size")?.page_size);
  return ledger.database.size() - free * page;
}
