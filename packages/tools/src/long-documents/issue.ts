// What a person should look at after a transformation. Issues are told and block nothing.

import type { Text } from "@codemirror/state";
import { lineCounter, type Replacement } from "./replacements.ts";

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

export function places(count: number): string {
  return count === 1 ? "1 place" : `${count} places`;
}

export interface Question {
  /** 0-indexed, in the text before. */
  readonly line: number;
  readonly message: string;
}

/** What transformers were not sure about, at the lines of the new text; the same question is told once. */
export function questionIssues(
  text: Text,
  after: string,
  replacements: readonly Replacement[],
  questions: readonly Question[],
): Issue[] {
  const lineOf = lineCounter(after);
  const first = new Map<string, Issue>();
  let shift = 0;
  let at = 0;
  for (const { line, message } of questions.toSorted((one, other) => one.line - other.line)) {
    const position = text.line(Math.min(line + 1, text.lines)).from;
    for (let next = replacements[at]; next !== undefined && next.to <= position; next = replacements[at]) {
      shift += next.insert.length - (next.to - next.from);
      at += 1;
    }
    const issue: Issue = { line: lineOf(position + shift), kind: "ambiguous", message };
    if (!first.has(message)) first.set(message, issue);
  }
  return [...first.values()];
}

export function inLineOrder(issues: readonly Issue[]): Issue[] {
  return issues.toSorted((one, other) => one.line - other.line);
}
