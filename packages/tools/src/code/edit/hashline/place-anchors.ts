// Where an op belongs in the file as it is now.
//
// An anchor names a line of a revision that the model was shown. It is looked for in this order, each time by its number
// and its two letters, and all anchors of an op in the same revision:
//
//   1. the newest revision before this message that showed lines of these numbers, then older ones
//   2. the revision that the model knows of: it may have counted on by itself
//
// Never in a newer one: nobody told its anchors, so one that fits there does so by chance.
//
// From there the lines are followed through everything that happened since. If something touched them, that is a conflict.
// Two letters are a weak check, so if (1) and (2) lead to different lines the op is refused: an edit never lands on a line
// that is not the one that was shown.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { type Anchor, anchorAt } from "@stet/text/anchors";
import { type History, textAt } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import { followedLines } from "../../../locate/followed-edits.ts";
import { type Refuse, refusalOf } from "../../../locate/miss.ts";
import type { CodeContext } from "../../code-context.ts";
import type { OpenFile } from "../../code-files.ts";
import { conflictShown } from "../conflict-shown.ts";
import { ambiguousAnchor, staleAnchor } from "./stale-anchor.ts";

/** What the model was shown of one document before the message. */
export interface Basis {
  readonly path: string;
  readonly history: History;
  /** The revision that it knows of; the newest where the document was never shown. */
  readonly known: number;
  /** Revisions that showed lines of these numbers, the newest first. */
  readonly telling: (lines: readonly number[]) => readonly number[];
  readonly refuse: Refuse;
  /** Tells of a conflict. */
  readonly conflict: (fault: Fault) => Fault;
}

export function basisOf(context: Pick<CodeContext, "sight" | "files" | "display">, file: OpenFile): Basis {
  const { sight } = context;
  const known = sight.revision(file) ?? file.history.revision;
  const telling = (lines: readonly number[]) => sight.revisions(file, lines);
  return {
    path: file.path,
    history: file.history,
    known,
    telling,
    refuse: refusalOf(context, file),
    conflict: (fault) => conflictShown(context, fault),
  };
}

/** Lines of a revision and where they are in the newest one, counted, 1-based and inclusive. */
export interface Placed {
  /** The text that the anchors were verified against. */
  readonly shown: Text;
  readonly shownFrom: number;
  readonly shownTo: number;
  readonly from: number;
  readonly to: number;
}

export function placeAnchors(basis: Basis, from: Anchor, to: Anchor): Placed | Fault {
  const { history, known } = basis;
  const anchors = from.line === to.line ? [from] : [from, to];
  const told = fitting(history, basis.telling(anchors.map(({ line }) => line)), anchors);
  const counted = fitting(history, [known], anchors);
  if (told === undefined) {
    return counted === undefined
      ? basis.refuse(staleAnchor(basis, anchors))
      : follow(basis, counted, from, to);
  }
  const placed = follow(basis, told, from, to);
  if (isFault(placed) || counted === undefined || counted <= told) return placed;
  const other = follow(basis, counted, from, to);
  if (isFault(other) || other.from === placed.from) return placed;
  return basis.refuse(ambiguousAnchor(basis, anchors, [placed.from, other.from]));
}

/** The first of these revisions in which all anchors fit. */
function fitting(
  history: History,
  revisions: readonly number[],
  anchors: readonly Anchor[],
): number | undefined {
  return revisions.find((revision) => {
    const text = textAt(history, revision);
    return !isFault(text) && anchors.every((anchor) => fits(text, anchor));
  });
}

function fits(text: Text, { line, letters }: Anchor): boolean {
  return line <= countLines(text) && anchorAt(text, line).letters === letters;
}

function follow(
  { path, history, conflict }: Basis,
  revision: number,
  from: Anchor,
  to: Anchor,
): Placed | Fault {
  const shown = textAt(history, revision);
  if (isFault(shown)) return shown;
  const now = followedLines(history, revision, { from: from.line, to: to.line });
  if (!isFault(now)) return { shown, shownFrom: from.line, shownTo: to.line, ...now };
  const { error, message, suggestion, details } = now;
  return conflict(new Fault(error, `${path}: ${message}`, suggestion, { path, ...details }));
}
