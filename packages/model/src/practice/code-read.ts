// A file read whole with the tool `read` of toolset code, page by page. Reading from a line on shows every line, where reading
// a file without a line may show a summary.
//
//   lines     `41th|text` or `41|text`, counted without a gap: what is missing makes the whole unusable
//   notes     in brackets below them: where to read on, and which lines are cut. A cut line is read once more, raw

import type { CodeState } from "./code-state.ts";
import { Obstacle, type Steps } from "./steps.ts";
import type { Reading } from "./toolset.ts";

const maxPages = 200;
const maxCutLines = 20;
/** A line that is shown cut has so many characters, or one less. */
const cutLength = 1999;

export function* readWhole(state: CodeState, path: string, thought: string): Steps<Reading | Obstacle> {
  const lines: string[] = [];
  const anchors: string[] = [];
  const cut: number[] = [];
  let next: number | undefined = 1;
  for (let pages = 0; next !== undefined && pages < maxPages; pages += 1) {
    const text: string | Obstacle = yield* state.ask("read", pages === 0 ? thought : "", {
      path: `${path}:${next}`,
    });
    if (text instanceof Obstacle) return text;
    if (pages === 0 && isEmpty(text)) break;
    const page = pageOf(text);
    const fresh = page.lines.filter(({ line }) => line > lines.length);
    if (fresh.length === 0) return pages === 0 ? notText(path) : notWhole(path);
    for (const { line, anchor, content } of fresh) {
      if (line !== lines.length + 1) return notWhole(path);
      if (page.isCut && content.length >= cutLength) cut.push(line);
      lines.push(content);
      anchors.push(anchor);
    }
    next = page.next;
  }
  if (next !== undefined && lines.length > 0) return notWhole(path);
  if (cut.length > maxCutLines) return notWhole(path);
  for (const line of cut) {
    const whole = yield* readLine(state, path, line);
    if (whole instanceof Obstacle) return whole;
    lines[line - 1] = whole;
  }
  state.anchors.set(path, anchors);
  return { path, lines, isHashKnown: true };
}

function* readLine(state: CodeState, path: string, line: number): Steps<string | Obstacle> {
  const thought = `Line ${line} was shown cut, so I read it as it is.`;
  const text = yield* state.ask("read", thought, { path: `${path}:${line}+1:raw` });
  if (text instanceof Obstacle) return text;
  const [content = "", ...notes] = text.split("\n");
  return notes.some((note) => cutNote.test(note)) ? notWhole(path) : content;
}

interface ShownLine {
  readonly line: number;
  /** With its number; empty where lines are shown without anchors. */
  readonly anchor: string;
  readonly content: string;
}

interface Page {
  readonly lines: readonly ShownLine[];
  /** Where to read on. */
  readonly next: number | undefined;
  readonly isCut: boolean;
}

const lineForm = /^(\d{1,9})([a-z]{2})?\|/;
const cutNote = /^\[(?:Line \d+ is cut after \d+ of |\d+ long lines are cut \()/;
const nextNote = /^\[Shown: lines \d+-(\d+)(?: of \d+)?\. Read /;

function pageOf(text: string): Page {
  const lines: ShownLine[] = [];
  let next: number | undefined;
  let isCut = false;
  for (const row of text.split("\n")) {
    const match = lineForm.exec(row);
    if (match !== null) {
      const [lead, number = "", letters] = match;
      const anchor = letters === undefined ? "" : number + letters;
      lines.push({ line: Number(number), anchor, content: row.slice(lead.length) });
      continue;
    }
    isCut ||= cutNote.test(row);
    const last = nextNote.exec(row)?.[1];
    if (last !== undefined) next = Number(last) + 1;
  }
  return { lines, next, isCut };
}

function isEmpty(text: string): boolean {
  const [line = ""] = text.split("\n", 1);
  return line.startsWith("(") && line.endsWith(" is empty)");
}

function notText(path: string): Obstacle {
  return new Obstacle("unsupported_file_type", `${path} is not shown as lines of text, so I leave it.`);
}

function notWhole(path: string): Obstacle {
  return new Obstacle("cut", `${path} could not be read whole, so I leave it as it is.`);
}
