// A file read whole with the tool `read` of toolset code, page by page.
//
//   lines   `41th|text` or `41|text`, counted without a gap: what is missing makes the whole unusable
//   notes   in brackets below them: where to read on, and which lines are cut

import type { AskCode } from "./code.ts";
import { Obstacle, type Steps } from "./steps.ts";
import { notWhole } from "./toolset.ts";

const maxPages = 200;

const lineForm = /^(\d{1,9})([a-z]{2})?\|/;
const cutNote = /^\[(?:Line \d+ is cut after \d+ of |\d+ long lines are cut \()/;
const nextNote = /^\[Shown: lines \d+-(\d+)(?: of \d+)?\. Read /;

/** Anchors with their line numbers; empty where the lines come without. */
export function* readPages(
  ask: AskCode,
  path: string,
): Steps<{ readonly lines: readonly string[]; readonly anchors: readonly string[] } | Obstacle> {
  const lines: string[] = [];
  const anchors: string[] = [];
  let next: number | undefined = 1;
  for (let pages = 0; next !== undefined && pages < maxPages; pages += 1) {
    const thought = pages === 0 ? `I read ${path}.` : "";
    const text: string | Obstacle = yield* ask("read", thought, { path: `${path}:${next}` });
    if (text instanceof Obstacle) return text;
    if (pages === 0 && /^\(.* is empty\)$/m.test(text.split("\n", 1)[0] ?? "")) return { lines, anchors };
    const rows: readonly string[] = text.split("\n");
    if (rows.some((row) => cutNote.test(row))) return notWhole(path);
    const known = lines.length;
    for (const row of rows) {
      const match = lineForm.exec(row);
      if (match === null || Number(match[1]) <= known) continue;
      if (Number(match[1]) !== lines.length + 1) return notWhole(path);
      lines.push(row.slice(match[0].length));
      anchors.push(match[2] === undefined ? "" : `${match[1]}${match[2]}`);
    }
    if (lines.length === known) {
      const sentence = `${path} is not shown as lines of text, so I leave it.`;
      return pages === 0 ? new Obstacle("unsupported_file_type", sentence) : notWhole(path);
    }
    const last: string | undefined = rows.flatMap((row) => nextNote.exec(row)?.[1] ?? []).at(-1);
    next = last === undefined ? undefined : Number(last) + 1;
  }
  return next === undefined ? { lines, anchors } : notWhole(path);
}
