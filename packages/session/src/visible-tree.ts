// The entries of a session that people read, as a tree of their own: what only the program needs (settings, labels, notes
// of extensions) lies between them and is passed over.
//
// All of it is known from the heads of entries, without reading their contents, and no walk recurses: a conversation is as
// deep as it is long.

import type { EntryIndex, EntrySlot } from "./entry-index.ts";
import type { Session } from "./session-tree.ts";

const visibleTypes: ReadonlySet<string> = new Set([
  "message",
  "turn",
  "stop",
  "decision",
  "compaction",
  "branch_summary",
]);
const root = -1;

export function isVisibleType({ head }: EntrySlot): boolean {
  return visibleTypes.has(head.type);
}

/** For each entry, by its position, the nearest one above it that is chosen; undefined where there is none. */
export function chosenParents(
  index: EntryIndex,
  isChosen: (slot: EntrySlot) => boolean,
): (EntrySlot | undefined)[] {
  const parents: (EntrySlot | undefined)[] = [];
  for (const slot of index.slots) {
    const parent = index.parentOf(slot);
    if (parent === undefined) parents.push(undefined);
    else parents.push(isChosen(parent) ? parent : parents[parent.position]);
  }
  return parents;
}

/** How many other ways the conversation went on from the entry before; a way without a message is none. */
export function siblingCounter(index: EntryIndex): (slot: EntrySlot) => number {
  const parents = chosenParents(index, isVisibleType);
  const holds = holdsMessage(index);
  const placeOf = (slot: EntrySlot) => parents[slot.position]?.position ?? root;
  const ways = new Map<number, number>();
  for (const slot of index.slots) {
    if (!isVisibleType(slot) || !holds[slot.position]) continue;
    ways.set(placeOf(slot), (ways.get(placeOf(slot)) ?? 0) + 1);
  }
  return (slot) => {
    const own = isVisibleType(slot) && holds[slot.position] ? 1 : 0;
    return (ways.get(placeOf(slot)) ?? 0) - own;
  };
}

/** By position, whether an entry or anything below it is a message. */
function holdsMessage(index: EntryIndex): boolean[] {
  const holds = index.slots.map((slot) => slot.head.type === "message");
  for (const slot of index.slots.toReversed()) {
    const parent = holds[slot.position] ? index.parentOf(slot) : undefined;
    if (parent !== undefined) holds[parent.position] = true;
  }
  return holds;
}

/** Where the conversation goes on, as people see it. */
export function visibleLeaf(session: Session): string | null {
  return session.pathSlots().findLast(isVisibleType)?.head.id ?? null;
}

export interface TreeSlot {
  readonly slot: EntrySlot;
  readonly parent: EntrySlot | undefined;
  /** How many branchings are above it. */
  readonly depth: number;
}

/** The chosen entries, each before what followed it, the oldest branch first. */
export function* depthFirst(index: EntryIndex, isChosen: (slot: EntrySlot) => boolean): Generator<TreeSlot> {
  const parents = chosenParents(index, isChosen);
  const children = new Map<number, EntrySlot[]>();
  for (const slot of index.slots) {
    if (!isChosen(slot)) continue;
    const parentPosition = parents[slot.position]?.position ?? root;
    const siblings = children.get(parentPosition);
    if (siblings === undefined) children.set(parentPosition, [slot]);
    else siblings.push(slot);
  }
  const waiting: TreeSlot[] = [];
  const add = (parentPosition: number, parent: EntrySlot | undefined, above: number) => {
    const below = children.get(parentPosition) ?? [];
    const depth = below.length > 1 ? above + 1 : above;
    for (const slot of below.toReversed()) waiting.push({ slot, parent, depth });
  };
  add(root, undefined, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    add(next.slot.position, next.slot, next.depth);
  }
}
