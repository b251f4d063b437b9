// Review: what is open, and the person's decisions on it, by hunk, by file, by turn.
//
// A decision on several hunks is one transaction: all of them, or none and a fault that names those that are not open.
// Decisions are entries of the ledger, so they survive a restart and can be undone while their lines are untouched.

import { Fault, type FaultDetails, isFault } from "@stet/protocol/fault";
import type { HunkId } from "@stet/protocol/ids";
import { hunkId } from "@stet/text/hunk-view";
import { type Hunk, hunksOf } from "@stet/text/hunks";
import { isOpen, locatePieces, type OpenPiece, type Piece, undoable } from "@stet/text/pending";
import { nodeOf, wordsFor } from "../command-effects/node.ts";
import type { Verdict } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { lockedByTurn } from "../ledger/edit-lock.ts";
import { entryOf, type Ledger } from "../ledger/ledger.ts";
import { closeEmptyTabs, closeUnwanted, reopenTab } from "../tabs/created-tabs.ts";
import { type Chosen, choosePartsOf, type TurnLookup, type TurnSelection } from "../turns/turn-parts.ts";
import { decidedDocuments, decidedHunks, latestDecision } from "./decision-record.ts";
import { byDocument, unknownHunks } from "./hunk-id.ts";
import { keepRejectedWords, type RejectedIn } from "./rejected-words.ts";
import { type DocumentVerdicts, readVerdicts } from "./verdicts.ts";

export interface ReviewHunk extends Omit<Hunk, "id"> {
  readonly id: HunkId;
}

export interface FileReview {
  readonly document: number;
  readonly path: string | null;
  readonly title: string;
  /** Whether the file holds what is open, so that a rejection is written at once. */
  readonly isOnDisk: boolean;
  /** Of a node, which has a line instead of a text: what became of it, in words (see nodes.ts). */
  readonly node?: string | undefined;
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
  /** Whether it is uncertain that its changes are the agent's: they were made while a turn went on. */
  readonly isInDoubt: boolean;
  /** Who made it, where that is not the session's own agent. */
  readonly agent: string | undefined;
}

/** Which hunks a decision is about. */
export type Selection =
  | { readonly hunks: readonly string[] }
  | { readonly document: number }
  | TurnSelection
  /** Rejecting leaves out what is in doubt, unless that is confirmed. */
  | "everything"
  | "everything and what is in doubt";

export interface DecisionReport {
  readonly documents: readonly number[];
  readonly hunks: readonly HunkId[];
  /** The turns whose changes these were. A hunk that several made is part of each whose changes were decided. */
  readonly turns: readonly { readonly turn: string; readonly hunks: readonly HunkId[] }[];
}

export interface RejectedHunk {
  readonly id: HunkId;
  readonly path: string | null;
  /** The turns that had proposed it. */
  readonly turns: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  readonly at: number;
}

export class Review {
  readonly #ledger: Ledger;
  readonly #documents: Documents;

  constructor(ledger: Ledger, documents: Documents) {
    this.#ledger = ledger;
    this.#documents = documents;
  }

  /** Documents that have something to decide. */
  openDocuments(): number[] {
    this.#ledger.catchUp();
    return this.#ledger.database
      .all("SELECT document FROM open_reviews ORDER BY document")
      .map((row) => Number(row.document));
  }

  /** Documents in which something was decided of late, the latest first. */
  decidedDocuments(limit: number): number[] {
    return decidedDocuments(this.#ledger, limit);
  }

  /** How the hunks of a document were decided last; only decisions after an entry, where one is named. */
  verdicts(document: number, since?: number): DocumentVerdicts {
    return readVerdicts(this.#ledger, document, since);
  }

  list(): FileReview[] {
    return this.openDocuments().flatMap((document) => this.file(document) ?? []);
  }

  file(document: number): FileReview | undefined {
    const state = this.#ledger.state(document);
    const row = this.#documents.row(document);
    if (state === undefined || row === undefined) return undefined;
    const hunks = hunksOf(state.pending).map((hunk) => ({ ...hunk, id: hunkId(document, hunk.id) }));
    const isOnDisk = state.file.side === "current";
    const node = this.#nodeWords(document, hunks);
    return {
      document,
      path: row.path,
      title: row.title,
      isOnDisk,
      hunks,
      ...(node === undefined ? {} : { node }),
    };
  }

  #nodeWords(document: number, hunks: readonly ReviewHunk[]): string | undefined {
    const [hunk] = hunks;
    if (hunk === undefined) return undefined;
    if (this.#ledger.database.get("SELECT 1 FROM nodes WHERE document = ?", document) === undefined)
      return undefined;
    return wordsFor(nodeOf(hunk.removed[0] ?? ""), nodeOf(hunk.added[0] ?? ""));
  }

  /** In the order of the text. */
  decided(document: number): DecidedLines[] {
    const state = this.#ledger.state(document);
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
    const sql = "SELECT session, summary, is_whole, kind, agent FROM turns WHERE id = ?";
    const row = this.#ledger.database.get(sql, id);
    if (row === undefined) return undefined;
    const session = row.session === null ? null : String(row.session);
    const { summary, is_whole: isWhole, kind, agent } = row;
    return {
      session,
      summary: String(summary),
      isWhole: isWhole === 1,
      isInDoubt: kind === "during",
      agent: agent === null ? undefined : String(agent),
    };
  }

  accept(selection: Selection): DecisionReport | Fault {
    return this.#decide("accepted", selection);
  }

  reject(selection: Selection): DecisionReport | Fault {
    return this.#decide("rejected", selection);
  }

  #decide(verdict: Verdict, selection: Selection): DecisionReport | Fault {
    return this.#ledger.write(() => {
      const locked = lockedByTurn(this.#ledger);
      if (locked !== undefined) return locked;
      const chosen = isOfTurn(selection)
        ? choosePartsOf(this.#lookup, verdict, selection)
        : this.#choose(selection, (piece) => {
            if (!isOpen(piece)) return undefined;
            const isLeftOut = verdict === "rejected" && selection === "everything" && this.#isInDoubt(piece);
            return isLeftOut ? undefined : piece.turns;
          });
      if (isFault(chosen)) return chosen;
      const partial = this.#partOfWholeTurn(chosen);
      if (partial !== undefined) return partial;
      let first: number | undefined;
      const rejected: RejectedIn[] = [];
      for (const { state, hunks } of chosen) {
        const after = this.#ledger.append(state, {
          kind: "decision",
          verdict,
          hunks: decidedHunks(state, hunks, verdict),
          first,
        });
        first ??= after.entry;
        if (verdict === "accepted") continue;
        closeUnwanted(this.#ledger, after);
        rejected.push({ before: state, after, hunks });
      }
      if (verdict === "rejected") for (const turn of turnsOf(chosen)) closeEmptyTabs(this.#ledger, turn);
      keepRejectedWords(this.#ledger, rejected);
      return reportOf(chosen);
    });
  }

  #isInDoubt({ turns }: OpenPiece): boolean {
    return turns.some((turn) => this.turn(turn)?.isInDoubt === true);
  }

  /** A fault where hunks were chosen from a turn that is decided on as a whole, but not all of them. */
  #partOfWholeTurn(chosen: readonly Chosen[]): Fault | undefined {
    const picked = new Map(chosen.map(({ state, hunks }) => [state.id, hunks]));
    for (const turn of turnsOf(chosen)) {
      if (!this.#lookup.isWhole(turn)) continue;
      for (const { id, pending } of this.#lookup.states(turn)) {
        const hunks = picked.get(id);
        const isLeft = (piece: Piece) => isOpen(piece) && piece.turns.includes(turn);
        if (pending.pieces.some((piece) => isLeft(piece) && hunks?.get(piece.id)?.has(turn) !== true))
          return wholeTurnOnly(turn);
      }
    }
    return undefined;
  }

  readonly #lookup: TurnLookup = {
    states: (turn) => this.#candidates({ turn }).flatMap((document) => this.#ledger.state(document) ?? []),
    isWhole: (turn) => this.turn(turn)?.isWhole === true,
    summary: (turn) => this.turn(turn)?.summary ?? "",
  };

  /** Takes decisions back: those named, or the latest one. All of them, or none where one cannot be taken back. */
  undo(selection?: Selection): DecisionReport | Fault {
    return this.#ledger.write(() => {
      const locked = lockedByTurn(this.#ledger);
      if (locked !== undefined) return locked;
      const wanted = selection ?? latestDecision(this.#ledger);
      if (wanted === undefined) return nothingToUndo();
      const decidedTurns = (piece: Piece) => undoable(piece)?.turns;
      const named = this.#choose(wanted, decidedTurns);
      if (isFault(named)) return nothingToUndo(named.details);
      const chosen = this.#withWholeTurns(named, decidedTurns);
      if (isFault(chosen)) return chosen;
      for (const { state, hunks } of chosen) {
        for (const verdict of ["accepted", "rejected"] as const) {
          const pieces = state.pending.pieces.filter((piece) => {
            return hunks.has(piece.id) && undoable(piece)?.verdict === verdict;
          });
          const newest = this.#ledger.state(state.id) ?? state;
          const undone = pieces.map((piece) => piece.id);
          if (undone.length === 0) continue;
          const reopened = this.#ledger.append(newest, { kind: "undo", verdict, hunks: undone });
          const turn = turnsOf([{ state, hunks }]).find((one) => this.#lookup.isWhole(one));
          if (turn !== undefined) reopenTab(this.#ledger, reopened, turn);
        }
      }
      return chosen.length > 0 ? reportOf(chosen) : nothingToUndo();
    });
  }

  /** The chosen hunks with the others of turns that are decided on as a whole. */
  #withWholeTurns(chosen: readonly Chosen[], turnsIn: TurnsIn): readonly Chosen[] | Fault {
    const all = new Map(chosen.map(({ state, hunks }) => [state.id, { state, hunks: new Map(hunks) }]));
    for (const turn of turnsOf(chosen)) {
      if (!this.#lookup.isWhole(turn)) continue;
      const whole = this.#choose({ turn }, turnsIn);
      if (isFault(whole)) return whole;
      for (const { state, hunks } of whole) {
        const known = all.get(state.id) ?? { state, hunks: new Map() };
        for (const [hunk, turns] of hunks) known.hunks.set(hunk, turns);
        all.set(state.id, known);
      }
    }
    return [...all.values()];
  }

  /** What was rejected since an entry of the ledger, for a note to the model. */
  rejectedSince(entry: number): { rejected: RejectedHunk[]; newest: number } {
    const rows = this.#ledger.database.all(
      "SELECT * FROM entries WHERE id > ? AND kind IN ('decision', 'undo') ORDER BY id",
      entry,
    );
    const rejected = new Map<HunkId, RejectedHunk[]>();
    let newest = entry;
    for (const row of rows) {
      const { id, document, body, at } = entryOf(row);
      newest = id;
      if (body.kind === "undo" && body.verdict === "rejected")
        for (const hunk of body.hunks) rejected.get(hunkId(document, hunk))?.pop();
      if (body.kind !== "decision" || body.verdict !== "rejected") continue;
      const path = this.#documents.row(document)?.path ?? null;
      for (const { id: hunk, turns = [], removed = [], added = [] } of body.hunks) {
        const name = hunkId(document, hunk);
        const known = rejected.get(name) ?? [];
        rejected.set(name, known);
        known.push({ id: name, path, turns, removed, added, at });
      }
    }
    return { rejected: [...rejected.values()].flat(), newest };
  }

  /** The selected hunks among the pieces that qualify. One that was named and does not qualify refuses them all. */
  #choose(selection: Selection, turnsIn: TurnsIn): Chosen[] | Fault {
    const isNamed = typeof selection === "object" && !("turn" in selection) && "hunks" in selection;
    const named = isNamed ? byDocument(selection.hunks) : undefined;
    if (isFault(named)) return named;
    const chosen: Chosen[] = [];
    const unknown: string[] = [];
    for (const document of named?.keys() ?? this.#candidates(selection)) {
      const wanted = named?.get(document);
      const state = this.#ledger.state(document);
      if (state === undefined) {
        for (const hunk of wanted ?? []) unknown.push(hunkId(document, hunk));
        continue;
      }
      const missing = new Set(wanted);
      const hunks = new Map<number, ReadonlySet<string>>();
      for (const piece of state.pending.pieces) {
        if (wanted !== undefined && !wanted.has(piece.id)) continue;
        const turns = turnsIn(piece);
        if (turns === undefined || (isOfTurn(selection) && !turns.includes(selection.turn))) continue;
        missing.delete(piece.id);
        hunks.set(piece.id, new Set(turns));
      }
      for (const hunk of missing) unknown.push(hunkId(document, hunk));
      if (hunks.size > 0) chosen.push({ state, hunks });
    }
    return unknown.length > 0 ? unknownHunks(unknown) : chosen;
  }

  #candidates(selection: Selection): number[] {
    if (typeof selection === "object" && "document" in selection) return [selection.document];
    if (typeof selection === "object" && "turn" in selection) {
      const rows = this.#ledger.database.all(
        "SELECT document FROM checkpoints WHERE turn = ?",
        selection.turn,
      );
      return rows.map((row) => Number(row.document));
    }
    return this.openDocuments();
  }
}

/** The turns whose changes of a piece a choice is about; undefined where the piece does not qualify. */
type TurnsIn = (piece: Piece) => readonly string[] | undefined;

function isOfTurn(selection: Selection): selection is TurnSelection {
  return typeof selection === "object" && "turn" in selection;
}

function turnsOf(chosen: readonly Chosen[]): string[] {
  const turns = new Set<string>();
  for (const { hunks } of chosen) for (const own of hunks.values()) for (const turn of own) turns.add(turn);
  return [...turns];
}

function reportOf(chosen: readonly Chosen[]): DecisionReport {
  const byTurn = new Map<string, HunkId[]>();
  for (const { state, hunks } of chosen) {
    for (const [hunk, turns] of hunks) {
      for (const turn of turns) {
        const known = byTurn.get(turn) ?? [];
        known.push(hunkId(state.id, hunk));
        byTurn.set(turn, known);
      }
    }
  }
  return {
    turns: [...byTurn].map(([turn, hunks]) => ({ turn, hunks })),
    documents: [...new Set(chosen.map(({ state }) => state.id))],
    hunks: chosen.flatMap(({ state, hunks }) => [...hunks.keys()].map((hunk) => hunkId(state.id, hunk))),
  };
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
