// Items of a conversation as blocks of the transcript. A block draws one item, or reads that follow each other as one. It is
// final when its items can no longer change: then its rows may scroll into the history of the terminal. Until then only those
// that have ended may, where it knows them.
//
// Loads the Markdown parser (about 15 ms): import it after the first paint.

import type { Item } from "@stet/client/items";
import type { Theme } from "../theme/theme.ts";
import type { ItemBlock } from "./item-block.ts";
import { MessageBlock } from "./message-block.ts";
import { PlainBlock } from "./plain-block.ts";
import { isRead, ReadGroup } from "./read-group.ts";
import { ThinkingBlock, type ThinkingView } from "./thinking-block.ts";

export interface BlockOptions {
  readonly thinking: ThinkingView;
  /** Whether an empty row stands above it; none above a transcript's first block. */
  readonly hasGap?: boolean;
}

export function blockFor(item: Item, theme: Theme, { thinking, hasGap = true }: BlockOptions): ItemBlock {
  if (item.kind === "assistant") return new MessageBlock(item, theme, hasGap);
  if (item.kind === "thinking") return new ThinkingBlock(item, theme, hasGap, thinking);
  return isRead(item) ? new ReadGroup(item, theme, hasGap) : new PlainBlock(item, theme, hasGap);
}

interface DrawnItems {
  readonly block: ItemBlock;
  /** Its items, of which the first is at this index of all items. */
  readonly items: readonly Item[];
  readonly from: number;
}

/** The blocks of a list of items that changes: a block stays the same object while its items have the same keys. */
export class ConversationBlocks {
  readonly #theme: Theme;
  readonly #thinking: ThinkingView;
  readonly #hasGap: boolean;
  #items: readonly Item[] = [];
  readonly #drawn: DrawnItems[] = [];
  /** For each item the index of its block. */
  readonly #blockOf: number[] = [];

  /** `hasGap`: whether an empty row stands above its first block, as behind an earlier part of a conversation. */
  constructor(theme: Theme, options: BlockOptions) {
    this.#theme = theme;
    this.#thinking = options.thinking;
    this.#hasGap = options.hasGap ?? false;
  }

  get length(): number {
    return this.#drawn.length;
  }

  /** From this block on. */
  blocks(from = 0): ItemBlock[] {
    return this.#drawn.slice(from).map(({ block }) => block);
  }

  /** The newest block that draws an item of which this is true. */
  findLast(fits: (item: Item) => boolean): ItemBlock | undefined {
    return this.#drawn.findLast(({ items }) => items.some(fits))?.block;
  }

  /**
   * Takes the items as they are now, of which the first `same` are known to be the same objects as before. Returns the index
   * of the first block that is new, or has gone: those before it are the same objects, with newer items.
   */
  update(items: readonly Item[], same = 0): number {
    const before = this.#items;
    this.#items = items;
    let first = same;
    while (first < items.length && first < before.length && items[first] === before[first]) first += 1;
    // The block before the first change is looked at again: an item that follows may join its group, or end it.
    const start = Math.min(this.#blockOf[Math.max(0, first - 1)] ?? 0, this.#drawn.length);
    const known = this.#drawn.splice(start);
    const from = known[0]?.from ?? 0;
    this.#blockOf.length = from;
    let firstNew: number | undefined;
    for (let index = from, item = items[index]; item !== undefined; item = items[index]) {
      const group = groupAt(items, index, item);
      const old = firstNew === undefined ? known[this.#drawn.length - start] : undefined;
      const isKnown = old !== undefined && isSame(old.items[0], item);
      if (!isKnown) firstNew ??= this.#drawn.length;
      const block = isKnown ? old.block : this.#block(item, items[index - 1]);
      block.update(group);
      if (block instanceof ReadGroup && index + group.length < items.length) block.close();
      for (const _ of group) this.#blockOf.push(this.#drawn.length);
      this.#drawn.push({ block, items: group, from: index });
      index += group.length;
    }
    return firstNew ?? this.#drawn.length;
  }

  /** What the agent does on its way: steps stand close together. */
  #isStep({ kind }: Item): boolean {
    return kind === "tool" || (kind === "thinking" && this.#thinking === "folded");
  }

  #block(item: Item, previous: Item | undefined): ItemBlock {
    const hasGap = previous === undefined ? this.#hasGap : !(this.#isStep(previous) && this.#isStep(item));
    return blockFor(item, this.#theme, { thinking: this.#thinking, hasGap });
  }
}

/** A call that is drawn in another way than before has another block. */
function isSame(before: Item | undefined, now: Item): boolean {
  return (
    before !== undefined &&
    before.key === now.key &&
    before.kind === now.kind &&
    isRead(before) === isRead(now)
  );
}

/** At least one item. */
type Group = readonly [Item, ...Item[]];

function groupAt(items: readonly Item[], index: number, first: Item): Group {
  const group: [Item, ...Item[]] = [first];
  if (!isRead(first)) return group;
  for (let at = index + 1; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined || !isRead(item)) break;
    group.push(item);
  }
  return group;
}
