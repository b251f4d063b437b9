// A hunk of a patch: lines that stand in a file one after the other, and what becomes of them.

import type { TextWords } from "./text-miss.ts";

export interface HunkLine {
  readonly kind: "context" | "removed" | "added";
  readonly text: string;
  /** A context line without its space: it may only stand between two parts of the patch. */
  readonly isBare: boolean;
}

export interface Hunk {
  /** Where it begins in the patch, 1-based. */
  readonly line: number;
  /** Lines of the file above the place, the outermost first. */
  readonly headers: readonly string[];
  /** What stands behind the numbers of a unified header: helps to choose, and is not asked for. */
  readonly heading: string | undefined;
  /** The first old line by the numbers of a unified header; the line before where nothing is removed. */
  readonly hint: number | undefined;
  readonly lines: readonly HunkLine[];
  readonly isAtEnd: boolean;
  /** Whether the file then ends without a line break (open) or with one; undefined where the hunk does not say. */
  readonly end: FileEnd | undefined;
}

export type FileEnd = "open" | "closed";

/** A hunk, and how it is called. */
export interface NamedHunk {
  readonly hunk: Hunk;
  /** Counted from 1. */
  readonly number: number;
  readonly words: TextWords;
}

/** The lines of the file that hunk lines name. */
export function oldLines(lines: readonly HunkLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "added").map(({ text }) => text);
}
