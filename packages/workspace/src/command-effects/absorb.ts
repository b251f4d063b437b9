// A command that the agent ran has changed files on disk already: what it did becomes part of the turn.
//
// The document is first what the file was before the command, with whatever the person has not saved; then the command's
// change is the agent's, a hunk like any other; and the file is known to hold the new bytes, so nothing is written.
// Where it gave the file other line ends or a byte order mark, those become part of its text (see document.ts of text), so that
// they are in the review, too, and rejecting brings the old ones back.
// Where the command changed lines that the person has changed here and not saved, nothing is entered: the file stays as
// the command left it, the text here as the person left it, and both are reported.

import { type ChangeSet, Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { diffTexts } from "@stet/text/diff";
import { type Document, decodeDocument, encodeDocument, type Format, plainFormat } from "@stet/text/document";
import { changeOf } from "@stet/text/lines";
import { hasOpenPieces, isOpen, nothingPending } from "@stet/text/pending";
import { stage } from "@stet/text/stage";
import { storePieces } from "@stet/text/stored-pieces";
import { recordCheckpoint } from "../checkpoints/checkpoint-record.ts";
import { applyEntry, type DocumentState, type EntryBody, isTypedIn } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { absorbDisk, mergeIntoCurrent } from "../documents/external.ts";
import { isGone } from "../documents/file-state.ts";
import { parsePath } from "../files/containment.ts";
import { hashBytes } from "../files/files.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Entered } from "../turns/take-back.ts";

/** A file that a command has changed on disk already; null where it did not exist. */
export interface FoundChange {
  readonly path: string;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
  /** The mode of a file that was removed, so that it can be brought back with it. */
  readonly mode?: number;
  /** What is decided of a path whose text is not known yet, where that is not what was there just before. */
  readonly decided?: "empty file" | undefined;
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

/** Enters all changes that can be, as the transaction finds them; `record` notes the turn in the same transaction, `others` enters what is no text. */
export function absorbAll(
  parts: Parts,
  changes: () => readonly FoundChange[],
  record: () => void,
  others: () => readonly number[],
): Absorbed | Fault {
  const { ledger, documents, turn } = parts;
  const conflicts: Fault[] = [];
  const absorbed: number[] = [];
  const written = ledger.write(
    () => {
      for (const change of changes()) {
        const found = absorbFound(parts, change);
        if (isFault(found)) conflicts.push(found);
        if (found === undefined || isFault(found)) continue;
        recordCheckpoint(ledger, turn, found.before, found.after);
        absorbed.push(found.after.id);
      }
      absorbed.push(...others());
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
export function absorbFound(
  { ledger, documents, turn }: Parts,
  found: FoundChange,
): Entered | Fault | undefined {
  // Not resolved: a link may be in the file's place by now, or in that of a folder above it.
  const path = parsePath(found.path, "found");
  const before = contentOf(found.before);
  const decoded = contentOf(found.after);
  if (isFault(path) || isFault(before) || isFault(decoded)) return undefined;
  if (before?.hash === decoded?.hash) return undefined;
  const opened = documents.openAs(path, before);
  if (isFault(opened)) return opened;
  const isRaw = decoded !== null && changesFormat(opened, before, decoded);
  const after = isRaw ? raw(decoded) : decoded;
  const known = isRaw ? withRawText(ledger, opened, turn) : opened;
  const noted = absorbDisk(known, before, path);
  if (isFault(noted)) return unsaved(path, noted);
  // Only looked at for now: where the command's change cannot be entered, neither is what came before it.
  const body = { id: known.entry, document: known.id, at: 0 };
  const seen = noted === undefined ? known : applyEntry(known, { ...body, body: noted });
  const cleared = startEntry(seen, before, found.decided);
  const start = cleared === undefined ? seen : applyEntry(seen, { ...body, body: cleared });
  const change = commandChange(start, before, after, path);
  if (isFault(change)) return unsaved(path, change);
  const entries = [noted, cleared].filter((entry) => entry !== undefined);
  const first = entries.reduce((state, entry) => ledger.append(state, entry), known);
  const changed = ledger.append(first, {
    kind: "change",
    origin: "agent",
    turn,
    change: change.toJSON(),
    follows: "current",
    exists: after !== null,
    format: after?.format,
  });
  return { before: first, after: ledger.append(changed, savedEntry(changed, after, found.mode)) };
}

/**
 * What the document does not know of the start. The text of a file that is gone stays here; where a command makes the file
 * anew, that text was not there before. And an empty file can be decided without having been a document.
 */
function startEntry(
  state: DocumentState,
  before: Content | null,
  decided: FoundChange["decided"],
): EntryBody | undefined {
  const { current } = state.pending;
  const isCleared = before === null && isGone(state);
  if (!isCleared && decided === undefined) return undefined;
  const change = changeOf(current, isCleared ? [{ at: 0, removed: current.lines, lines: [] }] : []).toJSON();
  return { kind: "change", origin: "disk", change, exists: decided !== undefined };
}

function contentOf(bytes: Uint8Array | null): Content | null | Fault {
  if (bytes === null) return null;
  const document = decodeDocument(bytes);
  return isFault(document) ? document : { ...document, bytes, hash: hashBytes(bytes) };
}

/** Whether a command gave a file another format than the text that may have to come back has. */
function changesFormat(
  { format, pending, savedHash }: DocumentState,
  before: Content | null,
  after: Content,
): boolean {
  if (pending.base.length === 0 || hasSameEnds(format, after.format)) return false;
  return hasSameEnds(format, plainFormat) || savedHash === (before?.hash ?? null);
}

function hasSameEnds(one: Format, other: Format): boolean {
  return one.lineEnd === other.lineEnd && one.byteOrderMark === other.byteOrderMark;
}

/** The content with everything that its format took out of the text. */
function raw(content: Content): Content {
  return {
    ...content,
    text: Text.of(Buffer.from(content.bytes).toString("utf8").split("\n")),
    format: plainFormat,
  };
}

/** The same document, with the line ends of its format in its texts; what is open stays open, as one turn's. */
function withRawText(ledger: Ledger, state: DocumentState, turn: string): DocumentState {
  const { format, pending, file, savedHash: hash } = state;
  if (hasSameEnds(format, plainFormat)) return state;
  const [base, current] = [rawText(pending.base, format), rawText(pending.current, format)];
  const change = changeOf(pending.current, diffTexts(pending.current, current)).toJSON();
  if (!hasOpenPieces(pending) && hash !== null)
    return ledger.append(state, { kind: "reload", change, hash, format: plainFormat });
  const by = pending.pieces.filter(isOpen).at(-1)?.turns.at(-1) ?? turn;
  const made = changeOf(base, diffTexts(base, current));
  const pieces = storePieces(
    stage(nothingPending(base, pending.nextId), made, { origin: "agent", turn: by }),
  );
  const { side, isThrough, existence } = file;
  const restored = { side, isThrough, existence, format: plainFormat };
  const now = ledger.append(state, { kind: "restore", origin: "disk", change, pieces, file: restored });
  if (hash === null) return now;
  const saved = rawText(state.saved?.text ?? Text.empty, state.saved?.format ?? format);
  const back = changeOf(current, diffTexts(current, saved)).toJSON();
  return ledger.append(now, { kind: "saved", side: "current", hash, back, format: plainFormat });
}

function rawText(text: Text, format: Format): Text {
  const bytes = encodeDocument({ text, format });
  return isFault(bytes) ? text : Text.of(Buffer.from(bytes).toString("utf8").split("\n"));
}

function commandChange(
  state: DocumentState,
  before: Content | null,
  after: Content | null,
  path: string,
): ChangeSet | Fault {
  const { current } = state.pending;
  if (after === null) {
    // The text that is known of the same bytes may have line ends in it that the format has here.
    const was = before === null || state.savedHash !== before.hash ? before?.text : state.saved?.text;
    if (was && !current.eq(was)) return differs(path);
    return changeOf(current, [{ at: 0, removed: current.lines, lines: [] }]);
  }
  if (before === null && current.length > 0 && isTypedIn(state)) return differs(path);
  return mergeIntoCurrent(state, after.text, path);
}

function savedEntry(
  { pending, format }: DocumentState,
  after: Content | null,
  mode: number | undefined,
): EntryBody {
  const { current } = pending;
  const none = changeOf(current, []).toJSON();
  if (after === null) return { kind: "saved", side: "current", hash: null, back: none, mode, format };
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
