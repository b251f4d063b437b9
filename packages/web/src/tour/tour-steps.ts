// Where the tour is, from what the server tells: what was asked, what is decided, what is saved, what was taken back. Nothing
// of it is remembered, so a reload in the middle, or doing a step in another way than the tour says, goes on at the right one.
//
//   nothing asked     welcome, ask, wait
//   changes are open  reject those about the man who keeps his name, then accept the rest
//   all decided       save, look at the history, roll back, save once more, done

export type StepId =
  | "welcome"
  | "ask"
  | "wait"
  | "reject"
  | "accept"
  | "save"
  | "history"
  | "rollback"
  | "saveBack"
  | "done";

export interface OpenHunk {
  readonly id: string;
  readonly document: number;
  readonly line: number;
  readonly removed: string;
  /** Whether it is decided with its whole turn only. */
  readonly isWhole: boolean;
}

export interface TourTurn {
  readonly turn: string;
  readonly checkpoint: string;
  readonly documents: readonly number[];
  readonly hunks: number;
}

export interface Facts {
  /** Whether the welcome was answered in this window. */
  readonly hasBegun: boolean;
  readonly isAgentAtWork: boolean;
  /** The agent's newest turn since the tour began. */
  readonly turn: TourTurn | undefined;
  /** The hunks of that turn that wait for a decision, file by file. */
  readonly open: readonly OpenHunk[];
  /** Whether all documents of the turn are as they were before it. */
  readonly isAsBefore: boolean;
  /** Whether one of them is not on disk as it is decided. */
  readonly isUnsaved: boolean;
  readonly isHistoryShown: boolean;
}

export function stepOf(facts: Facts): StepId {
  const { turn, open } = facts;
  if (turn === undefined) {
    if (facts.isAgentAtWork) return "wait";
    return facts.hasBegun ? "ask" : "welcome";
  }
  if (open.length > 0) return toReject(turn, open).length > 0 ? "reject" : "accept";
  if (facts.isAsBefore) return facts.isUnsaved ? "saveBack" : "done";
  if (facts.isUnsaved) return "save";
  return facts.isHistoryShown ? "rollback" : "history";
}

/** He built the tower; the one who is renamed is the harbour master. */
const keepsName = /\bKetteridge\b/;

/** The changes that should not be: those about the other man or, where there is none, one to practise on. */
export function toReject(turn: TourTurn, open: readonly OpenHunk[]): readonly OpenHunk[] {
  const single = open.filter(({ isWhole }) => !isWhole);
  const wrong = single.filter(({ removed }) => keepsName.test(removed));
  if (wrong.length > 0) return wrong;
  return open.length === turn.hunks ? single.slice(-1) : [];
}

const order: readonly (readonly StepId[])[] = [
  ["welcome"],
  ["ask", "wait"],
  ["reject"],
  ["accept"],
  ["save"],
  ["history"],
  ["rollback", "saveBack"],
  ["done"],
];

export const stepCount = order.length;

/** From 1. */
export function stepNumber(step: StepId): number {
  return order.findIndex((steps) => steps.includes(step)) + 1;
}
