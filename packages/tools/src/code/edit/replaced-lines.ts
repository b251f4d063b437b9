// Lines that take the place of others, as the smallest line edits: a line that stays is not named by any of them.

import type { Text } from "@codemirror/state";
import { diffLines } from "@stet/text/diff";
import type { LineEdit } from "@stet/text/edits";
import { rawLines, withoutReturn } from "@stet/text/lines";

/** Edits that put `lines` in the place of the counted lines `[from, to]`, 1-based. */
export function replacedLines(text: Text, from: number, to: number, lines: readonly string[]): LineEdit[] {
  const old = rawLines(text, from - 1, to).map(withoutReturn);
  return diffLines(old, lines).map(({ at, removed, newAt, added }): LineEdit => {
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
