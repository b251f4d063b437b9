// How the hunks of a document were decided last, as the ledger tells it.
//
// A hunk that several turns made may have been decided for each of them by itself. Going back to before a turn takes back
// the decisions since then, too: what was decided later is as it was at that time, and what was proposed later is gone,
// which is the same as if it had been rejected.

import type { HunkId } from "@stet/protocol/ids";
import { hunkId } from "@stet/text/hunk-view";
import type { Verdict } from "../documents/document-state.ts";
import { entryOf, type Ledger } from "../ledger/ledger.ts";

/** How the hunks of one document were decided. */
export interface DocumentVerdicts {
  /** On a turn's part of a hunk; null where it is open, or was never decided. */
  on(hunk: string, turn: string): Verdict | null;
  /** On each hunk that is known to be decided for a turn. */
  of(turn: string): ReadonlyMap<HunkId, Verdict>;
}

interface Decided {
  readonly verdict: Verdict;
  /** All turns of the hunk unless given. */
  readonly turns: readonly string[] | undefined;
}

interface Verdicts {
  readonly byHunk: ReadonlyMap<number, readonly Decided[]>;
  /** Hunks that were proposed after a time that was gone back to; `until` is not among them. */
  readonly gone: readonly { readonly from: number; readonly until: number }[];
}

/** Only decisions after an entry, where one is named. */
export function readVerdicts({ database }: Ledger, document: number, since = 0): DocumentVerdicts {
  const entries = database
    .all(
      `SELECT * FROM entries WHERE document = ? AND id > ? AND kind IN ('decision', 'undo', 'restore')
       ORDER BY id`,
      document,
      since,
    )
    .map(entryOf);
  const known = new Map<number, Verdicts>();
  const upTo = (last: number): Verdicts => {
    const found = known.get(last);
    if (found !== undefined) return found;
    let byHunk = new Map<number, readonly Decided[]>();
    let gone: Verdicts["gone"] = [];
    for (const { id, body } of entries) {
      if (id > last) break;
      if (body.kind === "undo") {
        for (const hunk of body.hunks) byHunk.set(hunk, byHunk.get(hunk)?.slice(0, -1) ?? []);
      } else if (body.kind === "decision") {
        for (const { id: hunk, turns } of body.hunks)
          byHunk.set(hunk, [...(byHunk.get(hunk) ?? []), { verdict: body.verdict, turns }]);
      } else if (body.kind === "restore" && body.to !== undefined && body.to.entry < id) {
        const then = upTo(body.to.entry);
        byHunk = new Map(then.byHunk);
        gone = [...then.gone, body.to];
      }
    }
    const verdicts = { byHunk, gone };
    known.set(last, verdicts);
    return verdicts;
  };
  const { byHunk, gone } = upTo(Number.MAX_SAFE_INTEGER);
  return {
    on: (name, turn) => {
      const hunk = Number(name.slice(name.lastIndexOf("_") + 1));
      const last = byHunk.get(hunk)?.findLast(({ turns }) => turns?.includes(turn) ?? true);
      if (last !== undefined) return last.verdict;
      return gone.some(({ from, until }) => hunk >= from && hunk < until) ? "rejected" : null;
    },
    of: (turn) => {
      const verdicts = new Map<HunkId, Verdict>();
      for (const [hunk, decisions] of byHunk) {
        const last = decisions.findLast(({ turns }) => turns?.includes(turn));
        if (last !== undefined) verdicts.set(hunkId(document, hunk), last.verdict);
      }
      return verdicts;
    },
  };
}
