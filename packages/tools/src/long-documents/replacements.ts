// Replacements of characters: everything that is done to a long document is first a list of them (names, pronouns, rewritten lines
// and pieces of lines), then one change, then edits of exactly the lines that it alters. Neighbouring lines are edits of their
// own, so that each place can be reviewed.

import { ChangeSet, Text } from "@codemirror/state";
import { type LineEdit, lineEdit } from "@stet/text/edits";
import { countLines, splicesOf } from "@stet/text/lines";

/** The characters `[from, to)`, and what goes there instead. */
export interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

/** Replacements that do not overlap as one change, without those that change nothing. */
export function changeBy(text: Text, replacements: readonly Replacement[]): ChangeSet {
  const endsInBreak = countLines(text) < text.lines;
  const changes = replacements.flatMap(({ from, to, insert }) => {
    // A last line without a line break stays one.
    const isOpenEnd = to === text.length && !endsInBreak;
    const content = isOpenEnd ? insert.replace(/\n$/, "") : insert;
    return text.sliceString(from, to) === content ? [] : [{ from, to, insert: Text.of(content.split("\n")) }];
  });
  return ChangeSet.of(changes, text.length);
}

export function lineEditsOf(text: Text, change: ChangeSet): LineEdit[] {
  return splicesOf(text, change.apply(text), change).map(lineEdit);
}

/** 0-indexed. */
export function lineOf(text: Text, position: number): number {
  return text.lineAt(position).number - 1;
}
