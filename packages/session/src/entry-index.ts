// The entries of a session in the order of their file, by id and by parent, without their contents.
//
// A parent stands before its children in the file. A parent that is missing, damaged or stands later counts as
// missing: its children are roots, so every entry stays reachable and no walk can run in a circle.

import type { SessionEntry } from "./entry.ts";
import type { EntryHead } from "./entry-line.ts";

/** Where the content of an entry is: in memory, or at an offset of the file. */
export type EntryContentLocation =
  | { readonly entry: SessionEntry }
  | {
      readonly entry: undefined;
      readonly line: number;
      readonly offset: number;
      /** In bytes, without the "\n". */
      readonly length: number;
    };

export interface EntrySlot {
  readonly head: EntryHead;
  /** In the order of the file, from 0. */
  readonly position: number;
  readonly location: EntryContentLocation;
}

export class EntryIndex {
  readonly slots: EntrySlot[] = [];
  readonly #byId = new Map<string, EntrySlot>();
  /** Built when first asked for. */
  #childrenOf: Map<string | null, EntrySlot[]> | undefined;

  /** False where the id is taken; the first entry that has it keeps it. */
  add(head: EntryHead, location: EntryContentLocation): boolean {
    if (this.#byId.has(head.id)) return false;
    const slot = { head, position: this.slots.length, location };
    this.slots.push(slot);
    this.#byId.set(head.id, slot);
    if (this.#childrenOf !== undefined) this.#addChild(this.#childrenOf, slot);
    return true;
  }

  get(id: string): EntrySlot | undefined {
    return this.#byId.get(id);
  }

  parentOf(slot: EntrySlot): EntrySlot | undefined {
    if (slot.head.parentId === null) return undefined;
    const parent = this.#byId.get(slot.head.parentId);
    return parent !== undefined && parent.position < slot.position ? parent : undefined;
  }

  /** Oldest first; null for the roots. */
  children(id: string | null): readonly EntrySlot[] {
    if (this.#childrenOf === undefined) {
      this.#childrenOf = new Map();
      for (const slot of this.slots) this.#addChild(this.#childrenOf, slot);
    }
    return this.#childrenOf.get(id) ?? [];
  }

  #addChild(childrenOf: Map<string | null, EntrySlot[]>, slot: EntrySlot): void {
    const parentId = this.parentOf(slot)?.head.id ?? null;
    const siblings = childrenOf.get(parentId);
    if (siblings === undefined) childrenOf.set(parentId, [slot]);
    else siblings.push(slot);
  }

  /** From the root down to the entry. */
  path(id: string): EntrySlot[] {
    const path: EntrySlot[] = [];
    let slot = this.#byId.get(id);
    while (slot !== undefined) {
      path.push(slot);
      slot = this.parentOf(slot);
    }
    return path.reverse();
  }
}
