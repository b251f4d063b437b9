// What placed hunks do to a file: the smallest line edits.
//
// Context lines, and lines that a hunk both removes and adds, stay as they are in the file, with its white space. How the
// file ends is only touched where its last line is.

import type { Text } from "@codemirror/state";
import { isFault } from "@stet/protocol/fault";
import { diffLines } from "@stet/text/diff";
import { type LineChange, type LineEdit, lineEdit, planEdits } from "@stet/text/edits";
import { changeOf, countLines, rawLines, withoutReturn } from "@stet/text/lines";
import type { FileEnd } from "./hunk.ts";
import type { PlacedHunk } from "./place-hunks.ts";

/** In the order of the file. */
export function changesOf(lines: readonly string[], placed: readonly PlacedHunk[]): LineChange[] {
  return placed.flatMap((hunk) => hunkChanges(lines, hunk));
}

function hunkChanges(lines: readonly string[], { lines: hunk, at, adapt }: PlacedHunk): LineChange[] {
  const changes: LineChange[] = [];
  let place = at;
  for (let index = 0; index < hunk.length; ) {
    if (hunk[index]?.kind === "context") {
      index += 1;
      place += 1;
      continue;
    }
    const first = index;
    while (index < hunk.length && hunk[index]?.kind !== "context") index += 1;
    const run = hunk.slice(first, index);
    const removed = run.filter(({ kind }) => kind === "removed").map(({ text }) => text);
    const added = run.filter(({ kind }) => kind === "added").map(({ text }) => text);
    for (const change of diffLines(removed, added)) {
      const from = place + change.at;
      const fresh = added.slice(change.newAt, change.newAt + change.added).map(adapt);
      // What was matched with other white space may be there already as it should become.
      for (const part of diffLines(lines.slice(from, from + change.removed), fresh)) {
        const content = fresh.slice(part.newAt, part.newAt + part.added);
        changes.push({ at: from + part.at, removed: part.removed, lines: content });
      }
    }
    place += removed.length;
  }
  return changes;
}

/** The same as edits of counted lines. `end` says how the file ends where its last line is changed. */
export function lineEditsOf(
  text: Text,
  changes: readonly LineChange[],
  end: FileEnd | undefined,
): LineEdit[] {
  const edits = changes.map(lineEdit);
  const total = countLines(text);
  const isTouched = changes.some(({ at, removed }) => at + removed >= total);
  if (end === undefined || !isTouched || total === 0) return edits;
  const isOpen = total === text.lines;
  if (isOpen === (end === "open")) return edits;
  if (isOpen) return [...edits, { op: "extend", content: "\n" }];
  const planned = planEdits(text, edits);
  if (isFault(planned)) return edits;
  const after = changeOf(text, planned).apply(text);
  const lines = rawLines(after, 0, Math.max(1, countLines(after)));
  return [{ op: "set_raw", lines: lines.with(-1, withoutReturn(lines.at(-1) ?? "")) }];
}

/** A line with what ends it, where a lone CR ends lines, too. */
export interface Piece {
  readonly text: string;
  readonly end: string;
}

/** The lines of a file that ends lines with LF, CRLF and lone CR. */
export function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = [];
  for (const [, text = "", end = ""] of content.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    if (text !== "" || end !== "") pieces.push({ text, end });
  }
  return pieces;
}

/** The same for a file whose lines also end in lone CRs: new lines end as the first line does. */
export function pieceEditsOf(
  pieces: readonly Piece[],
  changes: readonly LineChange[],
  end: FileEnd | undefined,
): LineEdit[] {
  const lineEnd = pieces[0]?.end || "\n";
  const result: Piece[] = [];
  let done = 0;
  for (const { at, removed, lines } of changes) {
    result.push(...pieces.slice(done, at), ...lines.map((text) => ({ text, end: lineEnd })));
    done = at + removed;
  }
  result.push(...pieces.slice(done));
  const wasOpen = pieces.at(-1)?.end === "";
  const isTouched = changes.some(({ at, removed }) => at + removed >= pieces.length);
  const isOpen = isTouched && end !== undefined ? end === "open" : wasOpen;
  const content = result.map(({ text, end: own }, index) => {
    const isLast = index === result.length - 1;
    return text + (isLast && isOpen ? "" : own === "" ? lineEnd : own);
  });
  return [{ op: "set_raw", lines: content.join("").split("\n") }];
}

/** The text after some edits. */
export function edited(text: Text, edits: readonly LineEdit[]): Text {
  const planned = planEdits(text, edits);
  return isFault(planned) ? text : changeOf(text, planned).apply(text);
}
