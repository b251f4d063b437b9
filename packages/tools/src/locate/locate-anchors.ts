// Lines that a model names by their anchors, where they are now.
//
// An anchor names a line of a revision that the model was shown. It is looked for in this order, each time by its number
// and its two letters, and all anchors of a range in the same revision:
//
//   1. the newest revision before this message that showed lines of these numbers, then older ones
//   2. the revision that the model knows of: it may have counted on by itself
//
// Never in a newer one: its anchors were not shown, so one that fits there does so by chance. Two letters are a weak check, so
// if (1) and (2) lead to different lines that is a miss: an edit never lands on a line that is not the one that was shown.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { type Anchor, anchorAt, formatAnchor } from "@stet/text/anchors";
import { type History, textAt } from "@stet/text/history";
import { countLines } from "@stet/text/lines";
import type { SeenDocument, Sight } from "../sight/sight.ts";
import { followedLines, type LineRange } from "./followed-edits.ts";
import { changedSince, isMiss, type Miss } from "./miss.ts";

/** Counted lines, 1-based and inclusive: as they were shown, and where they are in the newest text. */
export interface LocatedLines {
  /** The text that the anchors were verified against. */
  readonly shown: Text;
  readonly shownLines: LineRange;
  readonly now: LineRange;
}

export interface AnchorsAim {
  readonly from: Anchor;
  readonly to: Anchor;
}

export function locateAnchors(
  sight: Sight,
  document: SeenDocument,
  { from, to }: AnchorsAim,
): LocatedLines | Miss {
  const { history } = document;
  const anchors = from.line === to.line ? [from] : [from, to];
  const numbers = anchors.map(({ line }) => line);
  const byNumber = fitting(history, sight.revisions(document, numbers), anchors);
  const byCount = fitting(history, [sight.revision(document) ?? history.revision], anchors);
  const revision = byNumber ?? byCount;
  if (revision === undefined) return stale(document, anchors);
  const located = follow(document, revision, from, to);
  if (isMiss(located) || byCount === undefined || byCount <= revision) return located;
  const other = follow(document, byCount, from, to);
  if (isMiss(other) || other.now.from === located.now.from) return located;
  return ambiguous(document, anchors, [located.now.from, other.now.from]);
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
  { path, history }: SeenDocument,
  revision: number,
  from: Anchor,
  to: Anchor,
): LocatedLines | Miss {
  const shown = textAt(history, revision);
  if (isFault(shown)) return changedSince(path, shown);
  const shownLines = { from: from.line, to: to.line };
  const now = followedLines(history, revision, shownLines);
  return isFault(now) ? changedSince(path, now) : { shown, shownLines, now };
}

const repeat =
  "Repeat the edit with the anchors shown here if these are the lines you mean; otherwise read the file again.";

const rows = (lines: readonly number[]) => lines.map((line) => ({ from: line, to: line }));

/** It fits no line. Where the line seems to have moved, that place is shown, too. */
function stale({ path, history }: SeenDocument, anchors: readonly Anchor[]): Miss {
  const { text } = history;
  const total = countLines(text);
  const unfit = anchors.filter((anchor) => !fits(text, anchor));
  // Those that fit the newest revision by chance were not shown for it.
  const wrong = unfit.length > 0 ? unfit : anchors;
  const moved = wrong.flatMap((anchor) => movedTo(text, anchor));
  const names = wrong.map(formatAnchor);
  const facts = { anchors: names, moved_to: moved };
  const beyond = anchors.find(({ line }) => line > total);
  if (beyond !== undefined && moved.length === 0) {
    const { line } = beyond;
    return {
      code: "invalid_line_range",
      what: `${path}: Line ${line} does not exist (file has ${total} lines).`,
      suggestion: repeat,
      places: rows([total]),
      facts: { ...facts, requested_start: line, requested_end: line, document_lines: total },
    };
  }
  const when = unfit.length > 0 ? "it is now" : "it was shown";
  const where = moved.length === 0 ? "" : ` The line that was meant may be ${moved.join(" or ")} now.`;
  return {
    code: "stale_anchor",
    what: `${path}: ${names.join(" and ")} ${wrong.length === 1 ? "does" : "do"} not fit the file as ${when}.${where}`,
    suggestion: repeat,
    places: rows([...wrong.map(({ line }) => Math.min(line, total)), ...moved]),
    facts,
  };
}

/** It was shown for one line, and fits another one, too, since lines have moved. */
function ambiguous({ path }: SeenDocument, anchors: readonly Anchor[], lines: readonly number[]): Miss {
  const names = anchors.map(formatAnchor);
  return {
    code: "stale_anchor",
    what: `${path}: lines have moved since ${names.join("..")} was shown, and it fits two places now.`,
    suggestion:
      "Repeat the edit with the anchor shown here at the line that you mean; it is taken as it stands now.",
    places: rows(lines),
    facts: { anchors: names, lines },
  };
}

const nearby = 50;

/** Lines with the anchor's letters: the nearest ones around it, or the only one anywhere. */
function movedTo(text: Text, { line, letters }: Anchor): number[] {
  const alike: number[] = [];
  for (let other = 1; other <= countLines(text); other += 1)
    if (other !== line && fits(text, { line: other, letters })) alike.push(other);
  if (alike.length === 1) return alike;
  return alike
    .filter((other) => Math.abs(other - line) <= nearby)
    .sort((one, other) => Math.abs(one - line) - Math.abs(other - line))
    .slice(0, 2);
}
