// A picture in rows of text. Its bytes are sent once where the terminal can keep them (Kitty); other protocols have them in a
// row, which is written again only when that row is. Once it was drawn its height never changes at a width: demoted, it is a
// line of text and empty rows, so that nothing below it moves.
//
// A picture that is not made of placeholders is drawn by its last row, from its first one: when that is written, all of its rows
// are on the screen. The cursor is saved before and put back after it.

import type { Component } from "../component.ts";
import type { Capabilities, Terminal } from "../terminal/terminal.ts";
import { truncateCells } from "../text/slice.ts";
import type { Demotable, ImageBudget } from "./image-budget.ts";
import { iterm2Picture } from "./iterm2.ts";
import {
  kittyDelete,
  kittyPlace,
  kittyPlaceVirtually,
  kittyTransmit,
  mostPlaceholders,
  placeholderRows,
} from "./kitty.ts";
import { type CellArea, cellArea, type Picture } from "./picture.ts";
import { pngPixels, scalePixels } from "./png-pixels.ts";
import { sixelPicture } from "./sixel.ts";

export interface ImageOptions {
  readonly terminal: Pick<Terminal, "write" | "capabilities" | "rows">;
  readonly budget: ImageBudget;
  /** One row that stands for the picture where it is not drawn. */
  readonly fallback: string;
  /** It looks different now: draw it again. */
  readonly onChange?: () => void;
  readonly maxColumns?: number;
  readonly maxRows?: number;
}

/** Ids of this program's pictures; others in the same terminal count from 1, so these begin elsewhere. */
let nextId = 0x10000 + (process.pid % 0x8000) * 0x100;

export class Image implements Component, Demotable {
  readonly #picture: Picture;
  readonly #options: ImageOptions;
  readonly #id = nextId++ & 0xffffff;
  #state: "new" | "live" | "demoted" | "text" = "new";
  #isTransmitted = false;
  /** The virtual placements that the terminal knows, by their size. */
  readonly #placements = new Map<string, number>();
  #width = 0;
  #protocol: Capabilities["images"] | undefined;
  #rows: readonly string[] | undefined;
  /** The rows that the picture took when it was drawn, by the width it was drawn for. */
  readonly #heights = new Map<number, number>();

  constructor(picture: Picture, options: ImageOptions) {
    this.#picture = picture;
    this.#options = options;
  }

  render(width: number): readonly string[] {
    const protocol = this.#options.terminal.capabilities.images;
    if (this.#rows === undefined || width !== this.#width || protocol !== this.#protocol) {
      this.#width = width;
      this.#protocol = protocol;
      this.#rows = this.#draw(width) ?? this.#text(width);
    }
    return this.#rows;
  }

  demote(): void {
    if (this.#state !== "live") return;
    this.#state = "demoted";
    if (this.#isTransmitted) this.#options.terminal.write(kittyDelete(this.#id));
    this.#isTransmitted = false;
    this.#rows = undefined;
    this.#options.onChange?.();
  }

  /** It is gone from the screen for good. */
  release(): void {
    this.#options.budget.release(this);
    if (this.#isTransmitted) this.#options.terminal.write(kittyDelete(this.#id));
    this.#isTransmitted = false;
    this.#state = "text";
    this.#rows = undefined;
  }

  #draw(width: number): string[] | undefined {
    if (this.#state === "demoted" || this.#state === "text") return undefined;
    const area = this.#area(width);
    if (this.#state === "new" && canDraw(this.#picture, this.#options.terminal.capabilities)) {
      // Admitting it may demote others, never itself.
      this.#state = this.#options.budget.admit(this) ? "live" : "text";
    }
    const rows = this.#state === "live" ? this.#pictureRows(area) : undefined;
    if (rows === undefined) return undefined;
    this.#heights.set(width, rows.length);
    return rows;
  }

  #area(width: number): CellArea {
    const { terminal, maxColumns = 100, maxRows = 24 } = this.#options;
    const columns = Math.max(1, Math.min(width, maxColumns, mostPlaceholders));
    // All of it must be on the screen at once, with something else.
    const rows = Math.max(1, Math.min(terminal.rows - 2, maxRows, mostPlaceholders));
    return cellArea(this.#picture, { columns, rows }, terminal.capabilities.cellSize);
  }

  #pictureRows(area: CellArea): string[] | undefined {
    const { capabilities } = this.#options.terminal;
    if (capabilities.images === "kitty") return this.#kittyRows(area, capabilities.kittyPlaceholders);
    if (capabilities.images === "iterm2") return directRows(iterm2Picture(this.#picture, area), area.rows);
    if (capabilities.images !== "sixel") return undefined;
    const pixels = pngPixels(this.#picture.bytes);
    if (pixels === undefined) return undefined;
    const cell = capabilities.cellSize ?? { width: 9, height: 18 };
    // Whole bands of six: a part of one would reach below the last row.
    const height = Math.max(6, Math.floor((area.rows * cell.height) / 6) * 6);
    const width = Math.max(1, Math.round((height * pixels.width) / pixels.height));
    const fitting = Math.min(width, area.columns * cell.width);
    return directRows(sixelPicture(scalePixels(pixels, fitting, height)), area.rows);
  }

  #kittyRows(area: CellArea, hasPlaceholders: boolean): string[] {
    const { terminal } = this.#options;
    if (!this.#isTransmitted) terminal.write(kittyTransmit(this.#id, this.#picture.bytes));
    this.#isTransmitted = true;
    if (!hasPlaceholders) return directRows(kittyPlace(this.#id, 1, area), area.rows);
    const size = `${area.columns}x${area.rows}`;
    const placement = this.#placements.get(size) ?? this.#placements.size + 1;
    if (!this.#placements.has(size)) {
      terminal.write(kittyPlaceVirtually(this.#id, placement, area));
      this.#placements.set(size, placement);
    }
    return placeholderRows(this.#id, placement, area);
  }

  #text(width: number): string[] {
    const rows = new Array<string>(this.#heights.get(width) ?? this.#lastHeight()).fill("");
    rows[0] = truncateCells(this.#options.fallback, width);
    return rows;
  }

  /** A width that it was not drawn at keeps the height of the last one. */
  #lastHeight(): number {
    return [...this.#heights.values()].at(-1) ?? 1;
  }
}

/** Kitty takes PNG only, and a Sixel is made of what we can decode. */
function canDraw(picture: Picture, capabilities: Capabilities): boolean {
  if (capabilities.images === "none") return false;
  return capabilities.images === "iterm2" || picture.mediaType === "image/png";
}

/** A row whose cells a picture is drawn over: it is no empty row, so that whatever replaces it erases it first. */
const coveredRow = "\u001b7\u001b8";

function directRows(sequence: string, count: number): string[] {
  const rows = new Array<string>(count).fill(coveredRow);
  const up = count > 1 ? `\u001b[${count - 1}A` : "";
  rows[count - 1] = `\u001b7${up}${sequence}\u001b8`;
  return rows;
}
