// The smallest change by whole lines that turns one list of lines into another.
//
// Lines that both lists start or end with are set aside, and so are lines that only one of them has: no alignment
// can use them, so a complete rewrite costs nothing. alignment.ts aligns the rest: as small as can be up to some
// twenty thousand lines, and always in bounded time.
//
// The changes are in order, and at least one common line lies between any two of them. A pure insertion or removal
// that could stand at several positions stands at the last one, as in git, so that the same edit reads the same
// however it was found.

import type { Text } from "@codemirror/state";
import { align } from "./alignment.ts";
import { commonEnds } from "./common-ends.ts";
import { rawLines, type Splice } from "./lines.ts";

/** `removed` lines from index `at` on become the `added` lines from index `newAt` on. */
export interface LineDiff {
  readonly at: number;
  readonly removed: number;
  readonly newAt: number;
  readonly added: number;
}

export function diffLines(before: readonly string[], after: readonly string[]): LineDiff[] {
  const { start: prefix, end } = commonEnds(before, after);
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const ids = new Map<string, number>();
  const oldIds = numbered(before, prefix, oldEnd, ids);
  const oldDistinct = ids.size;
  const newIds = numbered(after, prefix, newEnd, ids);
  const isInAfter = new Uint8Array(ids.size);
  for (const id of newIds) isInAfter[id] = 1;
  const old = pick(oldIds, (id) => isInAfter[id] === 1);
  const fresh = pick(newIds, (id) => id < oldDistinct);

  const changes: LineDiff[] = [];
  let at = prefix;
  let newAt = prefix;
  const commonLine = (oldIndex: number, newIndex: number) => {
    const change = { at, removed: oldIndex - at, newAt, added: newIndex - newAt };
    if (change.removed > 0 || change.added > 0) changes.push(change);
    at = oldIndex + 1;
    newAt = newIndex + 1;
  };
  align(old.ids, fresh.ids, oldDistinct).forEach((partner, index) => {
    if (partner >= 0)
      commonLine(prefix + (old.positions[index] ?? 0), prefix + (fresh.positions[partner] ?? 0));
  });
  commonLine(oldEnd, newEnd);
  return slideDown(before, after, changes);
}

/** The change between two texts, as splices of raw lines. */
export function diffTexts(before: Text, after: Text): Splice[] {
  return diffSplice(before, { at: 0, removed: before.lines, lines: rawLines(after, 0, after.lines) });
}

/** A splice as the smallest ones that do the same: without the lines that it writes again as they are. */
export function diffSplice(before: Text, splice: Splice): Splice[] {
  const { at: start, removed: length, lines } = splice;
  if (length === 0 || lines.length === 0) return [splice];
  const old = rawLines(before, start, start + length);
  // The empty raw line behind a final line break is no line: new last lines go before it, never after it.
  const isPhantom = start + length === before.lines && old.at(-1) === "" && lines.at(-1) === "";
  const fresh = isPhantom ? lines.slice(0, -1) : lines;
  return diffLines(isPhantom ? old.slice(0, -1) : old, fresh).map(({ at, removed, newAt, added }) => ({
    at: start + at,
    removed,
    lines: fresh.slice(newAt, newAt + added),
  }));
}

function numbered(lines: readonly string[], from: number, to: number, ids: Map<string, number>): Int32Array {
  const numbers = new Int32Array(to - from);
  for (let index = from; index < to; index += 1) {
    const line = lines[index] ?? "";
    let id = ids.get(line);
    if (id === undefined) {
      id = ids.size;
      ids.set(line, id);
    }
    numbers[index - from] = id;
  }
  return numbers;
}

/** The lines that are wanted, and where each of them stands. */
function pick(
  numbers: Int32Array,
  isWanted: (id: number) => boolean,
): { ids: Int32Array; positions: Int32Array } {
  const positions = new Int32Array(numbers.length);
  const ids = new Int32Array(numbers.length);
  let count = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    const id = numbers[index] ?? 0;
    if (!isWanted(id)) continue;
    positions[count] = index;
    ids[count] = id;
    count += 1;
  }
  return { ids: ids.subarray(0, count), positions: positions.subarray(0, count) };
}

/** Slides pure insertions and removals down to their last possible position, into the next change if they reach it. */
function slideDown(
  before: readonly string[],
  after: readonly string[],
  changes: readonly LineDiff[],
): LineDiff[] {
  const settled: LineDiff[] = [];
  for (let change of changes.toReversed()) {
    let next = settled.at(-1);
    while (change.removed === 0 || change.added === 0) {
      const { at, removed, newAt, added } = change;
      if (next !== undefined && at + removed === next.at) {
        change = { at, removed: removed + next.removed, newAt, added: added + next.added };
        settled.pop();
        next = settled.at(-1);
      } else if (
        at + removed < before.length &&
        newAt + added < after.length &&
        (added === 0 ? before[at] === before[at + removed] : after[newAt] === after[newAt + added])
      ) {
        change = { at: at + 1, removed, newAt: newAt + 1, added };
      } else break;
    }
    settled.push(change);
  }
  return settled.reverse();
}
