// A document whose file changed on disk, too: what can be put together by itself, and what only the person can decide.

import { mergeLines } from "@stet/text/merge";

export interface ConflictSides {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

export type Part =
  | { readonly kind: "settled"; readonly lines: readonly string[] }
  | {
      readonly kind: "conflict";
      readonly index: number;
      readonly line: number;
      readonly sides: ConflictSides;
    };

export type ConflictPart = Extract<Part, { kind: "conflict" }>;

/** `line`, from 1, is where a conflict stands in our text. */
export function partsOf(saved: string, current: string, disk: string): Part[] {
  const parts: Part[] = [];
  let index = 0;
  let line = 1;
  for (const region of mergeLines(saved.split("\n"), current.split("\n"), disk.split("\n"))) {
    const { kind, base, ours, theirs } = region;
    if (kind === "conflict") {
      parts.push({ kind, index, line, sides: { base, ours, theirs } });
      index += 1;
    } else parts.push({ kind: "settled", lines: kind === "theirs" ? theirs : ours });
    line += ours.length;
  }
  return parts;
}

export function conflictsOf(parts: readonly Part[]): ConflictPart[] {
  return parts.filter((part) => part.kind === "conflict");
}

export type Choice = "mine" | "file" | "both";

/** The lines that a choice leaves, which may be none. */
export function linesOf(choice: Choice, { ours, theirs }: ConflictSides): readonly string[] {
  if (choice === "mine") return ours;
  return choice === "file" ? theirs : [...ours, ...theirs];
}

/** Lines of the result, from 1 and inclusive, that the person chose or wrote. One that left nothing is where it would stand. */
export function answeredLines(
  parts: readonly Part[],
  answers: ReadonlyMap<number, readonly string[]>,
): { readonly from: number; readonly to: number }[] {
  const ranges: { readonly from: number; readonly to: number }[] = [];
  let line = 1;
  for (const part of parts) {
    const { length } = part.kind === "settled" ? part.lines : (answers.get(part.index) ?? []);
    if (part.kind === "conflict") ranges.push({ from: line, to: line + Math.max(length, 1) - 1 });
    line += length;
  }
  return ranges;
}

/** The whole text; undefined as long as a conflict has no answer. */
export function resultOf(
  parts: readonly Part[],
  answers: ReadonlyMap<number, readonly string[]>,
): string | undefined {
  const lines: string[] = [];
  for (const part of parts) {
    const chosen = part.kind === "settled" ? part.lines : answers.get(part.index);
    if (chosen === undefined) return undefined;
    for (const line of chosen) lines.push(line);
  }
  return lines.join("\n");
}
