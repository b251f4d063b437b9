// What a model is told of a text that stands nowhere, or at several places: enough to quote it right the next time.

import { Fault } from "@stet/protocol/fault";
import { isAbbreviated } from "../abbreviated.ts";
import { type FoundPlace, lineOf, type PlainText } from "./find-places.ts";
import { nearestPlaces } from "./nearest-place.ts";

const maxPlaces = 5;
const maxLines = 30;
/** Lines around a place: what was left out of a quote stands there. */
const context = 3;
const maxLength = 400;

/** How an edit of the call is named to the model. */
export const nameOf = (index: number, count: number) =>
  count === 1 ? "old_text" : `edits[${index}].old_text`;

const row = (file: PlainText, line: number, mark = " ") => {
  const text = file.lines[line] ?? "";
  return `${mark}${line + 1}|${text.length > maxLength ? `${text.slice(0, maxLength)}…` : text}`;
};

export function noMatch(path: string, name: string, file: PlainText, wanted: string): Fault {
  if (wanted.split("\n").some((line) => isAbbreviated(line, path))) {
    return new Fault(
      "no_match",
      `${name} is abbreviated, and is not in ${path} as it stands. Nothing was changed.`,
      "Quote every line in full, without an ellipsis; to change two places, make two edits.",
      { path },
    );
  }
  const [nearest, ...others] = nearestPlaces(file, wanted);
  if (nearest === undefined) {
    return new Fault(
      "no_match",
      `${name} is not in ${path}, and nothing there is like it. Nothing was changed.`,
      "Read the file and quote the text exactly as it stands there.",
      { path },
    );
  }
  const { first, last, differs } = nearest;
  const rows = around(file, first, last, differs?.line);
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
      ...rows,
      difference,
      ...others.flatMap((other) => [
        `As near are lines ${other.first + 1}-${other.last + 1}:`,
        ...around(file, other.first, other.last, other.differs?.line),
      ]),
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
      ...around(file, first, last, first),
    ]);
  return new Fault(
    "ambiguous_match",
    [`${name} is at ${places.length} places of ${path}. Nothing was changed.`, ...shown].join("\n"),
    "Quote more lines around the place that you mean, or set all: true to change every one of them.",
    { path, lines: spans.slice(0, 20).map(([first]) => first + 1), total: places.length },
  );
}

/** It is in the file only since someone changed that: the model cannot have meant what it has not seen. */
export function notAsShown(path: string, name: string, file: PlainText, first: number, last: number): Fault {
  return new Fault(
    "no_match",
    [
      `${name} was not in ${path} as it was shown to you, and is in line ${first + 1} since someone changed the file. ` +
        "Nothing was changed. The lines there now:",
      ...around(file, first, last, first),
    ].join("\n"),
    "Repeat the edit if that is the place that you mean; otherwise quote the lines of the place.",
    { path, start_line: first + 1, end_line: last + 1 },
  );
}

/** It was at several places when the model quoted it; which of them is left cannot be known. */
export function wasAmbiguous(
  path: string,
  name: string,
  count: number,
  file: PlainText,
  line: number,
): Fault {
  return new Fault(
    "ambiguous_match",
    [
      `${name} was at ${count} places of ${path} when you saw it, and is only in line ${line + 1} now. Nothing was changed.`,
      ...around(file, line, line, line),
    ].join("\n"),
    "If that is the place, repeat the edit with more lines around it; otherwise read the file again.",
    { path, lines: [line + 1], total: count },
  );
}

/** It was found with other quotes or dashes, and the new text brings some for which the place has no model. */
export function otherTypography(
  path: string,
  name: string,
  file: PlainText,
  line: number,
  found: string,
): Fault {
  const last = line + found.split("\n").length - 1;
  return new Fault(
    "no_match",
    [
      `${name} is in ${path} with other quotes or dashes only, and which ones the new text should have is not clear. ` +
        "Nothing was changed. The lines there:",
      ...around(file, line, last, line),
    ].join("\n"),
    "Write both texts with exactly the quotes and dashes that the file has.",
    { path, start_line: line + 1, end_line: last + 1 },
  );
}

/** The old text ends with a line break, and the new one does not. */
export function joined(path: string, name: string, file: PlainText, line: number): Fault {
  return new Fault(
    "invalid_arguments",
    [
      `${name} ends with a line break and new_text does not, so line ${line + 1} of ${path} would go on in its last line. Nothing was changed.`,
      ...around(file, line, line, line),
    ].join("\n"),
    "End both with a line break, or neither. To join the lines, quote that line, too.",
    { path, start_line: line + 1, end_line: line + 1 },
  );
}

/** Lines would come behind one that was quoted without its indentation, and have none. */
export function withoutIndent(path: string, name: string, file: PlainText, line: number): Fault {
  return new Fault(
    "no_match",
    [
      `${name} begins behind the indentation of line ${line + 1} of ${path}, and new_text has lines with less. Nothing was changed.`,
      ...around(file, line, line, line),
    ].join("\n"),
    "Quote whole lines, and write every line of both texts with its full indentation.",
    { path, start_line: line + 1, end_line: line + 1 },
  );
}

/** Lines, 0-based and inclusive, with some around them. */
function around(file: PlainText, first: number, last: number, marked: number | undefined): string[] {
  const rows: string[] = [];
  const end = Math.min(file.lines.length - 1, Math.min(last, first + maxLines - 1) + context);
  for (let line = Math.max(0, first - context); line <= end; line += 1)
    rows.push(row(file, line, line === marked ? "*" : " "));
  if (end < last) rows.push(` … up to line ${last + 1}`);
  return rows;
}
