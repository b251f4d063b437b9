// Decisions in the editor's undo history, in order with what was typed.
//
// A decision is a transaction without a change of the text: what it does to the text comes from the server like everyone
// else's changes. Undoing it hands out the opposite decision, which is then asked of the server.

import { invertedEffects, isolateHistory } from "@codemirror/commands";
import { type Extension, StateEffect, type Transaction, type TransactionSpec } from "@codemirror/state";

export interface Decision {
  readonly ids: readonly string[];
  readonly verdict: "accept" | "reject";
  /** Where only what this turn did in them was decided, with the turns that were confirmed along. */
  readonly turn?: string | undefined;
  readonly alsoTurns?: readonly string[] | undefined;
  /** False where it is taken back. */
  readonly isMade: boolean;
}

const decided = StateEffect.define<Decision>();

export const decisionHistory: Extension = invertedEffects.of(({ effects }) =>
  effects
    .filter((effect) => effect.is(decided))
    .map(({ value }) => decided.of({ ...value, isMade: !value.isMade })),
);

/** Remembers a decision that the server has made. */
export function rememberDecision(decision: Decision): TransactionSpec {
  return { effects: decided.of(decision), annotations: isolateHistory.of("full") };
}

/** What undo or redo asks for. */
export function decisionsWanted(transaction: Transaction): Decision[] {
  if (!transaction.isUserEvent("undo") && !transaction.isUserEvent("redo")) return [];
  return transaction.effects.filter((effect) => effect.is(decided)).map(({ value }) => value);
}
