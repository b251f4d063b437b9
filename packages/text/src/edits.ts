// Line edits: what a person, a tool or an API may ask of a document, in counted lines, 1-based and inclusive.
//
// `planEdits` checks a whole group of edits against one text before anything changes, and turns each into a
// splice together with the lines it targets. All of a group's line numbers refer to that one text.

import { Text } from "@codemirror/state";
import { Fault, isFault } from "@stet/protocol/fault";
import { diffLines, diffTexts } from "./diff.ts";
import { checkContent } from "./document.ts";
import {
  anyLineBreak,
  countLines,
  linesOf,
  rawLine,
  rawLines,
  type Splice,
  withLineEnds,
  withoutReturn,
} from "./lines.ts";

export type LineEdit =
  /** After line 0 is the start of the document. */
  | { readonly op: "insert"; readonly after: number; readonly content: string }
  /** Empty content deletes the lines. */
  | { readonly op: "replace"; readonly from: number; readonly to: number; readonly content: string }
  | { readonly op: "delete"; readonly from: number; readonly to: number }
  | { readonly op: "append"; readonly content: string }
  /** Characters at the very end, as they are: the last line goes on, what follows a line break is a new line. */
  | { readonly op: "extend"; readonly content: string }
  /** The whole text, as the smallest change by lines. */
  | { readonly op: "set"; readonly content: string }
  /** The same by raw lines, which bring their own ends where the file mixes them. */
  | { readonly op: "set_raw"; readonly lines: readonly string[] }
  | { readonly op: "clear" };

/** Raw lines, 0-based and inclusive, that must be as the editor saw them; or an end of the document. */
export type Target = { readonly first: number; readonly last: number } | "start" | "end";

export interface PlannedSplice extends Splice {
  readonly target: Target;
}

export function planEdits(text: Text, edits: readonly LineEdit[]): PlannedSplice[] | Fault {
  const planned: PlannedSplice[] = [];
  for (const edit of edits) {
    const splices = planEdit(text, edit);
    if (isFault(splices)) return splices;
    planned.push(...splices);
  }
  planned.sort((one, other) => one.at - other.at || one.removed - other.removed);
  return overlapFault(text, planned) ?? planned;
}

function overlapFault(text: Text, planned: readonly PlannedSplice[]): Fault | undefined {
  for (const [index, splice] of planned.entries()) {
    const previous = planned[index - 1];
    if (previous === undefined || previous.at + previous.removed <= splice.at) continue;
    return new Fault(
      "invalid_line_range",
      `Two edits of one group meet at line ${splice.at + 1}.`,
      "Join them into one edit; all line numbers of a group refer to the document before the group.",
      {
        requested_start: splice.at + 1,
        requested_end: splice.at + Math.max(1, splice.removed),
        document_lines: countLines(text),
      },
    );
  }
  return undefined;
}

function planEdit(text: Text, edit: LineEdit): PlannedSplice[] | Fault {
  if ("content" in edit) {
    const fault = checkContent(edit.content);
    if (fault !== undefined) return fault;
  }
  switch (edit.op) {
    case "insert":
      return planInsert(text, edit.after, edit.content);
    case "append":
      return planInsert(text, countLines(text), edit.content, "end");
    case "extend":
      return planExtend(text, edit.content);
    case "replace":
      return planReplace(text, edit.from, edit.to, edit.content);
    case "delete":
      return planReplace(text, edit.from, edit.to, "");
    case "set":
      return planSet(text, edit.content);
    case "set_raw":
      return planSetRaw(text, edit.lines);
    case "clear":
      return text.length === 0 ? [] : [wholeText(text, [""])];
  }
}

function planInsert(text: Text, after: number, content: string, target?: Target): PlannedSplice[] | Fault {
  if (content === "") {
    return new Fault(
      "content_required",
      "There is nothing to insert: the content is empty.",
      'Give the lines to insert; for one empty line give "\\n".',
    );
  }
  const total = countLines(text);
  if (!Number.isInteger(after) || after < 0 || after > total) return outOfRange(after, after, total);
  const lines = linesOf(content, lineBreakFor(content));
  // An empty document has no line end to keep, so the content decides whether there is one.
  if (text.length === 0) return [wholeText(text, /[\r\n]$/.test(content) ? [...lines, ""] : lines)];
  const splice = withLineEnds(text, { at: after, removed: 0, lines });
  return [{ ...splice, target: target ?? (after === 0 ? "start" : { first: after - 1, last: after - 1 }) }];
}

function planExtend(text: Text, content: string): PlannedSplice[] {
  const [first = "", ...rest] = content.split(lineBreakFor(content));
  const last = text.lines - 1;
  const target = { first: last, last };
  // A last line that nothing is added to is not touched.
  if (first === "") return rest.length === 0 ? [] : [{ at: text.lines, removed: 0, lines: rest, target }];
  return [{ at: last, removed: 1, lines: [rawLine(text, last) + first, ...rest], target }];
}

function planReplace(text: Text, from: number, to: number, content: string): PlannedSplice[] | Fault {
  const total = countLines(text);
  const inRange = Number.isInteger(from) && Number.isInteger(to) && from >= 1 && from <= to && to <= total;
  if (!inRange) return outOfRange(from, to, total);
  const old = rawLines(text, from - 1, to).map(withoutReturn);
  const lines = linesOf(content, lineBreakFor(content, old)).map(withoutReturn);
  const splice = withLineEnds(text, { at: from - 1, removed: old.length, lines });
  return [{ ...splice, target: { first: from - 1, last: to - 1 } }];
}

function planSet(text: Text, content: string): PlannedSplice[] {
  const raw = rawLines(text, 0, text.lines);
  const before = raw.map(withoutReturn);
  const after = content.split(lineBreakFor(content, before)).map(withoutReturn);
  const isMixed = raw.some((line) => line.endsWith("\r"));
  const diff = isMixed ? diffLines(lastApart(before), lastApart(after)) : diffLines(before, after);
  return diff.map(({ at, removed, newAt, added }) => {
    const splice = withLineEnds(text, { at, removed, lines: after.slice(newAt, newAt + added) });
    return { ...splice, target: targetOf(splice) };
  });
}

function planSetRaw(text: Text, lines: readonly string[]): PlannedSplice[] | Fault {
  const fault = checkContent(lines.join("\n"));
  if (fault !== undefined) return fault;
  // A text always has a raw line, also an empty one.
  const after = lines.length === 0 ? [""] : lines;
  return diffTexts(text, Text.of([...after])).map((splice) => ({ ...splice, target: targetOf(splice) }));
}

function targetOf({ at, removed }: Splice): Target {
  if (removed > 0) return { first: at, last: at + removed - 1 };
  return at === 0 ? "start" : { first: at - 1, last: at - 1 };
}

/** With the last line unlike any other: a line that ends in "\r" cannot be last where no line end follows. */
function lastApart(lines: readonly string[]): string[] {
  return lines.with(-1, `${lines.at(-1)}\0`);
}

/**
 * A lone "\r" breaks new content into lines where no other line break does. Otherwise it is inside a line, as a progress bar
 * has it; also where the old lines have it so.
 */
function lineBreakFor(content: string, old: readonly string[] = []): RegExp {
  const isInside = content.includes("\n") || old.some((line) => line.includes("\r"));
  return isInside ? /\r?\n/ : anyLineBreak;
}

function wholeText(text: Text, lines: readonly string[]): PlannedSplice {
  return { at: 0, removed: text.lines, lines, target: { first: 0, last: text.lines - 1 } };
}

function outOfRange(from: number, to: number, total: number): Fault {
  const range = from === to ? `Line ${from}` : `Line range ${from}-${to}`;
  const reason =
    from > to
      ? `${range} ends before it starts.`
      : total === 0
        ? `${range} does not exist: the document is empty.`
        : `${range} exceeds document length of ${total} lines.`;
  return new Fault(
    "invalid_line_range",
    reason,
    "Read the document again and use the line numbers shown there.",
    {
      requested_start: from,
      requested_end: to,
      document_lines: total,
    },
  );
}

/** `removed` lines from index `at` on become `lines`. */
export interface LineChange {
  readonly at: number;
  readonly removed: number;
  readonly lines: readonly string[];
}

/** The change as an edit of counted lines. */
export function lineEdit({ at, removed, lines }: LineChange): LineEdit {
  const content = lines.map((line) => `${line}\n`).join("");
  if (removed === 0) return { op: "insert", after: at, content };
  if (lines.length === 0) return { op: "delete", from: at + 1, to: at + removed };
  return { op: "replace", from: at + 1, to: at + removed, content };
}
