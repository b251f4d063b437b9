// What a person should look at after a transformation. Issues are told and block nothing.

import type { ChangeSet, Text } from "@codemirror/state";
import { count } from "./analysis-reports.ts";
import { lineOf } from "./replacements.ts";

export interface Issue {
  /** 0-indexed, in the new text. */
  readonly line: number;
  readonly kind:
    | "name_remains"
    | "name_collision"
    | "article"
    | "possessive"
    | "pronoun"
    | "pronouns_unchanged"
    | "ambiguous"
    | "term_remains"
    | "term_inconsistent";
  readonly message: string;
}

/** "line 4", "lines 4, 9 and 20", "lines 4, 9, 20 and 17 more". For people, who count from 1. */
export function shownLines(lines: readonly number[], most = 5): string {
  const distinct = [...new Set(lines)].map((line) => String(line + 1));
  const shown =
    distinct.length > most ? [...distinct.slice(0, most), `${distinct.length - most} more`] : distinct;
  const list = shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  return `${distinct.length === 1 ? "line" : "lines"} ${list}`;
}

/** "3 places (lines 4, 9 and 20)" */
export function places(lines: readonly number[]): string {
  return `${count(lines.length, "place")} (${shownLines(lines)})`;
}

/** Where each writing stands among some places of a text: 0-indexed lines. */
export function linesByWriting(
  text: Text,
  found: readonly { readonly from: number; readonly to: number }[],
): Map<string, number[]> {
  const writings = Map.groupBy(found, ({ from, to }) => text.sliceString(from, to).replace(/\s+/g, " "));
  return new Map([...writings].map(([writing, all]) => [writing, all.map(({ from }) => lineOf(text, from))]));
}

export interface Question {
  /** 0-indexed, in the text before. */
  readonly line: number;
  readonly message: string;
}

/** What transformers were not sure about, at the lines of the new text; the same question is told once. */
export function questionIssues(text: Text, change: ChangeSet, questions: readonly Question[]): Issue[] {
  const after = change.apply(text);
  const first = new Map<string, Issue>();
  for (const { line, message } of questions.toSorted((one, other) => one.line - other.line)) {
    const position = change.mapPos(text.line(Math.min(line + 1, text.lines)).from, 1);
    if (!first.has(message))
      first.set(message, { line: lineOf(after, position), kind: "ambiguous", message });
  }
  return [...first.values()];
}

export function inLineOrder(issues: readonly Issue[]): Issue[] {
  return issues.toSorted((one, other) => one.line - other.line);
}
