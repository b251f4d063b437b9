// Rows and columns of a text, updated incrementally from the lines that a change touches.
//
// `cols` is the length of the longest line and `longest` how many lines have that length. The text is scanned
// when someone first asks, and again only when the last of the longest lines is gone. Few ask, and a long text is opened
// much sooner without a scan.

import type { Text } from "@codemirror/state";
import { countLines, rawLine, type Splice, withoutReturn } from "./lines.ts";

export interface Measure {
  readonly rows: number;
  readonly cols: number;
  readonly longest: number;
}

/** Of texts that someone asked about, and of what became of them since. */
const known = new WeakMap<Text, Measure>();

export function measureOf(text: Text): Measure {
  const measure = known.get(text) ?? measureText(text);
  known.set(text, measure);
  return measure;
}

/** Takes a measure that is known on to what the splices make of its text. */
export function carryMeasure(before: Text, after: Text, splices: readonly Splice[]): void {
  const measure = known.get(before);
  if (measure !== undefined) known.set(after, updateMeasure(measure, before, after, splices));
}

export function measureText(text: Text): Measure {
  let cols = 0;
  let longest = 0;
  for (const line of text.iterLines()) {
    const length = withoutReturn(line).length;
    if (length > cols) {
      cols = length;
      longest = 1;
    } else if (length === cols) {
      longest += 1;
    }
  }
  return { rows: countLines(text), cols, longest };
}

/** The measure of `after`, given that of `before` and the splices between them. */
export function updateMeasure(
  measure: Measure,
  before: Text,
  after: Text,
  splices: readonly Splice[],
): Measure {
  let { cols, longest } = measure;
  for (const splice of splices) {
    for (let index = splice.at; index < splice.at + splice.removed; index += 1) {
      if (withoutReturn(rawLine(before, index)).length === measure.cols) longest -= 1;
    }
  }
  let newCols = 0;
  let newLongest = 0;
  for (const splice of splices) {
    for (const line of splice.lines) {
      const length = withoutReturn(line).length;
      if (length > newCols) {
        newCols = length;
        newLongest = 1;
      } else if (length === newCols) {
        newLongest += 1;
      }
    }
  }
  if (newCols > cols) {
    cols = newCols;
    longest = newLongest;
  } else if (newCols === cols) {
    longest += newLongest;
  } else if (longest <= 0) {
    return measureText(after);
  }
  return longest <= 0 ? measureText(after) : { rows: countLines(after), cols, longest };
}
