// Which elements of one list are common to another: a longest common subsequence, or close to one in bounded time.
//
// 1. A common prefix and a common suffix are matched.
// 2. A large piece is cut at the elements that occur exactly once on both sides (patience), then each part.
// 3. A piece is aligned by Myers' algorithm (`diff`), which keeps common elements together. Its cost grows with the
//    square of the edits, so these are capped. Over the cap, a table of bits finds a longest subsequence in time
//    and memory that depend on the size alone.
// 4. A piece that is too large for the table and over the cap keeps nothing: it reads as one replacement, which
//    is correct, but not the smallest. This takes tens of thousands of lines that all occur more than once.

import { diffArrays } from "diff";

/** Removed plus added elements up to which Myers' algorithm is used: some 30 ms for a piece. */
const maxEdits = 500;
/** The same where nothing else is possible: some 500 ms. All pieces together may take little more than that. */
const maxLargeEdits = 2000;
/** Words of 32 bits that the table may have: 64 MB, enough for some 20,000 elements on both sides. */
const maxTableWords = 1 << 24;
/** Pieces up to this many elements on both sides together are not cut, so that their alignment is a longest one. */
const maxUncut = 4000;
/** Each level of cutting reads its piece once, so this bounds the cutting to so many times the input. */
const maxDepth = 16;

/**
 * For each element of `old` the index of the equal element of `fresh` that it becomes, rising, or -1.
 * Elements are numbers from 0 up to, but not including, `distinct`.
 */
export function align(old: Int32Array, fresh: Int32Array, distinct: number): Int32Array {
  const partners = new Int32Array(old.length).fill(-1);
  const onceIn = onceFinder(old, fresh, distinct);
  let squaredEditsLeft = 1.25 * maxLargeEdits ** 2;
  let tableWordsLeft = 2 * maxTableWords;

  function alignPiece(oldFrom: number, oldTo: number, newFrom: number, newTo: number, depth: number): void {
    while (oldFrom < oldTo && newFrom < newTo && old[oldFrom] === fresh[newFrom]) {
      partners[oldFrom] = newFrom;
      oldFrom += 1;
      newFrom += 1;
    }
    while (oldFrom < oldTo && newFrom < newTo && old[oldTo - 1] === fresh[newTo - 1]) {
      oldTo -= 1;
      newTo -= 1;
      partners[oldTo] = newTo;
    }
    if (oldFrom < oldTo && newFrom < newTo) alignMiddle(oldFrom, oldTo, newFrom, newTo, depth);
  }

  function alignMiddle(oldFrom: number, oldTo: number, newFrom: number, newTo: number, depth: number): void {
    const mayCut = oldTo - oldFrom + newTo - newFrom > maxUncut && depth < maxDepth;
    const anchors = mayCut ? onceIn(oldFrom, oldTo, newFrom, newTo) : [];
    if (anchors.length === 0) {
      alignUncut(oldFrom, oldTo, newFrom, newTo);
      return;
    }
    for (const [oldAnchor, newAnchor] of anchors) {
      alignPiece(oldFrom, oldAnchor, newFrom, newAnchor, depth + 1);
      partners[oldAnchor] = newAnchor;
      oldFrom = oldAnchor + 1;
      newFrom = newAnchor + 1;
    }
    alignPiece(oldFrom, oldTo, newFrom, newTo, depth + 1);
  }

  function alignUncut(oldFrom: number, oldTo: number, newFrom: number, newTo: number): void {
    const oldPiece = old.subarray(oldFrom, oldTo);
    const newPiece = fresh.subarray(newFrom, newTo);
    const rows = oldPiece.length + Math.min(distinct, newPiece.length);
    const tableWords = rows * Math.ceil(newPiece.length / 32);
    const fitsTable = tableWords <= Math.min(maxTableWords, tableWordsLeft);
    const cap = Math.min(fitsTable ? maxEdits : maxLargeEdits, Math.floor(Math.sqrt(squaredEditsLeft)));
    const parts = diffArrays(Array.from(oldPiece), Array.from(newPiece), { maxEditLength: cap });
    let edits = 0;
    for (const part of parts ?? []) {
      if (part.added || part.removed) edits += part.count;
      else for (let step = 0; step < part.count; step += 1) partners[oldFrom + step] = newFrom + step;
      if (!part.added) oldFrom += part.count;
      if (!part.removed) newFrom += part.count;
    }
    squaredEditsLeft -= (parts === undefined ? cap : edits) ** 2;
    if (parts !== undefined || !fitsTable) return;
    tableWordsLeft -= tableWords;
    alignByTable(oldPiece, newPiece, partners.subarray(oldFrom), newFrom);
  }

  alignPiece(0, old.length, 0, fresh.length, 0);
  return partners;
}

/**
 * A longest common subsequence by Hyyrö's bit-parallel algorithm. Row i has one bit for each element of `fresh`:
 * zero where the longest common subsequence with the first i elements of `old` grows by one. Walking back through
 * the rows, a zero that was not there one row earlier is a pair.
 */
function alignByTable(old: Int32Array, fresh: Int32Array, partners: Int32Array, offset: number): void {
  const words = Math.ceil(fresh.length / 32);
  const matches = new Map<number, Int32Array>();
  fresh.forEach((id, index) => {
    const positions = matches.get(id) ?? new Int32Array(words);
    positions[index >> 5] = (positions[index >> 5] ?? 0) | (1 << (index & 31));
    matches.set(id, positions);
  });
  const rows = new Int32Array((old.length + 1) * words).fill(-1, 0, words);
  old.forEach((id, row) => {
    const positions = matches.get(id);
    let carry = 0;
    for (let word = 0; word < words; word += 1) {
      const bits = rows[row * words + word] ?? 0;
      const match = positions?.[word] ?? 0;
      const sum = (bits >>> 0) + ((bits & match) >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[(row + 1) * words + word] = sum | (bits & ~match);
    }
  });
  const grows = (row: number, column: number) =>
    (((rows[row * words + (column >> 5)] ?? 0) >>> (column & 31)) & 1) === 0;
  let column = fresh.length - 1;
  for (let row = old.length; row > 0; row -= 1) {
    while (column >= 0 && !grows(row, column)) column -= 1;
    if (column < 0) return;
    if (grows(row - 1, column)) continue;
    partners[row - 1] = offset + column;
    column -= 1;
  }
}

type Pair = readonly [oldIndex: number, newIndex: number];

/** Finds, in a piece, the longest rising list of pairs of elements that occur once on each side. */
function onceFinder(old: Int32Array, fresh: Int32Array, distinct: number) {
  const oldCount = new Int32Array(distinct);
  const newCount = new Int32Array(distinct);
  const newPosition = new Int32Array(distinct);

  return (oldFrom: number, oldTo: number, newFrom: number, newTo: number): Pair[] => {
    const oldPiece = old.subarray(oldFrom, oldTo);
    const newPiece = fresh.subarray(newFrom, newTo);
    for (const id of oldPiece) oldCount[id] = (oldCount[id] ?? 0) + 1;
    newPiece.forEach((id, index) => {
      newCount[id] = (newCount[id] ?? 0) + 1;
      newPosition[id] = newFrom + index;
    });
    const candidates: Pair[] = [];
    oldPiece.forEach((id, index) => {
      if (oldCount[id] === 1 && newCount[id] === 1) candidates.push([oldFrom + index, newPosition[id] ?? 0]);
    });
    for (const id of oldPiece) oldCount[id] = 0;
    for (const id of newPiece) newCount[id] = 0;
    return longestRising(candidates);
  };
}

/** The longest part of the pairs, which rise in their first number, that also rises in the second. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  /** At index n, which pair ends a rising list of n + 1 pairs with the smallest second number. */
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length);
  pairs.forEach((pair, index) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const end = pairs[ends[middle] ?? 0];
      if (end !== undefined && end[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  });
  const rising: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) rising.push(pair);
  }
  return rising.reverse();
}
