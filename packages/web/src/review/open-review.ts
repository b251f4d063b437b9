// The review of one open document: folded from its pieces and the events of the window's feed (live-review.ts of client), and
// what of that is drawn.
//
// A review is about one revision. It is drawn where that is the revision on the screen and nothing that was typed is on its
// way; until then the places of what is drawn move with the text.

import { LiveReview, type ReviewEvent, type ReviewReply } from "@stet/client/live-review";
import type { OpenTurn } from "@stet/protocol/api/review";
import { type Accessor, createEffect, createRoot, createSignal, on, untrack } from "solid-js";
import { fileKindOf } from "../editor/file-kind.ts";
import type { OpenDocument } from "../editor/open-document.ts";
import { type Decisions, decisionsOf } from "./decisions.ts";
import {
  type DecidedHunk,
  type HunkRange,
  hunkIndexAt,
  hunkRanges,
  lineOf,
  markRanges,
  type ReviewRanges,
  rangesIn,
  setRanges,
} from "./hunk-ranges.ts";
import type { Selection } from "./selection.ts";

/** Debounce: after what is typed in a hunk, it is drawn anew when nothing was typed for so long. */
const typedMs = 250;
/** How long a decision is shown in the text. The panel shows it longer. */
const markedMs = 30_000;

export class OpenReview {
  readonly document: OpenDocument;
  readonly decisions: Decisions;
  readonly turns: Accessor<readonly OpenTurn[]>;
  /** What can be taken back, in the order of the text. */
  readonly decided: Accessor<readonly DecidedHunk[]>;
  /** Whether its first snapshot has arrived. */
  readonly isKnown: Accessor<boolean>;
  /** Whether the file holds what is open, and follows each decision. */
  readonly isOnDisk: Accessor<boolean>;
  /** How many are open, as they are drawn. */
  readonly count: Accessor<number>;
  readonly #live: LiveReview;
  readonly #setShown: (view: ReviewReply) => void;
  readonly #moves: Accessor<number>;
  readonly #setCount: (count: number) => void;
  readonly #setMoves: (change: (count: number) => number) => void;
  /** Hunks that the review tells as open, drawn or not. */
  openIds: ReadonlySet<string> = new Set();
  /** Whether the review is another one than what is drawn, and due to be drawn. */
  #isDue = false;
  #typed: ReturnType<typeof setTimeout> | undefined;
  /** Hunks that were decided before these eyes, and until when that is shown. */
  readonly #marked = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(document: OpenDocument) {
    this.document = document;
    this.decisions = decisionsOf(document.workbench);
    const [shown, setShown] = createSignal<ReviewReply>();
    this.#setShown = setShown;
    this.turns = () => shown()?.turns ?? [];
    this.decided = () => shown()?.decided ?? [];
    this.isKnown = () => shown() !== undefined;
    this.isOnDisk = () => shown()?.is_on_disk ?? false;
    [this.#moves, this.#setMoves] = createSignal(0);
    [this.count, this.#setCount] = createSignal(0);
    const { id, workbench } = document;
    this.#live = new LiveReview({
      ask: () =>
        workbench.client.call("documentReview", { params: { document: id }, query: { pieces: "true" } }),
      server: () => ({ revision: document.live.revision, text: document.live.serverText }),
      onChange: (isTyped) => this.#changed(isTyped),
    });
  }

  /** Follows the document until it is closed; returns how to stop. */
  start(): () => void {
    const { document, decisions } = this;
    const live = this.#live;
    const { feed } = document.workbench;
    const isOurs = (data: { document?: number | undefined }) => data.document === document.id;
    const hear = (data: ReviewEvent & { document?: number | undefined }) => {
      if (isOurs(data)) live.hear(data);
    };
    const stops = [
      feed.on("document.changed", hear),
      feed.on("review.updated", hear),
      feed.on("log.truncated", () => live.refresh()),
      feed.on("document.saved", (data) => {
        // What is written with the decision itself says nothing about whether the person is through with it.
        if (isOurs(data) && !this.isOnDisk()) this.#forgetMarks();
      }),
      feed.onReturn(() => live.refresh()),
      createRoot((dispose) => {
        const moved = () => {
          live.textMoved();
          this.#drawWhenDue();
        };
        createEffect(on([document.changes, document.isSettled], moved, { defer: true }));
        return dispose;
      }),
      decisions.add(this),
    ];
    live.refresh();
    return () => {
      clearTimeout(this.#timer);
      clearTimeout(this.#typed);
      for (const stop of stops) stop();
    };
  }

  /** What is drawn. Follows the text and the cursor where it is read in an effect. */
  placed(): ReviewRanges {
    this.#moves();
    return rangesIn(this.document.state);
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

  hunkAtCursor(): HunkRange | undefined {
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
    this.#setCount(rangesIn(this.document.state).hunks.length);
    this.#setMoves((count) => count + 1);
  }

  /** Takes hunks that were just decided out of the text, before the server has answered. */
  hideDecided(): void {
    const placed = rangesIn(this.document.state);
    const hidden = this.decisions.hidden();
    const hunks = placed.hunks.filter(({ hunk }) => !hidden.has(hunk.hunk_id));
    if (hunks.length < placed.hunks.length) this.#draw({ ...placed, hunks });
  }

  #changed(isTyped: boolean): void {
    // What is typed in a text without hunks changes nothing that is drawn.
    if (isTyped && this.openIds.size === 0 && this.decided().length === 0) return;
    clearTimeout(this.#typed);
    const due = () => {
      this.#isDue = true;
      this.#drawWhenDue();
    };
    if (isTyped && !this.#isDue) this.#typed = setTimeout(due, typedMs);
    else due();
  }

  #drawWhenDue(): void {
    const { live } = this.document;
    if (!this.#isDue || !live.isSettled || this.#live.revision !== live.revision) return;
    this.#isDue = false;
    const view = this.#live.view();
    if (view !== undefined) this.#show(view);
  }

  #show(view: ReviewReply): void {
    const { hunks, decided, turns } = view;
    const { doc } = this.document.state;
    this.#mark(decided);
    this.openIds = new Set(hunks.map(({ hunk_id }) => hunk_id));
    this.decisions.forgetSettled();
    const hidden = this.decisions.hidden();
    const open = hunks.filter(({ hunk_id }) => !hidden.has(hunk_id));
    this.#setShown(view);
    const marked = decided.filter(({ hunk_id }) => this.#marked.has(hunk_id));
    this.#draw({ hunks: hunkRanges(doc, open, turns), marks: markRanges(doc, marked) });
  }

  #draw(placed: ReviewRanges): void {
    const shown = rangesIn(this.document.state);
    const isNothing =
      placed.hunks.length + placed.marks.length + shown.hunks.length + shown.marks.length === 0;
    if (!isNothing) this.document.dispatch({ effects: setRanges.of(placed) });
    this.noteMove();
  }

  #mark(decided: readonly DecidedHunk[]): void {
    const now = Date.now();
    const ids = new Set(decided.map(({ hunk_id }) => hunk_id));
    for (const id of this.#marked.keys()) if (!ids.has(id)) this.#marked.delete(id);
    for (const id of ids) if (this.openIds.has(id)) this.#marked.set(id, now + markedMs);
    clearTimeout(this.#timer);
    if (this.#marked.size > 0) this.#timer = setTimeout(() => this.#forgetMarks(Date.now()), markedMs + 100);
  }

  /** Those that are shown until the given time; all of them, unless it is given. */
  #forgetMarks(until = Number.POSITIVE_INFINITY): void {
    for (const [id, end] of this.#marked) if (end <= until) this.#marked.delete(id);
    const placed = rangesIn(this.document.state);
    const marks = placed.marks.filter(({ id }) => this.#marked.has(id));
    if (marks.length < placed.marks.length) this.#draw({ ...placed, marks });
  }
}
