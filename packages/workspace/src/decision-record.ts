// What the ledger keeps of decisions: an entry for each document of one, and one for each that was taken back.

import type { DecidedHunk, Verdict } from "./document-state.ts";
import { hunkId } from "./hunk-id.ts";
import { entryOf, type Ledger } from "./ledger.ts";

/** What is still decided of the newest decision of which anything is, in all of its documents. */
export function latestDecision({ database }: Ledger): { readonly hunks: readonly string[] } | undefined {
  const undone = new Set<string>();
  const rows = database.all(
    "SELECT * FROM entries WHERE kind IN ('decision', 'undo') ORDER BY id DESC LIMIT 1000",
  );
  for (const row of rows) {
    const { id, document, body } = entryOf(row);
    if (body.kind === "undo") for (const hunk of body.hunks) undone.add(hunkId(document, hunk));
    if (body.kind !== "decision") continue;
    const hunks = stillDecided(document, body.hunks, undone);
    if (hunks.length === 0) continue;
    const others = database.all(
      "SELECT * FROM entries WHERE kind = 'decision' AND id >= ? AND id < ? ORDER BY id DESC",
      body.first ?? id,
      id,
    );
    for (const other of others.map(entryOf)) {
      if (other.body.kind !== "decision") continue;
      for (const hunk of stillDecided(other.document, other.body.hunks, undone)) hunks.push(hunk);
    }
    return { hunks };
  }
  return undefined;
}

function stillDecided(document: number, hunks: readonly DecidedHunk[], undone: Set<string>): string[] {
  return hunks.map(({ id }) => hunkId(document, id)).filter((id) => !undone.delete(id));
}

/** How many entries are looked at: this is asked whenever a review changes, and a ledger only grows. */
const mostEntries = 5000;

/** Documents in which something was decided of late, the latest first. Not all of it can be undone still. */
export function decidedDocuments(ledger: Ledger, limit: number): number[] {
  ledger.catchUp();
  return ledger.database
    .all(
      `SELECT document, max(id) AS newest
       FROM (SELECT document, id FROM entries WHERE kind IN ('decision', 'undo') ORDER BY id DESC LIMIT ?)
       GROUP BY document ORDER BY newest DESC LIMIT ?`,
      mostEntries,
      limit,
    )
    .map((row) => Number(row.document));
}

/** How each hunk of these documents was decided last; one that is open again is not among them. */
export function lastVerdicts({ database }: Ledger, documents: ReadonlySet<number>): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>();
  const rows = database.all(
    `SELECT * FROM entries WHERE document IN (SELECT value FROM json_each(?)) AND kind IN ('decision', 'undo')
     ORDER BY id`,
    JSON.stringify([...documents]),
  );
  for (const row of rows) {
    const { document, body } = entryOf(row);
    if (body.kind === "undo") for (const hunk of body.hunks) verdicts.delete(hunkId(document, hunk));
    if (body.kind !== "decision") continue;
    for (const hunk of body.hunks) verdicts.set(hunkId(document, hunk.id), body.verdict);
  }
  return verdicts;
}
