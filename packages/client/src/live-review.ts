// The review of one document, folded in the window.
//
//   snapshot (pieces at a revision)  ──steps of events──▶  pieces of the newest revision  ──▶  hunks
//
// The snapshot is requested once. Every later event of the document carries its step on the pending changes, and is folded
// with the same functions as on the server, so hunks and their ids are equal there. Revision and `next_id` together identify a
// state: by them a step that a snapshot includes already is skipped, and a wrong fold is noticed. Where a step cannot be folded
// (the agent's changes bring reasons along, a long change is not repeated, an event was missed, a turn is not known), the
// snapshot is requested again.

import { ChangeSet, type Text } from "@codemirror/state";
import type { OpenTurn, PendingStepView, ReviewHunk } from "@stet/protocol/api/review";
import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { hunkId, hunkView } from "@stet/text/hunk-view";
import { hunksOf } from "@stet/text/hunks";
import { isOpen, locatePieces, type Pending, type Piece } from "@stet/text/pending";
import { takeStep } from "@stet/text/pending-step";
import { restorePieces } from "@stet/text/stored-pieces";

export type ReviewReply = Reply<Routes["documentReview"]>;

/** The data of `document.changed`, and of `review.updated`, which has a step where the text stays as it is. */
export interface ReviewEvent {
  readonly origin?: Origin | undefined;
  /** Null where it is long; undefined where the text stays as it is. */
  readonly change?: unknown;
  readonly pending?: PendingStepView | undefined;
}

interface ReceivedStep extends ReviewEvent {
  readonly pending: PendingStepView;
}

export interface ReviewSource {
  ask(): Promise<ReviewReply | Fault>;
  /** What the server had at the newest revision that this window knows. */
  server(): { readonly revision: number; readonly text: Text };
  /** The review is another one; `isTyped` where that is the person's typing. */
  onChange(isTyped: boolean): void;
}

interface Known {
  readonly document: number;
  readonly revision: number;
  readonly pending: Pending;
  readonly isOnDisk: boolean;
  /** What cannot be derived from the pieces, of all snapshots so far: undoing brings decided hunks back. */
  readonly turns: ReadonlyMap<string, OpenTurn>;
  readonly reasons: ReadonlyMap<string, ReviewHunk["reasons"]>;
}

export class LiveReview {
  readonly #source: ReviewSource;
  #known: Known | undefined;
  /** A snapshot of a text that this window does not have yet. */
  #early: ReviewReply | undefined;
  /** Steps that arrived while a snapshot was requested. */
  #steps: ReceivedStep[] = [];
  #isAsking = false;
  #isWantedAgain = false;

  constructor(source: ReviewSource) {
    this.#source = source;
  }

  /** The revision that the review is about; undefined before anything is known. */
  get revision(): number | undefined {
    return this.#known?.revision;
  }

  /** As `documentReview` would reply, without asking. */
  view(): ReviewReply | undefined {
    return this.#known === undefined ? undefined : viewOf(this.#known);
  }

  /** Requests a new snapshot. The current state remains until the reply is there. */
  refresh(): void {
    if (this.#isAsking) this.#isWantedAgain = true;
    else void this.#ask();
  }

  hear({ origin, change, pending }: ReviewEvent): void {
    if (pending !== undefined) this.#hear({ origin, change, pending });
  }

  #hear(event: ReceivedStep): void {
    if (this.#isAsking || this.#early !== undefined) this.#steps.push(event);
    else if (this.#known === undefined) this.refresh();
    else this.#take(event);
  }

  /** The window's text is of another revision now. */
  textMoved(): void {
    if (this.#early !== undefined) this.#adopt(this.#early);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#isWantedAgain = false;
    this.#early = undefined;
    this.#steps = [];
    const reply = await this.#source.ask();
    this.#isAsking = false;
    if (this.#isWantedAgain) return this.#ask();
    // Whatever ends a fault comes with an event, or with the connection.
    if (!isFault(reply)) this.#adopt(reply);
  }

  #adopt(reply: ReviewReply): void {
    const { revision, text } = this.#source.server();
    this.#early = reply.revision > revision ? reply : undefined;
    if (reply.revision < revision) void this.#ask();
    if (reply.revision !== revision || reply.pending === undefined) return;
    const pending = restorePieces(text, reply.pending.pieces, reply.pending.next_id);
    const { document, is_on_disk: isOnDisk } = reply;
    const turns = new Map(this.#known?.turns);
    const reasons = new Map(this.#known?.reasons);
    for (const turn of reply.turns) turns.set(turn.turn, turn);
    for (const hunk of reply.hunks) reasons.set(hunk.hunk_id, hunk.reasons);
    this.#known = { document, revision, pending, isOnDisk, turns, reasons };
    const steps = this.#steps;
    this.#steps = [];
    for (const step of steps) this.#hear(step);
    this.#source.onChange(false);
  }

  #take(event: ReceivedStep): void {
    const before = this.#known;
    if (before === undefined || isPartOf(before, event)) return;
    const after = folded(before, event);
    if (after === undefined || !after.pending.pieces.every((piece) => areTurnsKnown(after, piece))) {
      this.refresh();
      return;
    }
    this.#known = after;
    this.#source.onChange(event.pending.step?.kind === "change");
  }
}

function areTurnsKnown({ turns }: Known, piece: Piece): boolean {
  return !isOpen(piece) || piece.turns.every((turn) => turns.has(turn));
}

/** Pieces that were rebased have neither a new revision nor new ids: of a step without a fold, equal is not known. */
function isPartOf({ revision, pending }: Known, { pending: { step, ...named } }: ReceivedStep): boolean {
  const isSame = named.revision === revision && named.next_id === pending.nextId;
  return named.revision <= revision && named.next_id <= pending.nextId && !(isSame && step === null);
}

/** Undefined where it cannot be folded, or does not lead to the state that the event names. */
function folded(known: Known, { origin, change, pending: reported }: ReceivedStep): Known | undefined {
  const { step, revision } = reported;
  if (step === null || change === null || (step.kind === "change" && change === undefined)) return undefined;
  const isText = change !== undefined;
  if (revision !== known.revision + (isText ? 1 : 0)) return undefined;
  const changeSet = isText ? ChangeSet.fromJSON(change) : undefined;
  if (changeSet !== undefined && changeSet.length !== known.pending.current.length) return undefined;
  const taken =
    step.kind === "change" && changeSet !== undefined
      ? takeStep(known.pending, { ...step, change: changeSet, origin: origin ?? "user" })
      : step.kind === "change"
        ? undefined
        : takeStep(known.pending, step);
  if (taken === undefined || taken.pending.nextId !== reported.next_id) return undefined;
  if (changeSet !== undefined && taken.pending.current.length !== changeSet.newLength) return undefined;
  return { ...known, revision, pending: taken.pending, isOnDisk: reported.is_on_disk };
}

function viewOf({ document, revision, pending, isOnDisk, ...reported }: Known): ReviewReply {
  const hunks = hunksOf(pending).map((hunk) => {
    const id = hunkId(document, hunk.id);
    const known = new Map(reported.reasons.get(id)?.map(({ turn, rationales }) => [turn, rationales]));
    return hunkView(id, hunk, (turn) => known.get(turn) ?? []);
  });
  const decided = [...locatePieces(pending)].flatMap(({ piece, b }) => {
    if (isOpen(piece)) return [];
    return { hunk_id: hunkId(document, piece.id), verdict: piece.kind, new_start: b + 1, lines: piece.lines };
  });
  const counts = new Map<string, number>();
  for (const hunk of hunks) for (const turn of hunk.turns) counts.set(turn, (counts.get(turn) ?? 0) + 1);
  const turns = [...counts].flatMap(([name, count]) => {
    const turn = reported.turns.get(name);
    return turn === undefined ? [] : { ...turn, is_on_disk: isOnDisk, hunks: count };
  });
  return { document, revision, is_on_disk: isOnDisk, hunks, decided, turns };
}
