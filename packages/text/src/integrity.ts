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
  let identical = true;
  change.iterGaps((fromA, fromB, length) => {
    identical = identical && sameRange(before, fromA, after, fromB, length);
  });
  return identical;
}

/** Compares in pieces, so that no long text is ever joined into one string. */
function sameRange(before: Text, fromA: number, after: Text, fromB: number, length: number): boolean {
  const step = 65_536;
  for (let done = 0; done < length; done += step) {
    const size = Math.min(step, length - done);
    const a = before.sliceString(fromA + done, fromA + done + size);
    if (a !== after.sliceString(fromB + done, fromB + done + size)) return false;
  }
  return true;
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
