// Components that are drawn over the window: dialogs, pickers, the pager. They are put together with the rows of the window only,
// never with the frame, so nothing of them can reach the history.

import type { Component } from "../component.ts";
import { padCells, sliceCells } from "../text/slice.ts";
import { newPart, type Part, renderPart } from "./frame.ts";
import { prepareRow } from "./prepare-row.ts";

export interface OverlayOptions {
  /** Cells; the whole width unless given. */
  readonly width?: number;
  /** The screen's height unless given. Rows above it are cut off at the bottom. */
  readonly maxRows?: number;
  readonly anchor?: "top" | "center" | "bottom";
  /** Whether it is shown on a screen of this size; it keeps its state meanwhile. */
  readonly visible?: (columns: number, rows: number) => boolean;
  /** Keys stay with the component that has them. */
  readonly keepsFocus?: boolean;
}

export class Overlay {
  readonly component: Component;
  readonly options: OverlayOptions;
  readonly #part: Part;

  constructor(component: Component, options: OverlayOptions) {
    this.component = component;
    this.options = options;
    this.#part = newPart(component);
  }

  isVisible(columns: number, rows: number): boolean {
    try {
      return this.options.visible?.(columns, rows) ?? true;
    } catch {
      return true;
    }
  }

  /** Draws itself over rows of the whole window; returns where the cursor shall be. */
  drawOver(window: string[], columns: number): { row: number; column: number } | undefined {
    const { options } = this;
    const width = Math.max(1, Math.min(columns, Math.floor(options.width ?? columns)));
    renderPart(this.#part, width);
    const rows = this.#part.rows.slice(0, Math.min(window.length, options.maxRows ?? window.length));
    const left = Math.floor((columns - width) / 2);
    const free = window.length - rows.length;
    const top = options.anchor === "top" ? 0 : options.anchor === "bottom" ? free : Math.floor(free / 2);
    let cursor: { row: number; column: number } | undefined;
    for (const [index, row] of rows.entries()) {
      const { text, cursorColumn } = prepareRow(row, width);
      if (cursorColumn !== undefined) cursor = { row: top + index, column: left + cursorColumn };
      window[top + index] = placeOver(window[top + index] ?? "", text, left, width, columns);
    }
    return cursor;
  }
}

function placeOver(below: string, text: string, left: number, width: number, columns: number): string {
  if (left === 0 && width === columns) return text;
  const before = padCells(sliceCells(below, 0, left), left);
  const after = sliceCells(below, left + width, columns);
  return `${before}${padCells(text, width)}${after}`;
}
