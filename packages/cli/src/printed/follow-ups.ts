// What goes on when a turn of `stet -p` has ended, with --background wait: it is waited for, and told in turns that follow,
// until nothing runs any more. Timers are not waited for.
//
// Such turns have the limits of turns that nobody asked for: so many, and so much money (autonomy.maxTurns, autonomy.maxCost).

import { setTimeout as pause } from "node:timers/promises";
import type { Delivery } from "@stet/agent/background/deliveries";
import { Inbox } from "@stet/agent/inbox";
import type { OpenSession } from "@stet/host/open-sessions/open-session";
import type { Settings } from "@stet/host/settings/configuration";

type Going = Pick<OpenSession, "background" | "tree">;

export interface FollowUps {
  readonly limits: Pick<Settings, "autonomy.maxTurns" | "autonomy.maxCost">;
  readonly signal: AbortSignal;
  /** Runs a turn that tells of these and costs at most so much; returns what it cost, undefined where it could not run. */
  run(deliveries: readonly Delivery[], maxCost: number): Promise<number | undefined>;
}

/** What comes together is told together, in milliseconds. */
const gatherMs = 50;

/** Returns why no further turn was begun although something was to be told. */
export async function followUp(
  session: Going,
  { limits, signal, run }: FollowUps,
): Promise<string | undefined> {
  const { deliveries } = session.background;
  const { "autonomy.maxTurns": maxTurns, "autonomy.maxCost": maxCost } = limits;
  let cost = 0;
  for (let turns = 0; ; turns += 1) {
    await somethingToTell(session, signal);
    if (signal.aborted || deliveries.waiting().length === 0) return undefined;
    if (turns >= maxTurns) return `As many turns have followed as may (autonomy.maxTurns: ${maxTurns}).`;
    if (cost >= maxCost)
      return `Turns that followed have cost $${cost.toFixed(2)}; the limit is $${maxCost.toFixed(2)} (autonomy.maxCost).`;
    await pause(gatherMs);
    const spent = await run(deliveries.take(), maxCost - cost);
    if (spent === undefined) return undefined;
    cost += spent;
  }
}

/** Until a delivery waits, or nothing runs that could bring one. */
async function somethingToTell({ background, tree }: Going, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    const isGoingOn = background.running().length > 0 || tree.isAtWork;
    if (signal.aborted || !isGoingOn || background.deliveries.waiting().length > 0) resolve();
  };
  const stops = [background.listen(look), tree.listen(look)];
  signal.addEventListener("abort", look, { once: true });
  look();
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", look);
    for (const stop of stops) stop();
  }
}

export interface TurnInbox {
  readonly inbox: Inbox;
  /** What the turn has not heard waits again. */
  detach(): void;
}

/** The turn at work hears once, at its end, what came; what comes while it answers that is for a turn that follows. */
export function attachInbox({ background: { deliveries } }: Going): TurnInbox {
  const inbox = new Inbox();
  let hasHeard = false;
  const silence = inbox.fetchFrom(() => {
    const heard = hasHeard ? [] : deliveries.take();
    hasHeard ||= heard.length > 0;
    return heard;
  });
  return {
    inbox,
    detach() {
      silence();
      deliveries.putBack(inbox.takeDeliveries(true).filter(({ source }) => source.kind !== "agent"));
    },
  };
}
