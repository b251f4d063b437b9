// Unified diffs, written and read.
//
//   --- a/path                        file header
//   +++ b/path
//   @@ -first,count +first,count @@   hunk; ",1" is left out, and an empty side names the line before it
//    context
//   -removed
//   +added
//   \ No newline at end of file       about the line above
//
// Its lines are counted lines, each with its line break. A document's last line without one is another line than
// the same text with one, so a splice that only adds or removes the line break at the end replaces that line.

import type { Text } from "@codemirror/state";
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from "diff";
import type { LineDiff } from "./diff.ts";
import { countLines, rawLine, type Splice } from "./lines.ts";

export const noNewline = "\\ No newline at end of file";

export interface UnifiedInput {
  readonly path: string;
  /** Where the file was before, when it moved. */
  readonly oldPath?: string;
  readonly before: Text;
  readonly after: Text;
  /** From before to after, in order. */
  readonly splices: readonly Splice[];
  /** Unchanged lines around each change; 3 unless given. */
  readonly context?: number;
}

/** The whole diff of one file; empty when nothing changed. */
export function formatUnified(input: UnifiedInput): string {
  const { path, oldPath = path, before, after, splices, context = 3 } = input;
  const changes = countedChanges(before, after, positioned(splices));
  const last = countLines(before);
  const hunks: string[] = [];
  for (let index = 0; index < changes.length; ) {
    const group: LineDiff[] = [];
    for (let next = changes[index]; next !== undefined; next = changes[index]) {
      const previous = group.at(-1);
      if (previous !== undefined && next.at - previous.at - previous.removed > 2 * context) break;
      group.push(next);
      index += 1;
    }
    const from = Math.max(0, (group[0]?.at ?? 0) - context);
    const to = Math.min(last, endOf(group.at(-1)) + context);
    hunks.push(formatLines(before, after, group, from, to));
  }
  if (hunks.length === 0) return "";
  return `--- ${headerPath(`a/${oldPath}`)}\n+++ ${headerPath(`b/${path}`)}\n${hunks.join("")}`;
}

/**
 * One splice as a hunk without a file header. `newAt` is where its lines begin in `after`, which may have other
 * changes too; context ends where it meets one of them.
 */
export function formatHunk(before: Text, after: Text, splice: Splice, newAt: number, context = 0): string {
  const { at, removed, lines } = splice;
  const [change] = countedChanges(before, after, [{ at, removed, newAt, added: lines.length }]);
  if (change === undefined) return "";
  const oldEnd = endOf(change);
  const newEnd = change.newAt + change.added;
  let above = 0;
  while (above < context && isSameLine(before, change.at - above - 1, after, change.newAt - above - 1))
    above += 1;
  let below = 0;
  while (below < context && isSameLine(before, oldEnd + below, after, newEnd + below)) below += 1;
  return formatLines(before, after, [change], change.at - above, oldEnd + below);
}

function endOf(change: LineDiff | undefined): number {
  return change === undefined ? 0 : change.at + change.removed;
}

function isSameLine(before: Text, index: number, after: Text, newIndex: number): boolean {
  if (index < 0 || newIndex < 0 || index >= countLines(before) || newIndex >= countLines(after)) return false;
  const isSameEnd = (index === before.lines - 1) === (newIndex === after.lines - 1);
  return isSameEnd && rawLine(before, index) === rawLine(after, newIndex);
}

function positioned(splices: readonly Splice[]): LineDiff[] {
  let shift = 0;
  return splices.map(({ at, removed, lines }) => {
    const change = { at, removed, newAt: at + shift, added: lines.length };
    shift += lines.length - removed;
    return change;
  });
}

/** Changes of raw lines as changes of counted lines with their line breaks. */
function countedChanges(before: Text, after: Text, changes: readonly LineDiff[]): LineDiff[] {
  const oldLast = countLines(before);
  const newLast = countLines(after);
  const counted: { at: number; removed: number; newAt: number; added: number }[] = [];
  for (let { at, removed, newAt, added } of changes) {
    const changesLineBreakBefore = (removed === 0) !== (added === 0);
    if (at > 0 && at + removed === before.lines && changesLineBreakBefore) {
      at -= 1;
      removed += 1;
      newAt -= 1;
      added += 1;
    }
    const oldEnd = Math.min(at + removed, oldLast);
    const newEnd = Math.min(newAt + added, newLast);
    if (oldEnd <= at && newEnd <= newAt) continue;
    const previous = counted.at(-1);
    if (previous !== undefined && at <= previous.at + previous.removed) {
      previous.removed = oldEnd - previous.at;
      previous.added = newEnd - previous.newAt;
    } else {
      counted.push({ at, removed: oldEnd - at, newAt, added: newEnd - newAt });
    }
  }
  return counted;
}

/** A hunk of the lines `[from, to)` of `before`, with the changes in it. */
function formatLines(
  before: Text,
  after: Text,
  changes: readonly LineDiff[],
  from: number,
  to: number,
): string {
  let body = "";
  let at = from;
  let shift = (changes[0]?.newAt ?? 0) - (changes[0]?.at ?? 0);
  const newFrom = from + shift;
  for (const change of changes) {
    body += formatSide(" ", before, at, change.at);
    at = endOf(change);
    body += formatSide("-", before, change.at, at);
    body += formatSide("+", after, change.newAt, change.newAt + change.added);
    shift = change.newAt + change.added - at;
  }
  body += formatSide(" ", before, at, to);
  return `@@ -${range(from, to)} +${range(newFrom, to + shift)} @@\n${body}`;
}

function formatSide(prefix: string, text: Text, from: number, to: number): string {
  let lines = "";
  for (let index = from; index < to; index += 1) {
    lines += `${prefix}${rawLine(text, index)}\n`;
    if (index === text.lines - 1) lines += `${noNewline}\n`;
  }
  return lines;
}

function range(from: number, to: number): string {
  const count = to - from;
  if (count === 1) return `${from + 1}`;
  return count === 0 ? `${from},0` : `${from + 1},${count}`;
}

/** As git writes it: quoted where it must be, and closed by a tab where a space could be taken for its end. */
function headerPath(path: string): string {
  const escapes: Record<string, string> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\" };
  const escaped = path.replace(/[\n\t\r"\\]/g, (character) => escapes[character] ?? character);
  if (escaped !== path) return `"${escaped}"`;
  return path.includes(" ") ? `${path}\t` : path;
}

export type UnifiedHunk = StructuredPatchHunk;

/** The files of a diff with their hunks; an empty side begins behind the line that it names. Undefined where it is no diff. */
export function readUnified(patch: string): StructuredPatch[] | undefined {
  try {
    const files = parsePatch(patch);
    return files.some(({ hunks }) => hunks.length > 0) ? files : undefined;
  } catch {
    // A hunk has other lines than its header says.
    return undefined;
  }
}
