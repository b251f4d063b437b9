// Items of turns that are over, oldest first. The oldest are dropped now and then, so that a conversation of months takes no
// more memory than one of days: they are in the terminal's history, and in the session.

import type { Item } from "@stet/client/items";

/** How many are held, at least. */
export const heldItems = 5000;

export class SettledItems {
  /** The same array until there are others. */
  items: readonly Item[] = [];
  /** How many of the oldest ones are not held any more. */
  dropped = 0;

  replace(items: readonly Item[]): void {
    this.items = items;
    this.dropped = 0;
  }

  add(items: readonly Item[]): void {
    const all = [...this.items, ...items];
    const tooMany = all.length > 1.2 * heldItems ? all.length - heldItems : 0;
    this.items = all.slice(tooMany);
    this.dropped += tooMany;
  }
}
