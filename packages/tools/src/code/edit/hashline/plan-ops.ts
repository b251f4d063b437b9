// The ops of one file as line edits of its newest revision, or the first fault. All ops refer to the file as it was shown;
// none sees what another one does, and no two may meet.

import type { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import { countLines } from "@stet/text/lines";
import { contentOf, type LineRange, replacedLines } from "../../../locate/followed-edits.ts";
import { locateAnchors } from "../../../locate/locate-anchors.ts";
import { isMiss, refusalOf } from "../../../locate/miss.ts";
import type { CodeContext } from "../../code-context.ts";
import type { OpenFile } from "../../code-files.ts";
import { noChange } from "../edit-faults.ts";
import type { HashlineOp } from "./hashline-parse.ts";
import { withoutDuplicates, withoutPrefixes } from "./payload.ts";

export interface PlannedFile {
  readonly edits: readonly LineEdit[];
  readonly warnings: readonly string[];
}

/** Counted lines `[from, to]` that it replaces; an insertion stands between `to` and `from`. */
interface PlannedOp extends LineRange {
  /** The line of the input. */
  readonly line: number;
  readonly edits: readonly LineEdit[];
  readonly warnings: readonly string[];
}

type Context = Pick<CodeContext, "sight" | "display">;

export function planOps(context: Context, file: OpenFile, ops: readonly HashlineOp[]): PlannedFile | Fault {
  const planned: PlannedOp[] = [];
  for (const op of ops) {
    const one = planOp(context, file, op);
    if (isFault(one)) return one;
    planned.push(one);
  }
  const warnings = planned.flatMap((op) => op.warnings);
  // What is inserted before a line comes before what replaces it, in whatever order they were written.
  planned.sort((one, other) => one.from - other.from || one.to - other.to);
  const meeting = meetingFault(file.path, planned);
  if (meeting !== undefined) return meeting;
  const edits = planned.flatMap((op) => op.edits);
  return edits.length === 0 ? noChange(file.path) : { edits, warnings };
}

function planOp(context: Context, file: OpenFile, op: HashlineOp): PlannedOp | Fault {
  const { text } = file.history;
  const target = targetOf(context, file, op);
  if (isFault(target)) return target;
  const { shown, before, behind, from, to } = target;
  const bare = withoutPrefixes(op.payload, [shown, text], op.line);
  const fresh = withoutDuplicates(bare.payload, shown, { before, behind }, op.line);
  if (isFault(fresh)) return fresh;
  const content = contentOf(fresh.payload);
  const edits: LineEdit[] =
    op.kind === "range"
      ? replacedLines(text, from, to, fresh.payload)
      : [op.place === "EOF" ? { op: "append", content } : { op: "insert", after: to, content }];
  return { line: op.line, from, to, edits, warnings: [...bare.warnings, ...fresh.warnings] };
}

/** The lines that go, now, and between which lines of what was shown the payload comes. */
interface OpTarget extends LineRange {
  readonly shown: Text;
  readonly before: number;
  readonly behind: number;
}

function targetOf(context: Context, file: OpenFile, op: HashlineOp): OpTarget | Fault {
  const { text } = file.history;
  const [first, last] = op.kind === "range" ? [op.from, op.to] : [op.place, op.place];
  if (typeof first === "string" || typeof last === "string") {
    const to = first === "BOF" ? 0 : countLines(text);
    return { shown: text, before: to, behind: to + 1, from: to + 1, to };
  }
  const located = locateAnchors(context.sight, file, { from: first, to: last });
  if (isMiss(located)) return refusalOf(context, file)(located);
  const { shown, shownLines, now } = located;
  if (op.kind === "range") return { shown, before: shownLines.from - 1, behind: shownLines.to + 1, ...now };
  const shift = op.kind === "after" ? 0 : -1;
  const before = shownLines.from + shift;
  return { shown, before, behind: before + 1, from: now.from + shift + 1, to: now.from + shift };
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
