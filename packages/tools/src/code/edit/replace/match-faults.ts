// What a model is told of a text that stands nowhere, or at several places: enough to quote it right the next time.

import { Fault } from "@stet/protocol/fault";
import { type FoundPlace, lineOf, type PlainText } from "./find-places.ts";
import { nearestPlace } from "./nearest-place.ts";

const maxPlaces = 5;
const maxLines = 12;
const maxLength = 200;

/** How an edit of the call is named to the model. */
export const nameOf = (index: number, count: number) =>
  count === 1 ? "old_text" : `edits[${index}].old_text`;

const row = (file: PlainText, line: number, mark = " ") => {
  const text = file.lines[line] ?? "";
  return `${mark}${line + 1}|${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}`;
};

export function noMatch(path: string, name: string, file: PlainText, wanted: string): Fault {
  if (wanted.split("\n").some(isAbbreviated)) {
    return new Fault(
      "no_match",
      `${name} is abbreviated, and is not in ${path} as it stands. Nothing was changed.`,
      "Quote every line in full, without an ellipsis; to change two places, make two edits.",
      { path },
    );
  }
  const nearest = nearestPlace(file, wanted);
  if (nearest === undefined) {
    return new Fault(
      "no_match",
      `${name} is not in ${path}, and nothing there is like it. Nothing was changed.`,
      "Read the file and quote the text exactly as it stands there.",
      { path },
    );
  }
  const { first, last, differs } = nearest;
  const shown = Math.min(last, first + maxLines - 1);
  const around: string[] = [];
  for (let line = first; line <= shown; line += 1)
    around.push(row(file, line, line === differs?.line ? "*" : " "));
  if (shown < last) around.push(` … up to line ${last + 1}`);
  const difference =
    differs === undefined
      ? "The lines agree, but their indentation or where they begin and end does not."
      : [
          `The first line that differs is line ${differs.line + 1}:`,
          `  file:     ${cut(file.lines[differs.line] ?? "(no more lines)")}`,
          `  old_text: ${cut(differs.wanted)}`,
        ].join("\n");
  return new Fault(
    "no_match",
    [
      `${name} is not in ${path}. Nothing was changed. The nearest place is lines ${first + 1}-${last + 1}:`,
      ...around,
      difference,
    ].join("\n"),
    "Quote the lines exactly as they stand there, if that is the place; otherwise read the file again.",
    {
      path,
      start_line: first + 1,
      end_line: last + 1,
      differs_at: differs === undefined ? null : differs.line + 1,
    },
  );
}

const cut = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

export function ambiguous(path: string, name: string, file: PlainText, places: readonly FoundPlace[]): Fault {
  const spans = places.map(
    ({ from, to }) => [lineOf(file, from), lineOf(file, Math.max(from, to - 1))] as const,
  );
  const shown = spans
    .slice(0, maxPlaces)
    .flatMap(([first, last]) => [
      ` --- line${first === last ? "" : "s"} ${first === last ? first + 1 : `${first + 1}-${last + 1}`}`,
      ...(first > 0 ? [row(file, first - 1)] : []),
      row(file, first, "*"),
      ...(last + 1 < file.lines.length ? [row(file, last + 1)] : []),
    ]);
  return new Fault(
    "ambiguous_match",
    [`${name} is at ${places.length} places of ${path}. Nothing was changed.`, ...shown].join("\n"),
    "Quote more lines around the place that you mean, or set all: true to change every one of them.",
    { path, lines: spans.slice(0, 20).map(([first]) => first + 1), total: places.length },
  );
}

/** It was at several places when the model quoted it; which of them is left cannot be known. */
export function wasAmbiguous(path: string, name: string, count: number, line: number): Fault {
  return new Fault(
    "ambiguous_match",
    `${name} was at ${count} places of ${path} when you saw it, and is only in line ${line} now. Nothing was changed.`,
    "Read the file again, and quote more lines around the place that you mean.",
    { path, lines: [line], total: count },
  );
}

const ellipsis = /\.\.\.|…/;
const leftOut =
  /\b(?:rest|remaining|existing|unchanged|omitted|truncated|as before|same as|other (?:code|methods|functions|lines))\b/i;
const inComment = /^\s*(?:\/\/|#|\/\*|\*|--|<!--|;|%|\{\/\*)/;

/** A line that stands for others. */
export function isAbbreviated(line: string): boolean {
  const text = line.trim();
  if (/^(?:\.\.\.|…|\[(?:\.\.\.|…)\])$/.test(text)) return true;
  return isPlaceholder(line) || (inComment.test(text) && /(?:\.\.\.|…)\s*(?:\*\/|-->|\*\/\})?$/.test(text));
}

/** A comment that says that lines were left out. */
export function isPlaceholder(line: string): boolean {
  return inComment.test(line) && leftOut.test(line) && (ellipsis.test(line) || /\bunchanged\b/i.test(line));
}
