// What a model and a person are told of edits that were made: a compact diff with fresh anchors, and the unified diff.

import type { Text } from "@codemirror/state";
import type { ToolOutcome } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";
import { countLines, lineContent, type Splice } from "@stet/text/lines";
import { formatUnified } from "@stet/text/unified";
import { editedLines } from "../../edited-lines.ts";
import type { CodeContext } from "../code-context.ts";
import type { FileResult, OpenFile } from "../code-files.ts";
import { shownLine } from "../display.ts";

/** For people and their programs. */
export interface EditDetails {
  readonly path: string;
  readonly op: FileResult["op"];
  /** Unified. */
  readonly diff: string;
  /** The first line that is different now, 1-based. */
  readonly firstChangedLine: number | undefined;
}

const context = 2;
const maxShownLines = 80;
const maxLineLength = 400;

/** What was done to a file, and the file that it was before it moved. */
export interface EditedFile extends FileResult {
  readonly movedFrom?: OpenFile | undefined;
}

/** The answer to edits that are on disk now. The model knows the new text from here on. */
export function editOutcome(
  code: Pick<CodeContext, "display" | "sight">,
  results: readonly EditedFile[],
  warnings: readonly string[] = [],
): ToolOutcome {
  // Edits of one file that follow each other are one.
  const whole = [...Map.groupBy(results, ({ document }) => document).values()].flatMap((list) => {
    const [first] = list;
    const last = list.at(-1);
    return first === undefined || last === undefined ? [] : [{ ...first, ...last, was: first.was }];
  });
  const parts = whole.map((result) => answerFor(code, result));
  if (warnings.length > 0) parts.push(`Warnings:\n${warnings.join("\n")}`);
  const files = whole.map(detailsOf);
  const [only] = files;
  const details = files.length === 1 && only !== undefined ? only : { perFileResults: files };
  return { content: parts.join("\n\n"), details };
}

function answerFor({ display, sight }: Pick<CodeContext, "display" | "sight">, result: EditedFile): string {
  const { op, path, history, movedFrom } = result;
  const total = countLines(history.text);
  const counted = `${total} ${total === 1 ? "line" : "lines"}`;
  if (op === "delete") return `Deleted ${path}`;
  if (op === "create" || movedFrom !== undefined) sight.wroteAll(result);
  if (op === "create" && movedFrom === undefined) return `Created ${path} (${counted})`;
  sight.changed(result);
  const { before, splices } = changeIn(result);
  const lines = compactDiff(before, history.text, splices, (line) => shownLine(display, history.text, line));
  if (movedFrom !== undefined) {
    const head = `Moved ${movedFrom.path} to ${path} (${counted})`;
    return splices.length === 0 ? head : `${head}:\n${lines.join("\n")}`;
  }
  for (const line of lines) {
    const number = /^[ +](\d+)/.exec(line)?.[1];
    if (number === undefined) continue;
    // What is cut was not shown whole.
    sight.show(result, Number(number), Number(number), line.length <= maxLineLength);
  }
  return `${path}:\n${lines.join("\n")}`;
}

/** Changed lines with two lines around them; the new ones as they would be read again. */
export function compactDiff(
  before: Text,
  after: Text,
  splices: readonly Splice[],
  show: (line: number) => string,
): string[] {
  const lines: string[] = [];
  const total = countLines(after);
  let shift = 0;
  let shown = 0;
  for (const { at, removed, lines: added } of splices) {
    const newAt = at + shift;
    const from = Math.max(shown, newAt - context);
    if (from > shown && lines.length > 0) lines.push("…");
    for (let line = from; line < Math.min(newAt, total); line += 1) lines.push(` ${show(line + 1)}`);
    for (let line = at; line < Math.min(at + removed, countLines(before)); line += 1)
      lines.push(`-${line + 1}|${lineContent(before, line)}`);
    const end = Math.min(newAt + added.length, total);
    for (let line = newAt; line < end; line += 1) lines.push(`+${show(line + 1)}`);
    shift += added.length - removed;
    shown = end;
    const trailing = Math.min(end + context, total, nextStart(splices, at, shift) ?? total);
    for (let line = end; line < trailing; line += 1) lines.push(` ${show(line + 1)}`);
    shown = Math.max(shown, trailing);
  }
  const cut = lines.map((line) => cutText(line, maxLineLength));
  if (cut.length <= maxShownLines) return cut;
  return [...cut.slice(0, maxShownLines), `[${cut.length - maxShownLines} more lines of this diff]`];
}

/** Where the next change begins, in the new text. */
function nextStart(splices: readonly Splice[], at: number, shift: number): number | undefined {
  const next = splices.find((splice) => splice.at > at);
  return next === undefined ? undefined : next.at + shift;
}

export function detailsOf(result: EditedFile): EditDetails {
  const { path, history, movedFrom } = result;
  const { before, splices } = changeIn(result);
  const from = movedFrom === undefined ? {} : { oldPath: movedFrom.path };
  const diff = formatUnified({ path, ...from, before, after: history.text, splices });
  const first = splices[0];
  const firstChangedLine = first === undefined ? undefined : first.at + 1;
  return { path, op: movedFrom === undefined ? result.op : "update", diff, firstChangedLine };
}

function changeIn({ was, history, movedFrom }: EditedFile): { before: Text; splices: Splice[] } {
  const before = movedFrom?.history.text ?? was.text;
  return { before, splices: editedLines(was, history, before) };
}
