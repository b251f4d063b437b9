// A piece of a long line around what matters in it.

import { characterEnd } from "./window.ts";

export interface TabExcerpt {
  readonly text: string;
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
}

const gap = "...";

/** The characters `[from, to)` of a line and at most `margin` on either side; of a long match only its beginning. */
export function excerpt(line: string, from: number, to: number, margin: number): TabExcerpt {
  const start = characterEnd(line, Math.max(0, from - margin));
  const end = characterEnd(line, Math.min(line.length, Math.max(from, Math.min(to, from + margin)) + margin));
  if (start === 0 && end === line.length) return { text: line, isWhole: true };
  const text = `${start > 0 ? gap : ""}${line.slice(start, end)}${end < line.length ? gap : ""}`;
  return { text, isWhole: false };
}
