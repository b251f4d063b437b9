// Which turns have processes that may change files now, or had until just before: kept in the ledger, so that every process
// that looks at the folder can tell whose a change may be. A row goes with its turn; one whose process has ended before that
// is of a turn that was interrupted.

import { hostname } from "node:os";
import { tellIfFault } from "@stet/storage/notices";
import { isProcessAlive } from "../ledger/holders.ts";
import type { Ledger } from "../ledger/ledger.ts";

export interface AtWork {
  readonly turn: string;
  readonly session: string | null;
  readonly summary: string;
  /** When its first command began. */
  readonly since: number;
  /** When its processes were alive, since the last scan; the last span may go on. */
  readonly busy: readonly WriterSpan[];
  /** Whether it is a turn of this process, of another one, or of one that has ended without ending its turn. */
  readonly owner: "here" | "elsewhere" | "nobody";
}

/** From a time to another one; null where it goes on. */
export type WriterSpan = readonly [from: number, until: number | null];

/** So many are kept apart; older ones become one. */
const maxSpans = 100;

/** A file system's clock may be this much behind, in milliseconds. */
const clockTick = 15;

export function turnsAtWork({ database }: Ledger): AtWork[] {
  return database.all("SELECT * FROM at_work ORDER BY since").map((row) => ({
    turn: String(row.turn),
    session: row.session === null ? null : String(row.session),
    summary: String(row.summary),
    since: Number(row.since),
    busy: JSON.parse(String(row.busy)),
    owner: ownerOf(String(row.host), Number(row.pid)),
  }));
}

function ownerOf(host: string, pid: number): AtWork["owner"] {
  if (host !== hostname()) return "elsewhere";
  if (pid === process.pid) return "here";
  return isProcessAlive(pid) ? "elsewhere" : "nobody";
}

/**
 * Those that may have made a change at a time. Of what is gone only the folder tells when: at that time at the latest, because
 * the folder may have been changed again.
 */
export function mayHaveMade(turns: readonly AtWork[], at: number, isGone: boolean): AtWork[] {
  return turns.filter(({ since, busy, owner }) => {
    if (owner === "nobody") return at >= since - clockTick;
    return busy.some(([from, until]) => at >= from - clockTick && (isGone || until === null || at <= until));
  });
}

export function beginWork(
  ledger: Ledger,
  { turn, session, summary }: Pick<AtWork, "turn" | "session" | "summary">,
): void {
  const now = Date.now();
  const written = ledger.write(() => {
    if (changeSpans(ledger, turn, (spans) => (spans.at(-1)?.[1] === null ? spans : [...spans, [now, null]])))
      return true;
    ledger.database.run(
      "INSERT INTO at_work (turn, session, summary, pid, host, since, busy) VALUES (?, ?, ?, ?, ?, ?, ?)",
      turn,
      session,
      summary,
      process.pid,
      hostname(),
      now,
      JSON.stringify([[now, null]]),
    );
    return true;
  });
  tellIfFault(written);
}

/** Nothing of the turn is running from now on. */
export function pauseWork(ledger: Ledger, turn: string): void {
  // The clock of files tells parts of milliseconds.
  const at = Date.now() + 1;
  const written = ledger.write(() =>
    changeSpans(ledger, turn, (spans) => spans.map(([from, until]): WriterSpan => [from, until ?? at])),
  );
  tellIfFault(written);
}

/** The folder was looked at from a time on: of what was over by then everything has been found. */
export function forgetWork(ledger: Ledger, turn: string, before: number): void {
  const written = ledger.write(() =>
    changeSpans(ledger, turn, (spans) => spans.filter(([, until]) => until === null || until > before + 1)),
  );
  tellIfFault(written);
}

function changeSpans(
  { database }: Ledger,
  turn: string,
  change: (spans: readonly WriterSpan[]) => readonly WriterSpan[],
): boolean {
  const row = database.get("SELECT busy FROM at_work WHERE turn = ?", turn);
  if (row === undefined) return false;
  const spans = change(JSON.parse(String(row.busy)));
  const excess = spans.length - maxSpans;
  const [oldest, last] = [spans[0], spans[excess]];
  const kept = oldest && last && excess > 0 ? [[oldest[0], last[1]], ...spans.slice(excess + 1)] : spans;
  database.run("UPDATE at_work SET busy = ? WHERE turn = ?", JSON.stringify(kept), turn);
  return true;
}

export function endWork(ledger: Ledger, turn: string): void {
  tellIfFault(ledger.write(() => ledger.database.run("DELETE FROM at_work WHERE turn = ?", turn)));
}
