// Why a text that a model wrote, a quote or a hunk, has no place in a file. A dialect names the text, and says what to do.

import { isAbbreviated } from "./abbreviated.ts";
import type { LineRange } from "./followed-edits.ts";
import { type Miss, quoted } from "./miss.ts";
import { nearestPlaces } from "./nearest-place.ts";
import type { SourceText } from "./source-text.ts";

export interface TextWords {
  /** How the text is called: `old_text`, `Hunk 2 (patch line 7)`. */
  readonly name: string;
  readonly path: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** What to do where lines are left out, where it stands nowhere, and where it stands at several places. */
  readonly inFull: string;
  readonly asThere: string;
  readonly more: string;
}

/** Lines, 0-based and inclusive, as a place to look at. */
export function rowsAt(first: number, last = first): LineRange {
  return { from: first + 1, to: last + 1 };
}

/** A miss at some lines, the first of which is told. */
export function textMiss(
  { name, facts }: TextWords,
  code: Miss["code"],
  what: string,
  suggestion: string,
  places: readonly LineRange[],
  more: Readonly<Record<string, unknown>> = {},
): Miss {
  const [first] = places;
  const lines = first && { start_line: first.from, end_line: first.to };
  return {
    code,
    what: `${name} ${what}`,
    suggestion,
    places,
    facts: { ...facts, line: first?.from ?? null, ...lines, ...more },
  };
}

/** It stands nowhere. `hint` is about where it should be, 0-based. */
export function absent(
  words: TextWords,
  source: SourceText,
  written: readonly string[],
  hint?: number | undefined,
): Miss {
  const { name, path } = words;
  const left = written.find((line) => isAbbreviated(line, path));
  if (left !== undefined) {
    const what = `is abbreviated: ${quoted(left)} does not stand in ${path} like that.`;
    return textMiss(words, "no_match", what, words.inFull, [], { expected: left });
  }
  const near = nearestPlaces(source.lines, written, hint);
  const [nearest] = near;
  if (nearest === undefined) {
    const expected = written.find((line) => line.trim() !== "") ?? "";
    const what = `is not in ${path}, and nothing there is like it, such as ${quoted(expected)}.`;
    return textMiss(words, "no_match", what, words.asThere, [], { expected });
  }
  const { differs } = nearest;
  const places = near.map(({ first, last }) => rowsAt(first, last));
  const which = places.map(({ from, to }) => `${from}-${to}`).join(", or ");
  const what = `is not in ${path}. The nearest place is lines ${which}.`;
  if (differs === undefined) {
    const note = "The lines agree, but their indentation or where they begin and end does not.";
    return { ...textMiss(words, "no_match", what, words.asThere, places, { differs_at: null }), note };
  }
  const line = differs.line + 1;
  const found = source.lines[differs.line];
  const is = found === undefined ? `the file has ${source.lines.length} lines` : `it is ${quoted(found)}`;
  const note = `The first line that differs is line ${line}: ${is}, and ${name} has ${quoted(differs.wanted)}.`;
  const facts = { differs_at: line, line, expected: differs.wanted, found: found ?? null };
  return { ...textMiss(words, "no_match", what, words.asThere, places, facts), note };
}

const maxListed = 20;

export function atSeveral(words: TextWords, places: readonly LineRange[]): Miss {
  const lines = places.slice(0, maxListed).map(({ from }) => from);
  return textMiss(
    words,
    "ambiguous_match",
    `is at ${places.length} places of ${words.path}.`,
    words.more,
    places,
    { lines, total: places.length },
  );
}

/** It is in the file only since someone changed that: the model cannot have meant what it has not seen. */
export function onlyNow(words: TextWords, place: LineRange): Miss {
  const what =
    `was not at one place of ${words.path} as it was shown to you, and is in line ${place.from} since someone changed ` +
    "the file.";
  return textMiss(words, "no_match", what, `Repeat it if that is the place that you mean. ${words.asThere}`, [
    place,
  ]);
}

/** It stands there with other quotes, dashes or indentation, and what is new brings some for which the place has no model. */
export function unlikeTheFile(words: TextWords, place: LineRange): Miss {
  return textMiss(
    words,
    "no_match",
    `is in ${words.path} with other quotes, dashes or indentation only, and which ones the new lines should have is not clear.`,
    "Write all lines with exactly the quotes, dashes and white space that the file has.",
    [place],
  );
}
