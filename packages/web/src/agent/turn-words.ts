// How many changes a turn made, in words.

interface TurnCounts {
  readonly files: number;
  readonly open: number;
  readonly decided: number;
  readonly rejected: number;
  /** Whether the files hold what is open already. */
  readonly isOnDisk: boolean;
}

export function turnWords({ files, open, decided, rejected, isOnDisk }: TurnCounts): string {
  const where = files === 1 ? "one file" : `${files} files`;
  if (open === 0 && decided > 0 && rejected === decided)
    return decided === 1 ? "You rejected its one change." : `You rejected all of its ${decided} changes.`;
  if (open === 0) return files === 0 ? "Everything is decided." : `Changed ${where}. Everything is decided.`;
  const all = open + decided;
  const changes = all === 1 ? "1 change" : `${all} changes`;
  const left = decided === 0 ? "" : `, ${open} left to decide`;
  const made = `${isOnDisk ? "Made" : "Proposed"} ${changes}${files === 0 ? "" : ` in ${where}`}`;
  return `${made}${isOnDisk ? ", on disk already" : ""}${left}`;
}

/** Edits that are on disk at once stay when the turn is stopped; of all others nothing does. */
export function stoppedWords(isKept: boolean): string {
  return isKept
    ? "Stopped. What it did until then was kept, for you to review."
    : "Stopped. Nothing was changed.";
}

export function decisionWords(verdict: "accepted" | "rejected" | "reopened", hunks: number): string {
  const changes = hunks === 1 ? "1 change" : `${hunks} changes`;
  return verdict === "reopened" ? `You undid your decision on ${changes}.` : `You ${verdict} ${changes}.`;
}
