// Blocks below each other, of which the upper ones become history. A block that is final is rendered once and frozen: what the
// terminal may have in its history cannot drift. The first block that may still change begins the live region.
//
// Frozen blocks that are history are released: their rows are dropped and only counted. The blocks themselves are kept as far
// back as a full paint would go, and older ones are dropped, too, so memory follows the window and not the conversation.

import type { Component, NativeScrollbackLiveRegion } from "../component.ts";
import { auditRows } from "../renderer/audit.ts";
import { deriveLiveCommitState, type LiveCommitState } from "./live-commit.ts";

/** Final unless it says otherwise. A final block stays as it is. */
export interface Block extends Component {
  isTranscriptBlockFinalized?(): boolean;
  /**
   * How many of its rows from the first one on will not change while it is not final; for a block that knows. What is seen of
   * the others tells it otherwise.
   */
  getNativeScrollbackCommitSafeEnd?(): number;
}

export interface TranscriptOptions {
  /** Empty rows between two blocks; none unless given. */
  readonly gap?: number;
  /** How many rows of released blocks are kept for a full paint; 10,000 unless given. */
  readonly replayRows?: () => number;
}

interface Entry {
  readonly block: Block;
  rows: readonly string[];
  isFrozen: boolean;
  /** With the empty rows above it. */
  height: number;
}

interface ReleasedBlock {
  readonly block: Block;
  readonly height: number;
}

export class Transcript implements Component, NativeScrollbackLiveRegion {
  readonly #gap: number;
  readonly #replayRows: () => number;
  #entries: Entry[] = [];
  #released: ReleasedBlock[] = [];
  /** Rows of blocks in #released, and of those that were dropped. */
  #releasedRows = 0;
  #droppedRows = 0;
  #droppedBlocks = 0;
  /** Rows that are history, released or not. */
  #committedRows = 0;
  #rows: readonly string[] = [];
  #width = 0;
  #isChanged = true;
  #liveStart = 0;
  #liveEntry: Entry | undefined;
  #liveState: LiveCommitState | undefined;

  constructor(options: TranscriptOptions = {}) {
    this.#gap = options.gap ?? 0;
    this.#replayRows = options.replayRows ?? (() => 10_000);
  }

  /** Blocks that are still held, the oldest first. */
  get blocks(): readonly Block[] {
    return [...this.#released, ...this.#entries].map(({ block }) => block);
  }

  /** How many older blocks were dropped: a full paint cannot show them. */
  get droppedBlocks(): number {
    return this.#droppedBlocks;
  }

  get releasedRows(): number {
    return this.#droppedRows + this.#releasedRows;
  }

  add(block: Block): void {
    this.#entries.push({ block, rows: [], isFrozen: false, height: 0 });
    this.#isChanged = true;
  }

  /** Takes a block out that is not history yet, such as one that became part of another; false where it is. */
  remove(block: Block): boolean {
    const index = this.#entries.findIndex((entry) => entry.block === block);
    if (index === -1) return false;
    this.#entries.splice(index, 1);
    this.#isChanged = true;
    return true;
  }

  /**
   * A final block looks different now, as a picture that is no longer kept; without one all of them, as in other colours. It is
   * drawn anew only where none of its rows is history yet.
   */
  redraw(block?: Block): void {
    let start = this.releasedRows;
    for (const entry of this.#entries) {
      if ((block === undefined || entry.block === block) && start >= this.#committedRows)
        entry.isFrozen = false;
      start += entry.height;
    }
  }

  /** Another conversation: the caller asks for a full paint. */
  replace(blocks: readonly Block[]): void {
    this.#released = [];
    this.#releasedRows = 0;
    this.#droppedRows = 0;
    this.#droppedBlocks = 0;
    this.#committedRows = 0;
    this.#entries = blocks.map((block) => ({ block, rows: [], isFrozen: false, height: 0 }));
    this.#liveEntry = undefined;
    this.#liveState = undefined;
    this.#isChanged = true;
  }

  contains(component: Component): boolean {
    return this.#entries.some(({ block }) => block === component || block.contains?.(component) === true);
  }

  render(width: number): readonly string[] {
    const isRewrapped = width !== this.#width;
    this.#width = width;
    let isChanged = this.#isChanged || isRewrapped;
    for (const entry of this.#entries) {
      if (entry.isFrozen && !isRewrapped) continue;
      const rows = renderBlock(entry.block, width);
      entry.isFrozen = isFinal(entry.block);
      if (rows !== entry.rows) isChanged = true;
      entry.rows = entry.isFrozen ? [...rows] : rows;
    }
    if (isChanged) this.#layOut();
    this.#isChanged = false;
    this.#followLiveBlock(isRewrapped);
    return this.#rows;
  }

  #layOut(): void {
    const rows: string[] = [];
    let isFirst = this.releasedRows === 0;
    for (const entry of this.#entries) {
      const before = rows.length;
      if (!isFirst && entry.rows.length > 0) for (let row = 0; row < this.#gap; row++) rows.push("");
      for (const row of entry.rows) rows.push(row);
      if (entry.rows.length > 0) isFirst = false;
      entry.height = rows.length - before;
    }
    this.#rows = rows;
  }

  #followLiveBlock(isRewrapped: boolean): void {
    let start = this.releasedRows;
    const live = this.#entries.find((entry) => {
      if (!entry.isFrozen) return true;
      start += entry.height;
      return false;
    });
    this.#liveStart = start;
    const before = live === this.#liveEntry && !isRewrapped ? this.#liveState : undefined;
    this.#liveEntry = live;
    this.#liveState = live === undefined ? undefined : deriveLiveCommitState(before, live.rows);
  }

  /** Never undefined: behind the last block come rows of others, which may change. */
  getNativeScrollbackLiveRegionStart(): number {
    return this.#liveStart;
  }

  getNativeScrollbackCommitSafeEnd(): number | undefined {
    const live = this.#liveEntry;
    if (live === undefined) return undefined;
    const known = live.block.getNativeScrollbackCommitSafeEnd?.();
    const safe = known === undefined ? (this.#liveState?.safeRows ?? 0) : Math.min(known, live.rows.length);
    if (safe === 0) return undefined;
    return this.#liveStart + live.height - live.rows.length + safe;
  }

  committed(rows: number): void {
    this.#committedRows = rows;
    let released = 0;
    let end = this.releasedRows;
    for (const entry of this.#entries) {
      end += entry.height;
      if (!entry.isFrozen || end > rows - auditRows) break;
      this.#released.push({ block: entry.block, height: entry.height });
      this.#releasedRows += entry.height;
      released++;
    }
    if (released === 0) return;
    this.#entries.splice(0, released);
    this.#layOut();
    this.#drop();
  }

  #drop(): void {
    const most = this.#replayRows();
    let count = 0;
    for (const { height } of this.#released) {
      if (this.#releasedRows - height < most) break;
      this.#releasedRows -= height;
      this.#droppedRows += height;
      count++;
    }
    this.#droppedBlocks += count;
    if (count > 0) this.#released.splice(0, count);
  }

  rewind(maxRows: number): void {
    this.#committedRows = 0;
    let rows = 0;
    let first = this.#released.length;
    while (first > 0 && rows < maxRows) {
      first--;
      rows += this.#released[first]?.height ?? 0;
    }
    const again = this.#released.splice(first).map(({ block }): Entry => {
      return { block, rows: [], isFrozen: false, height: 0 };
    });
    this.#releasedRows -= rows;
    this.#entries.unshift(...again);
    for (const entry of this.#entries) entry.isFrozen = false;
    this.#isChanged = true;
  }
}

function isFinal(block: Block): boolean {
  return block.isTranscriptBlockFinalized?.() !== false;
}

function renderBlock(block: Block, width: number): readonly string[] {
  try {
    return block.render(width);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`This part of the conversation could not be drawn: ${reason.split("\n", 1)[0] ?? ""}`];
  }
}
