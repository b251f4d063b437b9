// What a change leaves alone, and proof of it.
//
// The proof does not trust the change: it compares the two texts, character by character, everywhere outside the
// ranges that the change names. An edit that is not a declared rewrite may not remove more than half of a long text.

import type { ChangeSet, Text } from "@codemirror/state";
import { Fault } from "@stet/protocol/fault";
import { largeDeletionFraction, largeDeletionMinLines } from "@stet/protocol/limits";
import { countLines, countWithin, type Splice } from "./lines.ts";

export interface IntegrityReport {
  readonly linesBefore: number;
  readonly linesAfter: number;
  readonly linesRemoved: number;
  readonly linesAdded: number;
  /** Removed lines as a part of those that were there, 0 to 1. */
  readonly touchedFraction: number;
  /** True when everything outside the change was compared and found identical. */
  readonly restIsIdentical: boolean;
}

export function integrityOf(
  before: Text,
  after: Text,
  change: ChangeSet,
  splices: readonly Splice[],
): IntegrityReport {
  const linesBefore = countLines(before);
  let linesRemoved = 0;
  let linesAdded = 0;
  let shift = 0;
  for (const { at, removed, lines } of splices) {
    linesRemoved += countWithin(before, at, removed);
    linesAdded += countWithin(after, at + shift, lines.length);
    shift += lines.length - removed;
  }
  return {
    linesBefore,
    linesAfter: countLines(after),
    linesRemoved,
    linesAdded,
    touchedFraction: linesBefore === 0 ? 0 : linesRemoved / linesBefore,
    restIsIdentical: restIsIdentical(before, after, change),
  };
}

export function restIsIdentical(before: Text, after: Text, change: ChangeSet): boolean {
  if (change.length !== before.length || change.newLength !== after.length) return false;
  const [old, fresh] = [new Leaves(before), new Leaves(after)];
  let identical = true;
  change.iterGaps((fromA, fromB, length) => {
    identical = identical && sameRange(old, fromA, fresh, fromB, length);
  });
  return identical;
}

/** Leaf by leaf: what both texts share is the same value, so only what was rebuilt has to be read. */
function sameRange(old: Leaves, fromA: number, fresh: Leaves, fromB: number, length: number): boolean {
  let done = 0;
  while (done < length) {
    const a = old.at(fromA + done);
    const b = fresh.at(fromB + done);
    // One more than is left of a leaf: the line break that follows it.
    const size = Math.min(length - done, a.leaf.length - a.offset + 1, b.leaf.length - b.offset + 1);
    const isShared = a.leaf === b.leaf && a.offset === b.offset;
    if (!isShared && old.slice(fromA + done, size) !== fresh.slice(fromB + done, size)) return false;
    done += size;
  }
  return true;
}

/** The leaves of a text's tree, walked from left to right. */
class Leaves {
  readonly #text: Text;
  readonly #leaves: Text[] = [];
  #index = 0;
  /** Where the leaf at the index begins. */
  #start = 0;

  constructor(text: Text) {
    this.#text = text;
    this.#collect(text);
  }

  #collect(node: Text): void {
    if (node.children === null) this.#leaves.push(node);
    else for (const child of node.children) this.#collect(child);
  }

  at(position: number): { leaf: Text; offset: number } {
    let leaf = this.#leaves[this.#index] ?? this.#text;
    while (position > this.#start + leaf.length && this.#index + 1 < this.#leaves.length) {
      this.#start += leaf.length + 1;
      this.#index += 1;
      leaf = this.#leaves[this.#index] ?? this.#text;
    }
    return { leaf, offset: position - this.#start };
  }

  slice(from: number, length: number): string {
    return this.#text.sliceString(from, from + length);
  }
}

/** Refuses an undeclared edit that takes away most of a long document. */
export function checkDeletion(before: Text, splices: readonly Splice[]): Fault | undefined {
  const total = countLines(before);
  if (total < largeDeletionMinLines) return undefined;
  let removed = 0;
  for (const splice of splices) removed += Math.max(0, splice.removed - splice.lines.length);
  if (removed <= total * largeDeletionFraction) return undefined;
  return new Fault(
    "large_deletion",
    `This edit would remove ${removed} of ${total} lines, more than half of the document.`,
    "If that is meant, repeat the edit and declare it a rewrite (rewrite: true). Otherwise check the line range.",
    { removed, document_lines: total },
  );
}
