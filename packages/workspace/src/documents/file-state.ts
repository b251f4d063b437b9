// How a document's file follows the document.
//
// The file holds one of two texts: what is decided (base), or what is there (current). It holds current from the moment
// a turn whose edits are on disk at once has changed it. That stays so while hunks of it can be decided on, and those
// decisions undone; the first edit of another kind of turn, made when nothing is open, ends it: then the file waits for
// the person's decision again.
//
// Whether there is a file at all is a value of its own on either side: see file-existence.ts.

import type { Text } from "@codemirror/state";
import { type Format, isSameFormat } from "@stet/text/document";
import { hasOpenPieces, isOpen, type Pending } from "@stet/text/pending";
import type { DecidedHunk, DocumentState, EntryBody, Verdict } from "./document-state.ts";

/** Which of the two texts is written to disk: what is decided, or what is there. */
export type Side = "base" | "current";

export interface FileState {
  readonly side: Side;
  /** Whether the file is written as soon as a decision changes that text, without anyone asking for it. */
  readonly isThrough: boolean;
  readonly existence: FileExistence;
  /** The mode of a file that was removed, for when it comes back; null where none is known. */
  readonly mode: number | null;
}

/** What of a file's state belongs to the document as it was once, and comes back with it. */
export interface RestoredFile {
  readonly side: Side;
  readonly isThrough: boolean;
  readonly existence: FileExistence;
  readonly format: Format;
}

export function firstFile(hasFile: boolean): FileState {
  return { side: "base", isThrough: false, existence: settledExistence(hasFile), mode: null };
}

/** Whether there is a file, as it is decided or as it is seen; before any of that is written. */
export function hasFile({ pending, file }: DocumentState, side: Side): boolean {
  return pending[side].length > 0 || existsOn(file.existence, side);
}

/** The text that the file is to hold; null where there is to be no file. */
export function fileText(state: DocumentState): Text | null {
  const { side } = state.file;
  return hasFile(state, side) ? state.pending[side] : null;
}

/** Whether the file is not what it is to be. */
export function isUnwritten(state: DocumentState): boolean {
  const text = fileText(state);
  const { saved, format } = state;
  if (text === null || saved === null) return text !== saved;
  return !isSameFormat(format, saved.format) || (text !== saved.text && !text.eq(saved.text));
}

/** Whether another program has removed the file, and nothing here waits to be written or decided. */
export function isGone({ saved, vanished, pending }: DocumentState): boolean {
  return saved === null && vanished !== null && !hasOpenPieces(pending) && pending.current.eq(vanished);
}

export function nextFile(before: DocumentState, body: EntryBody, after: DocumentState): FileState {
  const { file } = before;
  switch (body.kind) {
    case "start":
      return file;
    case "decision":
      return { ...file, existence: decideSteps(file.existence, body, after.pending) };
    case "undo":
      return { ...file, existence: reopenSteps(file.existence, body.verdict, after.pending) };
    case "change": {
      const existence = nextExistence(before, body, after);
      if (body.follows === "current") return { ...file, side: "current", isThrough: true, existence };
      const isOther = body.origin === "agent" && !hasOpenPieces(before.pending);
      if (!isOther || file.side === "base")
        return existence === file.existence ? file : { ...file, existence };
      // Nothing could be decided any more: what is there is what the file waits with.
      const settled = settledExistence(existsOn(file.existence, "current"));
      return {
        ...file,
        side: "base",
        isThrough: isUnwritten(before),
        existence: existence === file.existence ? settled : existence,
      };
    }
    case "restore": {
      if (body.file === undefined) return file;
      const { side, isThrough, existence } = body.file;
      return { ...file, side, existence, isThrough };
    }
    case "disk":
      if (after.saved === null) return { ...file, existence: settledExistence(false), mode: null };
      return after.saved.text.length === 0 ? { ...file, existence: settledExistence(true) } : file;
    case "reload":
      return { ...file, side: "base", isThrough: false, existence: settledExistence(body.hash !== null) };
    case "saved": {
      const mode = body.hash === null ? (body.mode ?? null) : file.mode;
      return { ...file, mode, isThrough: file.isThrough && file.side === "current" };
    }
  }
}

function nextExistence(
  before: DocumentState,
  body: Extract<EntryBody, { kind: "change" }>,
  after: DocumentState,
): FileExistence {
  const { existence } = before.file;
  const { exists, origin, turn } = body;
  if (exists === undefined) return isEmptied(before, after) ? settledExistence(true) : existence;
  return origin === "agent" ? withStep(existence, turn, exists, before.pending) : settledExistence(exists);
}

/** Someone has emptied the text of a file that is there: it stays, without text. */
function isEmptied(before: DocumentState, after: DocumentState): boolean {
  return before.saved !== null && before.pending.current.length > 0 && after.pending.current.length === 0;
}

// Whether a document's file exists: a value of its own beside the text, with the steps by which turns have changed it.
//
//   base      what is decided: `decided`, or the last accepted step
//   current   what is there: `decided`, or the last step that is not rejected
//
// A side that has text has a file: text is written nowhere else. So the value is asked where a side has none, and tells an
// empty file from no file. A step is decided with the hunks of its turn, when none of them is open any more, and is open
// again with them. A turn's step takes the place of earlier ones of which nothing is open: there is nothing of them left
// that could be decided.

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
