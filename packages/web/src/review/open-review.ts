// The review of one open document: what the server told of it, and what of that is drawn.

import { type Accessor, createEffect, createRoot, createSignal, on, untrack } from "solid-js";
import { fileKindOf } from "../editor/file-kind.ts";
import type { OpenDocument } from "../editor/open-document.ts";
import { ReviewLoader, type ReviewReply } from "./document-review.ts";
import {
  type DecidedHunk,
  hunkIndexAt,
  lineOf,
  type OpenTurn,
  type Placed,
  type PlacedHunk,
  placedIn,
  placeHunks,
  placeMarks,
  setPlaced,
} from "./placed-hunks.ts";
import { type ReviewDesk, reviewDeskOf } from "./review-desk.ts";
import type { Selection } from "./selection.ts";

/** How long a decision is shown in the text. The panel shows it longer. */
const markedMs = 30_000;

export class OpenReview {
  readonly document: OpenDocument;
  readonly desk: ReviewDesk;
  readonly turns: Accessor<readonly OpenTurn[]>;
  /** What can be taken back, in the order of the text. */
  readonly decided: Accessor<readonly DecidedHunk[]>;
  /** Whether the server has told anything of it yet. */
  readonly isKnown: Accessor<boolean>;
  /** Whether the file holds what is open, and follows each decision. */
  readonly isOnDisk: Accessor<boolean>;
  /** How many are open, as they are drawn. */
  readonly count: Accessor<number>;
  private readonly loader: ReviewLoader;
  private readonly setTurns: (turns: readonly OpenTurn[]) => void;
  private readonly setDecided: (decided: readonly DecidedHunk[]) => void;
  private readonly setKnown: (isKnown: boolean) => void;
  private readonly setOnDisk: (isOnDisk: boolean) => void;
  private readonly moves: Accessor<number>;
  private readonly setCount: (count: number) => void;
  private readonly setMoves: (change: (count: number) => number) => void;
  private openIds: ReadonlySet<string> = new Set();
  /** Hunks that were decided before these eyes, and until when that is shown. */
  private readonly marked = new Map<string, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: OpenDocument) {
    this.document = document;
    this.desk = reviewDeskOf(document.desk);
    [this.turns, this.setTurns] = createSignal<readonly OpenTurn[]>([]);
    [this.decided, this.setDecided] = createSignal<readonly DecidedHunk[]>([]);
    [this.isKnown, this.setKnown] = createSignal(false);
    [this.isOnDisk, this.setOnDisk] = createSignal(false);
    [this.moves, this.setMoves] = createSignal(0);
    [this.count, this.setCount] = createSignal(0);
    const { id, desk } = document;
    this.loader = new ReviewLoader({
      ask: () => desk.client.call("documentReview", { params: { document: id } }),
      revision: () => document.live.revision,
      isSettled: () => document.live.isSettled,
      hasSomething: () => this.hasSomething(),
      show: (reply) => this.show(reply),
    });
  }

  /** Follows the document until it is closed; returns how to stop. */
  start(): () => void {
    const { document, desk, loader } = this;
    const { feed } = document.desk;
    const isOurs = (data: { document?: number | undefined }) => data.document === document.id;
    const stops = [
      feed.on("review.updated", (data) => {
        if (isOurs(data)) loader.refresh();
      }),
      feed.on("document.saved", (data) => {
        // What is written with the decision itself says nothing about whether the person is through with it.
        if (isOurs(data) && !this.isOnDisk()) this.forgetMarks();
      }),
      feed.onReturn(() => loader.refresh()),
      createRoot((dispose) => {
        createEffect(on([document.changes, document.isSettled], () => loader.changed(), { defer: true }));
        return dispose;
      }),
      desk.add(this),
    ];
    loader.refresh();
    return () => {
      clearTimeout(this.timer);
      loader.close();
      for (const stop of stops) stop();
    };
  }

  refresh(): void {
    this.loader.refresh();
  }

  /** What is drawn. Follows the text and the cursor where it is read in an effect. */
  placed(): Placed {
    this.moves();
    return placedIn(this.document.state);
  }

  /** Which of the open hunks the cursor is in; -1 where it is in none. */
  cursorIndex(): number {
    const placed = this.placed();
    const { doc, selection } = this.document.state;
    return hunkIndexAt(doc, placed, selection.main.head);
  }

  /** Where a hunk is shown now, from 1: what was typed above it has moved it. Undefined where it is not open here. */
  lineOf(id: string): number | undefined {
    const placed = this.placed().hunks.find(({ hunk }) => hunk.hunk_id === id);
    return placed === undefined ? undefined : lineOf(this.document.state.doc, placed);
  }

  hunkAtCursor(): PlacedHunk | undefined {
    const index = this.cursorIndex();
    return index < 0 ? undefined : this.placed().hunks[index];
  }

  /** The turn that everything open here is decided with; undefined where hunks are decided one by one. */
  wholeTurn(): string | undefined {
    const { hunks } = this.placed();
    const turn = hunks[0]?.wholeTurn;
    return hunks.every((hunk) => hunk.wholeTurn === turn) ? turn : undefined;
  }

  /** Everything that is open here. */
  selection(): Selection {
    const turn = this.wholeTurn();
    return turn === undefined ? { document: this.document.id } : { turn };
  }

  /** Whether removed and added words are shown side by side instead of whole lines. */
  isProse(): boolean {
    return untrack(() => fileKindOf(this.document.name) === "prose");
  }

  /** The cursor or what is drawn is somewhere else now. */
  noteMove(): void {
    this.setCount(placedIn(this.document.state).hunks.length);
    this.setMoves((count) => count + 1);
  }

  /** Takes hunks that were just decided out of the text, before the server has answered. */
  hideDecided(): void {
    const placed = placedIn(this.document.state);
    const hidden = this.desk.hidden();
    const hunks = placed.hunks.filter(({ hunk }) => !hidden.has(hunk.hunk_id));
    if (hunks.length < placed.hunks.length) this.draw({ ...placed, hunks });
  }

  private hasSomething(): boolean {
    const { hunks, marks } = placedIn(this.document.state);
    return hunks.length > 0 || marks.length > 0 || this.decided().length > 0;
  }

  private show({ hunks, decided, turns, is_on_disk }: ReviewReply): void {
    const { doc } = this.document.state;
    this.mark(decided);
    const hidden = this.desk.hidden();
    const open = hunks.filter(({ hunk_id }) => !hidden.has(hunk_id));
    this.openIds = new Set(hunks.map(({ hunk_id }) => hunk_id));
    this.setTurns(turns);
    this.setDecided(decided);
    this.setKnown(true);
    this.setOnDisk(is_on_disk);
    const marked = decided.filter(({ hunk_id }) => this.marked.has(hunk_id));
    this.draw({ hunks: placeHunks(doc, open, turns), marks: placeMarks(doc, marked) });
  }

  private draw(placed: Placed): void {
    const shown = placedIn(this.document.state);
    const isNothing =
      placed.hunks.length + placed.marks.length + shown.hunks.length + shown.marks.length === 0;
    if (!isNothing) this.document.dispatch({ effects: setPlaced.of(placed) });
    this.noteMove();
  }

  private mark(decided: readonly DecidedHunk[]): void {
    const now = Date.now();
    const ids = new Set(decided.map(({ hunk_id }) => hunk_id));
    for (const id of this.marked.keys()) if (!ids.has(id)) this.marked.delete(id);
    for (const id of ids) if (this.openIds.has(id)) this.marked.set(id, now + markedMs);
    clearTimeout(this.timer);
    if (this.marked.size > 0) this.timer = setTimeout(() => this.forgetMarks(Date.now()), markedMs + 100);
  }

  /** Those that are shown until the given time; all of them, unless it is given. */
  private forgetMarks(until = Number.POSITIVE_INFINITY): void {
    for (const [id, end] of this.marked) if (end <= until) this.marked.delete(id);
    const placed = placedIn(this.document.state);
    const marks = placed.marks.filter(({ id }) => this.marked.has(id));
    if (marks.length < placed.marks.length) this.draw({ ...placed, marks });
  }
}
