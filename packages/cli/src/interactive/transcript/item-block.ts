// A block of the transcript that draws items. Its rows are kept until the item, the width or the theme changes.

import type { Item } from "@stet/client/items";
import type { Block } from "@stet/tui/transcript/transcript";
import type { Theme } from "../theme/theme.ts";
import { codeParserRevision } from "./code-parsers.ts";
import { fitted } from "./rows.ts";

export type ItemOf<Kind extends Item["kind"]> = Extract<Item, { kind: Kind }>;

export abstract class ItemBlock implements Block {
  protected readonly theme: Theme;
  /** Whether an empty row stands above it. */
  readonly #hasGap: boolean;
  #rows: readonly string[] | undefined;
  #width = 0;
  #revision = -1;

  constructor(theme: Theme, hasGap: boolean) {
    this.theme = theme;
    this.#hasGap = hasGap;
  }

  /** Takes newer versions of its items. */
  abstract update(items: readonly Item[]): void;

  abstract isTranscriptBlockFinalized(): boolean;

  /** Rows of a block that is not final may all change, unless it knows better. */
  getNativeScrollbackCommitSafeEnd(): number {
    return 0;
  }

  /** Of what `expanded` draws. */
  get title(): string {
    return "The last tool call";
  }

  protected abstract draw(width: number): readonly string[];

  /** Everything, for the pager; the same rows unless more is known. */
  expanded(width: number): readonly string[] {
    return this.draw(width);
  }

  render(width: number): readonly string[] {
    const revision = this.drawingRevision;
    if (this.#rows === undefined || width !== this.#width || revision !== this.#revision) {
      this.#rows = this.block(Math.max(1, width));
      this.#width = width;
      this.#revision = revision;
    }
    return this.#rows;
  }

  /** All of its rows, with the empty one above them; none wider than it may be. */
  protected block(width: number): readonly string[] {
    const rows = fitted(this.draw(width), width);
    return this.#hasGap && rows.length > 0 ? ["", ...rows] : rows;
  }

  /** The rows that were drawn are old. */
  protected changed(): void {
    this.#rows = undefined;
  }

  /** Grows when rows that were drawn look otherwise now. */
  protected get drawingRevision(): number {
    return this.theme.revision + codeParserRevision();
  }

  protected get gap(): number {
    return this.#hasGap ? 1 : 0;
  }
}
