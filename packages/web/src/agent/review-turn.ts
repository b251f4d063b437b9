// From a turn to its first open change.

import { showHunk } from "../review/review-commands.ts";
import type { Desk } from "../workspace/desk.ts";

export function reviewTurn(desk: Desk, turn: string): void {
  desk.layout.set({ left: "review" });
  for (const file of desk.state.review.files) {
    const hunk = file.hunks.find(({ turns }) => turns.includes(turn));
    if (hunk === undefined) continue;
    showHunk(desk, file.document, hunk);
    return;
  }
}
