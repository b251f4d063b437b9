// One way to edit a document: line edits based on a revision, applied to the newest under a policy.
//
//   strict    the revision must be the newest
//   rebase    the targeted lines are mapped through what came since; touched lines are a conflict
//
// Everything is checked before anything changes. The result carries the new history and a report of what was done.

import type { ChangeSet } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { type LineEdit, type PlannedSplice, planEdits } from "./edits.ts";
import { advance, type History, type Provenance, rebaseSplices, textAt } from "./history.ts";
import { checkDeletion, type IntegrityReport, integrityOf } from "./integrity.ts";
import { changeOf, countWithin, lineContent, withoutReturn } from "./lines.ts";

export interface Policy {
  readonly kind: "strict" | "rebase";
}

export interface EditRequest extends Provenance {
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
  /** The revision that the edits were based on, where they had to be rebased. */
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
  const lastChange = next.changes.at(-1);
  const deletion = request.rewrite ? undefined : checkDeletion(history.text, lastChange?.splices ?? []);
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
  if (policy.kind === "strict" && revision !== history.revision) return versionMismatch(history, revision);
  const seen = textAt(history, revision);
  if (isFault(seen)) return seen;
  const planned = planEdits(seen, edits);
  if (isFault(planned)) return planned;
  return revision === history.revision ? planned : rebaseSplices(history, revision, planned);
}

function noChange(): Fault {
  return new Fault(
    "no_change",
    "The edit would leave the document exactly as it is.",
    "Check whether it was made already; if not, give content that differs.",
  );
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
