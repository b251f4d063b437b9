// Edits of a revision that was shown, as edits of the newest one.
//
// A line that an edit writes again as it is, is no part of it, so it may have changed since. Where equal lines stand side by
// side it cannot be told which of them comes or goes: then all of them have to be as they were shown.

import type { Text } from "@codemirror/state";
import { type Fault, isFault } from "@stet/protocol/fault";
import { diffLines } from "@stet/text/diff";
import { type LineEdit, planEdits } from "@stet/text/edits";
import { type History, rebaseSplices, textAt } from "@stet/text/history";
import { changeOf, lineContent, linesOf, rawLines, withoutReturn } from "@stet/text/lines";

/** Counted lines, 1-based and inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** An edit that names lines. */
export type RangeEdit = Extract<LineEdit, { readonly op: "insert" | "replace" | "delete" }>;

/** Where untouched lines of a revision are now; a conflict where they were touched since. */
export function followedLines(
  history: History,
  revision: number,
  { from, to }: LineRange,
): LineRange | Fault {
  const target = { first: from - 1, last: to - 1 };
  const rebased = rebaseSplices(history, revision, [{ at: from - 1, removed: 0, lines: [], target }]);
  if (isFault(rebased)) return rebased;
  const now = rebased[0]?.target;
  return typeof now === "object" ? { from: now.first + 1, to: now.last + 1 } : { from, to };
}

/** Where a counted line of a revision is now; undefined where it was touched, or nobody knows. */
export function lineNow(history: History, revision: number, line: number): number | undefined {
  const now =
    revision === history.revision ? undefined : followedLines(history, revision, { from: line, to: line });
  return now === undefined ? line : isFault(now) ? undefined : now.from;
}

/** The lines that an edit is about now, and the smallest edits that make it. */
export function followedEdits(
  history: History,
  revision: number,
  edit: RangeEdit,
): (LineRange & { readonly edits: readonly LineEdit[] }) | Fault {
  const seen = textAt(history, revision);
  if (isFault(seen)) return seen;
  if (edit.op === "insert") {
    if (edit.after === 0) return { from: 1, to: 0, edits: [edit] };
    const line = followedLines(history, revision, { from: edit.after, to: edit.after });
    if (isFault(line)) return line;
    return { from: line.to + 1, to: line.to, edits: [{ ...edit, after: line.to }] };
  }
  const whole = followedLines(history, revision, edit);
  if (!isFault(whole)) return { ...whole, edits: [{ ...edit, ...whole }] };
  if (edit.op === "delete") return whole;
  const edits: LineEdit[] = [];
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const part of replacedLines(seen, edit.from, edit.to, linesOf(edit.content))) {
    // Lines that only come belong to what is around them.
    if (part.op === "insert") return whole;
    const range = unclear(history, revision, seen, edit, part) ?? followedLines(history, revision, part);
    if (isFault(range)) return whole;
    edits.push({ ...part, ...range });
    first = Math.min(first, range.from);
    last = Math.max(last, range.to);
  }
  return edits.length === 0 ? whole : { from: first, to: last, edits };
}

/** The newest text after edits of a revision; a conflict where their lines were touched since. */
export function followedText(history: History, revision: number, edits: readonly LineEdit[]): Text | Fault {
  const seen = textAt(history, revision);
  const planned = isFault(seen) ? seen : planEdits(seen, edits);
  const splices = isFault(planned) ? planned : rebaseSplices(history, revision, planned);
  return isFault(splices) ? splices : changeOf(history.text, splices).apply(history.text);
}

/** Edits that put `lines` in the place of the counted lines `[from, to]`, 1-based: a line that stays is not named by any. */
export function replacedLines(text: Text, from: number, to: number, lines: readonly string[]): RangeEdit[] {
  const old = rawLines(text, from - 1, to).map(withoutReturn);
  return diffLines(old, lines).map(({ at, removed, newAt, added }): RangeEdit => {
    const first = from + at;
    const content = contentOf(lines.slice(newAt, newAt + added));
    if (removed === 0) return { op: "insert", after: first - 1, content };
    if (added === 0) return { op: "delete", from: first, to: first + removed - 1 };
    return { op: "replace", from: first, to: first + removed - 1, content };
  });
}

/** Lines as the content of a line edit: each with its line break. */
export function contentOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** A conflict where it cannot be told which of several equal lines of a block comes or goes, and they are not what they were. */
export function unclear(
  history: History,
  revision: number,
  text: Text,
  block: LineRange,
  edit: LineEdit,
): Fault | undefined {
  const at = (line: number) => lineContent(text, line - 1);
  let [first, last] = [0, 0];
  if (edit.op === "delete") {
    [first, last] = [edit.from, edit.to];
    for (let end = edit.to; first > block.from && at(first - 1) === at(end); end -= 1) first -= 1;
    for (let start = edit.from; last < block.to && at(last + 1) === at(start); start += 1) last += 1;
    if (first === edit.from && last === edit.to) return undefined;
  } else if (edit.op === "insert") {
    const lines = linesOf(edit.content);
    [first, last] = [edit.after, edit.after];
    for (let end = lines.length - 1; first > block.from - 1 && at(first) === lineAt(lines, end); end -= 1)
      first -= 1;
    for (let start = 0; last < block.to && at(last + 1) === lineAt(lines, start); start += 1) last += 1;
    if (first === last) return undefined;
    first = Math.max(1, first);
  } else return undefined;
  const followed = followedLines(history, revision, { from: first, to: last });
  return isFault(followed) ? followed : undefined;
}

/** Lines that come over and over. */
function lineAt(lines: readonly string[], index: number): string | undefined {
  return lines[((index % lines.length) + lines.length) % lines.length];
}
