// A block whose rows follow from its one item alone.

import type { Item } from "@stet/client/items";
import type { Theme } from "../theme/theme.ts";
import { ItemBlock, type ItemOf } from "./item-block.ts";
import { expandedDelivery, noteRows } from "./notes.ts";
import { questionRows } from "./question-rows.ts";
import { callRows, expandedCall } from "./tool-call.ts";
import { userRows } from "./user-message.ts";

export type PlainItem = Exclude<Item, ItemOf<"assistant"> | ItemOf<"thinking">>;

export class PlainBlock extends ItemBlock {
  #item: PlainItem;

  constructor(item: PlainItem, theme: Theme, hasGap: boolean) {
    super(theme, hasGap);
    this.#item = item;
  }

  update([item]: readonly Item[]): void {
    if (item === undefined || item === this.#item) return;
    if (item.kind === "assistant" || item.kind === "thinking") return;
    this.#item = item;
    this.changed();
  }

  isTranscriptBlockFinalized(): boolean {
    const item = this.#item;
    switch (item.kind) {
      case "tool":
        return item.status !== "running";
      case "question":
        return item.questionId === null;
      // They go when an answer comes.
      case "retry":
      case "waiting":
        return false;
      default:
        return true;
    }
  }

  override get title(): string {
    return this.#item.kind === "delivery" ? "What the agent was told" : super.title;
  }

  protected draw(width: number): readonly string[] {
    const item = this.#item;
    switch (item.kind) {
      case "user":
        return userRows(item, this.theme, width);
      case "tool":
        return callRows(item, this.theme, width);
      case "question":
        return questionRows(item, this.theme, width);
      default:
        return noteRows(item, this.theme, width);
    }
  }

  override expanded(width: number): readonly string[] {
    const item = this.#item;
    if (item.kind === "delivery") return expandedDelivery(item, this.theme, width);
    return item.kind === "tool" ? expandedCall(item, this.theme, width) : this.draw(width);
  }
}
