// Why nothing was found, in this dialect's words and line numbers.

import type { Fault } from "@stet/protocol/fault";
import { isRecord } from "@stet/protocol/json-record";

export function noMatchNote({ details }: Fault): string {
  const hints = [
    hint(details.ignoring_case, "if case is ignored (case_sensitive: false)"),
    hint(details.inside_words, "inside of words (whole_word: false)"),
    hint(details.outside_scope, "outside of the scope"),
    hint(details.over_lines, "if the expression may reach over line ends ((?s) in front of it)"),
    similar(details.similar_lines),
  ].filter((text) => text !== undefined);
  const found =
    hints.length === 0
      ? ""
      : ` There ${/^[2-9]|^\d\d/.test(hints[0] ?? "") ? "are" : "is"} ${hints.join(", ")}.`;
  return `Nothing matches ${JSON.stringify(String(details.query).slice(0, 200))}, so nothing was changed.${found}`;
}

/** `miss` is `{ count, line }`, with lines from 1. */
function hint(miss: unknown, when: string): string | undefined {
  if (!isRecord(miss)) return undefined;
  const { count, line } = miss;
  return `${count} ${count === 1 ? "match" : "matches"} ${when}, the first in line ${Number(line) - 1}`;
}

/** Of lines that are the same but for what looks alike; lines from 1. */
export function similar(lines: unknown): string | undefined {
  const first: unknown = Array.isArray(lines) ? lines[0] : undefined;
  if (!isRecord(first)) return undefined;
  const where = `in line ${Number(first.line) - 1}`;
  return `the same with other quotation marks, spaces, dashes or accents ${where}: ${JSON.stringify(first.text)}`;
}
