// One way to edit a document: line edits made on a revision, applied to the newest under a policy.
//
//   strict    the revision must be the newest; `matchText` may find the place again after drift
//   rebase    the targeted lines are mapped through what came since; touched lines are a conflict
//   verify    as rebase, and then the targeted lines must have the expected hash
//
// Everything is checked before anything changes. The result carries the new history and a report of what was done.

import type { ChangeSet, Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { anchoredContext } from "./anchors.ts";
import { type LineEdit, type PlannedSplice, planEdits } from "./edits.ts";
import { hashLines } from "./hash.ts";
import { advance, type History, type Made, rebaseSplices, textAt } from "./history.ts";
import { checkDeletion, type IntegrityReport, integrityOf } from "./integrity.ts";
import { changeOf, countLines, countWithin, lineContent, linesOf, withoutReturn } from "./lines.ts";
import { findText } from "./match-text.ts";

export type Policy =
  | { readonly kind: "strict"; readonly matchText?: string }
  | { readonly kind: "rebase" }
  | { readonly kind: "verify"; readonly expectedHash: string };

export interface EditRequest extends Made {
  /** The revision that the maker of the edits saw. */
  readonly revision: number;
  readonly policy: Policy;
  readonly edits: readonly LineEdit[];
  /** Declares that most of the document may go. */
  readonly rewrite?: boolean;
}

export interface AffectedLines {
  /** First counted line of the result, 1-based. */
  readonly line: number;
  readonly removed: number;
  readonly added: number;
}

export interface EditReport {
  /** The revision after the edit. */
  readonly revision: number;
  /** The revision that the edits were made on, where they had to be moved. */
  readonly rebasedFrom?: number;
  /** Characters of the affected lines, before and after. */
  readonly oldLength: number;
  readonly newLength: number;
  readonly affected: readonly AffectedLines[];
}

export interface Revised {
  readonly history: History;
  readonly change: ChangeSet;
  readonly inverse: ChangeSet;
  readonly report: EditReport;
}

export function revise(history: History, request: EditRequest): Revised | Fault {
  const planned = planAtHead(history, request);
  return isFault(planned) ? planned : reviseBy(history, planned, request);
}

/** Applies splices that were planned on the newest revision. */
export function reviseBy(
  history: History,
  planned: readonly PlannedSplice[],
  request: Omit<EditRequest, "edits">,
): Revised | Fault {
  const change = changeOf(history.text, planned);
  if (change.empty) return noChange();
  const next = advance(history, change, request);
  const made = next.changes.at(-1);
  const deletion = request.rewrite ? undefined : checkDeletion(history.text, made?.splices ?? []);
  if (deletion !== undefined) return deletion;
  return {
    history: next,
    change,
    inverse: change.invert(history.text),
    report: reportOf(history, next, request),
  };
}

function planAtHead(history: History, request: EditRequest): PlannedSplice[] | Fault {
  const { policy, revision, edits } = request;
  if (policy.kind === "strict" && (policy.matchText !== undefined || revision !== history.revision)) {
    const placed = placeStrictly(history, revision, edits, policy.matchText);
    return isFault(placed) ? placed : planEdits(history.text, placed);
  }
  const seen = textAt(history, revision);
  if (isFault(seen)) return seen;
  const planned = planEdits(seen, edits);
  if (isFault(planned)) return planned;
  const rebased = revision === history.revision ? planned : rebaseSplices(history, revision, planned);
  if (isFault(rebased) || policy.kind !== "verify") return rebased;
  return checkHash(history.text, rebased, policy.expectedHash) ?? rebased;
}

function noChange(): Fault {
  return new Fault(
    "no_change",
    "The edit would leave the document exactly as it is.",
    "Check whether it was made already; if not, give content that differs.",
  );
}

/** An edit that names lines. */
export type PlacedEdit = Extract<LineEdit, { readonly op: "insert" | "replace" | "delete" }>;

/** At the newest revision nothing moves. Otherwise only `matchText` can say where the edit belongs. */
function placeStrictly(
  history: History,
  revision: number,
  edits: readonly LineEdit[],
  matchText: string | undefined,
): readonly LineEdit[] | Fault {
  if (matchText === undefined) return versionMismatch(history, revision);
  const [edit] = edits;
  if (edit === undefined || edits.length > 1 || !("from" in edit || "after" in edit)) {
    return new Fault(
      "invalid_line_range",
      "A match text can place one insertion, replacement or deletion, not several.",
      "Send one edit with its match text, or read the document again and leave the match text out.",
    );
  }
  const seen = textAt(history, revision);
  const planned = isFault(seen) ? undefined : planEdits(seen, edits);
  if (isFault(planned)) return planned;
  const followed = followQuote(history, revision, edit, matchText);
  if (followed !== undefined && !isFault(followed)) return [followed.edit];
  const found = findQuote(history, revision, edit, matchText);
  // Whatever stands there now: the lines that were seen were touched.
  return isFault(found) ? found : (followed ?? [found]);
}

/** Where the match text stands now. */
function findQuote(
  history: History,
  revision: number,
  edit: PlacedEdit,
  matchText: string,
): PlacedEdit | Fault {
  const seen = textAt(history, revision);
  const quoted = linesOf(matchText).length;
  const wanted = lineNow(history, revision, "from" in edit ? edit.from : edit.after);
  const line = findText(history.text, matchText, "from" in edit ? wanted : wanted - quoted + 1);
  if (isFault(line)) return line;
  if ("after" in edit) return { ...edit, after: line + quoted - 1 };
  const moved = { ...edit, from: line, to: edit.to + line - edit.from };
  const isQuotedWhole = edit.to - edit.from < quoted;
  if (isFault(seen)) return isQuotedWhole ? moved : seen;
  // Nothing has moved on, so a wrong line number is a slip, and the quote says what is meant.
  if (revision === history.revision && isQuotedWhole) return moved;
  return sameLines(seen, edit, history, moved) ?? moved;
}

export interface FollowedEdit {
  readonly edit: PlacedEdit;
  /** How many lines at the start of the range it leaves out, because it only wrote them again as they are. */
  readonly skipped: number;
}

/**
 * An edit of an older revision in which its match text stands, with its lines where they are now; a conflict where they were
 * touched since. Undefined where the text is not there: then only what the document holds now can say where it is.
 */
export function followQuote(
  history: History,
  revision: number,
  edit: PlacedEdit,
  matchText: string,
): FollowedEdit | Fault | undefined {
  const seen = textAt(history, revision);
  if (revision === history.revision || isFault(seen)) return undefined;
  const quoted = linesOf(matchText).length;
  const line = findText(seen, matchText, "from" in edit ? edit.from : edit.after - quoted + 1);
  // A quote that stood in several places, none of them at the number, says nothing, though only one of them may be left.
  if (isFault(line)) return line.error === "ambiguous_match" ? line : undefined;
  const first = "from" in edit ? line : line + quoted - 1;
  const last = "from" in edit ? line + edit.to - edit.from : first;
  if (last > countLines(seen)) return undefined;
  const whole = follow(history, revision, edit, { from: first, to: last });
  if (whole === undefined) return undefined;
  if (!isFault(whole)) return { edit: whole, skipped: 0 };
  const core = edit.op === "replace" ? changedLines(seen, first, last, edit.content) : undefined;
  if (edit.op !== "replace" || core === undefined) return whole;
  const moved = follow(history, revision, { ...edit, content: core.content }, core);
  return moved === undefined || isFault(moved) ? whole : { edit: moved, skipped: core.from - first };
}

/** The edit with its lines, counted in a revision, where they are now; a conflict where they were touched since. */
function follow(
  history: History,
  revision: number,
  edit: PlacedEdit,
  { from, to }: LineRange,
): PlacedEdit | Fault | undefined {
  const target = { first: from - 1, last: to - 1 };
  const rebased = rebaseSplices(history, revision, [{ at: from - 1, removed: 0, lines: [], target }]);
  if (isFault(rebased)) return rebased;
  const [moved] = rebased;
  if (moved === undefined || typeof moved.target === "string") return undefined;
  if ("after" in edit) return { ...edit, after: moved.target.last + 1 };
  return { ...edit, from: moved.target.first + 1, to: moved.target.last + 1 };
}

/**
 * A replacement without the lines that it writes again as they are, at its start and at its end: who touched those touched
 * nothing that it is about. Undefined where lines only come, or where those that go could as well be the ones beside them: then
 * what is meant depends on the lines around.
 */
function changedLines(
  seen: Text,
  from: number,
  to: number,
  content: string,
): (LineRange & { readonly content: string }) | undefined {
  const lines = linesOf(content);
  const count = to - from + 1;
  const old = (index: number) =>
    index < 0 || index >= count ? undefined : lineContent(seen, from - 1 + index);
  const most = Math.min(count, lines.length);
  let start = 0;
  while (start < most && old(start) === lines[start]) start += 1;
  let end = 0;
  while (end < most - start && old(count - 1 - end) === lines[lines.length - 1 - end]) end += 1;
  if (start + end >= count) return undefined;
  const isOnlyRemoval = start + end === lines.length;
  const isBeside = old(start - 1) === old(count - 1 - end) || old(start) === old(count - end);
  if (isOnlyRemoval && isBeside) return undefined;
  const rest = lines.slice(start, lines.length - end);
  return { from: from + start, to: to - end, content: rest.map((line) => `${line}\n`).join("") };
}

/**
 * Where a counted line of a revision is in the newest one; 0 where it was touched, or nobody knows: a number alone says
 * nothing of a text that has moved on.
 */
export function lineNow(history: History, revision: number, line: number): number {
  if (revision === history.revision || line < 1) return line;
  const target = { first: line - 1, last: line - 1 };
  const rebased = rebaseSplices(history, revision, [{ at: line - 1, removed: 0, lines: [], target }]);
  const [moved] = isFault(rebased) ? [] : rebased;
  return moved === undefined || typeof moved.target === "string" ? 0 : moved.target.first + 1;
}

interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** The match text pins one line; the rest of the range must be what was seen, too. */
function sameLines(seen: Text, range: LineRange, history: History, moved: LineRange): Fault | undefined {
  const { text } = history;
  if (moved.to > countLines(text)) return undefined;
  for (let offset = 0; offset <= range.to - range.from; offset += 1) {
    const was = lineContent(seen, range.from + offset - 1);
    const is = lineContent(text, moved.from + offset - 1);
    if (was === is) continue;
    return new Fault(
      "conflict",
      `The match text was found at line ${moved.from}, but line ${moved.from + offset} is not what line ` +
        `${range.from + offset} was when it was read. Nothing was changed.`,
      `Look at details.current and repeat the edit on revision ${history.revision}.`,
      { expected: was, found: is, current: anchoredContext(text, moved.from + offset, 4) },
    );
  }
  return undefined;
}

export function versionMismatch(history: History, revision: number): Fault {
  const details = { your_version: String(revision), current_version: String(history.revision) };
  return new Fault(
    "version_mismatch",
    `The document changed since it was read: it is at revision ${history.revision}, the edit was made on ${revision}.`,
    "Read the document again to get its content and revision, then repeat the edit.",
    details,
  );
}

function checkHash(text: Text, planned: readonly PlannedSplice[], expected: string): Fault | undefined {
  const spans = planned.flatMap(({ target }) => (typeof target === "string" ? [] : [target]));
  // An edit at an end of the document targets no line, so there is nothing to compare.
  if (spans.length === 0) return undefined;
  const first = Math.min(...spans.map((span) => span.first)) + 1;
  const last = Math.min(Math.max(...spans.map((span) => span.last)) + 1, countLines(text));
  const found = hashLines(text, first, last);
  if (found === expected) return undefined;
  return new Fault(
    "conflict",
    `Lines ${first}-${last} are not the lines that the edit expects: their hash differs. Nothing was changed.`,
    "Read these lines again and repeat the edit with the hash that comes with them.",
    {
      expected_hash: expected,
      found_hash: found,
      lines: { start: first, end: last },
      current: anchoredContext(text, first, 4),
    },
  );
}

function reportOf(before: History, after: History, request: Omit<EditRequest, "edits">): EditReport {
  const splices = after.changes.at(-1)?.splices ?? [];
  const affected: AffectedLines[] = [];
  let shift = 0;
  let oldLength = 0;
  let newLength = 0;
  for (const splice of splices) {
    const newAt = splice.at + shift;
    affected.push({
      line: newAt + 1,
      removed: countWithin(before.text, splice.at, splice.removed),
      added: countWithin(after.text, newAt, splice.lines.length),
    });
    shift += splice.lines.length - splice.removed;
    for (let line = splice.at; line < splice.at + splice.removed; line += 1) {
      oldLength += lineContent(before.text, line).length;
    }
    for (const line of splice.lines) newLength += withoutReturn(line).length;
  }
  const report = { revision: after.revision, oldLength, newLength, affected };
  return request.revision === before.revision ? report : { ...report, rebasedFrom: request.revision };
}

/** What the newest change of a history touched, and proof that the rest is as it was. */
export function integrityOfNewest(history: History): IntegrityReport | undefined {
  const newest = history.changes.at(-1);
  if (newest === undefined) return undefined;
  return integrityOf(newest.before, history.text, newest.change, newest.splices);
}
