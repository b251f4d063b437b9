// What may differ between lines that a model writes and those of a file, from the strictest on. Lines are looked for in the
// strictest way in which they stand anywhere; a text that is only similar is never found. What stays is left as it is in the
// file, and what is new is written the way the file is (see reworded.ts).

import { foldText } from "./folded-text.ts";

export const tolerances = [
  {
    name: "exact",
    reason: "what was copied is what is meant",
    fold: (line: string) => line,
  },
  {
    name: "trailing white space",
    reason: "nobody sees it, and editors strip it",
    fold: (line: string) => line.trimEnd(),
  },
  {
    name: "punctuation",
    reason: "models write typographic quotes, dashes and spaces for plain ones, and the other way round",
    fold: (line: string) => foldText(line).trimEnd(),
  },
  {
    name: "indentation",
    reason: "a quoted part of a file is often written further left; new lines are shifted along",
    fold: (line: string) => foldText(line).trim(),
  },
] as const;

export type Tolerance = (typeof tolerances)[number];
export type ToleranceName = Tolerance["name"];

export const foldedAs = Object.fromEntries(tolerances.map(({ name, fold }) => [name, fold])) as Readonly<
  Record<ToleranceName, (line: string) => string>
>;
