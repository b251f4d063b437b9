// A command that the agent ran has changed files on disk already: what it did becomes part of the turn.
//
// The document is first what the file was before the command, with whatever the person has not saved; then the command's
// change is the agent's, a hunk like any other; and the file is known to hold the new bytes, so nothing is written.
// Where the command changed lines that the person has changed here and not saved, nothing is entered: the file stays as
// the command left it, the text here as the person left it, and both are told of.

import type { ChangeSet } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { type Document, decodeDocument } from "@stet/text/document";
import { changeOf } from "@stet/text/lines";
import { recordCheckpoint } from "./checkpoint-record.ts";
import { applyEntry, type DocumentState, type EntryBody, isTypedIn } from "./document-state.ts";
import type { Documents } from "./documents.ts";
import { absorbDisk, mergeIntoCurrent } from "./external.ts";
import { hashBytes } from "./files.ts";
import type { Ledger } from "./ledger.ts";
import type { Entered } from "./take-back.ts";

/** A file that a command has changed on disk already; null where it did not exist. */
export interface FoundChange {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** The mode of a file that was removed, so that it can be brought back with it. */
  readonly mode?: number;
}

interface Content extends Document {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

interface Parts {
  readonly ledger: Ledger;
  readonly documents: Documents;
  readonly turn: string;
}

export interface Absorbed {
  /** What is part of the turn now. */
  readonly documents: readonly number[];
  readonly paths: readonly string[];
  /** Tells of those that are not, because they have unsaved changes in the same lines. */
  readonly conflict: Fault | undefined;
}

/** Enters all changes that can be; `record` notes the turn in the same transaction. */
export function absorbAll(
  parts: Parts,
  changes: readonly FoundChange[],
  record: () => void,
): Absorbed | Fault {
  const { ledger, documents, turn } = parts;
  const conflicts: Fault[] = [];
  const absorbed: number[] = [];
  const written = ledger.write(
    () => {
      for (const change of changes) {
        const found = absorbFound(parts, change);
        if (isFault(found)) conflicts.push(found);
        if (found === undefined || isFault(found)) continue;
        recordCheckpoint(ledger, turn, found.before, found.after);
        absorbed.push(found.after.id);
      }
      if (absorbed.length > 0) record();
      return true;
    },
    { durable: true },
  );
  if (isFault(written)) return written;
  const paths = absorbed.flatMap((document) => documents.row(document)?.path ?? []);
  return { documents: absorbed, paths, conflict: conflictOf(conflicts, paths) };
}

/** Enters one change; undefined where the file is not text or cannot be a document. */
function absorbFound({ ledger, documents, turn }: Parts, found: FoundChange): Entered | Fault | undefined {
  const location = documents.locate(found.path, "found");
  const before = contentOf(found.before);
  const after = contentOf(found.after);
  if (isFault(location) || isFault(before) || isFault(after)) return undefined;
  if (before?.hash === after?.hash) return undefined;
  const known = documents.openAs(location.path, before);
  if (isFault(known)) return known;
  const noted = absorbDisk(known, before, location.path);
  if (isFault(noted)) return unsaved(location.path, noted);
  // Only looked at for now: where the command's change cannot be entered, neither is what came before it.
  const body = { id: known.entry, document: known.id, at: 0 };
  const start = noted === undefined ? known : applyEntry(known, { ...body, body: noted });
  const change = commandChange(start, before, after, location.path);
  if (isFault(change)) return unsaved(location.path, change);
  const first = noted === undefined ? known : ledger.append(known, noted);
  const changed = ledger.append(first, {
    kind: "change",
    origin: "agent",
    turn,
    change: change.toJSON(),
    follows: "current",
    emptyIsNone: emptyIsNone(before, after),
  });
  return { before: first, after: ledger.append(changed, savedEntry(changed, after, found.mode)) };
}

function contentOf(bytes: Uint8Array | null): Content | null | Fault {
  if (bytes === null) return null;
  const document = decodeDocument(bytes);
  return isFault(document) ? document : { ...document, bytes, hash: hashBytes(bytes) };
}

function commandChange(
  state: DocumentState,
  before: Content | null,
  after: Content | null,
  path: string,
): ChangeSet | Fault {
  const { current } = state.pending;
  if (after === null) {
    if (before !== null && !current.eq(before.text)) return differs(path);
    return changeOf(current, [{ at: 0, removed: current.lines, lines: [] }]);
  }
  if (before === null && current.length > 0 && isTypedIn(state)) return differs(path);
  return mergeIntoCurrent(state, after.text, path);
}

/** Undefined where the command neither made nor removed nor emptied the file. */
function emptyIsNone(before: Content | null, after: Content | null): boolean | undefined {
  if (after === null) return true;
  if (after.text.length === 0) return false;
  return before === null ? true : undefined;
}

function savedEntry({ pending }: DocumentState, after: Content | null, mode: number | undefined): EntryBody {
  const { current } = pending;
  const none = changeOf(current, []).toJSON();
  if (after === null) return { kind: "saved", side: "current", hash: null, back: none, mode };
  const back = current.eq(after.text) ? none : changeOf(current, diffTexts(current, after.text)).toJSON();
  return { kind: "saved", side: "current", hash: after.hash, back, format: after.format };
}

function differs(path: string): Fault {
  return new Fault("external_change", `${path} has unsaved changes here.`, "Save it or take it back.", {
    path,
  });
}

function unsaved(path: string, reason: Fault): Fault {
  return new Fault(
    "external_change",
    `${path} was changed by the command, and it has unsaved changes here in the same lines. The file is as the command ` +
      "left it, and the text here is as it was.",
    "Ask the person to compare the two: they reload the file, or keep the text here, which replaces it when saved.",
    { ...reason.details, path },
  );
}

/** Of several, all in one. */
function conflictOf(conflicts: readonly Fault[], absorbed: readonly string[]): Fault | undefined {
  const [first] = conflicts;
  if (first === undefined) return undefined;
  const paths = conflicts.map(({ details }) => String(details.path));
  const details = { ...first.details, conflicts: paths, absorbed };
  if (conflicts.length === 1) return new Fault(first.error, first.message, first.suggestion, details);
  const message =
    `${paths.join(", ")} were changed by the command, and have unsaved changes here in the same lines. The files are as ` +
    "the command left them, and the texts here are as they were.";
  return new Fault(first.error, message, first.suggestion, details);
}
