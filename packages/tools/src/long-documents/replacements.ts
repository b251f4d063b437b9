// Replacements of characters, as line edits.
//
// Everything that is done to a long document is first a list of replacements in its text: names, pronouns, rewritten lines
// and pieces of lines. They must not overlap. Lines that no replacement touches are in no edit, and neighbouring lines are
// edits of their own, so that each place can be reviewed.

import type { Text } from "@codemirror/state";
import type { LineEdit } from "@stet/text/edits";
import { countLines } from "@stet/text/lines";

/** The characters `[from, to)`, and what goes there instead. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export function inOrder<T extends Replacement>(replacements: readonly T[]): T[] {
  return replacements.toSorted((one, other) => one.from - other.from || one.to - other.to);
}

export function lineEditsOf(text: Text, replacements: readonly Replacement[]): LineEdit[] {
  const edits: LineEdit[] = [];
  const lines = countLines(text);
  let group: Group | undefined;
  const close = () => {
    if (group === undefined) return;
    const after = contentOf(text, group);
    const content = after === "" || after.endsWith("\n") ? after : `${after}\n`;
    edits.push({ op: "replace", from: group.first, to: group.last, content });
  };
  for (const replacement of inOrder(replacements)) {
    const { from, to, insert } = replacement;
    if (text.sliceString(from, to) === insert) continue;
    const first = text.lineAt(from).number;
    const last = to > from ? text.lineAt(to - 1).number : first;
    if (group === undefined || first > group.last) {
      close();
      group = { first, last, members: [] };
    }
    group.last = Math.max(group.last, last);
    group.members.push(replacement);
    // Without the line break that was taken away, the next line becomes part of this one.
    if (to === endOf(text, group.last) && group.last < lines && isJoined(text, group)) group.last += 1;
  }
  close();
  return edits;
}

/** Lines, from 1, and what is replaced in them. */
interface Group {
  readonly first: number;
  last: number;
  readonly members: Replacement[];
}

function contentOf(text: Text, { first, last, members }: Group): string {
  const from = text.line(first).from;
  return replaced(text.sliceString(from, endOf(text, last)), from, members);
}

function isJoined(text: Text, group: Group): boolean {
  const after = contentOf(text, group);
  return after !== "" && !after.endsWith("\n");
}

/** Behind the line and its line break. */
function endOf(text: Text, line: number): number {
  return line < text.lines ? text.line(line + 1).from : text.length;
}

/** Some text with the replacements made; they are in order, and `offset` is where the text begins in the document. */
export function replaced(text: string, offset: number, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, insert } of replacements) {
    parts.push(text.slice(at, from - offset), insert);
    at = to - offset;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Turns places of the text before into places after the replacements, and tells which were put there by them. */
export function insertedRanges(replacements: readonly Replacement[]): { from: number; to: number }[] {
  let shift = 0;
  return replacements.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length };
  });
}

/** Finds the line of rising positions without looking at any character twice. */
export function lineCounter(text: string): (position: number) => number {
  let line = 0;
  let lineBreak = text.indexOf("\n");
  return (position) => {
    for (; lineBreak >= 0 && lineBreak < position; lineBreak = text.indexOf("\n", lineBreak + 1)) line += 1;
    return line;
  };
}
