// What the server does for a person, in the editor's undo history, in order with what was typed.
//
// An act is a transaction without a change of the text: what it does to the text comes from the server like everyone else's
// changes. Undoing it hands out the opposite act, which is then asked of the server.

import { invertedEffects, isolateHistory } from "@codemirror/commands";
import { type Extension, StateEffect, type Transaction, type TransactionSpec } from "@codemirror/state";

export interface Decision {
  /** The array itself names the decision. */
  readonly ids: readonly string[];
  readonly verdict: "accept" | "reject";
  /** Where only what this turn did in them was decided, with the turns that were confirmed along. */
  readonly turn?: string | undefined;
  readonly alsoTurns?: readonly string[] | undefined;
  /** False where it is taken back. */
  readonly isMade: boolean;
}

/** A decision in another document, after which this one came to the front: undo here goes back there and undoes it. */
export interface DecisionElsewhere {
  readonly ids: readonly string[];
  readonly document: number;
  readonly isMade: boolean;
}

/** One side of a conflict with the disk was dropped. */
export interface DiskChoice {
  /** A rollback to the checkpoint brings the other side back, and names the checkpoint that leads here again. */
  readonly way: { checkpoint: string };
  readonly isMade: boolean;
}

export type Act = Decision | DecisionElsewhere | DiskChoice;

const acted = StateEffect.define<Act>();

export const decisionHistory: Extension = invertedEffects.of(({ effects }) =>
  effects
    .filter((effect) => effect.is(acted))
    .map(({ value }) => acted.of({ ...value, isMade: !value.isMade })),
);

/** Remembers what the server has done, or is asked to do. */
export function rememberAct(act: Act): TransactionSpec {
  return { effects: acted.of(act), annotations: isolateHistory.of("full") };
}

/** What undo or redo asks for. */
export function actsWanted(transaction: Transaction): Act[] {
  if (!transaction.isUserEvent("undo") && !transaction.isUserEvent("redo")) return [];
  return transaction.effects.filter((effect) => effect.is(acted)).map(({ value }) => value);
}
