// Edits and their check, for the model and for people.

import type { ToolOutcome } from "@stet/agent/tool";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import { type Fault, isFault } from "@stet/protocol/fault";
import { lineContent } from "@stet/text/lines";
import { measureOf } from "@stet/text/measure";
import type { Edited, EditParams } from "./edit-handler.ts";
import { type Desk, type Executor, outcome } from "./executor.ts";
import { currentLines } from "./line-number.ts";
import type { Call, Paper } from "./paper.ts";
import { maxStateChars } from "./paper-events.ts";

type Operation<Op extends EditParams["edit_op"]> = Omit<Extract<EditParams, { edit_op: Op }>, "edit_op">;

const movedNote =
  "Line numbers from before may not hold any more: find the next place with search_paper() or get_context_lines().";
const sameNote = "The paper was like this already; nothing was changed.";

export const executeWriteAppend: Executor<Operation<"write_append">> = (desk, { text }, call) =>
  executeEdit(desk, { edit_op: "write_append", text }, call, ({ rows }) => ({ appended: text.length, rows }));

export const executeSetText: Executor<Operation<"set_text">> = (desk, input, call) =>
  executeEdit(desk, { edit_op: "set_text", ...input }, call, ({ newTextLen, rows, changed }) => ({
    newLength: newTextLen,
    rows,
    ...(changed ? { note: movedNote } : {}),
  }));

export const executeClearAll: Executor<Readonly<Record<string, never>>> = (desk, _, call) =>
  executeEdit(desk, { edit_op: "clear_all" }, call, ({ rows }) => ({ rows }));

export const executeWriteReplaceLine: Executor<Operation<"write_replace_line">> = (desk, input, call) =>
  executeEdit(desk, { edit_op: "write_replace_line", ...input }, call, (edited) => {
    const { lineNumber, oldTextLen, newTextLen, movedFrom, indentation } = edited;
    return {
      lineNumber,
      oldTextLen,
      newTextLen,
      ...(movedFrom === undefined ? {} : { movedFrom, note: movedNote }),
      ...(indentation === undefined ? {} : { indentation }),
    };
  });

async function executeEdit(
  { paper, controller }: Desk,
  params: EditParams,
  call: Call,
  tell: (edited: Edited) => Record<string, unknown>,
): Promise<ToolOutcome | Fault> {
  const result = await controller.execute("edit", params, call);
  if (!result.ok) {
    showRefused(paper, result.error);
    return result.error;
  }
  const { paper_rev, changed, lineNumber } = result.output;
  showEdited(paper, paper_rev, lineNumber);
  const content = { success: true, ...tell(result.output), newRev: paper_rev };
  if (!changed) return outcome({ ...content, changed, note: sameNote });
  return outcome(content, applied(params, result.output), ...stateOf(paper));
}

/** A refusal that looked at the paper lets the model know how it is now; one that looked at the arguments alone does not. */
function showRefused(paper: Paper, fault: Fault): void {
  const history = paper.history();
  if (isFault(history) || fault.error === "invalid_arguments" || fault.error === "not_allowed") return;
  paper.show(history.revision, currentLines(fault));
}

/** The model knows the line that it wrote, and that there is a new revision. */
function showEdited(paper: Paper, revision: number, lineNumber: number | undefined): void {
  const history = paper.history();
  if (isFault(history)) return;
  // An empty paper has one line, and there is nothing more to see of it.
  const known = lineNumber === undefined ? (history.text.length === 0 ? [1] : []) : [lineNumber];
  const lines = known.map((number) => ({
    lineNumber: number,
    content: lineContent(history.text, number - 1),
  }));
  paper.show(revision, lines);
}

function applied(params: EditParams, edited: Edited): ChatEvent {
  const { lineNumber, oldTextLen, newTextLen, paper_rev } = edited;
  const own = {
    ...(lineNumber === undefined ? {} : { lineNumber }),
    ...(params.edit_op === "write_append" ? { appended: params.text.length } : {}),
  };
  return {
    type: "paper.applied",
    data: { op: params.edit_op, ...own, oldTextLen, newTextLen, newRev: paper_rev, timestamp: Date.now() },
  };
}

function stateOf(paper: Paper): ChatEvent[] {
  const history = paper.history();
  if (isFault(history)) return [];
  const { text, revision } = history;
  const shown = text.length > maxStateChars ? null : text.toString();
  return [
    {
      type: "paper.state",
      data: { text: shown, rev: revision, cols: measureOf(text).cols, rows: text.lines },
    },
  ];
}

export const executeVerify: Executor<Readonly<Record<string, never>>> = async (
  { paper, controller },
  _,
  call,
) => {
  const result = await controller.execute("verify", {}, call);
  if (!result.ok) return result.error;
  const { diff, added, removed, status, changed, places, byOthers, rev } = result.output;
  paper.show(rev, []);
  return outcome(
    {
      success: true,
      diff,
      changes: { added, removed },
      changed,
      places,
      rev,
      ...(byOthers ? { note: "Some of this was changed by the person while the turn went on." } : {}),
    },
    { type: "verify.result", data: { diff, added, removed, status } },
  );
};
