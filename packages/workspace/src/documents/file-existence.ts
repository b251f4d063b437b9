// Whether a document's file exists: a value of its own beside the text, with the steps by which turns have changed it.
//
//   base      what is decided: `decided`, or the last accepted step
//   current   what is there: `decided`, or the last step that is not rejected
//
// A side that has text has a file: text is written nowhere else. So the value is asked where a side has none, and tells an
// empty file from no file. A step is decided with the hunks of its turn, when none of them is open any more, and is open
// again with them. A turn's step takes the place of earlier ones of which nothing is open: there is nothing of them left
// that could be decided.

import { isOpen, type Pending } from "@stet/text/pending";
import type { DecidedHunk, Verdict } from "./document-state.ts";
import type { Side } from "./file-state.ts";

export interface FileExistence {
  readonly decided: boolean;
  readonly steps: readonly ExistenceStep[];
}

export interface ExistenceStep {
  readonly turn: string | undefined;
  readonly exists: boolean;
  /** Null where it is open. */
  readonly verdict: Verdict | null;
}

export function settledExistence(decided: boolean): FileExistence {
  return { decided, steps: [] };
}

export function existsOn({ decided, steps }: FileExistence, side: Side): boolean {
  const last = steps.findLast(({ verdict }) =>
    side === "base" ? verdict === "accepted" : verdict !== "rejected",
  );
  return last?.exists ?? decided;
}

/** After a turn has made or removed the file; `before` is what was pending until then. */
export function withStep(
  existence: FileExistence,
  turn: string | undefined,
  exists: boolean,
  before: Pending,
): FileExistence {
  if (existsOn(existence, "current") === exists) return existence;
  const isReplaced = (step: ExistenceStep) =>
    step.verdict === null && (step.turn === turn || !hasOpen(before, step.turn));
  const kept = existence.steps.findLastIndex((step) => !isReplaced(step)) + 1;
  const steps = [...existence.steps.slice(0, kept), { turn, exists, verdict: null }];
  return { ...existence, steps };
}

/** After a decision on hunks, or on everything of the turn that is named. */
export function decideSteps(
  existence: FileExistence,
  decision: {
    readonly verdict: Verdict;
    readonly hunks: readonly DecidedHunk[];
    readonly turn?: string | undefined;
  },
  after: Pending,
): FileExistence {
  const { verdict, hunks, turn } = decision;
  const turns = new Set([turn, ...hunks.flatMap((hunk) => hunk.turns)]);
  return change(existence, (step) => {
    const isDecided = step.verdict === null && turns.has(step.turn) && !hasOpen(after, step.turn);
    return isDecided ? { ...step, verdict } : step;
  });
}

/** After decisions on hunks were undone. */
export function reopenSteps(existence: FileExistence, verdict: Verdict, after: Pending): FileExistence {
  return change(existence, (step) => {
    return step.verdict === verdict && hasOpen(after, step.turn) ? { ...step, verdict: null } : step;
  });
}

function change(existence: FileExistence, each: (step: ExistenceStep) => ExistenceStep): FileExistence {
  return existence.steps.length === 0 ? existence : { ...existence, steps: existence.steps.map(each) };
}

function hasOpen({ pieces }: Pending, turn: string | undefined): boolean {
  return turn !== undefined && pieces.some((piece) => isOpen(piece) && piece.turns.includes(turn));
}
