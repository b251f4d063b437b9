// The file changed underneath: what that means for a document.
//
// What is on disk is compared with what was last known to be there. The difference is merged into base, and into current,
// as a change of origin "disk". Where it meets the person's unsaved lines or an open hunk, it is a conflict: nothing is
// merged, and the person chooses between their text and the file's. Of a file that holds current, open hunks included,
// the difference is one of current: only unsaved lines can conflict with it.

import { ChangeSet, Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { mapToCurrent } from "@stet/text/base-edits";
import { diffTexts } from "@stet/text/diff";
import { type Document, decodeDocument } from "@stet/text/document";
import { hunkId } from "@stet/text/hunk-view";
import { changeOf, type Splice } from "@stet/text/lines";
import { mergeLines, mergeTexts } from "@stet/text/merge";
import { hasOpenPieces, isOpen, nothingPending } from "@stet/text/pending";
import { rebaseOpen } from "@stet/text/rebase-open";
import { stage } from "@stet/text/stage";
import { type StoredPiece, storePieces } from "@stet/text/stored-pieces";
import type { FileContent } from "../files/files.ts";
import type { DocumentState, EntryBody, SavedChange } from "./document-state.ts";
import { hasFile, type Side } from "./file-state.ts";

/** The entry that takes over what is on disk now (null: the file is gone), or undefined where nothing is new. */
export function absorbDisk(
  state: DocumentState,
  found: Pick<FileContent, "bytes" | "hash"> | null,
  path: string,
): EntryBody | undefined | Fault {
  if ((found?.hash ?? null) === state.savedHash) return undefined;
  const none = ChangeSet.empty(state.pending.current.length).toJSON();
  if (found === null) return { kind: "disk", change: none, saved: null, hash: null, format: state.format };
  const document = decodeDocument(found.bytes);
  if (isFault(document)) return conflictWith(path, `it is no longer a text file. ${document.message}`, {});
  if (isToBeRemoved(state)) return conflictWith(path, "it is to be removed.", {});
  const change = mergeIntoCurrent(state, document.text, path);
  if (isFault(change)) return change;
  return {
    kind: "disk",
    change: change.toJSON(),
    saved: savedChange(state, document),
    hash: found.hash,
    format: document.format,
    pieces: isBack(state) ? piecesOfReturned(state, document.text) : undefined,
  };
}

/** Whether the file is still there, as far as we know, but is not to be any more. */
function isToBeRemoved(state: DocumentState): boolean {
  return state.file.side === "current" && !hasFile(state, "current") && state.saved !== null;
}

/** Whether a file that an agent has removed is there again, before that was decided on. */
function isBack(state: DocumentState): boolean {
  return state.file.side === "current" && !hasFile(state, "current") && hasOpenPieces(state.pending);
}

/** The removal becomes what is different now, so that rejecting it still leads to the text from before. */
function piecesOfReturned({ pending }: DocumentState, text: Text): StoredPiece[] {
  const { base, nextId } = pending;
  const turn = pending.pieces.find(isOpen)?.turns.at(-1);
  const change = changeOf(base, diffTexts(base, text));
  return storePieces(stage(nothingPending(base, nextId), change, { origin: "agent", turn }));
}

/** The entry that keeps the document as it is, and only takes note of what is on disk. */
export function keepDespiteDisk(state: DocumentState, found: FileContent | null): EntryBody | Fault {
  const change = ChangeSet.empty(state.pending.current.length).toJSON();
  if (found === null) return { kind: "disk", change, saved: null, hash: null, format: state.format };
  const document = decodeDocument(found.bytes);
  // What cannot be read as text is only known by its hash; saving replaces it.
  const saved = isFault(document) ? { text: "", format: state.format } : savedChange(state, document);
  return { kind: "disk", change, saved, hash: found.hash, format: state.format };
}

/**
 * The entry after the person has put the text and the file together, in current: the text stands, and where open hunks do,
 * the file's lines are what they change. So the file is as it is until they are decided, and rejecting them leads to it.
 */
export function settleWithDisk(state: DocumentState, found: FileContent | null): EntryBody | Fault {
  const kept = keepDespiteDisk(state, found);
  const document = found === null ? undefined : decodeDocument(found.bytes);
  if (isFault(kept) || kept.kind !== "disk" || document === undefined || isFault(document)) return kept;
  if (state.file.side === "current" || !hasOpenPieces(state.pending)) return kept;
  const saved = state.saved?.text ?? state.vanished ?? Text.empty;
  const regions = mergeLines(saved.toJSON(), state.pending.base.toJSON(), document.text.toJSON());
  const splices: Splice[] = [];
  let at = 0;
  for (const { kind, ours, theirs } of regions) {
    if (kind === "theirs" || kind === "conflict") splices.push({ at, removed: ours.length, lines: theirs });
    at += ours.length;
  }
  return { ...kept, pieces: rebaseOpen(state.pending, splices) };
}

/** The entry that drops everything unsaved and undecided for what is on disk. */
export function reloadFromDisk(state: DocumentState, found: FileContent): EntryBody | Fault {
  const document = decodeDocument(found.bytes);
  if (isFault(document)) return document;
  const { current } = state.pending;
  const change = changeOf(current, diffTexts(current, document.text)).toJSON();
  return { kind: "reload", change, hash: found.hash, format: document.format };
}

function savedChange(state: DocumentState, { text, format }: Document): SavedChange {
  const saved = state.saved?.text ?? Text.empty;
  return { change: changeOf(saved, diffTexts(saved, text)).toJSON(), format };
}

/** What took the file from what it was known to be to `disk`, as a change of current. */
export function mergeIntoCurrent(state: DocumentState, disk: Text, path: string): ChangeSet | Fault {
  const { base, current } = state.pending;
  const { side } = state.file;
  const splices = splicesOn(state, side, disk, path);
  if (isFault(splices)) return splices;
  if (side === "current") return changeOf(current, splices);
  const mapped = mapToCurrent(state.pending, splices);
  if (mapped.kind === "mapped") return changeOf(current, mapped.splices);
  if (base.eq(disk)) return ChangeSet.empty(current.length);
  const hunks = mapped.hunks.map((hunk) => hunkId(state.id, hunk));
  return conflictWith(
    path,
    `it changed lines that ${hunks.length === 1 ? "an open hunk" : "open hunks"} would change, too.`,
    {
      hunk_ids: hunks,
    },
  );
}

/** What the disk did, as splices of the text that the file follows. */
function splicesOn(state: DocumentState, side: Side, disk: Text, path: string): Splice[] | Fault {
  const text = state.pending[side];
  // A file that vanished is compared with what it was: it may only have been away while another program wrote it.
  const saved = state.saved?.text ?? state.vanished ?? Text.empty;
  if (saved === text || saved.eq(text)) return diffTexts(text, disk);
  const merged = mergeTexts(saved, text, disk);
  if (merged.conflicts.length === 0) return diffTexts(text, merged.text);
  const conflicts = merged.conflicts
    .slice(0, 10)
    .map(({ line, ours, theirs }) => ({ line, ours, disk: theirs }));
  return conflictWith(path, "it changed lines that have unsaved changes here.", {
    conflicts,
    total: merged.conflicts.length,
  });
}

function conflictWith(path: string, reason: string, details: Record<string, unknown>): Fault {
  return new Fault(
    "external_change",
    `${path} was changed on disk, and ${reason} Nothing was written or changed.`,
    `Compare the two, then take the file's text or keep the text here, which replaces it when saved: in the window, or ` +
      `with stet review resolve ${path} --reload, --keep or --both.`,
    { path, ...details },
  );
}
