// Line edits as ops of the mode hashline: ≔A..B replaces or deletes, «A inserts before, »EOF at the end.
//
// The tool drops payload lines that repeat the neighbours of their target, as copied by mistake. Where they are intended,
// each line is an op of its own, which is applied as it is.

import { Obstacle } from "./steps.ts";
import type { RowEdit } from "./toolset.ts";

export function hashlineInput(
  path: string,
  lines: readonly string[],
  anchors: readonly string[],
  edits: readonly RowEdit[],
): string | Obstacle {
  const rows = [`§${path}`];
  for (const edit of edits) {
    const mark = edit.lines.find(isMark);
    if (mark !== undefined) {
      const sentence = `I cannot write the line “${mark.slice(0, 40)}”: for the tool edit it would be an instruction. I left ${path} as it is.`;
      return new Obstacle("invalid_patch", sentence);
    }
    const ops = opsOf(edit, lines, anchors);
    if (ops === undefined) {
      const sentence = `The lines of ${path} are shown without anchors, so it cannot be edited by lines. I left it as it is.`;
      return new Obstacle("not_readable", sentence);
    }
    rows.push(...ops);
  }
  return `${rows.join("\n")}\n`;
}

/** Undefined where a line has no anchor. */
function opsOf(
  { first, last, lines: payload }: RowEdit,
  lines: readonly string[],
  anchors: readonly string[],
): readonly string[] | undefined {
  const neighbours = [lines[first - 2], lines[Math.max(first - 1, last)]];
  const isRepeating =
    payload.length > 1 && neighbours.some((line) => line !== undefined && payload.includes(line));
  if (last < first) {
    const anchor = anchors[first - 1] || undefined;
    const end = lines.length === 0 ? "»BOF" : "»EOF";
    const op = first > lines.length ? end : anchor === undefined ? undefined : `«${anchor}`;
    if (op === undefined) return undefined;
    return isRepeating ? payload.flatMap((line) => [op, line]) : [op, ...payload];
  }
  const [from, to] = [anchors[first - 1] || undefined, anchors[last - 1] || undefined];
  if (from === undefined || to === undefined) return undefined;
  const range = first === last ? `≔${from}` : `≔${from}..${to}`;
  if (!isRepeating) return [range, ...payload];
  const [line = "", ...rest] = payload;
  return [range, line, ...rest.flatMap((other) => [`»${to}`, other])];
}

/** Whether a line of a payload would be read as an op, as the beginning of a file, or as an end. */
function isMark(line: string): boolean {
  if (line.startsWith("≔") || /^\*\*\* (?:Abort|End Patch)$/.test(line.trim())) return true;
  if (/^[»«]\s*(?:\d|[a-z]{2}\s*$|[BE]OF\s*$|$)/i.test(line)) return true;
  if (!line.startsWith("§")) return false;
  const rest = line.slice(1).trim();
  return !/\s/.test(rest) || /^[A-Za-z]\w*(?:#\w+)?$/.test(rest.slice(rest.lastIndexOf(".") + 1));
}
