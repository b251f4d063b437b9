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
import { hasOpenPieces } from "@stet/text/pending";
import type { DocumentState, EntryBody } from "./document-state.ts";
import {
  decideSteps,
  existsOn,
  type FileExistence,
  reopenSteps,
  settledExistence,
  withStep,
} from "./file-existence.ts";

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
