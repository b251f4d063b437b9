// The rows of all components below each other. Rows that a component released are counted and not there; a row is found by its
// index in the whole frame, so the cost of a frame does not depend on how much is above it.

import type { Component, NativeScrollbackLiveRegion } from "../component.ts";
import type { FrameExtent } from "./ledger.ts";

/** A component of the screen, and what it gave last. */
export interface Part {
  readonly component: Component;
  rows: readonly string[];
  released: number;
  liveStart: number | undefined;
  commitSafeEnd: number | undefined;
  /** Added to the component's own index of a row: its history may have had another width and another number of rows. */
  shift: number;
  /** What it was last told to be history, by its own count. */
  told: number;
}

export interface Frame extends FrameExtent {
  /** The first row that is there. */
  readonly start: number;
  readonly parts: readonly PlacedPart[];
}

export interface PlacedPart {
  readonly part: Part;
  readonly rows: readonly string[];
  /** Index in the frame of the part's first row, of the first one that is there, and behind its last one. */
  readonly from: number;
  readonly firstRow: number;
  readonly end: number;
}

export function newPart(component: Component): Part {
  return {
    component,
    rows: [],
    released: 0,
    liveStart: undefined,
    commitSafeEnd: undefined,
    shift: 0,
    told: 0,
  };
}

/** Asks a component for its rows. One that fails is one row that says so: a frame is drawn whatever happens. */
export function renderPart(part: Part, width: number): void {
  const { component } = part;
  try {
    part.rows = component.render(width);
    part.released = component.releasedRows ?? 0;
    part.liveStart = hasLiveRegion(component) ? component.getNativeScrollbackLiveRegionStart() : undefined;
    part.commitSafeEnd = hasLiveRegion(component)
      ? component.getNativeScrollbackCommitSafeEnd?.()
      : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    part.rows = [`This part of the screen could not be drawn: ${reason.split("\n", 1)[0] ?? ""}`];
    part.liveStart = part.released;
    part.commitSafeEnd = undefined;
  }
}

export function composeFrame(parts: readonly Part[]): Frame {
  const placed: PlacedPart[] = [];
  let from = 0;
  let start = 0;
  let liveStart: number | undefined;
  let commitSafeEnd: number | undefined;
  for (const part of parts) {
    const { rows, released, shift } = part;
    const firstRow = from + released + shift;
    const end = firstRow + rows.length;
    if (released > 0 && firstRow > start) start = firstRow;
    if (part.liveStart !== undefined && liveStart === undefined) {
      liveStart = from + shift + part.liveStart;
      commitSafeEnd = part.commitSafeEnd === undefined ? undefined : from + shift + part.commitSafeEnd;
    }
    placed.push({ part, rows, from, firstRow, end });
    from = end;
  }
  return { start, parts: placed, length: from, liveStart, commitSafeEnd };
}

export function rowAt(frame: Frame, index: number): string | undefined {
  for (const { firstRow, end, rows } of frame.parts) {
    if (index < end) return index < firstRow ? undefined : rows[index - firstRow];
  }
  return undefined;
}

/** Rows from one index up to another; those that were released are left out. */
export function rowsOf(frame: Frame, from: number, to: number): string[] {
  const found: string[] = [];
  for (const { firstRow, end, rows } of frame.parts) {
    const first = Math.max(from, firstRow);
    const last = Math.min(to, end);
    for (let index = first; index < last; index++) found.push(rows[index - firstRow] ?? "");
  }
  return found;
}

/** Tells each component how many of its rows are history. */
export function tellCommitted(frame: Frame, committed: number): void {
  for (const { part, from, end } of frame.parts) {
    const rows = Math.min(Math.max(0, committed - from), end - from) - part.shift;
    if (rows === part.told || part.component.committed === undefined) continue;
    part.told = rows;
    try {
      part.component.committed(rows);
    } catch {
      // It keeps what it could have released; nothing on the screen depends on that.
    }
  }
}

function hasLiveRegion(component: Component): component is Component & NativeScrollbackLiveRegion {
  return "getNativeScrollbackLiveRegionStart" in component;
}
