// What a decision is about, and how it is said to the server.

import type { Decision } from "./decision-history.ts";

export type Verdict = "accept" | "reject";

export type Selection =
  | { readonly hunk_ids: readonly string[] }
  | { readonly document: number }
  /** What a turn did, or only what it did in some hunks; and the turns that may be decided along. */
  | {
      readonly turn: string;
      readonly hunk_ids?: readonly string[];
      readonly also_turns?: readonly string[];
    }
  | { readonly everything: true; readonly during?: boolean };

export type DecideBody = {
  hunk_ids?: string[];
  document?: number;
  turn?: string;
  also_turns?: string[];
  everything?: boolean;
  during?: boolean;
};

export function turnsIn(selection: Selection): Pick<Decision, "turn" | "alsoTurns"> {
  return "turn" in selection ? { turn: selection.turn, alsoTurns: selection.also_turns } : {};
}

export function bodyOf(selection: Selection): DecideBody {
  if ("turn" in selection) {
    const { turn, hunk_ids, also_turns } = selection;
    return {
      turn,
      ...(hunk_ids === undefined ? {} : { hunk_ids: [...hunk_ids] }),
      ...(also_turns === undefined ? {} : { also_turns: [...also_turns] }),
    };
  }
  return "hunk_ids" in selection ? { hunk_ids: [...selection.hunk_ids] } : { ...selection };
}
