// Checkpoints: for every turn, the documents it touched as they were before it.
//
//   hard rollback     text and pending of each document as before the turn, whatever came later
//   scoped rollback   only the selected hunks of the turn, and only where their lines are untouched since
//
// A rollback is a turn of its own, with a checkpoint of its own: rolling back to that undoes it. It changes the documents,
// not the files; those follow when they are saved, or at once where they hold what is there (`Workspace.rollback`).

import { Fault, isFault } from "@stet/protocol/fault";
import { type CheckpointId, type HunkId, type TurnId, uniqueSuffix } from "@stet/protocol/ids";
import { diffTexts } from "@stet/text/diff";
import { hunkId } from "@stet/text/hunk-view";
import { isOpen, type Piece, undoable } from "@stet/text/pending";
import { formatUnified } from "@stet/text/unified";
import { asSaved } from "../documents/disk-choice.ts";
import type { DocumentState, Verdict } from "../documents/document-state.ts";
import type { Documents } from "../documents/documents.ts";
import { lockedByTurn } from "../ledger/edit-lock.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { decidedHunks } from "../review/decision-record.ts";
import { byDocument, unknownHunks } from "../review/hunk-id.ts";
import { restoreEntry } from "../turns/take-back.ts";
import { canReject } from "../turns/turn-parts.ts";
import { recordTurn } from "../turns/turn-record.ts";
import { type CheckpointHunk, recordCheckpoint } from "./checkpoint-record.ts";

export interface CheckpointFile {
  readonly document: number;
  readonly path: string | null;
  readonly baseHash: string;
  /** The newest entry of the document when the turn had ended. */
  readonly entryAfter: number;
  readonly hunks: readonly (Omit<CheckpointHunk, "id"> & { readonly id: HunkId })[];
}

export interface Checkpoint {
  readonly id: CheckpointId;
  readonly turn: TurnId;
  readonly kind: "agent" | "rollback";
  readonly session: string | null;
  readonly summary: string;
  /** Who made it, where that is not the session's own agent. */
  readonly agent: string | undefined;
  /** Of a rollback: the turn that it took back, whole or by hunks. */
  readonly takesBack: { readonly turn: string; readonly isWhole: boolean } | undefined;
  readonly status: string;
  readonly createdAt: number;
  readonly files: readonly CheckpointFile[];
}

/** Three sides of one file: as it is, as it was before the turn, as the agent proposed it. */
export interface CheckpointTexts {
  readonly current: string;
  readonly checkpointBase: string;
  readonly agentProposed: string;
}

export type RollbackRequest =
  /** Only some of the turn's documents, where they are named. */
  | { readonly mode: "hard_all"; readonly documents?: readonly number[] }
  | { readonly mode: "scoped_selected"; readonly hunks: readonly string[] };

export interface RollbackReport {
  /** The checkpoint that undoes this rollback; null where it changed nothing. */
  readonly checkpoint: CheckpointId | null;
  readonly documents: readonly number[];
  readonly rolledBack: readonly HunkId[];
  /** Hunks whose lines were changed since, so they are left as they are. */
  readonly conflicts: readonly HunkId[];
  /** What it changes, for each document whose text is another one afterwards. */
  readonly patches: readonly RollbackPatch[];
}

export interface RollbackPatch {
  readonly document: number;
  readonly path: string | null;
  /** A unified diff. */
  readonly patch: string;
}

interface Row {
  /** Whether it is of the file's text at that entry. */
  readonly isKept: boolean;
  readonly document: number;
  readonly entryBefore: number;
  readonly entryAfter: number;
}

export class Checkpoints {
  readonly #ledger: Ledger;
  readonly #documents: Documents;

  constructor(ledger: Ledger, documents: Documents) {
    this.#ledger = ledger;
    this.#documents = documents;
  }

  /** The newest first. */
  list(filter: { document?: number; session?: string; limit?: number } = {}): Checkpoint[] {
    this.#ledger.catchUp();
    const { session, document, limit = 200 } = filter;
    // Each filter is a condition of its own, so that its index is used.
    const ofSession = session === undefined ? "" : "AND session = ?";
    const hasFile =
      document === undefined
        ? "EXISTS (SELECT 1 FROM checkpoints WHERE turn = turns.id)"
        : "id IN (SELECT turn FROM checkpoints WHERE document = ?)";
    const rows = this.#ledger.database.all(
      `SELECT * FROM turns WHERE status != 'discarded' ${ofSession} AND ${hasFile}
       ORDER BY started_at DESC, rowid DESC LIMIT ?`,
      ...[session, document].filter((value) => value !== undefined),
      limit,
    );
    return rows.map((row) => this.#checkpointOf(row));
  }

  read(id: string): Checkpoint | Fault {
    this.#ledger.catchUp();
    const row = this.#ledger.database.get("SELECT * FROM turns WHERE id = ?", turnOf(id));
    return row === undefined ? unknownCheckpoint(id) : this.#checkpointOf(row);
  }

  /** The documents that a turn touched. */
  documentsOf(turn: string): number[] {
    const rows = this.#ledger.database.all("SELECT document FROM checkpoints WHERE turn = ?", turn);
    return rows.map((row) => Number(row.document));
  }

  #checkpointOf(turn: Readonly<Record<string, unknown>>): Checkpoint {
    const id = String(turn.id) as TurnId;
    const rows = this.#ledger.database.all("SELECT * FROM checkpoints WHERE turn = ? ORDER BY document", id);
    const kind = turn.kind === "agent" || turn.kind === "during" ? "agent" : "rollback";
    const summary = String(turn.summary);
    return {
      id: checkpointIdOf(id),
      turn: id,
      kind,
      session: turn.session === null ? null : String(turn.session),
      summary,
      agent: turn.agent === null ? undefined : String(turn.agent),
      takesBack: kind === "rollback" ? takenBack(summary) : undefined,
      status: String(turn.status),
      createdAt: Number(turn.started_at),
      files: rows.map((row) => {
        const document = Number(row.document);
        const hunks: CheckpointHunk[] = this.#ledger.database.parsed(row.hunks);
        return {
          document,
          path: this.#documents.row(document)?.path ?? null,
          baseHash: String(row.base_hash),
          entryAfter: Number(row.entry_after),
          hunks: hunks.map((hunk) => ({ ...hunk, id: hunkId(document, hunk.id) })),
        };
      }),
    };
  }

  #rows(id: string): Row[] | Fault {
    const rows = this.#ledger.database.all(
      "SELECT checkpoints.*, kind FROM checkpoints LEFT JOIN turns ON id = turn WHERE turn = ?",
      turnOf(id),
    );
    if (rows.length === 0) return unknownCheckpoint(id);
    return rows.map((row) => ({
      isKept: row.kind === "kept",
      document: Number(row.document),
      entryBefore: Number(row.entry_before),
      entryAfter: Number(row.entry_after),
    }));
  }

  /** What a rollback to it brings back; undefined where that was collected. */
  #before({ document, entryBefore, isKept }: Row): DocumentState | undefined {
    const state = this.#ledger.stateAt(document, entryBefore);
    return isKept && state !== undefined ? asSaved(state) : state;
  }

  /** A document as it was before a turn; undefined where the turn did not touch it, or that was collected. */
  before(id: string, document: number): DocumentState | undefined {
    const rows = this.#rows(id);
    const row = isFault(rows) ? undefined : rows.find((candidate) => candidate.document === document);
    return row && this.#before(row);
  }

  diff3(id: string, document: number): CheckpointTexts | Fault {
    const rows = this.#rows(id);
    if (isFault(rows)) return rows;
    const row = rows.find((candidate) => candidate.document === document);
    const state = this.#documents.state(document);
    if (isFault(state)) return state;
    const before = row && this.#before(row);
    const after = row && this.#ledger.stateAt(document, row.entryAfter);
    if (before === undefined || after === undefined) return unknownCheckpoint(id);
    return {
      current: state.pending.current.toString(),
      checkpointBase: before.pending.current.toString(),
      agentProposed: after.pending.current.toString(),
    };
  }

  /** With `dryRun`, tells what would happen and changes nothing. */
  rollback(id: string, request: RollbackRequest, options: { dryRun?: boolean } = {}): RollbackReport | Fault {
    let report: RollbackReport | Fault | undefined;
    const written = this.#ledger.write(
      () => {
        report = lockedByTurn(this.#ledger);
        if (report !== undefined) return report;
        report =
          request.mode === "hard_all" ? this.#hard(id, request.documents) : this.#scoped(id, request.hunks);
        if (isFault(report)) return report;
        // A fault takes the transaction back; for a dry run that is the point.
        return options.dryRun || report.checkpoint === null ? unknownCheckpoint(id) : report;
      },
      { durable: options.dryRun !== true },
    );
    return report ?? written;
  }

  /** Removes what a rollback that was taken back has left. Only in a transaction. */
  forget({ checkpoint }: RollbackReport): void {
    if (checkpoint === null) return;
    const turn = turnOf(checkpoint);
    this.#ledger.database.run("DELETE FROM checkpoints WHERE turn = ?", turn);
    this.#ledger.database.run("DELETE FROM turns WHERE id = ?", turn);
  }

  #hard(id: string, documents: readonly number[] | undefined): RollbackReport | Fault {
    const all = this.#rows(id);
    if (isFault(all)) return all;
    const rows = all.filter(({ document }) => documents?.includes(document) ?? true);
    if (rows.length === 0) return unknownCheckpoint(id);
    const rollback = new RollbackTurn(this.#ledger, this.#documents, wholeRollback(turnOf(id)));
    for (const row of rows) {
      const target = this.#before(row);
      const state = this.#ledger.state(row.document);
      if (target === undefined || state === undefined) return unknownCheckpoint(id);
      rollback.restore(state, target);
    }
    return rollback.finish([], []);
  }

  #scoped(id: string, hunks: readonly string[]): RollbackReport | Fault {
    const rows = this.#rows(id);
    const wanted = byDocument(hunks);
    if (isFault(rows)) return rows;
    if (isFault(wanted)) return wanted;
    const foreign = [...wanted.keys()].filter((document) => !rows.some((row) => row.document === document));
    if (foreign.length > 0) return unknownHunks(hunks);
    const rollback = new RollbackTurn(
      this.#ledger,
      this.#documents,
      scopedRollback(turnOf(id), hunks.length),
    );
    const rolledBack: HunkId[] = [];
    const conflicts: HunkId[] = [];
    for (const [document, ids] of wanted) {
      const state = this.#ledger.state(document);
      if (state === undefined) return unknownCheckpoint(id);
      const found = rollback.revert(state, ids, turnOf(id));
      for (const hunk of ids) (found.has(hunk) ? rolledBack : conflicts).push(hunkId(document, hunk));
    }
    return rollback.finish(rolledBack, conflicts);
  }
}

// The ledger has what a rollback took back in its summary, and nowhere else.
const wholeRollback = (turn: string) => `Rollback to before ${turn}`;
const scopedRollback = (turn: string, hunks: number) => `Rollback of ${hunks} hunks of ${turn}`;

function takenBack(summary: string): Checkpoint["takesBack"] {
  const [, before, of] = /^Rollback (?:to before (turn_\w+)|of \d+ hunks of (turn_\w+))$/.exec(summary) ?? [];
  const turn = before ?? of;
  return turn === undefined ? undefined : { turn, isWhole: before !== undefined };
}

/** The turn that a rollback is. It lives within one transaction. */
class RollbackTurn {
  readonly #id: TurnId = `turn_${uniqueSuffix()}`;
  readonly #ledger: Ledger;
  readonly #documents: Documents;
  readonly #summary: string;
  readonly #changed: number[] = [];
  readonly #patches: RollbackPatch[] = [];

  constructor(ledger: Ledger, documents: Documents, summary: string) {
    this.#ledger = ledger;
    this.#documents = documents;
    this.#summary = summary;
  }

  restore(state: DocumentState, target: DocumentState): void {
    // What the file holds now has to go, whichever text it is to hold from here on.
    const isThrough = state.file.isThrough || target.file.isThrough;
    this.#record(state, this.#ledger.append(state, restoreEntry(state, target, isThrough, this.#id)));
  }

  /**
   * What a turn did in these hunks: open parts are rejected, accepted ones reopened first. Rejected ones are as they
   * should be. Returns those that are as before the turn then; the others were changed since, or hold changes of other
   * turns that cannot be separated from this one's.
   */
  revert(state: DocumentState, ids: ReadonlySet<number>, turn: string): Set<number> {
    const found = new Set<number>();
    let newest = state;
    const decide = (verdict: Verdict, hunks: ReadonlyMap<number, ReadonlySet<string>>) => {
      const decided = decidedHunks(newest, hunks, verdict);
      if (decided.length === 0) return;
      newest = this.#ledger.append(newest, { kind: "decision", verdict, hunks: decided, turn: this.#id });
    };
    const pieces = state.pending.pieces.filter((piece) => ids.has(piece.id));
    const isAccepted = (piece: Piece) => {
      const decision = undoable(piece);
      return decision?.verdict === "accepted" && decision.turns.includes(turn);
    };
    const accepted = pieces.filter(isAccepted);
    const reopened = accepted.map((piece) => piece.id);
    if (reopened.length > 0) {
      newest = this.#ledger.append(newest, {
        kind: "undo",
        verdict: "accepted",
        hunks: reopened,
        turn: this.#id,
      });
    }
    const unwanted = new Map<number, ReadonlySet<string>>();
    for (const piece of newest.pending.pieces) {
      if (!ids.has(piece.id)) continue;
      if (isOpen(piece) && piece.turns.includes(turn)) {
        if (!canReject(newest, piece.id, turn)) continue;
        unwanted.set(piece.id, new Set([turn]));
      }
      found.add(piece.id);
    }
    decide("rejected", unwanted);
    // What others' turns had accepted of the same hunks stays so.
    decide("accepted", new Map(accepted.map((piece) => [piece.id, new Set(undoable(piece)?.turns)])));
    if (newest !== state) this.#record(state, newest);
    return found;
  }

  #record(before: DocumentState, after: DocumentState): void {
    recordCheckpoint(this.#ledger, this.#id, before, after);
    this.#changed.push(before.id);
    const patch = this.#patchOf(before, after);
    if (patch.patch !== "") this.#patches.push(patch);
  }

  #patchOf({ id, pending }: DocumentState, after: DocumentState): RollbackPatch {
    const row = this.#documents.row(id);
    const [before, now] = [pending.current, after.pending.current];
    const name = row?.path ?? row?.title ?? "";
    const splices = diffTexts(before, now);
    return {
      document: id,
      path: row?.path ?? null,
      patch: formatUnified({ path: name, before, after: now, splices }),
    };
  }

  finish(rolledBack: readonly HunkId[], conflicts: readonly HunkId[]): RollbackReport {
    const id = this.#id;
    const summary = this.#summary;
    const documents = this.#changed;
    const patches = this.#patches;
    const hasChanged = documents.length > 0;
    if (hasChanged) {
      recordTurn(this.#ledger, { id, kind: "rollback", status: "committed", startedAt: Date.now(), summary });
    }
    return { checkpoint: hasChanged ? checkpointIdOf(id) : null, documents, rolledBack, conflicts, patches };
  }
}

export function checkpointIdOf(turn: string): CheckpointId {
  return `ckpt_${turn.slice("turn_".length)}`;
}

function turnOf(checkpoint: string): string {
  return checkpoint.startsWith("ckpt_") ? `turn_${checkpoint.slice("ckpt_".length)}` : checkpoint;
}

function unknownCheckpoint(id: string): Fault {
  return new Fault(
    "unknown_checkpoint",
    `There is no checkpoint ${id}, or it was collected to keep within the disk budget.`,
    "List the checkpoints and use one that is shown there.",
    { checkpoint: id },
  );
}
