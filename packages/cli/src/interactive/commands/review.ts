// /review: what the agent changed, hunk by hunk, over the whole screen.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App } from "../app.ts";
import { type ReviewOutcome, ReviewPanel } from "../review/review-panel.ts";

export async function review(app: App): Promise<void> {
  let outcome: ReviewOutcome | undefined;
  const open = (close: () => void) =>
    new ReviewPanel(app, (left) => {
      outcome = left;
      close();
    });
  await app.dialogs.panel(open, { over: "screen" });
  if (outcome !== undefined) tellOutcome(app, outcome);
}

function tellOutcome(app: App, { saved, notes, decided, left }: ReviewOutcome): void {
  for (const note of notes) app.tell(note);
  if (isFault(saved)) app.tellFault(saved);
  const parts = [
    decided === 0 ? "" : `${plural(decided, "hunk")} decided`,
    isFault(saved) || saved.length === 0 ? "" : `saved ${saved.map(visibleName).join(", ")}`,
    left === 0
      ? "nothing is open"
      : `${plural(left, "hunk")} ${left === 1 ? "waits" : "wait"} for a decision`,
  ];
  const said = parts.filter((part) => part !== "").join("; ");
  app.tell(`Review: ${said}.`);
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
