// What follows a turn: what it did not hear comes back, changes wait for a review or are kept at once, and the person is told
// where they look elsewhere.

import type { TurnView } from "@stet/client/fold";
import { isFault } from "@stet/protocol/fault";
import { isPlanning } from "./commands/plan.ts";
import type { Interactive } from "./interactive.ts";
import { notify } from "./screen/attention.ts";

export async function turnEnded(app: Interactive, turn: TurnView): Promise<void> {
  const unheard = turn.unheard.map(({ text }) => text);
  if (unheard.length > 0) app.prompt.bringBack(unheard.join("\n"));
  const { end } = turn;
  app.step.ended(turn);
  notify(app, end?.kind === "failed" ? "The turn ended with an error." : "The turn is done.");
  if (end?.kind === "completed" && isPlanning(app)) app.tell("Plan mode: /plan approves the plan.");
  // What waits for a review is told in the conversation.
  if (end?.kind !== "review" || app.settings.review !== "none") return;
  const item = turn.items.findLast(({ kind }) => kind === "turn");
  if (item?.kind !== "turn") return;
  const accepted = await app.api.call("decide", { body: { verdict: "accept", turn: item.turn } });
  const saved = isFault(accepted)
    ? accepted
    : await app.api.call("saveDecided", { body: { documents: [...end.documents] } });
  if (isFault(saved)) app.tellFault(saved);
}
