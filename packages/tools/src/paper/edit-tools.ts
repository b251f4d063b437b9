// write_append, write_replace_line, set_text and clear_all: each one edit of the turn. Line numbers count from 1, as in the
// text split at its line breaks: a paper that ends in a line break has an empty last line.

import { defineTool, type Tool, type ToolOutcome } from "@stet/agent/tool";
import type { ChatEvent } from "@stet/protocol/events/chat-events";
import { Fault, isFault } from "@stet/protocol/fault";
import type { History } from "@stet/text/history";
import { lineContent } from "@stet/text/lines";
import { measureOf } from "@stet/text/measure";
import * as z from "zod";
import { cut, quoted } from "../call-words.ts";
import { abbreviatedChange } from "../locate/abbreviated.ts";
import { prompt } from "../prompt.ts";
import type { LineSpan } from "../sight/spans.ts";
import { confirmHint, filledLines, removeUnseen } from "../sight/unseen-text.ts";
import { indentOf } from "./context-lines.ts";
import { currentLines, lineNow, unseenLine } from "./line-number.ts";
import type { CurrentLine, Paper, PaperEdit } from "./paper.ts";
import { outcome } from "./paper-events.ts";

/** Of a text in `paper.state`: a longer one is left out. */
export const maxStateChars = 1_000_000;

const movedNote =
  "Line numbers from before may not hold any more: find the next place with search_paper() or get_context_lines().";
const sameNote = "The paper was like this already; nothing was changed.";

export function editTools(paper: Paper): Tool[] {
  return [
    defineTool({
      name: "write_append",
      description: prompt(import.meta.url, "write_append"),
      traits: ["edits", "exclusive"],
      words: ({ text }) => `Add ${quoted(text)} at the end`,
      schema: z.object({ text: z.string().describe("What to put at the end") }),
      async execute({ text }) {
        const appended = text.length;
        return editPaper(paper, "write_append", () => ({
          edit: { lineEdit: { op: "extend", content: text }, rewrite: true },
          content: (after) => ({ appended, rows: after.text.lines }),
          applied: { appended },
        }));
      },
    }),
    defineTool({
      name: "write_replace_line",
      description: prompt(import.meta.url, "write_replace_line"),
      traits: ["edits", "exclusive"],
      words: ({ lineNumber }) => `Write line ${cut(lineNumber)} anew`,
      schema: replaceLine,
      async execute(input) {
        return editPaper(paper, "write_replace_line", (history) => replacement(paper, history, input));
      },
    }),
    defineTool({
      name: "set_text",
      description: prompt(import.meta.url, "set_text"),
      traits: ["edits", "exclusive"],
      words: () => "Write the whole text",
      schema: z.object({ text: z.string().describe("The whole new text"), remove_unseen: removeUnseen }),
      async execute({ text, remove_unseen: mayBeUnseen = false }) {
        return editPaper(paper, "set_text", (history) => ({
          edit: {
            lineEdit: { op: "set", content: text },
            rewrite: true,
            refusal: (after) => lostText(paper, history, after, mayBeUnseen),
          },
          content: (after) => ({
            newLength: after.text.length,
            rows: after.text.lines,
            ...(after === history ? {} : { note: movedNote }),
          }),
        }));
      },
    }),
    defineTool({
      name: "clear_all",
      description: prompt(import.meta.url, "clear_all"),
      traits: ["edits", "exclusive"],
      words: () => "Clear the paper",
      schema: z.strictObject({}),
      async execute() {
        return editPaper(paper, "clear_all", () => ({
          edit: { lineEdit: { op: "clear" }, rewrite: true },
          content: (after) => ({ rows: after.text.lines }),
        }));
      },
    }),
  ];
}

const replaceLine = z.object({
  lineNumber: z.number().describe("Line number, from 1"),
  text: z
    .string()
    .describe("The new line: the text alone, without a line prefix, with the indentation of the old line"),
  expected_rev: z
    .number()
    .optional()
    .describe("The rev that you saw; the edit is refused if the paper has another one by now"),
  remove_unseen: removeUnseen,
});

type Applied = Extract<ChatEvent, { type: "paper.applied" }>["data"];

interface PlannedEdit {
  readonly edit: PaperEdit;
  /** What the model is told beside success and revision. */
  content(after: History): Record<string, unknown>;
  /** What people are told; the lengths are those of the paper unless given. */
  readonly applied?: Partial<Applied>;
}

function editPaper(
  paper: Paper,
  op: Applied["op"],
  plan: (history: History) => PlannedEdit | Fault,
): ToolOutcome | Fault {
  const before = paper.history();
  if (isFault(before)) return before;
  const planned = plan(before);
  if (isFault(planned)) return refused(paper, planned);
  const after = paper.edit(before, planned.edit);
  if (isFault(after)) return refused(paper, after);
  const { oldTextLen = before.text.length, newTextLen = after.text.length, ...own } = planned.applied ?? {};
  paper.show(after, writtenLine(after, own.lineNumber));
  const content = { success: true, ...planned.content(after), newRev: after.revision };
  if (after === before) return outcome({ ...content, changed: false, note: sameNote });
  const { text, revision } = after;
  return outcome(
    content,
    {
      type: "paper.applied",
      data: { op, ...own, oldTextLen, newTextLen, newRev: revision, timestamp: Date.now() },
    },
    {
      type: "paper.state",
      data: {
        text: text.length > maxStateChars ? null : text.toString(),
        rev: revision,
        cols: measureOf(text).cols,
        rows: text.lines,
      },
    },
  );
}

/** A refusal that looked at the paper lets the model know how it is now; one that looked at the arguments alone does not. */
function refused(paper: Paper, fault: Fault): Fault {
  const history = paper.history();
  if (!isFault(history) && fault.error !== "invalid_arguments") paper.show(history, currentLines(fault));
  return fault;
}

/** The line that the model knows by its number because it wrote it. */
function writtenLine({ text }: History, lineNumber: number | undefined): CurrentLine[] {
  // An empty paper has one line, and there is nothing more to see of it.
  const number = lineNumber ?? (text.length === 0 ? 1 : undefined);
  return number === undefined ? [] : [{ lineNumber: number, content: lineContent(text, number - 1) }];
}

function replacement(
  paper: Paper,
  history: History,
  { lineNumber, text, expected_rev, remove_unseen }: z.infer<typeof replaceLine>,
): PlannedEdit | Fault {
  const line = guard(text, lineNumber) ?? lineNow(paper, history, lineNumber);
  if (isFault(line)) return line;
  if (expected_rev !== undefined && expected_rev !== history.revision)
    return revisionMismatch(history.revision, expected_rev);
  const old = lineContent(history.text, line - 1);
  const keepsIndent = text !== "" && !/^\s/.test(text) && /^\s/.test(old);
  const content = keepsIndent ? indentOf(old) + text : text;
  const isEmptyEnd = old === "" && line === history.text.lines;
  const isKnown = paper.unseen(history, { start: line - 1, end: line - 1 }).length === 0;
  const isFree = remove_unseen === true || old.trim() === "" || isKnown;
  const lengths = { oldTextLen: old.length, newTextLen: content.length };
  return {
    edit: {
      lineEdit: isEmptyEnd
        ? { op: "extend", content }
        : { op: "replace", from: line, to: line, content: `${content}\n` },
      rewrite: false,
      refusal: () => (isFree ? undefined : unseenLine(paper, history, lineNumber, line)),
    },
    content: () => ({
      lineNumber: line,
      ...lengths,
      ...(line === lineNumber ? {} : { movedFrom: lineNumber, note: movedNote }),
      ...(keepsIndent ? { indentation: "kept" } : {}),
    }),
    applied: { lineNumber: line, ...lengths },
  };
}

function guard(text: string, lineNumber: number): Fault | undefined {
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

function revisionMismatch(revision: number, expected: number): Fault {
  return new Fault(
    "version_mismatch",
    `Revision mismatch - concurrent edit detected: the paper is at revision ${revision}, not ${expected}. Nothing was changed.`,
    "Look at the place again with get_context_lines(), then repeat the edit with the rev that it returns.",
    { rev: revision },
  );
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
