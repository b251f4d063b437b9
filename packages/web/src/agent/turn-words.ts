// What a turn did, and what happened to it, in words.

import type { Item } from "@stet/client/items";
import type { DecisionVerdict } from "@stet/protocol/ids";
import { plural } from "../status/word-count.ts";

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
  const changes = plural(all, "change");
  const left = decided === 0 ? "" : `, ${open} left to decide`;
  const made = `${isOnDisk ? "Made" : "Proposed"} ${changes}${files === 0 ? "" : ` in ${where}`}`;
  return `${made}${isOnDisk ? ", on disk already" : ""}${left}`;
}

/** What happened beside the conversation. */
export function noteWords(item: Extract<Item, { kind: "model" | "retry" | "compacted" }>): string {
  switch (item.kind) {
    case "model":
      return `${item.model} answers. ${item.reason}`;
    case "retry": {
      // Without a pause another key is there for it.
      if (item.delayMs === 0) return `The model did not answer (${item.reason}). Going on with another key.`;
      const seconds = Math.max(1, Math.round(item.delayMs / 1000));
      return `The model did not answer (${item.reason}). Trying again in ${seconds} s.`;
    }
    case "compacted":
      return "Earlier parts of the conversation were summarised to make room.";
  }
}

/** 340 ms, 2.4 s, 1 min 20 s. */
export function shownDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Edits that are on disk at once stay when the turn is stopped; of all others nothing does. */
export function stoppedWords(isKept: boolean): string {
  return isKept
    ? "Stopped. What it did until then was kept, for you to review."
    : "Stopped. Nothing was changed.";
}

export function decisionWords(verdict: DecisionVerdict, hunks: number): string {
  const changes = plural(hunks, "change");
  return verdict === "reopened" ? `You undid your decision on ${changes}.` : `You ${verdict} ${changes}.`;
}
