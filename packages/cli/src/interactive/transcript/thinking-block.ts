// The model's thinking: shown, folded to a line with its length, or hidden.

import type { Item } from "@stet/client/items";
import type { Theme } from "../theme/theme.ts";
import { ItemBlock, type ItemOf } from "./item-block.ts";
import { cleanText, hanging, paint, plural, type Style, wrapLines } from "./rows.ts";

export type ThinkingView = "shown" | "folded" | "hidden";

const style: Style = { colour: "thinkingText", emphasis: ["italic"] };

export class ThinkingBlock extends ItemBlock {
  #item: ItemOf<"thinking">;
  readonly #view: ThinkingView;
  /** Paragraphs that have ended, with their rows at the last width. */
  #settled: string[] = [];
  #read = 0;
  #width = 0;
  #revision = -1;

  constructor(item: ItemOf<"thinking">, theme: Theme, hasGap: boolean, view: ThinkingView) {
    super(theme, hasGap && view !== "hidden");
    this.#item = item;
    this.#view = view;
  }

  update([item]: readonly Item[]): void {
    if (item?.kind !== "thinking" || item === this.#item) return;
    if (!item.text.startsWith(this.#item.text)) this.#width = 0;
    this.#item = item;
    this.changed();
  }

  isTranscriptBlockFinalized(): boolean {
    return this.#view === "hidden" || !this.#item.isStreaming;
  }

  override getNativeScrollbackCommitSafeEnd(): number {
    return this.#view === "shown" && this.#settled.length > 0 ? this.gap + this.#settled.length : 0;
  }

  protected draw(width: number): readonly string[] {
    if (this.#view === "hidden") return [];
    return this.#view === "shown" ? this.#shown(width) : this.#folded(width);
  }

  override expanded(width: number): readonly string[] {
    return this.#lines(this.#item.text.trim(), width);
  }

  /** Whole lines are wrapped once. */
  #shown(width: number): string[] {
    const { text } = this.#item;
    if (width !== this.#width || this.theme.revision !== this.#revision) {
      this.#settled = [];
      this.#read = 0;
      this.#width = width;
      this.#revision = this.theme.revision;
    }
    const end = text.lastIndexOf("\n") + 1;
    if (end > this.#read) {
      for (const row of this.#lines(text.slice(this.#read, end - 1), width)) this.#settled.push(row);
      this.#read = end;
    }
    const rest = text.slice(this.#read);
    return rest === "" ? this.#settled.slice() : this.#settled.concat(this.#lines(rest, width));
  }

  #lines(text: string, width: number): string[] {
    const lines = cleanText(text).split("\n");
    return wrapLines(
      lines.map((line) => paint(this.theme, style, line)),
      width,
    );
  }

  #folded(width: number): string[] {
    const { text, isStreaming } = this.#item;
    const sign = `${this.theme.fg("thinkingText", this.theme.symbol("thinking"))} `;
    const words = plural(wordCount(text), "word");
    const line = isStreaming ? `Thinking… ${words}` : `Thought: ${words}`;
    return hanging(sign, [paint(this.theme, style, line)], width);
  }
}

export function wordCount(text: string): number {
  let count = 0;
  let isWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isSpace = code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0 || code === 0x3000;
    if (!isSpace && !isWord) count += 1;
    isWord = !isSpace;
  }
  return count;
}
