// The conversation on the screen: its blocks in the transcript, in the order in which they came, with notices between them.
//
// A turn that is over is a part of its own that is not looked at again, so that a token costs the same however long the
// conversation is. Items of a turn keep their keys when it ends, so its blocks stay the same.

import type { Item } from "@stet/client/items";
import type { Block, Transcript } from "@stet/tui/transcript/transcript";
import type { OpenConversation } from "../connection/conversation.ts";
import type { Theme } from "../theme/theme.ts";
import { ConversationBlocks } from "../transcript/blocks.ts";
import type { ItemBlock } from "../transcript/item-block.ts";
import type { ThinkingView } from "../transcript/thinking-block.ts";

type DrawnConversation = Pick<OpenConversation, "generation" | "settled" | "live" | "tail">;

export class TranscriptView {
  readonly #transcript: Transcript;
  readonly #theme: Theme;
  #thinking: ThinkingView;
  /** Parts whose turns are over, for what is looked up in them; the newest last. */
  #parts: ConversationBlocks[] = [];
  #live: ConversationBlocks;
  /** Of the first item of the turn that runs. */
  #liveKey: string | undefined;
  #generation = -1;
  #settled: readonly Item[] = [];
  /** How many settled items were drawn, with those that the conversation does not hold any more. */
  #count = 0;

  constructor(transcript: Transcript, theme: Theme, thinking: ThinkingView) {
    this.#transcript = transcript;
    this.#theme = theme;
    this.#thinking = thinking;
    this.#live = this.#newPart(false);
  }

  get thinking(): ThinkingView {
    return this.#thinking;
  }

  /** Returns whether everything is another than before, so that the screen is to be painted anew. */
  update(conversation: DrawnConversation): boolean {
    if (conversation.generation !== this.#generation) return this.#begin(conversation);
    const { items: settled, dropped } = conversation.settled;
    if (settled !== this.#settled) {
      const added = settled.slice(this.#count - dropped);
      this.#settled = settled;
      this.#count = dropped + settled.length;
      if (added.length > 0) this.#settle(added);
    }
    this.#takeLive(conversation);
    return false;
  }

  /** Everything is drawn in another way. */
  setThinking(thinking: ThinkingView, conversation: DrawnConversation): void {
    this.#thinking = thinking;
    this.#begin(conversation);
  }

  notice(block: Block): void {
    this.#transcript.add(block);
  }

  /** The newest block with an item of which this is true. */
  findLast(fits: (item: Item) => boolean): ItemBlock | undefined {
    return [...this.#parts, this.#live].findLast((part) => part.findLast(fits) !== undefined)?.findLast(fits);
  }

  #begin({ generation, settled: { items: settled, dropped }, live, tail }: DrawnConversation): boolean {
    const wasEmpty = this.#generation === -1 && settled.length === 0;
    this.#generation = generation;
    this.#settled = settled;
    this.#count = dropped + settled.length;
    if (!wasEmpty) this.#transcript.replace([]);
    this.#parts = [];
    this.#live = this.#newPart(this.#transcript.blocks.length > 0);
    this.#take(this.#live, settled);
    if (settled.length > 0) this.#endPart();
    this.#takeLive({ live, tail });
    return !wasEmpty;
  }

  /** The turn that was live has ended; or something was decided meanwhile, which stands behind it. */
  #settle(added: readonly Item[]): void {
    const isTurn = this.#liveKey === added[0]?.key;
    const part = isTurn ? this.#live : this.#newPart(true);
    this.#take(part, added);
    if (isTurn) this.#endPart();
    else this.#parts.push(part);
  }

  #endPart(): void {
    this.#parts.push(this.#live);
    // Of long conversations the newest parts are enough.
    if (this.#parts.length > 50) this.#parts.shift();
    this.#live = this.#newPart(true);
    this.#liveKey = undefined;
  }

  #takeLive({ live, tail }: Pick<DrawnConversation, "live" | "tail">): void {
    this.#liveKey = live[0]?.key ?? this.#liveKey;
    // That the model is waited for is said by the line that moves.
    this.#take(this.#live, [...live, ...tail.filter(({ kind }) => kind !== "waiting")]);
  }

  #newPart(hasGap: boolean): ConversationBlocks {
    return new ConversationBlocks(this.#theme, { thinking: this.#thinking, hasGap });
  }

  #take(part: ConversationBlocks, items: readonly Item[]): void {
    const before = part.blocks();
    const first = part.update(items);
    for (const block of before.slice(first)) this.#transcript.remove(block);
    for (const block of part.blocks(first)) this.#transcript.add(block);
  }
}
