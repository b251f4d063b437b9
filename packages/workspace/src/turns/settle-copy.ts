// A held turn meets what happened to its documents: each of its splices that still fits lands, and one that does not is a
// conflict with both sides. Nothing is overwritten. Lines that it changed side by side are one splice: half of what was
// written as one thing would be nobody's text.

import { type Fault, isFault } from "@stet/protocol/fault";
import { changeTo, fitBehind, type Misfit } from "@stet/text/concurrent-splices";
import { advance, changesSince, type History } from "@stet/text/history";
import { changeOf, joinNeighbours, rawLines, type Splice, splicesOf, withoutReturn } from "@stet/text/lines";
import { type Copy, copyOf, linesOnly } from "./turn-copy.ts";

/** What was staged and does not fit any more. */
export interface TurnConflict {
  readonly document: number;
  /** From 1, in the document as it is now. */
  readonly line: number;
  /** What stands there now, and what was to. */
  readonly theirs: readonly string[];
  readonly own: readonly string[];
}

export interface SettledCopy {
  readonly copy: Copy;
  readonly conflicts: readonly Omit<TurnConflict, "document">[];
}

export function settleCopy(copy: Copy, history: History): SettledCopy | Fault {
  const since = changesSince(history, copy.followed);
  if (isFault(since)) return since;
  const { staged } = copy;
  const [first] = since;
  if (staged === undefined || first === undefined) return { copy, conflicts: [] };
  if (copy.file !== undefined) return { copy: copyOf(history), conflicts: [whole(copy, history)] };
  const { text: own } = copy.history;
  let ours: readonly Splice[] = joinNeighbours(linesOnly(splicesOf(first.before, own, staged), own));
  let misfits: readonly Misfit[] = [];
  let text = first.before;
  for (const made of since) {
    text = made.change.apply(made.before);
    ({ ours, misfits } = fitBehind(ours, linesOnly(made.splices, text), misfits));
  }
  const conflicts = misfits.map(({ own, from, to }) => {
    const theirs = rawLines(text, from, Math.min(to, text.lines)).map(withoutReturn);
    return { line: from + 1, theirs, own: own.map(withoutReturn) };
  });
  if (ours.length === 0) return { copy: copyOf(history), conflicts };
  const change = changeOf(text, ours);
  const next = advance(history, changeTo(text, change.apply(text), ours), { origin: "agent" });
  return { copy: { ...copy, history: next, followed: history.revision, staged: change }, conflicts };
}

/** A file that is made or removed is one thing: there is no line of it that another change could leave alone. */
function whole({ file, history: own }: Copy, { text }: History): SettledCopy["conflicts"][number] {
  const lines = (of: History["text"]) => rawLines(of, 0, of.lines).map(withoutReturn);
  return { line: 1, theirs: lines(text), own: file?.kind === "removed" ? [] : lines(own.text) };
}
