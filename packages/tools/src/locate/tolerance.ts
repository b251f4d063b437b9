// What may differ between a text that a model writes and that of a file, and for which aims, from the strictest on. A text is
// looked for in the strictest way in which it stands anywhere; one that is only similar is never found. What stays is left as
// it is in the file, and what is new is written the way the file is (see reworded.ts). Line ends never count.
//
//   quote       text of the file, from any character to any other (old_text)
//   hunk        whole lines: context and removed ones of a patch, and its @@ headers
//   match text  a quote beside line numbers, which says where they are now: nothing else tells a slip from another place

import { fold } from "@stet/text/fold";

export type TextAim = "quote" | "hunk" | "match text";

export const tolerances = [
  {
    name: "exact",
    reason: "what was copied is what is meant",
    aims: ["quote", "hunk", "match text"],
    fold: (line: string) => line,
  },
  {
    name: "trailing white space",
    reason: "nobody sees it, and editors strip it; a quote forgives it along with punctuation",
    aims: ["hunk"],
    fold: (line: string) => line.trimEnd(),
  },
  {
    name: "punctuation",
    reason: "models write typographic quotes, dashes and spaces for plain ones, and the other way round",
    aims: ["quote", "hunk"],
    fold: (line: string) => fold(line, "plain").trimEnd(),
  },
  {
    name: "indentation",
    reason: "a quoted part of a file is often written further left; new lines are shifted along",
    aims: ["quote", "hunk"],
    fold: (line: string) => fold(line, "plain").trim(),
  },
] as const;

export type ToleranceName = (typeof tolerances)[number]["name"];

/** What is forgiven for an aim, the strictest first. */
export function forgivenFor(aim: TextAim): ToleranceName[] {
  return tolerances.filter(({ aims }) => aims.some((each) => each === aim)).map(({ name }) => name);
}

export const foldedAs = Object.fromEntries(tolerances.map(({ name, fold }) => [name, fold])) as Readonly<
  Record<ToleranceName, (line: string) => string>
>;
