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
