// The ops of one file as line edits of its newest revision, or the first fault. All ops refer to the file as it was shown;
// none sees what another one does, and no two may meet.

import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { countLines } from "@stet/text/lines";
import { contentOf, replacedLines } from "../../../locate/followed-edits.ts";
import { noChange } from "../edit-faults.ts";
import type { HashlineOp } from "./hashline-parse.ts";
import { withoutDuplicates, withoutPrefixes } from "./payload.ts";
import { type Basis, placeAnchors } from "./place-anchors.ts";

export interface PlannedFile {
  readonly edits: readonly LineEdit[];
  readonly warnings: readonly string[];
}

interface PlannedOp {
  /** The line of the input. */
  readonly line: number;
  /** Counted lines `[from, to]` that it replaces; an insertion stands between `to` and `from`. */
  readonly from: number;
  readonly to: number;
  readonly edits: readonly LineEdit[];
}

export function planOps(basis: Basis, ops: readonly HashlineOp[]): PlannedFile | Fault {
  const planned: PlannedOp[] = [];
  const warnings: string[] = [];
  for (const op of ops) {
    const one = planOp(basis, op, warnings);
    if (isFault(one)) return one;
    planned.push(one);
  }
  // What is inserted before a line comes before what replaces it, in whatever order they were written.
  planned.sort((one, other) => one.from - other.from || one.to - other.to);
  const meeting = meetingFault(basis.path, planned);
  if (meeting !== undefined) return meeting;
  const edits = planned.flatMap((op) => op.edits);
  return edits.length === 0 ? noChange(basis.path) : { edits, warnings };
}

function planOp(basis: Basis, op: HashlineOp, warnings: string[]): PlannedOp | Fault {
  if (op.kind === "range") return planRange(basis, op, warnings);
  const { text } = basis.history;
  const { line, place } = op;
  if (typeof place === "string") {
    const after = place === "BOF" ? 0 : countLines(text);
    const bare = withoutPrefixes(op.payload, [text], line);
    const fresh = withoutDuplicates(bare.payload, text, { before: after, behind: after + 1 }, line);
    if (isFault(fresh)) return fresh;
    warnings.push(...bare.warnings, ...fresh.warnings);
    const content = contentOf(fresh.payload);
    const edit: LineEdit = place === "BOF" ? { op: "insert", after: 0, content } : { op: "append", content };
    return { line, from: after + 1, to: after, edits: [edit] };
  }
  const placed = placeAnchors(basis, place, place);
  if (isFault(placed)) return placed;
  const shift = op.kind === "after" ? 0 : -1;
  const before = placed.shownFrom + shift;
  const bare = withoutPrefixes(op.payload, [placed.shown, text], line);
  const fresh = withoutDuplicates(bare.payload, placed.shown, { before, behind: before + 1 }, line);
  if (isFault(fresh)) return fresh;
  warnings.push(...bare.warnings, ...fresh.warnings);
  const after = placed.from + shift;
  const edit: LineEdit = { op: "insert", after, content: contentOf(fresh.payload) };
  return { line, from: after + 1, to: after, edits: [edit] };
}

function planRange(
  basis: Basis,
  op: HashlineOp & { readonly kind: "range" },
  warnings: string[],
): PlannedOp | Fault {
  const { text } = basis.history;
  const { line } = op;
  const placed = placeAnchors(basis, op.from, op.to);
  if (isFault(placed)) return placed;
  const { shown, shownFrom, shownTo, from, to } = placed;
  const bare = withoutPrefixes(op.payload, [shown, text], line);
  const around = { before: shownFrom - 1, behind: shownTo + 1 };
  const fresh = withoutDuplicates(bare.payload, shown, around, line);
  if (isFault(fresh)) return fresh;
  warnings.push(...bare.warnings, ...fresh.warnings);
  return { line, from, to, edits: replacedLines(text, from, to, fresh.payload) };
}

function meetingFault(path: string, planned: readonly PlannedOp[]): Fault | undefined {
  let open: PlannedOp | undefined;
  for (const op of planned) {
    if (open !== undefined && op.from <= open.to && open.to >= open.from) {
      return new Fault(
        "invalid_patch",
        `line ${op.line}: this operation meets the one in line ${open.line}; both are about line ${op.from} of ${path}. Nothing was changed.`,
        "Join the two into one operation. All anchors refer to the file before the edit.",
        { line: op.line, other_line: open.line },
      );
    }
    if (open === undefined || op.to > open.to) open = op;
  }
  return undefined;
}
