// The view of a vim buffer for a model: the mode, where the cursor is, and the lines around it.

import { cutText } from "@stet/protocol/cut-text";
import type { Vim } from "./state.ts";

const around = 3;
const maxLineLength = 400;

export function screenOf({ buffer, cursor, visual, notes }: Vim, path: string): string {
  const mode = visual === undefined ? "NORMAL" : visual.kind === "lines" ? "VISUAL LINE" : "VISUAL";
  const head = `${path} ${mode} line ${cursor.line + 1} of ${buffer.lines.length}, column ${cursor.col + 1}`;
  const first = Math.max(0, cursor.line - around);
  const lines: string[] = [];
  for (let line = first; line <= Math.min(buffer.last, cursor.line + around); line += 1) {
    const text = buffer.line(line);
    const prefix = `${line === cursor.line ? ">" : " "}${line + 1}|`;
    lines.push(prefix + cutText(text, maxLineLength));
    if (line !== cursor.line || cursor.col >= maxLineLength) continue;
    // Tabs are not expanded, so that the mark stands below the character.
    const space = text.slice(0, cursor.col).replace(/[^\t]/gu, " ");
    lines.push(`${" ".repeat(prefix.length)}${space}^`);
  }
  return [head, ...lines, ...notes].join("\n");
}

/** The lines that the screen shows whole, 1-based and inclusive. */
export function visibleSpan({ buffer, cursor }: Vim): { from: number; to: number } {
  return { from: Math.max(0, cursor.line - around) + 1, to: Math.min(buffer.last, cursor.line + around) + 1 };
}
