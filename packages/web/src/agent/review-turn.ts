// From a turn to its first open change.

import type { Desk } from "../workspace/desk.ts";

export async function reviewTurn(desk: Desk, turn: string): Promise<void> {
  desk.layout.set({ left: "review" });
  for (const file of desk.state.review.files) {
    const hunk = file.hunks.find(({ turns }) => turns.includes(turn));
    if (hunk === undefined) continue;
    await desk.openDocument(file.document, hunk.new_start);
    return;
  }
}
