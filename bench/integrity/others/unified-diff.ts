// A unified diff, applied as `patch` does: at the stated line, else at the nearest line where it fits, and if it fits
// nowhere with up to two lines of context left out at each end.

import { type FileText, parseFile, renderFile } from "../file-text.ts";
import type { TextRules } from "../rule-set.ts";
import { type PatchHunk, type PatchHunkLine, writeHunks } from "./hunks.ts";
import { replaced } from "./line-numbers.ts";

const maxFuzz = 2;

export const unifiedDiff: TextRules<readonly PatchHunk[]> = {
  name: "unified diff with fuzz",
  about:
    "A hunk goes to its stated line or to the nearest one where it fits; failing that, up to two lines of context at each end are ignored.",
  source: "the manual of GNU patch (fuzz factor and offsets); aider's `udiff` format is looser still",
  write: (one) => writeHunks(one),
  apply(content, hunks) {
    let file = parseFile(content);
    let offset = 0;
    for (const [index, hunk] of hunks.entries()) {
      const located = place(file, hunk, offset);
      if (located === undefined)
        return { kind: "refused", message: `Hunk #${index + 1} FAILED at ${hunk.oldStart}.` };
      const { at, lines } = located;
      const old = lines.filter(({ kind }) => kind !== "+").length;
      const fresh = newLines(file, at, lines);
      file = replaced(file, at, old, fresh);
      offset += fresh.length - old + (at - (hunk.oldStart - 1 + offset));
    }
    return { kind: "applied", content: renderFile(file) };
  },
};

function place(
  file: FileText,
  hunk: PatchHunk,
  offset: number,
): { at: number; lines: readonly PatchHunkLine[] } | undefined {
  for (let fuzz = 0; fuzz <= maxFuzz; fuzz += 1) {
    const { lines, cut } = withoutContext(hunk.lines, fuzz);
    const stated = hunk.oldStart - 1 + offset + cut;
    const old = lines.filter(({ kind }) => kind !== "+").map(({ text }) => text);
    for (let distance = 0; distance <= file.lines.length; distance += 1) {
      for (const at of [stated - distance, stated + distance]) {
        if (at < 0 || at + old.length > file.lines.length) continue;
        if (old.every((text, index) => file.lines[at + index]?.text === text)) return { at, lines };
      }
    }
  }
  return undefined;
}

function withoutContext(
  lines: readonly PatchHunkLine[],
  fuzz: number,
): { lines: readonly PatchHunkLine[]; cut: number } {
  let from = 0;
  let to = lines.length;
  while (from < fuzz && lines[from]?.kind === " ") from += 1;
  for (let left = fuzz; left > 0 && lines[to - 1]?.kind === " " && to > from; left -= 1) to -= 1;
  return { lines: lines.slice(from, to), cut: from };
}

/** Context lines stay as the file has them. */
function newLines(file: FileText, at: number, lines: readonly PatchHunkLine[]): string[] {
  const fresh: string[] = [];
  let index = at;
  for (const { kind, text } of lines) {
    if (kind === "+") fresh.push(text);
    if (kind === " ") fresh.push(file.lines[index]?.text ?? text);
    if (kind !== "+") index += 1;
  }
  return fresh;
}
