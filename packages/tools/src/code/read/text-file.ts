// A text file as it is now, unsaved text included. What is shown of it is what the model knows from here on: lines that
// were left out or cut are not.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import type { Location } from "@stet/workspace/files/containment";
import type { CodeContext } from "../code-context.ts";
import type { OpenFile } from "../code-files.ts";
import type { KnownConflict } from "./conflicts.ts";
import { imageHeaderOf, readImage } from "./image-file.ts";
import { linePrefix } from "./line-prefix.ts";
import { behindEnd, type Page, pageNotes, pageOf } from "./page.ts";
import { seemsToBe } from "./seems.ts";
import type { SelectedPath } from "./selector.ts";
import { shownSummary } from "./shown-summary.ts";

export interface TextDetails {
  readonly path: string;
  /** The lines that were shown, 1-based and inclusive. */
  readonly from: number;
  readonly to: number;
  readonly totalLines: number;
  readonly nextLine: number | undefined;
  readonly conflicts: readonly number[];
}

export async function readText(
  context: CodeContext,
  location: Location,
  { selector, isRaw }: Pick<SelectedPath, "selector" | "isRaw">,
  call: ToolContext,
): Promise<ToolOutcome | Fault> {
  const file = context.files.open(location.path);
  if (isFault(file))
    return file.error === "unsupported_file_type" ? notText(context, location, file, call) : file;
  const { path, history } = file;
  const { text } = history;
  const total = countLines(text);
  const conflicts = context.conflicts.note(file);
  const ids = conflicts.map(({ id }) => id);
  const from = selector?.from ?? 1;
  if (from > Math.max(1, total)) {
    const details = { path, from, to: from - 1, totalLines: total, nextLine: undefined, conflicts: ids };
    return { content: behindEnd(path, from, total), details };
  }
  if (selector === undefined && !isRaw && conflicts.length === 0) {
    const summary = await shownSummary(context, file);
    if (summary !== undefined) return summary;
  }
  const page = pageOf(
    { total, content: (line) => lineContent(text, line - 1) },
    { selector, isRaw, limit: context.settings.readLimit },
  );
  record(context, file, page);
  const shown = page.lines.map(({ line, content }) =>
    isRaw ? content : `${linePrefix(context.display, file, line)}|${content}`,
  );
  const notes = [...pageNotes(page, path), ...conflictNote(conflicts)];
  const content = total === 0 ? `(${path} is empty)` : [...shown, ...notes].join("\n");
  const details: TextDetails = {
    path,
    from: page.lines[0]?.line ?? 1,
    to: page.lines.at(-1)?.line ?? 0,
    totalLines: total,
    nextLine: page.next,
    conflicts: ids,
  };
  if (total === 0) context.sight.showAll(file);
  return { content, details };
}

function record({ sight }: CodeContext, file: OpenFile, { lines }: Page): void {
  const [first, last] = [lines[0]?.line, lines.at(-1)?.line];
  if (first === undefined || last === undefined) return;
  let from = first;
  for (const { line, fullLength } of lines) {
    if (fullLength === undefined) continue;
    if (line > from) sight.show(file, from, line - 1);
    sight.show(file, line, line, false);
    from = line + 1;
  }
  if (last >= from) sight.show(file, from, last);
}

const maxNamed = 10;

function conflictNote(conflicts: readonly KnownConflict[]): string[] {
  const [first] = conflicts;
  if (first === undefined) return [];
  const named = conflicts
    .slice(0, maxNamed)
    .map(({ id, block }) => `conflict://${id} (lines ${block.from}-${block.to})`);
  const more = conflicts.length > maxNamed ? [`… ${conflicts.length - maxNamed} more`] : [];
  const how = `Read conflict://${first.id} to see its sides; write it to resolve it.`;
  return [`[Merge conflicts: ${[...named, ...more].join(", ")}. ${how}]`];
}

/** An image under another name is shown as one; of anything else it is said what it seems to be. */
async function notText(
  context: CodeContext,
  location: Location,
  fault: Fault,
  { signal }: ToolContext,
): Promise<ToolOutcome | Fault> {
  const found = imageHeaderOf(context, location);
  if (isFault(found)) return found;
  if (found.header !== undefined) return readImage(context, location, signal);
  const { path } = location;
  return new Fault(
    "not_readable",
    `${path} is not UTF-8 text: it seems to be ${seemsToBe(found.start)}.`,
    "Look at it with a program made for it, through bash.",
    { ...fault.details, path },
  );
}
