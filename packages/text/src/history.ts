// A document's history: its text at a revision, and the changes that led there.
//
// A change is based on the revision that its author saw. At any later revision it is rebased: the lines it targets are
// mapped through every change since, exactly. If one of those changes touched a targeted line, or put a line
// between two of them, that is a conflict and the edit is refused. Text beside the target never matters.
//
// A history is a value with a bounded number of changes; an edit based on a revision before the oldest is refused.

import type { ChangeSet, Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { Origin } from "@stet/protocol/ids";
import { maxHistoryLength } from "@stet/protocol/limits";
import { anchoredContext } from "./anchors.ts";
import type { PlannedSplice, Target } from "./edits.ts";
import { countLines, type Splice, splicesOf } from "./lines.ts";
import { carryMeasure } from "./measure.ts";

export interface Change {
  /** The revision that this change led to. */
  readonly revision: number;
  readonly change: ChangeSet;
  /** The same change as whole lines. */
  readonly splices: readonly Splice[];
  /** The text that it was applied to. */
  readonly before: Text;
  readonly origin: Origin;
  readonly turn?: string | undefined;
  readonly by?: Maker | undefined;
}

/** The window that sent a change, and its own id for it. */
export interface Maker {
  readonly client: string;
  readonly changeId?: string | undefined;
}

export interface History {
  readonly text: Text;
  readonly revision: number;
  readonly changes: readonly Change[];
}

export function startHistory(text: Text, revision = 1): History {
  return { text, revision, changes: [] };
}

export interface Provenance {
  readonly origin: Origin;
  readonly turn?: string | undefined;
  readonly by?: Maker | undefined;
}

/** The history with one more change, which must be based on its text. */
export function advance(history: History, change: ChangeSet, provenance: Provenance): History {
  const before = history.text;
  const text = change.apply(before);
  const splices = splicesOf(before, text, change);
  carryMeasure(before, text, splices);
  const revision = history.revision + 1;
  const recent =
    history.changes.length >= 2 * maxHistoryLength
      ? history.changes.slice(-maxHistoryLength)
      : history.changes;
  return {
    text,
    revision,
    changes: [
      ...recent,
      {
        revision,
        change,
        splices,
        before,
        origin: provenance.origin,
        turn: provenance.turn,
        by: provenance.by,
      },
    ],
  };
}

/** The changes since a revision. */
export function changesSince(history: History, revision: number): readonly Change[] | Fault {
  const missing = history.revision - revision;
  if (Number.isInteger(revision) && missing >= 0 && missing <= history.changes.length) {
    return history.changes.slice(history.changes.length - missing);
  }
  return new Fault(
    "unknown_revision",
    missing < 0
      ? `Revision ${revision} does not exist; the document is at revision ${history.revision}.`
      : `Revision ${revision} is too old to build on; the document is at revision ${history.revision}.`,
    "Read the document again and use the revision that comes with it.",
    { your_version: String(revision), current_version: String(history.revision) },
  );
}

export function textAt(history: History, revision: number): Text | Fault {
  const changes = changesSince(history, revision);
  return isFault(changes) ? changes : (changes[0]?.before ?? history.text);
}

export interface MappedLines {
  /** Raw lines, 0-based and inclusive. */
  readonly first: number;
  readonly last: number;
}

/** Where untouched lines are after some splices, or the splice that touched them. */
export function mapSpan(span: MappedLines, splices: readonly Splice[]): MappedLines | Splice {
  let shift = 0;
  for (const splice of splices) {
    if (splice.at > span.last) break;
    const end = splice.at + splice.removed;
    const touches = splice.removed > 0 ? end > span.first : splice.at > span.first;
    if (touches) return splice;
    shift += splice.lines.length - splice.removed;
  }
  return { first: span.first + shift, last: span.last + shift };
}

/** Brings splices that were planned on an older revision to the head, or refuses all of them. */
export function rebaseSplices(
  history: History,
  seen: number,
  planned: readonly PlannedSplice[],
): PlannedSplice[] | Fault {
  const changes = changesSince(history, seen);
  if (isFault(changes)) return changes;
  const rebased: PlannedSplice[] = [];
  for (const splice of planned) {
    const target = rebaseTarget(history, changes, splice.target);
    if (isFault(target)) return target;
    rebased.push({ ...splice, target, at: startOf(history.text, splice, target) });
  }
  return rebased;
}

function startOf(text: Text, splice: PlannedSplice, target: Target): number {
  if (target === "start") return 0;
  if (target === "end") return countLines(text);
  return splice.removed > 0 ? target.first : target.last + 1;
}

function rebaseTarget(history: History, changes: readonly Change[], target: Target): Target | Fault {
  if (typeof target === "string") return target;
  let span: MappedLines = target;
  for (const change of changes) {
    const mapped = mapSpan(span, change.splices);
    if ("at" in mapped) return conflict(history, target, change, mapped);
    span = mapped;
  }
  return span;
}

const makers: Readonly<Record<Origin, string>> = {
  agent: "another edit of the agent",
  user: "the person",
  disk: "a change on disk",
};

function conflict(history: History, target: MappedLines, change: Change, touching: Splice): Fault {
  const now = whereIsNow(history, change, touching);
  const lines =
    target.first === target.last
      ? `Line ${target.first + 1}`
      : `Lines ${target.first + 1}-${target.last + 1}`;
  return new Fault(
    "conflict",
    `${lines} can no longer be edited as seen: ${makers[change.origin]} changed line ${touching.at + 1} ` +
      `in revision ${change.revision}. Nothing was changed.`,
    `Look at details.current, which shows the place as it is now, and repeat the edit on revision ${history.revision}.`,
    {
      lines: { start: target.first + 1, end: target.last + 1 },
      changed_in: { revision: change.revision, origin: change.origin, turn: change.turn ?? null },
      current_version: String(history.revision),
      current_line: now,
      current: anchoredContext(history.text, now, 4),
    },
  );
}

/** The counted line nearest to a splice's position, after that change and everything later. */
function whereIsNow(history: History, change: Change, touching: Splice): number {
  let line = touching.at;
  for (const later of history.changes) {
    if (later.revision >= change.revision) line = mapLine(line, later.splices);
  }
  return Math.max(1, Math.min(countLines(history.text), line + 1));
}

/** Where a raw line is after some splices; a line that one of them replaced maps to the splice's start. */
function mapLine(line: number, splices: readonly Splice[]): number {
  let shift = 0;
  for (const splice of splices) {
    if (splice.at > line) break;
    if (splice.at + splice.removed > line) return splice.at + shift;
    shift += splice.lines.length - splice.removed;
  }
  return line + shift;
}
