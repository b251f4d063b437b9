// How a document's file follows the document.
//
// The file holds one of two texts: what is decided (base), or what is there (current). It holds current from the moment
// a turn whose edits are on disk at once has changed it. That stays so while hunks of it can be decided on, and those
// decisions undone; the first edit of another kind of turn, made when nothing is open, ends it: then the file waits for
// the person's decision again.
//
// Whether there is a file at all is a value of its own on either side: see file-existence.ts.

import type { Text } from "@codemirror/state";
import type { Format } from "@stet/text/document";
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
  /** Whether the document has other line ends, or another byte order mark, than the file on disk. */
  readonly hasOtherFormat: boolean;
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
  const existence = settledExistence(hasFile);
  return { side: "base", isThrough: false, existence, hasOtherFormat: false, mode: null };
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
  if (text === null || state.saved === null) return text !== state.saved;
  return state.file.hasOtherFormat || (text !== state.saved && !text.eq(state.saved));
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
      return { ...file, side, existence, isThrough, hasOtherFormat: isOther(before, after) };
    }
    case "disk": {
      if (after.saved === null)
        return { ...file, existence: settledExistence(false), hasOtherFormat: false, mode: null };
      const existence = after.saved.length === 0 ? settledExistence(true) : file.existence;
      return { ...file, existence, hasOtherFormat: false };
    }
    case "reload": {
      const existence = settledExistence(body.hash !== null);
      return { ...file, side: "base", isThrough: false, existence, hasOtherFormat: false };
    }
    case "saved": {
      const mode = body.hash === null ? (body.mode ?? null) : file.mode;
      return { ...file, mode, isThrough: file.isThrough && file.side === "current", hasOtherFormat: false };
    }
  }
}

function isOther({ file, format: was }: DocumentState, { format, saved }: DocumentState): boolean {
  if (saved === null) return false;
  const isSame =
    format.lineEnd === was.lineEnd &&
    format.byteOrderMark === was.byteOrderMark &&
    format.endsOpen === was.endsOpen;
  return !isSame || file.hasOtherFormat;
}

function nextExistence(
  before: DocumentState,
  body: Extract<EntryBody, { kind: "change" }>,
  after: DocumentState,
): FileExistence {
  const { existence } = before.file;
  if (body.file !== undefined) {
    const { exists, isOfEmpty = false } = body.file;
    if (body.origin !== "agent") return settledExistence(exists);
    const decided = existence.decided || isOfEmpty;
    return withStep({ ...existence, decided }, body.turn, exists, before.pending);
  }
  return isEmptied(before, after) ? settledExistence(true) : existence;
}

/** Someone has emptied the text of a file that is there: it stays, without text. */
function isEmptied(before: DocumentState, after: DocumentState): boolean {
  return before.saved !== null && before.pending.current.length > 0 && after.pending.current.length === 0;
}
