// From a turn to its first open change.

import { showHunk } from "../review/review-commands.ts";
import type { Workbench } from "../workspace/workbench.ts";

export function reviewTurn(workbench: Workbench, turn: string): void {
  workbench.layout.set({ left: "review" });
  for (const file of workbench.state.review.files) {
    const hunk = file.hunks.find(({ turns }) => turns.includes(turn));
    if (hunk === undefined) continue;
    showHunk(workbench, file.document, hunk);
    return;
  }
}
