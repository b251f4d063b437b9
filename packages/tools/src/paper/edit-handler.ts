// edit: the four ways to change a paper, each one edit of the turn. Line numbers count from 1, as in the text split at its
// line breaks: a paper that ends in a line break has an empty last line.

import { Fault, isFault } from "@stet/protocol/fault";
import type { LineEdit } from "@stet/text/edits";
import type { History } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import { revise } from "@stet/text/revise";
import { abbreviatedChange } from "../code/edit/abbreviated.ts";
import type { LineSpan } from "../sight/spans.ts";
import { confirmHint, filledLines } from "../sight/unseen-text.ts";
import { indentOf } from "./context-handler.ts";
import { lineMeant, unseenLine } from "./line-number.ts";
import type { Paper } from "./paper.ts";

export type EditParams = {
  /** Refused where the paper is at another revision. */
  readonly expected_rev?: number | undefined;
} & (
  | { readonly edit_op: "write_append"; readonly text: string }
  | {
      readonly edit_op: "write_replace_line";
      readonly lineNumber: number;
      readonly text: string;
      readonly remove_unseen?: boolean | undefined;
    }
  | { readonly edit_op: "set_text"; readonly text: string; readonly remove_unseen?: boolean | undefined }
  | { readonly edit_op: "clear_all" }
);

export interface Edited {
  readonly paper_rev: number;
  /** False where the paper was as asked for already; then there is no new revision. */
  readonly changed: boolean;
  /** Characters of the replaced line, or else of the whole paper. */
  readonly oldTextLen: number;
  readonly newTextLen: number;
  readonly rows: number;
  readonly lineNumber?: number;
  /** The number that the line had when it was shown. */
  readonly movedFrom?: number;
  readonly indentation?: "kept";
}

export function edit(paper: Paper, params: EditParams): Edited | Fault {
  const history = paper.history();
  if (isFault(history)) return history;
  switch (params.edit_op) {
    case "write_replace_line":
      return replaceLine(paper, history, params);
    case "write_append":
      return wholePaper(paper, history, params, { op: "extend", content: params.text });
    case "set_text":
      return wholePaper(paper, history, params, { op: "set", content: params.text }, (after) =>
        lostText(paper, history, after, params.remove_unseen === true),
      );
    case "clear_all":
      return wholePaper(paper, history, params, { op: "clear" });
  }
}

/** Why a new text must not take the place of the old one; undefined where it may. */
function lostText(paper: Paper, before: History, after: History, mayBeUnseen: boolean): Fault | undefined {
  const leavesOut = abbreviatedChange("the paper", after);
  if (leavesOut !== undefined || mayBeUnseen) return leavesOut;
  const gone = (after.changes.at(-1)?.splices ?? []).flatMap(({ at, removed }) => {
    return removed === 0 ? [] : paper.unseen(before, { start: at, end: at + removed - 1 });
  });
  const unseen = filledLines(before.text, gone);
  return unseen.length === 0 ? undefined : unseenLines(unseen);
}

function unseenLines(unseen: readonly LineSpan[]): Fault {
  const named = unseen.slice(0, 10).map(({ start, end }) => {
    return start === end ? `${start + 1}` : `${start + 1}-${end + 1}`;
  });
  const [{ start, end } = { start: 0, end: 0 }] = unseen;
  return new Fault(
    "partly_read",
    `Lines that are not in the new text were not shown to you: ${named.join(", ")}. Nothing was changed.`,
    `Look at them with get_context_lines({ranges: [{start: ${start + 1}, end: ${end + 1}}]}) first; ${confirmHint}.`,
  );
}

function wholePaper(
  paper: Paper,
  history: History,
  params: EditParams,
  lineEdit: LineEdit,
  refusal?: (after: History) => Fault | undefined,
): Edited | Fault {
  const mismatch = checkRevision(history, params.expected_rev);
  if (mismatch !== undefined) return mismatch;
  // What replaces all of a paper says so by its name; it may remove most of it.
  const edited = apply(paper, history, lineEdit, true, refusal);
  if (isFault(edited)) return edited;
  return {
    ...edited.report,
    oldTextLen: history.text.length,
    newTextLen: edited.history.text.length,
    rows: edited.history.text.lines,
  };
}

type Replacement = Extract<EditParams, { edit_op: "write_replace_line" }>;

function replaceLine(paper: Paper, history: History, params: Replacement): Edited | Fault {
  const line = guard(params) ?? lineMeant(paper, history, params.lineNumber);
  if (isFault(line)) return line;
  const mismatch = checkRevision(history, params.expected_rev);
  if (mismatch !== undefined) return mismatch;
  const old = lineContent(history.text, line - 1);
  const keepsIndent = params.text !== "" && !/^\s/.test(params.text) && /^\s/.test(old);
  const content = keepsIndent ? indentOf(old) + params.text : params.text;
  const isEmptyEnd = old === "" && line === history.text.lines;
  const isFree = params.remove_unseen === true || old.trim() === "" || paper.isKnown(history, line - 1);
  const refusal = () => (isFree ? undefined : unseenLine(paper, history, params.lineNumber, line));
  const edited = apply(
    paper,
    history,
    isEmptyEnd ? { op: "extend", content } : { op: "replace", from: line, to: line, content: `${content}\n` },
    false,
    refusal,
  );
  if (isFault(edited)) return edited;
  return {
    ...edited.report,
    lineNumber: line,
    oldTextLen: old.length,
    newTextLen: content.length,
    rows: edited.history.text.lines,
    ...(line === params.lineNumber ? {} : { movedFrom: params.lineNumber }),
    ...(keepsIndent ? { indentation: "kept" } : {}),
  };
}

function guard({ text, lineNumber }: Replacement): Fault | undefined {
  if (/[\r\n]/.test(text)) {
    return invalid(
      "Line text cannot contain newline",
      "Give one line; use set_text() or write_append() for several.",
    );
  }
  if (/^\s*\d+\s*\|/.test(text)) {
    return invalid(
      "Line text must not contain line prefix (e.g. '1|')",
      "Give the text of the line alone; lineNumber says which line it is.",
    );
  }
  if (Number.isInteger(lineNumber) && lineNumber >= 1) return undefined;
  return invalid(
    "Invalid line number",
    "Lines count from 1. search_paper('keyword') shows the number of a line.",
  );
}

function invalid(message: string, suggestion: string): Fault {
  return new Fault("invalid_arguments", message, suggestion);
}

function checkRevision({ revision }: History, expected: number | undefined): Fault | undefined {
  if (expected === undefined || expected === revision) return undefined;
  return new Fault(
    "version_mismatch",
    `Revision mismatch - concurrent edit detected: the paper is at revision ${revision}, not ${expected}. Nothing was changed.`,
    "Look at the place again with get_context_lines(), then repeat the edit with the rev that it returns.",
    { rev: revision },
  );
}

interface Applied {
  readonly history: History;
  readonly report: { readonly paper_rev: number; readonly changed: boolean };
}

function apply(
  paper: Paper,
  history: History,
  lineEdit: LineEdit,
  rewrite = false,
  refusal: (after: History) => Fault | undefined = () => undefined,
): Applied | Fault {
  const { turn, document } = paper.context;
  const { revision } = history;
  const request = { revision, policy: { kind: "strict" }, edits: [lineEdit], rewrite } as const;
  const planned = revise(history, { ...request, origin: "agent", turn: turn.id });
  const refused = isFault(planned) ? undefined : refusal(planned.history);
  if (refused !== undefined) return refused;
  const staged = turn.edit(document, request);
  if (isFault(staged)) {
    if (staged.error !== "no_change") return staged;
    return { history, report: { paper_rev: revision, changed: false } };
  }
  const after = paper.history();
  if (!isFault(after)) paper.sight.wrote(paper.seen(after), revision);
  return isFault(after) ? after : { history: after, report: { paper_rev: staged.revision, changed: true } };
}
