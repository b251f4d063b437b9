// Draws frames, and never lies about history. The contract:
//
// 1. The terminal's history is append-only. Nobody can know whether a person has scrolled up to read it, so nothing that an
//    ordinary frame writes may depend on that: no byte rewrites a committed row, clears the screen or goes to its first row.
// 2. The rows that scroll into the history are exactly those that the ledger commits (ledger.ts), each once, in order. Rows
//    that may still change stay in the window. Where a component changes committed rows all the same, they are committed again
//    (audit.ts): twice rather than never.
// 3. There are four ways to write: a full paint (start, another session, Ctrl-L, a resize that replays), rows appended at the
//    bottom, changed rows of the window, and rows at the seam between history and window. changeRows does the last three.
// 4. The history is erased (CSI 3 J) by one call, in #fullPaint, when a person asked for it, and never inside a multiplexer.
// 5. The window is the end of the tape. Where it lies on the screen is never assumed: the cursor moves relatively, and rests
//    at the marker, or on the last row that has content. All of it is inside the brackets of the frame.
// 6. Nothing throws: rows are clamped and cleaned, a component that fails is one row.

import type { Capabilities, Terminal } from "../terminal/terminal.ts";
import { findCommittedPrefixResync } from "./audit.ts";
import { changeRows } from "./change-rows.ts";
import { composeFrame, type Frame, type Part, renderPart, rowAt, rowsOf, tellCommitted } from "./frame.ts";
import { advance, boundaryOf, isShrink } from "./ledger.ts";
import type { Overlay } from "./overlays.ts";
import { Pen, unknownRow } from "./pen.ts";
import { prepareRow } from "./prepare-row.ts";
import { PreparedRows } from "./prepared-rows.ts";
import { rowsPushedByHeight, wrappedHeight } from "./resize.ts";
import { shiftParts } from "./shift-parts.ts";

export interface PaintOptions {
  /** How many of the newest rows a full paint writes, at most. */
  readonly replayRows: number;
  /** What a change of the width does with the history: nothing, or it is erased and written anew. */
  readonly resize: "keep" | "replay";
  /** The row above a replay that left this many rows out. */
  readonly olderRows?: (rows: number) => string;
}

export type FullPaint = "first" | "replace" | "reset";

export interface PaintRequest {
  readonly overlays: readonly Overlay[];
  readonly fullPaint: FullPaint | undefined;
  /** Every row of the window is written, whatever it shows. */
  readonly isForced: boolean;
  /** The only parts that changed; undefined where any may have. */
  readonly changed: ReadonlySet<Part> | undefined;
}

const emptyFrame: Frame = { start: 0, parts: [], length: 0, liveStart: undefined, commitSafeEnd: undefined };

export class Painter {
  readonly #terminal: Terminal;
  readonly #options: PaintOptions;
  readonly #parts: readonly Part[];
  readonly #prepared = new PreparedRows();
  #frame = emptyFrame;
  #committed = 0;
  #top = 0;
  /** Committed rows as they were then, for the audit: from the first one that the frame still has. */
  #history = { start: 0, rows: [] as string[] };
  /** What the window shows, and where the cursor is in it. */
  #lines: readonly string[] = [];
  #row = 0;
  #column: number | undefined = 0;
  #isCursorVisible = true;
  #hasOverlay = false;
  #columns = 0;
  #height = 0;
  #isResumed = false;

  constructor(terminal: Terminal, parts: readonly Part[], options: PaintOptions) {
    this.#terminal = terminal;
    this.#parts = parts;
    this.#options = options;
  }

  draw(request: PaintRequest): void {
    const columns = Math.max(1, this.#terminal.columns);
    const height = Math.max(1, this.#terminal.rows);
    const { capabilities } = this.#terminal;
    const replays = this.#options.resize === "replay" && !capabilities.isMultiplexer && !this.#isResumed;
    const isRewrapped = this.#columns !== columns && this.#columns > 0;
    const fullPaint = request.fullPaint ?? (isRewrapped && replays ? "reset" : undefined);
    const pen = new Pen(this.#row, this.#column, columns);
    if (this.#isResumed) this.#pushScreen(pen, capabilities, height);
    if (fullPaint !== undefined) this.#fullPaint(pen, request, fullPaint, columns, height);
    else this.#update(pen, request, columns, height);
    this.#isResumed = false;
    this.#columns = columns;
    this.#height = height;
    tellCommitted(this.#frame, this.#committed);
  }

  /** Leaves what is final on the screen, takes the rest away, and puts the cursor below. Frames may follow later. */
  finish(): void {
    if (this.#columns === 0) return;
    const pen = new Pen(this.#row, this.#column, this.#columns);
    for (const part of this.#parts) renderPart(part, this.#columns);
    this.#frame = composeFrame(this.#parts);
    const end = Math.max(this.#committed, boundaryOf(this.#frame));
    const rows = this.#prepare(rowsOf(this.#frame, this.#committed, end), this.#columns);
    changeRows(pen, this.#lines, rows, this.#height);
    pen.moveTo(Math.max(0, rows.length - 1), 0);
    if (rows.length > 0) pen.newRow();
    this.#commit(end);
    this.#write(pen, true);
    this.#top = this.#committed;
    this.#lines = [];
    this.#row = 0;
    this.#hasOverlay = false;
    this.#isResumed = true;
    tellCommitted(this.#frame, this.#committed);
  }

  #update(pen: Pen, request: PaintRequest, columns: number, height: number): void {
    const { overlays } = request;
    const isGeometry = columns !== this.#columns || height !== this.#height;
    if (columns !== this.#columns) this.#rewrap(pen, columns);
    else {
      if (height < this.#height) this.#lower(pen, height);
      for (const part of this.#parts) {
        if (request.changed === undefined || request.changed.has(part)) renderPart(part, columns);
      }
    }
    this.#frame = composeFrame(this.#parts);
    if (!isGeometry) this.#audit();
    this.#reanchorIfShrunk(columns, height);
    const before = this.#committed;
    const ledger = advance(before, this.#frame, height, overlays.length > 0);
    const isReset = ledger.committed < before;
    const chunk = isReset ? [] : this.#prepare(rowsOf(this.#frame, before, ledger.committed), columns);
    if (isReset) this.#forget(ledger.committed);
    else this.#commit(ledger.committed);
    this.#top = Math.max(ledger.top, Math.min(this.#frame.start, this.#frame.length));
    const { window, cursor } = this.#composeWindow(overlays, columns, height);
    const shown = request.isForced ? this.#lines.map(() => unknownRow) : this.#lines;
    changeRows(pen, shown, [...chunk, ...window], height);
    pen.row -= chunk.length;
    this.#finishFrame(pen, window, cursor, overlays.length > 0);
  }

  #fullPaint(pen: Pen, request: PaintRequest, kind: FullPaint, columns: number, height: number): void {
    const { replayRows, olderRows } = this.#options;
    const { capabilities } = this.#terminal;
    const isInPlace = capabilities.isMultiplexer && kind !== "first";
    if (isInPlace && columns !== this.#columns) this.#rewrap(pen, columns);
    else if (isInPlace && height < this.#height) this.#lower(pen, height);
    for (const part of this.#parts) {
      part.shift = 0;
      part.told = 0;
      rewindPart(part, replayRows);
      renderPart(part, columns);
    }
    this.#frame = composeFrame(this.#parts);
    const start = Math.max(this.#frame.start, this.#frame.length - replayRows, 0);
    const ledger = advance(start, this.#frame, height, request.overlays.length > 0);
    // What a pane's history holds already is not written once more.
    const writesHistory = !(isInPlace && kind === "reset");
    this.#committed = start;
    this.#history = { start, rows: [] };
    const history = writesHistory ? rowsOf(this.#frame, start, ledger.committed) : [];
    const above = start > 0 && writesHistory ? (olderRows?.(start) ?? "") : "";
    this.#commit(ledger.committed);
    this.#top = ledger.top;
    const { window, cursor } = this.#composeWindow(request.overlays, columns, height);
    const rows = this.#prepare(above === "" ? history : [above, ...history], columns);
    rows.push(...window);
    if (kind === "first") this.#pushScreen(pen, capabilities, height);
    else if (!isInPlace) pen.clearScrollback();
    // A pane's screen may show rows of its history above the window, so they are not written over.
    const shown = isInPlace ? this.#lines.map(() => unknownRow) : [];
    changeRows(pen, shown, rows, height);
    pen.row -= rows.length - window.length;
    this.#finishFrame(pen, window, cursor, request.overlays.length > 0);
  }

  /** What is on the screen goes into the history, row for row, and the cursor to the first row. */
  #pushScreen(pen: Pen, capabilities: Capabilities, height: number): void {
    // As many line feeds leave the row of the cursor as the first one, wherever it was.
    pen.raw(capabilities.screenToScrollback ? "\u001b[22J" : "\n".repeat(height - 1));
    pen.clearScreen();
  }

  /** Another width: rows that are final stay as the terminal wrapped them, the others are taken away to be drawn anew. */
  #rewrap(pen: Pen, columns: number): void {
    const old = this.#frame;
    if (!this.#isResumed) {
      const startsAtHistory =
        !this.#hasOverlay && this.#top === this.#committed && old.liveStart !== undefined;
      const final = Math.min(boundaryOf(old), old.length - 1) - this.#top;
      const kept = startsAtHistory ? Math.max(0, Math.min(final, this.#lines.length, pen.row)) : 0;
      const above = wrappedHeight(this.#lines.slice(kept, pen.row), columns);
      pen.moveTo(pen.row - above, 0);
      pen.eraseFromRow();
      this.#committed += kept;
      tellCommitted(old, this.#committed);
    }
    this.#committed = Math.min(this.#committed, Math.max(0, old.length - 1));
    pen.row = 0;
    this.#lines = [];
    for (const part of this.#parts) renderPart(part, columns);
    shiftParts(old, this.#committed);
    this.#history = { start: this.#committed, rows: [] };
  }

  /** The screen became lower: the terminal pushed rows up, and rows below the cursor may be gone. */
  #lower(pen: Pen, height: number): void {
    const pushed = rowsPushedByHeight(pen.row, height);
    pen.eraseFromRow();
    this.#lines = [...this.#lines.slice(pushed, pen.row), ""];
    pen.row -= pushed;
    if (this.#hasOverlay || this.#top !== this.#committed) return;
    const final = Math.max(this.#committed, Math.min(this.#top + pushed, boundaryOf(this.#frame)));
    this.#commit(final);
  }

  #audit(): void {
    const frame = this.#frame;
    if (isShrink(this.#committed, frame.length)) return;
    const { start, rows } = this.#history;
    const from = Math.max(start, frame.start);
    const changed = findCommittedPrefixResync(
      this.#committed,
      from,
      (index) => rows[index - start],
      (index) => rowAt(frame, index),
    );
    if (changed !== undefined) this.#forget(changed);
  }

  /** A frame that shrank into its history shows rows again that may have been released, or counted for another width. */
  #reanchorIfShrunk(columns: number, height: number): void {
    if (!isShrink(this.#committed, this.#frame.length)) return;
    const isReleased = Math.max(0, this.#frame.length - height) < this.#frame.start;
    if (!isReleased && this.#parts.every(({ shift }) => shift === 0)) return;
    const moved = this.#parts.reduce((sum, { shift }) => sum + shift, 0);
    // Released rows were counted at a width of the past: what they are now is not known.
    const isKnown = this.#parts.every(({ shift, released }) => shift === 0 || released === 0);
    for (const part of this.#parts) {
      part.shift = 0;
      if (part.released === 0) continue;
      rewindPart(part, height);
      renderPart(part, columns);
    }
    this.#frame = composeFrame(this.#parts);
    if (isKnown) {
      this.#committed -= moved;
      this.#history.start -= moved;
      return;
    }
    this.#committed = Math.max(this.#committed, this.#frame.length);
    this.#history = { start: this.#frame.length, rows: [] };
  }

  /** Rows up to this one are history now, as they are. */
  #commit(end: number): void {
    const frame = this.#frame;
    const { start, rows } = this.#history;
    for (let index = this.#committed; index < end; index++) rows.push(rowAt(frame, index) ?? "");
    this.#committed = end;
    // Released rows cannot be compared any more. Seldom, since it moves the others.
    if (frame.start - start > 256)
      this.#history = { start: frame.start, rows: rows.slice(frame.start - start) };
  }

  /** Commits begin again at this row. */
  #forget(committed: number): void {
    this.#committed = committed;
    const { start, rows } = this.#history;
    if (committed < start) this.#history = { start: committed, rows: [] };
    else rows.length = Math.min(rows.length, committed - start);
  }

  #composeWindow(overlays: readonly Overlay[], columns: number, height: number) {
    const window: string[] = [];
    let cursor: { row: number; column: number } | undefined;
    for (const row of rowsOf(this.#frame, this.#top, this.#frame.length)) {
      const { text, cursorColumn } = this.#prepared.prepare(row, columns);
      if (cursorColumn !== undefined) cursor = { row: window.length, column: cursorColumn };
      window.push(text);
    }
    if (overlays.length > 0) {
      while (window.length < height) window.push("");
      for (const overlay of overlays) cursor = overlay.drawOver(window, columns) ?? cursor;
    }
    return { window, cursor };
  }

  #prepare(rows: readonly string[], columns: number): string[] {
    return rows.map((row) => prepareRow(row, columns).text);
  }

  #finishFrame(
    pen: Pen,
    window: readonly string[],
    cursor: { row: number; column: number } | undefined,
    hasOverlay: boolean,
  ): void {
    this.#lines = window;
    this.#hasOverlay = hasOverlay;
    const bottom = window.findLastIndex((row) => row !== "");
    pen.moveTo(cursor?.row ?? Math.max(0, bottom), cursor?.column ?? 0);
    this.#write(pen, cursor !== undefined);
  }

  /** One write with its brackets. The cursor is hidden meanwhile where the terminal would show it wander. */
  #write(pen: Pen, showsCursor: boolean): void {
    this.#row = pen.row;
    this.#column = pen.column;
    const isShown = this.#isCursorVisible;
    this.#isCursorVisible = showsCursor;
    if (pen.isEmpty && isShown === showsCursor) return;
    const isSynchronized = this.#terminal.capabilities.synchronizedOutput;
    const hide = isShown && (!showsCursor || (!isSynchronized && !pen.isEmpty)) ? "\u001b[?25l" : "";
    const show = showsCursor && (!isShown || hide !== "") ? "\u001b[?25h" : "";
    const frame = `${hide}${pen.output}${show}`;
    this.#terminal.write(isSynchronized ? `\u001b[?2026h${frame}\u001b[?2026l` : frame);
  }
}

function rewindPart(part: Part, rows: number): void {
  try {
    part.component.rewind?.(rows);
  } catch {
    // Then what it released stays out of the paint.
  }
}
