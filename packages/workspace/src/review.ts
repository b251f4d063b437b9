// Review: what is open, and the person's decisions on it, by hunk, by file, by turn.
//
// A decision on several hunks is one transaction: all of them, or none and a fault that names those that are not open.
// Decisions are entries of the ledger, so they survive a restart and can be undone while their lines are untouched.

import { Fault, type FaultDetails, isFault } from "@stet/protocol/fault";
import type { HunkId } from "@stet/protocol/ids";
import { type Hunk, hunksOf } from "@stet/text/hunks";
import { isOpen, locatePieces, type Piece } from "@stet/text/pending";
import { latestDecision } from "./decision-record.ts";
import type { DecidedHunk, DocumentState, Verdict } from "./document-state.ts";
import type { Documents } from "./documents.ts";
import { lockedByTurn } from "./edit-lock.ts";
import { isNoFile } from "./file-state.ts";
import { byDocument, hunkId, unknownHunks } from "./hunk-id.ts";
import { entryOf, type Ledger } from "./ledger.ts";
import { keepRejectedWords, type RejectedIn } from "./rejected-words.ts";

export interface ReviewHunk extends Omit<Hunk, "id"> {
  readonly id: HunkId;
}

export interface FileReview {
  readonly document: number;
  readonly path: string | null;
  readonly title: string;
  /** Whether the file holds what is open, so that a rejection is written at once. */
  readonly isOnDisk: boolean;
  readonly hunks: readonly ReviewHunk[];
}

/** A decision that can still be taken back, and the lines of the text as it is now that it stands for. */
export interface DecidedLines {
  readonly id: HunkId;
  readonly verdict: Verdict;
  /** 1-based, as of a hunk; with no lines of its own, the line before which it stands. */
  readonly newStart: number;
  readonly lines: number;
}

/** What the ledger knows of a turn that hunks came from. */
export interface TurnOrigin {
  readonly session: string | null;
  readonly summary: string;
  /** Whether its changes are accepted or rejected all at once. */
  readonly isWhole: boolean;
}

/** Which hunks a decision is about. */
export type Selection =
  | { readonly hunks: readonly string[] }
  | { readonly document: number }
  | { readonly turn: string }
  | "everything";

export interface DecisionReport {
  readonly documents: readonly number[];
  readonly hunks: readonly HunkId[];
  /** The turns that the hunks came from. One that several made is part of each. */
  readonly turns: readonly { readonly turn: string; readonly hunks: readonly HunkId[] }[];
}

export interface RejectedHunk {
  readonly id: HunkId;
  readonly path: string | null;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly at: number;
}

/** Hunks that belong to one document, by number. */
interface Chosen {
  readonly state: DocumentState;
  readonly hunks: readonly number[];
}

export class Review {
  private readonly ledger: Ledger;
  private readonly documents: Documents;

  constructor(ledger: Ledger, documents: Documents) {
    this.ledger = ledger;
    this.documents = documents;
  }

  /** Documents that have something to decide. */
  openDocuments(): number[] {
    this.ledger.catchUp();
    return this.ledger.database
      .all("SELECT document FROM open_reviews ORDER BY document")
      .map((row) => Number(row.document));
  }

  list(): FileReview[] {
    return this.openDocuments().flatMap((document) => this.file(document) ?? []);
  }

  file(document: number): FileReview | undefined {
    const state = this.ledger.state(document);
    const row = this.documents.row(document);
    if (state === undefined || row === undefined) return undefined;
    const hunks = hunksOf(state.pending).map((hunk) => ({ ...hunk, id: hunkId(document, hunk.id) }));
    const isOnDisk = state.file.side === "current";
    return { document, path: row.path, title: row.title, isOnDisk, hunks };
  }

  /** In the order of the text. */
  decided(document: number): DecidedLines[] {
    const state = this.ledger.state(document);
    if (state === undefined) return [];
    const decided: DecidedLines[] = [];
    for (const { piece, b } of locatePieces(state.pending)) {
      if (isOpen(piece)) continue;
      const { kind: verdict, lines } = piece;
      decided.push({ id: hunkId(document, piece.id), verdict, newStart: b + 1, lines });
    }
    return decided;
  }

  /** Undefined for a turn that was forgotten since. */
  turn(id: string): TurnOrigin | undefined {
    const row = this.ledger.database.get("SELECT session, summary, is_whole FROM turns WHERE id = ?", id);
    if (row === undefined) return undefined;
    const session = row.session === null ? null : String(row.session);
    return { session, summary: String(row.summary), isWhole: row.is_whole === 1 };
  }

  accept(selection: Selection): DecisionReport | Fault {
    return this.decide("accepted", selection);
  }

  reject(selection: Selection): DecisionReport | Fault {
    return this.decide("rejected", selection);
  }

  private decide(verdict: Verdict, selection: Selection): DecisionReport | Fault {
    return this.ledger.write(() => {
      const locked = lockedByTurn(this.ledger);
      if (locked !== undefined) return locked;
      const chosen = this.choose(selection, isOpen);
      if (isFault(chosen)) return chosen;
      const partial = this.partOfWholeTurn(chosen);
      if (partial !== undefined) return partial;
      let first: number | undefined;
      const rejected: RejectedIn[] = [];
      for (const { state, hunks } of chosen) {
        const after = this.ledger.append(state, {
          kind: "decision",
          verdict,
          hunks: decidedHunks(state, hunks, verdict),
          first,
        });
        first ??= after.entry;
        if (verdict === "accepted") continue;
        this.closeUnwanted(after);
        rejected.push({ before: state, after, hunks });
      }
      keepRejectedWords(this.ledger, rejected);
      return reportOf(chosen);
    });
  }

  /** A fault where hunks were chosen from a turn that is decided on as a whole, but not all of them. */
  private partOfWholeTurn(chosen: readonly Chosen[]): Fault | undefined {
    const picked = new Map(chosen.map(({ state, hunks }) => [state.id, new Set(hunks)]));
    for (const turn of this.turnsOf(chosen)) {
      if (this.turn(turn)?.isWhole !== true) continue;
      for (const document of this.candidates({ turn })) {
        const open = this.ledger.state(document)?.pending.pieces.filter((piece) => {
          return isOpen(piece) && piece.turns.includes(turn);
        });
        if (open?.some((piece) => picked.get(document)?.has(piece.id) !== true)) return wholeTurnOnly(turn);
      }
    }
    return undefined;
  }

  private turnsOf(chosen: readonly Chosen[]): string[] {
    const turns = new Set<string>();
    for (const { state, hunks } of chosen) {
      const ids = new Set(hunks);
      for (const piece of state.pending.pieces) {
        if (ids.has(piece.id)) for (const turn of piece.turns) turns.add(turn);
      }
    }
    return [...turns];
  }

  /** The tab of a new document that was not wanted goes with it. */
  private closeUnwanted(state: DocumentState): void {
    if (!isNoFile(state)) return;
    this.ledger.database.run("DELETE FROM tabs WHERE document = ? AND turn IS NOT NULL", state.id);
  }

  /** Takes decisions back: those named, or the latest one. All of them, or none where one cannot be taken back. */
  undo(selection?: Selection): DecisionReport | Fault {
    return this.ledger.write(() => {
      const locked = lockedByTurn(this.ledger);
      if (locked !== undefined) return locked;
      const wanted = selection ?? latestDecision(this.ledger);
      if (wanted === undefined) return nothingToUndo();
      const isDecided = (piece: Piece) => !isOpen(piece);
      const named = this.choose(wanted, isDecided);
      if (isFault(named)) return nothingToUndo(named.details);
      const chosen = this.withWholeTurns(named, isDecided);
      if (isFault(chosen)) return chosen;
      for (const { state, hunks } of chosen) {
        const ids = new Set(hunks);
        for (const verdict of ["accepted", "rejected"] as const) {
          const pieces = state.pending.pieces.filter((piece) => piece.kind === verdict && ids.has(piece.id));
          const newest = this.ledger.state(state.id) ?? state;
          const undone = pieces.map((piece) => piece.id);
          if (undone.length > 0) this.ledger.append(newest, { kind: "undo", verdict, hunks: undone });
        }
      }
      return chosen.length > 0 ? reportOf(chosen) : nothingToUndo();
    });
  }

  /** The chosen hunks with the others of turns that are decided on as a whole. */
  private withWholeTurns(
    chosen: readonly Chosen[],
    qualifies: (piece: Piece) => boolean,
  ): readonly Chosen[] | Fault {
    const all = new Map(chosen.map(({ state, hunks }) => [state.id, { state, hunks: new Set(hunks) }]));
    for (const turn of this.turnsOf(chosen)) {
      if (this.turn(turn)?.isWhole !== true) continue;
      const whole = this.choose({ turn }, qualifies);
      if (isFault(whole)) return whole;
      for (const { state, hunks } of whole) {
        const known = all.get(state.id) ?? { state, hunks: new Set() };
        for (const hunk of hunks) known.hunks.add(hunk);
        all.set(state.id, known);
      }
    }
    return [...all.values()].map(({ state, hunks }) => ({ state, hunks: [...hunks] }));
  }

  /** What was rejected since an entry of the ledger, so that a model can be told. */
  rejectedSince(entry: number): { rejected: RejectedHunk[]; newest: number } {
    const rows = this.ledger.database.all(
      "SELECT * FROM entries WHERE id > ? AND kind IN ('decision', 'undo') ORDER BY id",
      entry,
    );
    const rejected = new Map<HunkId, RejectedHunk>();
    let newest = entry;
    for (const row of rows) {
      const { id, document, body, at } = entryOf(row);
      newest = id;
      if (body.kind === "undo") for (const hunk of body.hunks) rejected.delete(hunkId(document, hunk));
      if (body.kind !== "decision" || body.verdict !== "rejected") continue;
      const path = this.documents.row(document)?.path ?? null;
      for (const hunk of body.hunks) {
        const name = hunkId(document, hunk.id);
        rejected.set(name, { id: name, path, removed: hunk.removed ?? [], added: hunk.added ?? [], at });
      }
    }
    return { rejected: [...rejected.values()], newest };
  }

  /** The selected hunks among the pieces that qualify. One that was named and does not qualify refuses them all. */
  private choose(selection: Selection, qualifies: (piece: Piece) => boolean): Chosen[] | Fault {
    const named =
      typeof selection === "object" && "hunks" in selection ? byDocument(selection.hunks) : undefined;
    if (isFault(named)) return named;
    const chosen: Chosen[] = [];
    const unknown: string[] = [];
    for (const document of named?.keys() ?? this.candidates(selection)) {
      const wanted = named?.get(document);
      const state = this.ledger.state(document);
      if (state === undefined) {
        for (const hunk of wanted ?? []) unknown.push(hunkId(document, hunk));
        continue;
      }
      const missing = new Set(wanted);
      const hunks: number[] = [];
      for (const piece of state.pending.pieces) {
        if (!qualifies(piece) || !isSelected(selection, wanted, piece)) continue;
        missing.delete(piece.id);
        hunks.push(piece.id);
      }
      for (const hunk of missing) unknown.push(hunkId(document, hunk));
      if (hunks.length > 0) chosen.push({ state, hunks });
    }
    return unknown.length > 0 ? unknownHunks(unknown) : chosen;
  }

  private candidates(selection: Selection): number[] {
    if (typeof selection === "object" && "document" in selection) return [selection.document];
    if (typeof selection === "object" && "turn" in selection) {
      const rows = this.ledger.database.all(
        "SELECT document FROM checkpoints WHERE turn = ?",
        selection.turn,
      );
      return rows.map((row) => Number(row.document));
    }
    return this.openDocuments();
  }
}

function isSelected(selection: Selection, wanted: ReadonlySet<number> | undefined, piece: Piece): boolean {
  if (wanted !== undefined) return wanted.has(piece.id);
  return typeof selection === "object" && "turn" in selection ? piece.turns.includes(selection.turn) : true;
}

function reportOf(chosen: readonly Chosen[]): DecisionReport {
  const byTurn = new Map<string, HunkId[]>();
  for (const { state, hunks } of chosen) {
    const ids = new Set(hunks);
    for (const piece of state.pending.pieces) {
      if (!ids.has(piece.id)) continue;
      for (const turn of piece.turns) {
        const known = byTurn.get(turn) ?? [];
        known.push(hunkId(state.id, piece.id));
        byTurn.set(turn, known);
      }
    }
  }
  return {
    turns: [...byTurn].map(([turn, hunks]) => ({ turn, hunks })),
    documents: [...new Set(chosen.map(({ state }) => state.id))],
    hunks: chosen.flatMap(({ state, hunks }) => hunks.map((hunk) => hunkId(state.id, hunk))),
  };
}

/** What is kept of a decision. The lines of a rejected hunk are gone from the document, so they are kept here. */
export function decidedHunks(state: DocumentState, ids: readonly number[], verdict: Verdict): DecidedHunk[] {
  if (verdict === "accepted") return ids.map((id) => ({ id }));
  return hunksOf(state.pending, new Set(ids)).map(({ id, removed, added }) => ({ id, removed, added }));
}

function wholeTurnOnly(turn: string): Fault {
  return new Fault(
    "whole_turn_only",
    "The changes of this turn belong together: they are accepted or rejected as a whole. Nothing was decided.",
    "Accept or reject the turn.",
    { turn },
  );
}

function nothingToUndo(details: FaultDetails = {}): Fault {
  return new Fault(
    "nothing_to_undo",
    "There is no such decision that can be undone: nothing was decided, or the lines have changed since.",
    "Roll back to a checkpoint to go back further. Nothing was changed.",
    details,
  );
}
