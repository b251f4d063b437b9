// One step of what is pending: a change of the text, a decision, or one taken back. The ledger's states and every window fold
// the same steps, so they arrive at the same pieces, and at hunks with the same ids.

import type { ChangeSet } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { decide, type Pending, undecide } from "./pending.ts";
import { stage } from "./stage.ts";

export type PendingStep =
  | {
      readonly kind: "change";
      readonly change: ChangeSet;
      readonly origin: Origin;
      readonly turn?: string | undefined;
    }
  | {
      readonly kind: "decision";
      readonly verdict: "accepted" | "rejected";
      /** With `isPart`, only what the named turns did to the hunk was decided. */
      readonly hunks: readonly {
        readonly id: number;
        readonly turns?: readonly string[] | undefined;
        readonly isPart?: boolean | undefined;
      }[];
    }
  | { readonly kind: "undo"; readonly verdict: "accepted" | "rejected"; readonly hunks: readonly number[] };

/** What is pending afterwards, and what the step did to current. */
export function takeStep(
  pending: Pending,
  step: PendingStep,
): { readonly pending: Pending; readonly change: ChangeSet } {
  switch (step.kind) {
    case "change": {
      const { change, origin, turn } = step;
      return { pending: stage(pending, change, { origin, turn }), change };
    }
    case "decision": {
      const chosen = step.hunks.map(({ id, turns, isPart }) => {
        return [id, isPart ? new Set(turns) : undefined] as const;
      });
      return decide(pending, step.verdict, new Map(chosen));
    }
    case "undo":
      return undecide(pending, new Set(step.hunks), step.verdict);
  }
}
