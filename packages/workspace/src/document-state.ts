// What is known of one document: its history, what is pending, what is on disk.
//
// The state is a fold over the document's entries in the ledger. `applyEntry` is used when an entry is made and when it
// is read back, so a restarted process, and a second one beside the first, arrive at the very same state.

import { ChangeSet, Text } from "@codemirror/state";
import type { Origin } from "@stet/protocol/ids";
import { type Document, type Format, plainFormat } from "@stet/text/document";
import { advance, type History, type Made, type Maker, startHistory } from "@stet/text/history";
import { decide, hasOpenPieces, isOpen, nothingPending, type Pending, undecide } from "@stet/text/pending";
import { stage } from "@stet/text/stage";
import { restorePieces, type StoredPiece } from "@stet/text/stored-pieces";
import { firstVersions, nextVersions, type Versions } from "./versions.ts";

export interface DocumentState {
  readonly id: number;
  readonly history: History;
  readonly pending: Pending;
  readonly format: Format;
  /** The text that is on disk as far as we know; null where there is no file. */
  readonly saved: Text | null;
  readonly savedHash: string | null;
  /** The last entry that is part of this state; 0 before the first. */
  readonly entry: number;
  readonly versions: Versions;
}

export type Verdict = "accepted" | "rejected";

/** A hunk that was decided, with its lines where someone may ask for them. */
export interface DecidedHunk {
  readonly id: number;
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
    }
  | {
      readonly kind: "decision";
      readonly verdict: Verdict;
      readonly hunks: readonly DecidedHunk[];
      readonly turn?: string | undefined;
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
    }
  /** The file changed underneath: on what we knew to be there, and merged into current. */
  | {
      readonly kind: "disk";
      readonly change: unknown;
      readonly saved: { readonly change: unknown } | { readonly text: string } | null;
      readonly hash: string | null;
      readonly format: Format;
    }
  /** The file as it is on disk, instead of everything unsaved and undecided. */
  | { readonly kind: "reload"; readonly change: unknown; readonly hash: string; readonly format: Format }
  /** `back` leads from the side's text to what was written, where something changed in between. */
  | {
      readonly kind: "saved";
      readonly side: Side;
      readonly hash: string;
      readonly back: unknown;
      readonly turn?: string | undefined;
    };

/** Which of the two texts is written to disk: what is decided, or what is there. */
export type Side = "base" | "current";

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

/** A document as it was read from disk, with nothing pending. */
export function stateFromDisk(id: number, document: Document, hash: string, revision: number): DocumentState {
  return {
    id,
    history: startHistory(document.text, revision),
    pending: nothingPending(document.text),
    format: document.format,
    saved: document.text,
    savedHash: hash,
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
  return { ...after, entry: entry.id, versions };
}

function applyBody(state: DocumentState, body: EntryBody): DocumentState {
  switch (body.kind) {
    case "start":
      return state;
    case "change": {
      const change = ChangeSet.fromJSON(body.change);
      const made = { origin: body.origin, turn: body.turn, by: body.by };
      return follow(state, stage(state.pending, change, made), change, made);
    }
    case "decision": {
      const decision = decide(state.pending, body.verdict, new Set(body.hunks.map((hunk) => hunk.id)));
      return follow(state, decision.pending, decision.change, { origin: "user", turn: body.turn });
    }
    case "undo": {
      const decision = undecide(state.pending, new Set(body.hunks), body.verdict);
      return follow(state, decision.pending, decision.change, { origin: "user", turn: body.turn });
    }
    case "restore": {
      const change = ChangeSet.fromJSON(body.change);
      const current = change.apply(state.pending.current);
      const pending = restorePieces(current, body.pieces, state.pending.nextId);
      return follow(state, pending, change, { origin: "user", turn: body.turn });
    }
    case "disk": {
      const change = ChangeSet.fromJSON(body.change);
      const followed = follow(state, stage(state.pending, change, { origin: "disk" }), change, {
        origin: "disk",
      });
      return { ...followed, format: body.format, saved: savedAfter(state, body.saved), savedHash: body.hash };
    }
    case "reload": {
      const change = ChangeSet.fromJSON(body.change);
      const current = change.apply(state.pending.current);
      const followed = follow(state, nothingPending(current, state.pending.nextId), change, {
        origin: "disk",
      });
      return { ...followed, format: body.format, saved: followed.pending.current, savedHash: body.hash };
    }
    case "saved": {
      const text = state.pending[body.side];
      const back = ChangeSet.fromJSON(body.back);
      return { ...state, saved: back.empty ? text : back.apply(text), savedHash: body.hash };
    }
  }
}

function savedAfter(state: DocumentState, saved: { change: unknown } | { text: string } | null): Text | null {
  if (saved === null) return null;
  if ("text" in saved) return Text.of(saved.text.split("\n"));
  return ChangeSet.fromJSON(saved.change).apply(state.saved ?? Text.empty);
}

/** Keeps history and pending in step: a change of current is a revision, a change of base alone is not. */
function follow(state: DocumentState, pending: Pending, change: ChangeSet, made: Made): DocumentState {
  if (change.empty) return { ...state, pending };
  const history = advance(state.history, change, made);
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
