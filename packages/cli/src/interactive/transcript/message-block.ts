// What the model says: Markdown, drawn as it comes.

import type { Item } from "@stet/client/items";
import type { Theme } from "../theme/theme.ts";
import { ItemBlock, type ItemOf } from "./item-block.ts";
import { StreamedMarkdown } from "./markdown.ts";

export class MessageBlock extends ItemBlock {
  #item: ItemOf<"assistant">;
  #markdown: StreamedMarkdown;
  #revision: number;

  constructor(item: ItemOf<"assistant">, theme: Theme, hasGap: boolean) {
    super(theme, hasGap);
    this.#item = item;
    this.#markdown = this.#begin();
    this.#revision = this.drawingRevision;
  }

  update([item]: readonly Item[]): void {
    if (item?.kind !== "assistant" || item === this.#item) return;
    this.#item = item;
    this.changed();
  }

  isTranscriptBlockFinalized(): boolean {
    return !this.#item.isStreaming;
  }

  override getNativeScrollbackCommitSafeEnd(): number {
    return this.#markdown.settledRows;
  }

  /** A frame does not look at rows that have ended. */
  protected override block(width: number): readonly string[] {
    return this.#draw(width);
  }

  protected draw(width: number): readonly string[] {
    return this.#draw(width).slice(this.gap);
  }

  #draw(width: number): readonly string[] {
    if (this.drawingRevision !== this.#revision) {
      this.#markdown = this.#begin();
      this.#revision = this.drawingRevision;
    }
    const { text, isStreaming } = this.#item;
    this.#markdown.update(text.trimStart(), isStreaming);
    const rows = this.#markdown.rows(width);
    // What is whole is drawn once more at most: its state is not kept.
    if (!isStreaming) this.#markdown = this.#begin();
    return rows;
  }

  #begin(): StreamedMarkdown {
    return new StreamedMarkdown(this.theme, this.gap === 0 ? [] : [""]);
  }
}
