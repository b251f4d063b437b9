// A decision as part of the conversations that its hunks came from: a conversation that is taken back later can offer to
// take back the decisions, too. Whoever decides, a window or a command, tells it through here.

import type { DecisionReport, Review } from "./review.ts";

/** What became of the hunks; `reopened` where a decision was taken back. */
export type ToldVerdict = "accepted" | "rejected" | "reopened";

/** Writes it to one session. One that is gone keeps nothing from being decided. */
export type TellSession = (
  session: string,
  turn: string,
  verdict: ToldVerdict,
  hunks: readonly string[],
) => void | Promise<void>;

export async function tellDecision(
  review: Review,
  { turns }: DecisionReport,
  verdict: ToldVerdict,
  tell: TellSession,
): Promise<void> {
  for (const { turn, hunks } of turns) {
    const session = review.turn(turn)?.session ?? null;
    if (session !== null) await tell(session, turn, verdict, hunks);
  }
}
