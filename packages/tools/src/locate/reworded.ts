// The new text for a place that was found with other white space or typography.
//
// Only what differs between the old and the new text is written. A line that is in both stays byte for byte as it is in the
// file; of a line that changed, the words that are in both stay; new lines are indented as the place is, and their quotes and
// dashes are of the file's kind. Where that kind cannot be known, there is no new text.

import { diffLines } from "@stet/text/diff";
import { fold, foldWithPlaces } from "@stet/text/fold";
import { indentOf, type Reindent } from "./indentation.ts";
import { type Typography, typographyOf } from "./typography.ts";

/** `found` is what stands in the file where `old` was found. Undefined where new typography has no model there. */
export function reworded(found: string, old: string, fresh: string, reindent: Reindent): string | undefined {
  const there = found.split("\n");
  const before = old.split("\n");
  const after = fresh.split("\n");
  const typography = typographyOf(there, before);
  const result: string[] = [];
  let at = 0;
  for (const { at: from, removed, newAt, added } of diffLines(before, after)) {
    result.push(...there.slice(at, from));
    for (let index = 0; index < added; index += 1) {
      const line = after[newAt + index] ?? "";
      const oldLine = before[from + index];
      const foundLine = there[from + index];
      const hasPartner = removed === added && oldLine !== undefined && foundLine !== undefined;
      const written = hasPartner
        ? rewordedLine(foundLine, oldLine, line, reindent, typography)
        : typography(reindent(line));
      if (written === undefined) return undefined;
      result.push(written);
    }
    at = from + removed;
  }
  return [...result, ...there.slice(at)].join("\n");
}

function rewordedLine(
  found: string,
  old: string,
  fresh: string,
  reindent: Reindent,
  typography: Typography,
): string | undefined {
  const foundIndent = indentOf(found);
  const oldIndent = indentOf(old);
  const freshIndent = indentOf(fresh);
  const before = wordsOf(old.slice(oldIndent.length).trimEnd());
  const after = wordsOf(fresh.slice(freshIndent.length).trimEnd());
  // Word by word, where each of the old ones is in the file: folded, both are the same.
  const body = found.slice(foundIndent.length).trimEnd();
  const folded = foldWithPlaces(body, "plain");
  if (folded.text !== fold(before.join(""), "plain")) return typography(reindent(fresh));
  const pieces: string[] = [];
  let reached = 0;
  for (const word of before) {
    const end = reached + fold(word, "plain").length;
    pieces.push(body.slice(folded.start(reached), folded.start(end)));
    reached = end;
  }
  let text = "";
  let at = 0;
  for (const { at: from, removed, newAt, added } of diffLines(before, after)) {
    const written = typography(after.slice(newAt, newAt + added).join(""));
    if (written === undefined) return undefined;
    text += pieces.slice(at, from).join("") + written;
    at = from + removed;
  }
  text += pieces.slice(at).join("");
  const indent = freshIndent === oldIndent ? foundIndent : indentOf(reindent(fresh));
  // White space at the end belongs to the line's end, unless the new text says something about it.
  const isSameEnd = old.slice(old.trimEnd().length) === fresh.slice(fresh.trimEnd().length);
  const tail = isSameEnd ? found.slice(found.trimEnd().length) : fresh.slice(fresh.trimEnd().length);
  return text === "" ? typography(reindent(fresh)) : indent + text + tail;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[\s\S]/gu) ?? [];
}
