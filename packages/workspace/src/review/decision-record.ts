// What the ledger keeps of decisions: an entry for each document of one, and one for each that was taken back.

import { commonEnds } from "@stet/text/common-ends";
import { hunkId } from "@stet/text/hunk-view";
import { rawLines, withoutReturn } from "@stet/text/lines";
import { isOpen, locateChosen, partLeft } from "@stet/text/pending";
import type { DecidedHunk, DocumentState, Verdict } from "../documents/document-state.ts";
import { entryOf, type Ledger } from "../ledger/ledger.ts";

/** What is kept of a decision. The lines of a rejected hunk are gone from the document, so they are kept here. */
export function decidedHunks(
  { pending }: DocumentState,
  hunks: ReadonlyMap<number, ReadonlySet<string>>,
  verdict: Verdict,
): DecidedHunk[] {
  const decided: DecidedHunk[] = [];
  for (const { piece, a, b } of locateChosen(pending, hunks)) {
    const wanted = hunks.get(piece.id);
    if (wanted === undefined || !isOpen(piece)) continue;
    const { id } = piece;
    const turns = piece.turns.filter((turn) => wanted.has(turn));
    const isPart = turns.length < piece.turns.length;
    const made = isPart ? { id, turns, isPart } : { id, turns };
    if (verdict === "accepted") decided.push(made);
    else {
      const base = rawLines(pending.base, a, a + piece.removed);
      const removed = isPart ? (partLeft(piece, base, verdict, wanted)?.lines ?? base) : base;
      const added = rawLines(pending.current, b, b + piece.added);
      decided.push({ ...made, ...withoutCommonEnds(removed, added, isPart) });
    }
  }
  return decided;
}

function withoutCommonEnds(removed: readonly string[], added: readonly string[], isTrimmed: boolean) {
  const { start, end } = isTrimmed ? commonEnds(removed, added) : { start: 0, end: 0 };
  const own = (lines: readonly string[]) => lines.slice(start, lines.length - end).map(withoutReturn);
  return { removed: own(removed), added: own(added) };
}

/** What is still decided of the newest decision of which anything is, in all of its documents. */
export function latestDecision({ database }: Ledger): { readonly hunks: readonly string[] } | undefined {
  const undone = new Map<string, number>();
  const rows = database.all(
    "SELECT * FROM entries WHERE kind IN ('decision', 'undo') ORDER BY id DESC LIMIT 1000",
  );
  for (const row of rows) {
    const { id, document, body } = entryOf(row);
    if (body.kind === "undo") {
      for (const hunk of body.hunks) {
        const name = hunkId(document, hunk);
        undone.set(name, (undone.get(name) ?? 0) + 1);
      }
    }
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

/** Parts of one hunk are decided and undone one after the other, so each undo takes back the decision before it. */
function stillDecided(
  document: number,
  hunks: readonly DecidedHunk[],
  undone: Map<string, number>,
): string[] {
  return hunks
    .map(({ id }) => hunkId(document, id))
    .filter((id) => {
      const count = undone.get(id) ?? 0;
      if (count > 0) undone.set(id, count - 1);
      return count === 0;
    });
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
