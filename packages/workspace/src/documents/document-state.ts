// What is known of one document: its history, what is pending, what is on disk.
//
// The state is a fold over the document's entries in the ledger. `applyEntry` is used when an entry is made and when it
// is read back, so a restarted process, and a second one beside the first, arrive at the very same state.

import { ChangeSet, Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { type Document, type Format, plainFormat } from "@stet/text/document";
import { advance, type History, type Maker, type Provenance, startHistory } from "@stet/text/history";
import { hasOpenPieces, isOpen, nothingPending, type Pending } from "@stet/text/pending";
import { takeStep } from "@stet/text/pending-step";
import { stage } from "@stet/text/stage";
import { restorePieces, type StoredPiece } from "@stet/text/stored-pieces";
import { type FileState, firstFile, nextFile, type RestoredFile, type Side } from "./file-state.ts";
import { firstVersions, nextVersions, type Versions } from "./versions.ts";

export interface DocumentState {
  readonly id: number;
  readonly history: History;
  readonly pending: Pending;
  /** In which its text is written. */
  readonly format: Format;
  /** What is on disk as far as we know; null where there is no file. */
  readonly saved: Document | null;
  readonly savedHash: string | null;
  /** What was on disk before the file vanished, so that it can be compared with what comes back; null otherwise. */
  readonly vanished: Text | null;
  readonly file: FileState;
  /** The last entry that is part of this state; 0 before the first. */
  readonly entry: number;
  readonly versions: Versions;
}

export type Verdict = "accepted" | "rejected";

/** A hunk that was decided, with its lines where someone may ask for them. */
export interface DecidedHunk {
  readonly id: number;
  /** The turns whose changes were decided. */
  readonly turns: readonly string[];
  /** Whether others' changes to the same lines were left open. */
  readonly isPart?: boolean | undefined;
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
}

export type EntryBody =
  /** The state begins; the entry's snapshot holds it. */
  | { readonly kind: "start" }
  | {
      readonly kind: "change";
      readonly origin: Origin;
      readonly turn?: string | undefined;
      readonly change: unknown;
      /** So that a change that is sent again is made once, also by a process that starts later. */
      readonly by?: Maker | undefined;
      /** Edits that were composed into this change, where the agent saw a version after each. */
      readonly steps?: number | undefined;
      /** The file holds current from here on: the change is on disk at once. */
      readonly follows?: "current" | undefined;
      /** Whether there is a file, where this change made or removed it. */
      readonly exists?: boolean | undefined;
      /** Of a file that this change made. */
      readonly format?: Format | undefined;
    }
  | {
      readonly kind: "decision";
      readonly verdict: Verdict;
      readonly hunks: readonly DecidedHunk[];
      readonly turn?: string | undefined;
      /** The first entry of the decision, in those of its other documents. */
      readonly first?: number | undefined;
    }
  | {
      readonly kind: "undo";
      readonly verdict: Verdict;
      readonly hunks: readonly number[];
      readonly turn?: string | undefined;
    }
  /** Text and pieces of an earlier state, brought back. */
  | {
      readonly kind: "restore";
      readonly change: unknown;
      readonly pieces: readonly StoredPiece[];
      readonly turn?: string | undefined;
      readonly versions?: { readonly decided: number; readonly current: number } | undefined;
      readonly file?: RestoredFile | undefined;
      /** The entry of that state, and the hunks `[from, until)` that were made since. */
      readonly to?: { readonly entry: number; readonly from: number; readonly until: number } | undefined;
      /** The person's, unless it is said otherwise. */
      readonly origin?: Origin | undefined;
    }
  /** The file changed underneath: on what we knew to be there, and merged into current. */
  | {
      readonly kind: "disk";
      readonly change: unknown;
      readonly saved: SavedChange | null;
      readonly hash: string | null;
      /** The document's, which need not be the file's. */
      readonly format: Format;
      /** What is open afterwards, where that does not follow from the change. */
      readonly pieces?: readonly StoredPiece[] | undefined;
    }
  /** The file as it is on disk, instead of everything unsaved and undecided. */
  | {
      readonly kind: "reload";
      readonly change: unknown;
      /** Null where there is nothing. */
      readonly hash: string | null;
      readonly format: Format;
    }
  /** `back` leads from the side's text to what was written, where something changed in between. */
  | {
      readonly kind: "saved";
      readonly side: Side;
      /** Null where the file was removed. */
      readonly hash: string | null;
      readonly back: unknown;
      /** Of the file that was removed. */
      readonly mode?: number | undefined;
      /** Of the file. */
      readonly format: Format;
      readonly turn?: string | undefined;
    };

/** What is on disk now: its text, as a change of what was known to be there or whole, and its format. */
export type SavedChange = ({ readonly change: unknown } | { readonly text: string }) & {
  readonly format: Format;
};

export interface Entry {
  readonly id: number;
  readonly document: number;
  readonly body: EntryBody;
  readonly at: number;
}

/** How many hunks of a document wait for a decision. */
export function openHunkCount({ pending }: DocumentState): number {
  let count = 0;
  for (const piece of pending.pieces) if (isOpen(piece)) count += 1;
  return count;
}

/** Whether a person has written in it, as far as its history goes back. */
export function isTypedIn({ history }: DocumentState): boolean {
  return history.changes.some(({ origin }) => origin === "user");
}

/** A document as it was read from disk, with nothing pending. */
export function stateFromDisk(id: number, document: Document, hash: string, revision: number): DocumentState {
  return {
    id,
    history: startHistory(document.text, revision),
    pending: nothingPending(document.text),
    format: document.format,
    saved: document,
    savedHash: hash,
    vanished: null,
    file: firstFile(true),
    entry: 0,
    versions: firstVersions(revision),
  };
}

/** A document that has no file yet. */
export function emptyState(id: number, format: Format = plainFormat): DocumentState {
  const text = Text.empty;
  const history = startHistory(text);
  return {
    id,
    history,
    pending: nothingPending(text),
    format,
    saved: null,
    savedHash: null,
    vanished: null,
    file: firstFile(false),
    entry: 0,
    versions: firstVersions(history.revision),
  };
}

export function applyEntry(state: DocumentState, entry: Entry): DocumentState {
  const after = applyBody(state, entry.body);
  const isText = after.history !== state.history;
  const versions = nextVersions(state.versions, entry.body, {
    isText,
    hasOpen: hasOpenPieces(after.pending),
  });
  return { ...after, entry: entry.id, versions, file: nextFile(state, entry.body, after) };
}

function applyBody(state: DocumentState, body: EntryBody): DocumentState {
  switch (body.kind) {
    case "start":
      return state;
    case "change": {
      const change = ChangeSet.fromJSON(body.change);
      const { origin, turn, by } = body;
      const { pending } = takeStep(state.pending, { kind: "change", change, origin, turn });
      const changed = follow(state, pending, change, { origin, turn, by });
      return body.format === undefined ? changed : { ...changed, format: body.format };
    }
    case "decision":
    case "undo": {
      const { pending, change } = takeStep(state.pending, body);
      return follow(state, pending, change, { origin: "user", turn: body.turn });
    }
    case "restore": {
      const change = ChangeSet.fromJSON(body.change);
      const current = change.apply(state.pending.current);
      const pending = restorePieces(current, body.pieces, state.pending.nextId);
      const made = { origin: body.origin ?? "user", turn: body.turn };
      const restored = follow(state, pending, change, made);
      return body.file === undefined ? restored : { ...restored, format: body.file.format };
    }
    case "disk": {
      const change = ChangeSet.fromJSON(body.change);
      const pending =
        body.pieces === undefined
          ? stage(state.pending, change, { origin: "disk" })
          : restorePieces(change.apply(state.pending.current), body.pieces, state.pending.nextId);
      const followed = follow(state, pending, change, { origin: "disk" });
      const saved = savedAfter(state, body.saved);
      const vanished = saved === null ? (state.saved?.text ?? state.vanished) : null;
      return { ...followed, format: body.format, saved, savedHash: body.hash, vanished };
    }
    case "reload": {
      const change = ChangeSet.fromJSON(body.change);
      const current = change.apply(state.pending.current);
      const followed = follow(state, nothingPending(current, state.pending.nextId), change, {
        origin: "disk",
      });
      const { hash, format } = body;
      const saved = hash === null ? null : { text: followed.pending.current, format };
      return { ...followed, format, saved, savedHash: hash, vanished: null };
    }
    case "saved": {
      if (body.hash === null) return { ...state, saved: null, savedHash: null, vanished: null };
      const text = state.pending[body.side];
      const back = ChangeSet.fromJSON(body.back);
      const saved = { text: back.empty ? text : back.apply(text), format: body.format };
      return { ...state, saved, savedHash: body.hash, vanished: null };
    }
  }
}

function savedAfter(state: DocumentState, saved: SavedChange | null): Document | null {
  if (saved === null) return null;
  const { format } = saved;
  if ("text" in saved) return { text: Text.of(saved.text.split("\n")), format };
  return { text: ChangeSet.fromJSON(saved.change).apply(state.saved?.text ?? Text.empty), format };
}

/** Keeps history and pending in step: a change of current is a revision, a change of base alone is not. */
function follow(
  state: DocumentState,
  pending: Pending,
  change: ChangeSet,
  provenance: Provenance,
): DocumentState {
  if (change.empty) return { ...state, pending };
  const history = advance(state.history, change, provenance);
  return {
    ...state,
    history,
    pending: { ...pending, current: history.text, base: sameOr(pending, history.text) },
  };
}

/** One text value where nothing is open, so that it is held once. */
function sameOr(pending: Pending, current: Text): Text {
  return pending.base === pending.current ? current : pending.base;
}
