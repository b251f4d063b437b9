// Two concurrent lists of splices, both based on one text.
//
// They meet where both take away, or replace, the same line, or where one puts lines between two that the other takes away.
// Lists that do not meet can both be done, in any order, and every line of either stands whole in the result: lines that
// both insert at one position stand one after the other, "theirs" first.

import type { Text } from "@codemirror/state";
import { diffTexts } from "./diff.ts";
import { changeOf, type Splice } from "./lines.ts";

/** The first splice of theirs that meets one of ours; undefined where none does. Both lists are in order. */
export function firstMeeting(ours: readonly Splice[], theirs: readonly Splice[]): Splice | undefined {
  let next = 0;
  for (const their of theirs) {
    // What ends before this one begins cannot meet any later one either.
    for (let our = ours[next]; our !== undefined && endOf(our) < their.at; our = ours[next]) next += 1;
    for (let index = next; index < ours.length; index += 1) {
      const our = ours[index];
      if (our === undefined || our.at > endOf(their)) break;
      if (meet(our, their)) return their;
    }
  }
  return undefined;
}

function meet(one: Splice, other: Splice): boolean {
  if (one.removed === 0) return one.at > other.at && one.at < endOf(other);
  if (other.removed === 0) return other.at > one.at && other.at < endOf(one);
  return one.at < endOf(other) && other.at < endOf(one);
}

function endOf({ at, removed }: Splice): number {
  return at + removed;
}

/** A splice of ours that met one of theirs, and was left out. */
export interface Misfit {
  /** What was to stand there. */
  readonly own: readonly string[];
  /** The raw lines that stand there in the text after theirs: [from, to). */
  readonly from: number;
  readonly to: number;
}

export interface Fitted {
  /** Our splices that met none of theirs, on the text after theirs. */
  readonly ours: readonly Splice[];
  readonly misfits: readonly Misfit[];
}

/** As much of ours as can be done beside theirs; `earlier` are those that were left out before, whose lines move on. */
export function fitBehind(
  ours: readonly Splice[],
  theirs: readonly Splice[],
  earlier: readonly Misfit[] = [],
): Fitted {
  const kept: Splice[] = [];
  const misfits = earlier.map((misfit) => ({ ...misfit, ...movedRange(misfit, theirs) }));
  for (const our of ours) {
    if (firstMeeting([our], theirs) === undefined) kept.push(our);
    else {
      const range = movedRange({ from: our.at, to: our.at + our.removed }, theirs);
      misfits.push({ own: our.lines, ...range });
    }
  }
  return { ours: placeBoth(kept, theirs).ours, misfits };
}

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** Lines after some splices: with all that replaced a part of them. */
function movedRange({ from, to }: LineRange, over: readonly Splice[]): LineRange {
  let [first, last] = [from, to];
  let before = 0;
  let within = 0;
  for (const splice of over) {
    const growth = splice.lines.length - splice.removed;
    if (endOf(splice) <= from) before += growth;
    else if (splice.at >= to) break;
    else {
      first = Math.min(first, splice.at);
      last = Math.max(last, endOf(splice));
      within += growth;
    }
  }
  return { from: first + before, to: last + before + within };
}

export interface OrderedSplice {
  /** Our splices on the text after theirs. */
  readonly ours: readonly Splice[];
  /** Their splices on the text after ours. */
  readonly theirs: readonly Splice[];
}

/** Brings two lists that do not meet behind each other. */
export function placeBoth(ours: readonly Splice[], theirs: readonly Splice[]): OrderedSplice {
  return {
    ours: shifted(ours, theirs, () => false),
    theirs: shifted(theirs, ours, (their, our) => {
      return their.removed === 0 && our.removed === 0 && their.at === our.at;
    }),
  };
}

function shifted(
  splices: readonly Splice[],
  over: readonly Splice[],
  comesFirst: (splice: Splice, other: Splice) => boolean,
): Splice[] {
  let shift = 0;
  let next = 0;
  return splices.map((splice) => {
    for (let other = over[next]; other !== undefined; other = over[next]) {
      if (endOf(other) > splice.at || comesFirst(splice, other)) break;
      shift += other.lines.length - other.removed;
      next += 1;
    }
    return { ...splice, at: splice.at + shift };
  });
}

/** A change from one text to another: the splices where they lead there, else the difference. */
export function changeTo(from: Text, to: Text, splices: readonly Splice[]) {
  const change = changeOf(from, splices);
  // A text never has no line at all, so what is left of one that lost all of them may differ in its last line break.
  return change.apply(from).eq(to) ? change : changeOf(from, diffTexts(from, to));
}
