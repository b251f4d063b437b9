// The laws of the renderer's history once more, written apart from it: from whole frames and the size of the terminal it says
// what history and window must hold. It keeps every row ever, and knows nothing of released rows or of bytes.

import { stripAnsi } from "@stet/tui/text/ansi";

/** What stands above a full paint that leaves rows out. */
export const olderRowsText = "(older rows)";

export interface ShadowFrame {
  /** All rows, also those that are history, for the width of now. */
  readonly rows: readonly string[];
  /** Rows from the end of the frame: what may change begins there, and its part that only grows ends there. */
  readonly liveFromEnd: number | undefined;
  readonly safeFromEnd: number | undefined;
  /** Rows over the whole width at the bottom of the screen; undefined where there is no overlay. */
  readonly overlay: readonly string[] | undefined;
  /** How many rows at the end are not of the conversation. */
  readonly bottomRows: number;
  /** In the window, by the marker; undefined where there is none. */
  readonly cursorFromEnd: number | undefined;
}

export class ShadowLedger {
  /** Every row that ever went into the history, in order. */
  readonly history: string[] = [];
  window: readonly string[] = [];
  cursorRow = 0;
  /** Whether the marker is in the window. */
  hasCursor = false;
  /** Rows that are in the history twice, or will be, since a component or the terminal broke the order. */
  repeats = 0;
  #committed = 0;
  #top = 0;
  /** What was committed at which index, for as long as it can be compared. */
  #record = new Map<number, string>();
  #frame: ShadowFrame | undefined;
  #height: number;

  constructor(height: number) {
    this.#height = height;
  }

  /** The rows from which on everything is in the window. */
  get committed(): number {
    return this.#committed;
  }

  get hasGap(): boolean {
    return this.#top > this.#committed;
  }

  frame(frame: ShadowFrame): void {
    this.#audit(frame);
    this.#advance(frame);
  }

  /** The program gave the terminal back and took it again: all that is final is history, and others wrote below it. */
  pause(stopped: ShadowFrame, others: readonly string[], resumed: ShadowFrame): void {
    const end = Math.max(this.#committed, boundary(stopped));
    this.history.push(...stopped.rows.slice(this.#committed, end), ...others);
    this.#note(stopped, end);
    this.#committed = end;
    this.frame(resumed);
  }

  /** Before a paint for another size. */
  setHeight(height: number): void {
    this.#height = height;
  }

  /** Everything is written anew; the history begins empty unless it is a pane's own, which keeps what it has. */
  paint(frame: ShadowFrame, how: "erased" | "appended" | "in place", replayRows: number): void {
    if (how === "erased") this.history.length = 0;
    this.#record.clear();
    this.#committed = Math.max(0, frame.rows.length - replayRows);
    if (how !== "in place" && this.#committed > 0) this.history.push(olderRowsText);
    if (how !== "in place") {
      this.#advance(frame);
      return;
    }
    const history = [...this.history];
    this.#advance(frame);
    this.history.splice(0, this.history.length, ...history);
  }

  height(height: number, frame: ShadowFrame): void {
    const old = this.#frame;
    if (height < this.#height && old !== undefined) {
      const pushed = Math.max(0, this.cursorRow - (height - 1));
      this.history.push(...this.window.slice(0, pushed));
      if (old.overlay === undefined && this.#top === this.#committed) {
        const final = Math.max(this.#committed, Math.min(this.#top + pushed, boundary(old)));
        this.#note(old, final);
        this.repeats += pushed - (final - this.#committed);
        this.#committed = final;
      } else this.repeats += pushed;
    }
    this.#height = height;
    this.#advance(frame);
  }

  /** Another width, and perhaps another height. */
  width(height: number, frame: ShadowFrame): void {
    const old = this.#frame;
    if (old === undefined) return;
    const isAtHistory =
      old.overlay === undefined && this.#top === this.#committed && old.liveFromEnd !== undefined;
    const final = Math.min(boundary(old), old.rows.length - 1) - this.#top;
    const kept = isAtHistory ? Math.max(0, Math.min(final, this.cursorRow)) : 0;
    this.history.push(...this.window.slice(0, kept));
    // Rows that are not final: the terminal wrapped them and may have pushed some of them into its history, each once.
    this.strays = this.window.length - kept;
    this.straysAt = this.history.length;
    this.#committed = sameText(old.rows, this.#committed + kept, frame.rows, old, frame);
    this.#record.clear();
    this.#height = height;
    this.#advance(frame);
  }

  /** How many rows, at most, the last change of the width pushed out although they were not final. */
  strays = 0;
  /** Where they are in the history: before what was committed for the new width. */
  straysAt = 0;

  #audit(frame: ShadowFrame): void {
    const committed = this.#committed;
    if (committed > 0 && frame.rows.length <= committed) return;
    const known = [...this.#record.keys()].filter((index) => index < committed);
    const differs = (index: number) => visible(frame.rows[index]) !== visible(this.#record.get(index));
    const sampled = known
      .filter((index) => index >= committed - 24 && visible(this.#record.get(index)) !== "")
      .slice(-8);
    if (sampled.filter(differs).length < 2) return;
    const first = known.find(differs) ?? committed;
    this.repeats += committed - first;
    this.#committed = first;
    for (const index of known) if (index >= first) this.#record.delete(index);
  }

  #advance(frame: ShadowFrame): void {
    const length = frame.rows.length;
    const limit = boundary(frame);
    if (this.#committed > 0 && length <= this.#committed) {
      this.repeats += this.#committed;
      this.#top = Math.max(0, length - this.#height);
      this.#committed = Math.min(limit, this.#top);
      for (const index of this.#record.keys()) if (index >= this.#committed) this.#record.delete(index);
    } else {
      this.#top = Math.max(this.#committed, length - this.#height);
      const next =
        frame.overlay !== undefined ? this.#committed : Math.max(this.#committed, Math.min(limit, this.#top));
      this.history.push(...frame.rows.slice(this.#committed, next));
      this.#note(frame, next);
      this.#committed = next;
    }
    const rows = frame.rows.slice(this.#top);
    const marked = frame.cursorFromEnd === undefined ? undefined : rows.length - frame.cursorFromEnd;
    this.window = frame.overlay === undefined ? rows : covered(rows, frame.overlay, this.#height);
    this.#frame = frame;
    const bottom = this.window.findLastIndex((row) => visible(row) !== "");
    this.hasCursor = marked !== undefined && marked >= 0;
    this.cursorRow = marked !== undefined && marked >= 0 ? marked : Math.max(0, bottom);
  }

  #note(frame: ShadowFrame, end: number): void {
    for (let index = this.#committed; index < end; index++) this.#record.set(index, frame.rows[index] ?? "");
  }
}

function covered(rows: readonly string[], overlay: readonly string[], height: number): string[] {
  const above = Array.from({ length: Math.max(0, height - overlay.length) }, (_, index) => rows[index] ?? "");
  return [...above, ...overlay.slice(0, height)];
}

function boundary(frame: ShadowFrame): number {
  const fromEnd = frame.safeFromEnd ?? frame.liveFromEnd ?? 0;
  return Math.max(0, frame.rows.length - fromEnd);
}

/** The index in the new rows behind what the history says; a row that it holds in part is counted as not held. */
function sameText(
  old: readonly string[],
  committed: number,
  now: readonly string[],
  oldFrame: ShadowFrame,
  frame: ShadowFrame,
): number {
  const oldLive = oldFrame.liveFromEnd === undefined ? undefined : old.length - oldFrame.liveFromEnd;
  const live = frame.liveFromEnd === undefined ? undefined : now.length - frame.liveFromEnd;
  const isBehindLive = oldLive !== undefined && live !== undefined && committed >= oldLive;
  const isWhole = committed >= old.length - oldFrame.bottomRows;
  const from = isWhole ? old.length - oldFrame.bottomRows : isBehindLive ? oldLive : 0;
  const said = letters(old.slice(from, committed));
  let index = isWhole ? now.length - frame.bottomRows : isBehindLive ? live : 0;
  let left = said;
  while (left > 0 && index < now.length) {
    left -= letters([now[index] ?? ""]);
    if (left >= 0) index++;
  }
  return index;
}

function letters(rows: readonly string[]): number {
  return rows.reduce((sum, row) => sum + (visible(row).match(/[\p{L}\p{N}]/gu) ?? []).length, 0);
}

/** A row as it is compared: what a terminal puts into cells, without blanks. */
export function visible(row: string | undefined): string {
  return row === undefined ? "" : stripAnsi(row).replaceAll(/\s/gu, "");
}
