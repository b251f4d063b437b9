// A text file as it is now, unsaved text included. What is shown of it is what the model knows from here on: lines that
// were left out or cut are not.

import type { ToolContext, ToolOutcome } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import { countLines, lineContent } from "@stet/text/lines";
import type { Location } from "@stet/workspace/files/containment";
import type { CodeContext } from "../code-context.ts";
import type { OpenFile } from "../code-files.ts";
import { linePrefix } from "../display.ts";
import type { KnownConflict } from "./conflicts.ts";
import { imageHeaderOf, readImage } from "./image-file.ts";
import type { Page } from "./page.ts";
import { pageIn } from "./paged-text.ts";
import { seemsToBe } from "./seems.ts";
import type { SelectedPath } from "./selector.ts";
import { shownSummary } from "./shown-summary.ts";

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
  if (selector === undefined && !isRaw && conflicts.length === 0) {
    const summary = await shownSummary(context, file);
    if (summary !== undefined) return summary;
  }
  const { outcome, page } = pageIn(
    context,
    { total, content: (line) => lineContent(text, line - 1) },
    { selector, isRaw, source: path, prefix: (line) => linePrefix(context.display, text, line) },
  );
  if (page !== undefined) record(context, file, page);
  if (total === 0) context.sight.showAll(file);
  const notes = page === undefined ? [] : conflictNote(conflicts);
  const { source: _, ...lines } = outcome.details;
  return {
    content: [outcome.content, ...notes].join("\n"),
    details: { path, ...lines, conflicts: conflicts.map(({ id }) => id) },
  };
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
