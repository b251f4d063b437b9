// How a document's file follows the document.
//
// The file holds one of two texts: what is decided (base), or what is there (current). It holds current from the moment
// a turn whose edits are on disk at once has changed it. That stays so while hunks of it can be decided on, and those
// decisions undone; the first edit of another kind of turn, made when nothing is open, ends it: then the file waits for
// the person's decision again.
//
// A file that does not exist has no text. Documents have one, so an empty text stands for it where `emptyIsNone` says so:
// of a file that an agent made, the base is no file; of one that it removed, current is none.

import type { Text } from "@codemirror/state";
import type { Format } from "@stet/text/document";
import { hasOpenPieces } from "@stet/text/pending";
import type { DocumentState, EntryBody } from "./document-state.ts";

/** Which of the two texts is written to disk: what is decided, or what is there. */
export type Side = "base" | "current";

export interface FileState {
  readonly side: Side;
  /** Whether the file is written as soon as a decision changes that text, without anyone asking for it. */
  readonly isThrough: boolean;
  /** Whether an empty text means that there is no file, and not an empty one. */
  readonly emptyIsNone: boolean;
  /** Whether the document has other line ends, or another byte order mark, than the file on disk. */
  readonly hasOtherFormat: boolean;
  /** The mode of a file that was removed, for when it comes back; null where none is known. */
  readonly mode: number | null;
}

/** What of a file's state belongs to the document as it was once, and comes back with it. */
export interface RestoredFile {
  readonly side: Side;
  readonly isThrough: boolean;
  readonly emptyIsNone: boolean;
  readonly format: Format;
}

export function firstFile(hasFile: boolean): FileState {
  return { side: "base", isThrough: false, emptyIsNone: !hasFile, hasOtherFormat: false, mode: null };
}

/** The text that the file is to hold; null where there is to be no file. */
export function fileText({ pending, file }: DocumentState): Text | null {
  const text = pending[file.side];
  return text.length === 0 && file.emptyIsNone ? null : text;
}

/** Whether the file is not what it is to be. */
export function isUnwritten(state: DocumentState): boolean {
  const text = fileText(state);
  if (text === null || state.saved === null) return text !== state.saved;
  return state.file.hasOtherFormat || (text !== state.saved && !text.eq(state.saved));
}

/** Whether the text that is seen stands for a file that is not there. */
export function isNoFile({ pending, file }: DocumentState): boolean {
  return file.emptyIsNone && pending.current.length === 0;
}

/** Whether another program has removed the file, and nothing here waits to be written or decided. */
export function isGone({ saved, vanished, pending }: DocumentState): boolean {
  return saved === null && vanished !== null && !hasOpenPieces(pending) && pending.current.eq(vanished);
}

export function nextFile(before: DocumentState, body: EntryBody, after: DocumentState): FileState {
  const { file } = before;
  switch (body.kind) {
    case "start":
    case "decision":
    case "undo":
      return file;
    case "change": {
      const emptyIsNone = body.emptyIsNone ?? (isEmptied(before, after) ? false : file.emptyIsNone);
      if (body.follows === "current") return { ...file, side: "current", isThrough: true, emptyIsNone };
      const isOther = body.origin === "agent" && !hasOpenPieces(before.pending);
      if (isOther && file.side === "current")
        return { ...file, side: "base", isThrough: isUnwritten(before), emptyIsNone };
      return emptyIsNone === file.emptyIsNone ? file : { ...file, emptyIsNone };
    }
    case "restore": {
      if (body.file === undefined) return file;
      const { side, isThrough, emptyIsNone } = body.file;
      return { ...file, side, emptyIsNone, isThrough, hasOtherFormat: isOther(before, after) };
    }
    case "disk":
      if (after.saved === null) return { ...file, emptyIsNone: true, hasOtherFormat: false, mode: null };
      return { ...file, emptyIsNone: file.emptyIsNone && after.saved.length > 0, hasOtherFormat: false };
    case "reload": {
      const emptyIsNone = file.emptyIsNone && after.pending.current.length > 0;
      return { ...file, side: "base", isThrough: false, emptyIsNone, hasOtherFormat: false };
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

/** Someone has emptied the text of a file that is there: it stays, without text. */
function isEmptied(before: DocumentState, after: DocumentState): boolean {
  return before.saved !== null && before.pending.current.length > 0 && after.pending.current.length === 0;
}
