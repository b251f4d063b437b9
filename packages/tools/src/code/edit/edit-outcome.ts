// What a model and a person are told of edits that were made: a compact diff with fresh anchors, and the unified diff.

import type { Text } from "@codemirror/state";
import type { ToolOutcome } from "@stet/agent/tool";
import { cutText } from "@stet/protocol/cut-text";
import { isFault } from "@stet/protocol/fault";
import { diffLines, diffTexts } from "@stet/text/diff";
import { changesSince } from "@stet/text/history";
import { countLines, lineContent, rawLines, type Splice } from "@stet/text/lines";
import { formatUnified } from "@stet/text/unified";
import type { CodeContext } from "../code-context.ts";
import type { FileResult } from "../code-files.ts";
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

/** The answer to edits that are on disk now. The model knows the new text from here on. */
export function editOutcome(
  code: Pick<CodeContext, "display" | "sight">,
  results: readonly FileResult[],
  warnings: readonly string[] = [],
): ToolOutcome {
  const parts = results.map((result) => told(code, result));
  if (warnings.length > 0) parts.push(`Warnings:\n${warnings.join("\n")}`);
  const files = results.map(detailsOf);
  const [only] = files;
  const details = files.length === 1 && only !== undefined ? only : { perFileResults: files };
  return { content: parts.join("\n\n"), details };
}

function told({ display, sight }: Pick<CodeContext, "display" | "sight">, result: FileResult): string {
  const { op, path, was, history } = result;
  if (op === "delete") return `Deleted ${path}`;
  if (op === "create") {
    sight.wroteAll(result);
    const lines = countLines(history.text);
    return `Created ${path} (${lines} ${lines === 1 ? "line" : "lines"})`;
  }
  sight.changed(result);
  const lines = compactDiff(was.text, history.text, splicesOf(result), (line) =>
    shownLine(display, history.text, line),
  );
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

export function detailsOf(result: FileResult): EditDetails {
  const { path, op, was, history } = result;
  const splices = splicesOf(result);
  const diff = formatUnified({ path, before: was.text, after: history.text, splices });
  const first = splices[0];
  return { path, op, diff, firstChangedLine: first === undefined ? undefined : first.at + 1 };
}

/** What the step did, by lines. The change itself says it; only what it puts in the place of something is compared. */
function splicesOf({ was, history }: FileResult): Splice[] {
  const changes = changesSince(history, was.revision);
  const [change] = isFault(changes) ? [] : changes;
  if (isFault(changes) || changes.length !== 1 || change?.before !== was.text)
    return diffTexts(was.text, history.text);
  return change.splices.flatMap(({ at, removed, lines }) =>
    diffLines(rawLines(was.text, at, at + removed), lines).map((diff) => ({
      at: at + diff.at,
      removed: diff.removed,
      lines: lines.slice(diff.newAt, diff.newAt + diff.added),
    })),
  );
}
