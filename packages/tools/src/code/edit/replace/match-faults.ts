// Why a text that was quoted has no place: it stands nowhere, or at several places.

import { isAbbreviated } from "../../../locate/abbreviated.ts";
import { type Miss, quoted } from "../../../locate/miss.ts";
import { nearestPlaces } from "../../../locate/nearest-place.ts";
import { type FoundPlace, lineOf, type PlainText } from "./find-places.ts";

/** How an edit of the call is named to the model. */
export const nameOf = (index: number, count: number) =>
  count === 1 ? "old_text" : `edits[${index}].old_text`;

/** Lines of a file, 0-based and inclusive, as a place to look at and as facts. */
function at(first: number, last = first): Pick<Miss, "places" | "facts"> {
  const [from, to] = [first + 1, last + 1];
  return { places: [{ from, to }], facts: { start_line: from, end_line: to } };
}

export function noMatch(path: string, name: string, file: PlainText, wanted: string): Miss {
  const code = "no_match";
  const written = wanted.replace(/\n$/, "").split("\n");
  if (written.some((line) => isAbbreviated(line, path))) {
    const suggestion = "Quote every line in full, without an ellipsis; to change two places, make two edits.";
    return { code, what: `${name} is abbreviated, and is not in ${path} as it stands.`, suggestion };
  }
  const near = nearestPlaces(file.lines, written);
  const [nearest] = near;
  if (nearest === undefined) {
    const suggestion = "Read the file and quote the text exactly as it stands there.";
    return { code, what: `${name} is not in ${path}, and nothing there is like it.`, suggestion };
  }
  const { first, last, differs } = nearest;
  const places = near.map((place) => ({ from: place.first + 1, to: place.last + 1 }));
  const which = places.map(({ from, to }) => `${from}-${to}`).join(", or ");
  const line = differs === undefined ? undefined : differs.line + 1;
  return {
    code,
    what: `${name} is not in ${path}. The nearest place is lines ${which}.`,
    suggestion:
      "Quote the lines exactly as they stand there, if that is the place; otherwise read the file again.",
    places,
    note:
      differs === undefined
        ? "The lines agree, but their indentation or where they begin and end does not."
        : `The first line that differs is line ${line}: it is ${quoted(file.lines[differs.line] ?? "")}, and ${name} has ${quoted(differs.wanted)}.`,
    facts: { start_line: first + 1, end_line: last + 1, differs_at: line ?? null },
  };
}

export function ambiguous(path: string, name: string, file: PlainText, found: readonly FoundPlace[]): Miss {
  const places = found.map(({ from, to }) => ({
    from: lineOf(file, from) + 1,
    to: lineOf(file, Math.max(from, to - 1)) + 1,
  }));
  return {
    code: "ambiguous_match",
    what: `${name} is at ${found.length} places of ${path}.`,
    suggestion:
      "Quote more lines around the place that you mean, or set all: true to change every one of them.",
    places,
    facts: { lines: places.slice(0, 20).map(({ from }) => from), total: found.length },
  };
}

/** It is in the file only since someone changed that: the model cannot have meant what it has not seen. */
export function notAsShown(path: string, name: string, first: number, last: number): Miss {
  return {
    code: "no_match",
    what: `${name} was not in ${path} as it was shown to you, and is in line ${first + 1} since someone changed the file.`,
    suggestion: "Repeat the edit if that is the place that you mean; otherwise quote the lines of the place.",
    ...at(first, last),
  };
}

/** It was at several places when the model quoted it; which of them is left cannot be known. */
export function wasAmbiguous(path: string, name: string, count: number, line: number): Miss {
  return {
    code: "ambiguous_match",
    what: `${name} was at ${count} places of ${path} when you saw it, and is only in line ${line + 1} now.`,
    suggestion:
      "If that is the place, repeat the edit with more lines around it; otherwise read the file again.",
    places: [{ from: line + 1, to: line + 1 }],
    facts: { lines: [line + 1], total: count },
  };
}

/** It was found with other quotes, dashes or indentation, and the new text brings some for which the place has no model. */
export function unlikeTheFile(path: string, name: string, line: number, found: string): Miss {
  return {
    code: "no_match",
    what: `${name} is in ${path} with other quotes, dashes or indentation only, and which ones the new text should have is not clear.`,
    suggestion: "Write both texts with exactly the quotes, dashes and white space that the file has.",
    ...at(line, line + found.split("\n").length - 1),
  };
}

/** The old text ends with a line break, and the new one does not. */
export function joined(path: string, name: string, line: number): Miss {
  return {
    code: "invalid_arguments",
    what: `${name} ends with a line break and new_text does not, so line ${line + 1} of ${path} would go on in its last line.`,
    suggestion: "End both with a line break, or neither. To join the lines, quote that line, too.",
    ...at(line),
  };
}

/** Lines would come behind one that was quoted without its indentation, and have none. */
export function withoutIndent(path: string, name: string, line: number): Miss {
  return {
    code: "no_match",
    what: `${name} begins behind the indentation of line ${line + 1} of ${path}, and new_text has lines with less.`,
    suggestion: "Quote whole lines, and write every line of both texts with its full indentation.",
    ...at(line),
  };
}
