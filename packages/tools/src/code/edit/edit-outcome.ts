// What a model and a person are told of edits that were made: a compact diff with fresh anchors, and the unified diff.

import type { Text } from "@codemirror/state";
import type { ToolOutcome } from "@stet/agent/tool";
import { diffTexts } from "@stet/text/diff";
import { countLines, lineContent, type Splice } from "@stet/text/lines";
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
  code: Pick<CodeContext, "display" | "seen">,
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

function told({ display, seen }: Pick<CodeContext, "display" | "seen">, result: FileResult): string {
  const { op, path, was, history, document } = result;
  if (op === "delete") return `Deleted ${path}`;
  if (op === "create") {
    seen.showAll(document, history);
    return `Created ${path} (${countLines(history.text)} lines)`;
  }
  seen.wrote(document, was, history);
  const splices = diffTexts(was.text, history.text);
  const lines = compactDiff(was.text, history.text, splices, (line) =>
    shownLine(display, history.text, line),
  );
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
  const cut = lines.map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength)}…` : line));
  if (cut.length <= maxShownLines) return cut;
  return [...cut.slice(0, maxShownLines), `[${cut.length - maxShownLines} more lines of this diff]`];
}

/** Where the next change begins, in the new text. */
function nextStart(splices: readonly Splice[], at: number, shift: number): number | undefined {
  const next = splices.find((splice) => splice.at > at);
  return next === undefined ? undefined : next.at + shift;
}

export function detailsOf({ path, op, was, history }: FileResult): EditDetails {
  const splices = diffTexts(was.text, history.text);
  const diff = formatUnified({ path, before: was.text, after: history.text, splices });
  const first = splices[0];
  return { path, op, diff, firstChangedLine: first === undefined ? undefined : first.at + 1 };
}
