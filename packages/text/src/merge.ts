// Two changes of one text, merged: three-way, by whole lines.
//
// Both sides are compared with the base. Changes that lie at least one common line apart are taken over from the
// side that made them; changes that overlap or touch are one region, and a conflict unless both sides made it the
// same. This is what diff3 and git do.
//
// Known differences to git: where equal lines let a change stand at several positions, git may choose another one and
// so see two changes touch that do not touch here, or the reverse. Where the changes of a region are cut differently
// on the two sides but lead to the same lines, git reports a conflict and this does not. And the newline at the end
// of a document belongs to its last line in git; here it is merged on its own and never a conflict.

import { Text } from "@codemirror/state";
import { diffLines, type LineDiff } from "./diff.ts";
import { countLines, rawLines } from "./lines.ts";

export interface MergeRegion {
  /** "ours" and "theirs": changed on that side only. "both": changed in the same way on both sides. */
  readonly kind: "same" | "ours" | "theirs" | "both" | "conflict";
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** The regions in order; each side's lines, put together, are that side. */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): MergeRegion[] {
  const regions: MergeRegion[] = [];
  const ourSide = new Side(diffLines(base, ours));
  const theirSide = new Side(diffLines(base, theirs));
  const add = (from: number, to: number, ourFrom: number, theirFrom: number, isSame: boolean) => {
    if (isSame && from === to) return;
    const ourLines = ours.slice(ourFrom, to + ourSide.shift);
    const theirLines = theirs.slice(theirFrom, to + theirSide.shift);
    const kind = isSame ? "same" : regionKind(ourSide, theirSide, ourLines, theirLines);
    regions.push({ kind, base: base.slice(from, to), ours: ourLines, theirs: theirLines });
  };
  let at = 0;
  for (;;) {
    const from = Math.min(ourSide.nextAt, theirSide.nextAt, base.length);
    add(at, from, at + ourSide.shift, at + theirSide.shift, true);
    if (ourSide.nextAt === Number.POSITIVE_INFINITY && theirSide.nextAt === Number.POSITIVE_INFINITY) break;
    const ourFrom = from + ourSide.shift;
    const theirFrom = from + theirSide.shift;
    ourSide.hasChanged = false;
    theirSide.hasChanged = false;
    let to = from;
    while (ourSide.nextAt <= to || theirSide.nextAt <= to) {
      to = Math.max(to, (ourSide.nextAt <= theirSide.nextAt ? ourSide : theirSide).take());
    }
    add(from, to, ourFrom, theirFrom, false);
    at = to;
  }
  return regions;
}

/** The changes of one side, taken one after the other. */
class Side {
  /** How far this side's lines are from those of the base, behind the last change that was taken. */
  shift = 0;
  /** Whether a change was taken in the present region. */
  hasChanged = false;
  readonly #changes: readonly LineDiff[];
  #taken = 0;

  constructor(changes: readonly LineDiff[]) {
    this.#changes = changes;
  }

  get nextAt(): number {
    return this.#changes[this.#taken]?.at ?? Number.POSITIVE_INFINITY;
  }

  /** Takes the next change, and returns where it ends in the base. */
  take(): number {
    const change = this.#changes[this.#taken];
    if (change === undefined) return 0;
    this.#taken += 1;
    this.hasChanged = true;
    this.shift += change.added - change.removed;
    return change.at + change.removed;
  }
}

function regionKind(
  ourSide: Side,
  theirSide: Side,
  ours: readonly string[],
  theirs: readonly string[],
): MergeRegion["kind"] {
  if (!theirSide.hasChanged) return "ours";
  if (!ourSide.hasChanged) return "theirs";
  return isEqual(ours, theirs) ? "both" : "conflict";
}

function isEqual(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

export interface ConflictRegion {
  /** Where `ours` begins in the merged text, 1-based; where it is empty, the line before which it would stand. */
  readonly line: number;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** The merged text; where the sides conflict, ours stands in it. */
export function mergeTexts(
  base: Text,
  ours: Text,
  theirs: Text,
): { text: Text; conflicts: readonly ConflictRegion[] } {
  const merged: string[] = [];
  const conflicts: ConflictRegion[] = [];
  const regions = mergeLines(countedLines(base), countedLines(ours), countedLines(theirs));
  for (const region of regions) {
    if (region.kind === "conflict") {
      conflicts.push({
        line: merged.length + 1,
        base: region.base,
        ours: region.ours,
        theirs: region.theirs,
      });
    }
    for (const line of region.kind === "theirs" ? region.theirs : region.ours) merged.push(line);
  }
  const isOurEnd = endsInNewline(ours) !== endsInNewline(base) || regions.at(-1)?.kind === "conflict";
  if (merged.length === 0 || (endsInNewline(isOurEnd ? ours : theirs) ?? true)) merged.push("");
  return { text: Text.of(merged), conflicts };
}

/** Without the empty raw line at the end: two sides that both add to the end of the document meet there. */
function countedLines(text: Text): string[] {
  return rawLines(text, 0, countLines(text));
}

/** Undefined where there is no line that could. */
function endsInNewline(text: Text): boolean | undefined {
  return text.length === 0 ? undefined : countLines(text) < text.lines;
}
