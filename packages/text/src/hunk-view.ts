// A hunk as the API tells it. The server and the browser fold a review from the same pieces, and name it the same way.

import type { ReviewHunk } from "@stet/protocol/api/review";
import type { HunkId } from "@stet/protocol/ids";
import type { Hunk } from "./hunks.ts";

/** A hunk's name outside its document. */
export function hunkId(document: number, hunk: number): HunkId {
  return `h_${document}_${hunk}`;
}

/** `reasonsOf`: the reasons of a turn for it, in the agent's words. */
export function hunkView(
  id: string,
  hunk: Omit<Hunk, "id">,
  reasonsOf: (turn: string) => readonly string[],
): ReviewHunk {
  const reasons = hunk.turns.map((turn) => ({ turn, rationales: [...reasonsOf(turn)] }));
  return {
    hunk_id: id,
    old_start: hunk.oldStart,
    new_start: hunk.newStart,
    removed: [...hunk.removed],
    added: [...hunk.added],
    origins: [...hunk.origins],
    turns: [...hunk.turns],
    ...(hunk.oversized ? { oversized_hunk: true } : {}),
    rationales: [...new Set(reasons.flatMap(({ rationales }) => rationales))],
    reasons,
  };
}
