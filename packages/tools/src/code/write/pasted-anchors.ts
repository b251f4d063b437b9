// Anchors are how lines are shown, not what they hold. Content that was copied from an answer of read, with the header
// `[path#TAG]` and the prefixes `41th|`, is written without them.
//
// A file may hold such lines by itself. So prefixes go only where half of the lines or more have one and at least one of
// them is the anchor of the very text behind it, or of the line with that number in the file that is written; the header
// goes with them, or where it names that file.

import type { Text } from "@codemirror/state";
import { anchorAt, anchorLetters } from "@stet/text/anchors";
import { countLines } from "@stet/text/lines";
import { headerPath } from "./snapshot-header.ts";

export interface CleanContent {
  readonly content: string;
  readonly wasStripped: boolean;
}

const prefixed = /^([1-9]\d{0,8})([a-z]{2})\|(.*?)(\r?)$/s;

/** `old` is what the file holds, where there is one. */
export function withoutPastedAnchors(content: string, path: string, old?: Text): CleanContent {
  const lines = content.split("\n");
  const header = headerPath(lines[0] ?? "");
  const body = header === undefined ? lines : lines.slice(1);
  const clean = withoutPrefixes(body, old);
  const isHeader = header !== undefined && (clean !== undefined || header === path);
  if (clean === undefined) return { content: isHeader ? body.join("\n") : content, wasStripped: isHeader };
  return { content: clean.join("\n"), wasStripped: true };
}

/** Undefined where the lines have none. */
function withoutPrefixes(lines: readonly string[], old: Text | undefined): string[] | undefined {
  const filled = lines.filter((line) => line.trim() !== "");
  const matches = filled.map((line) => prefixed.exec(line)).filter((match) => match !== null);
  const isAnchor = ([, line, letters, text]: readonly string[]): boolean =>
    anchorLetters(text ?? "", Number(line)) === letters || isAnchorIn(old, Number(line), letters);
  if (matches.length * 2 < filled.length || !matches.some(isAnchor)) return undefined;
  return lines.map((line) => line.replace(prefixed, "$3$4"));
}

function isAnchorIn(text: Text | undefined, line: number, letters: string | undefined): boolean {
  return text !== undefined && line <= countLines(text) && anchorAt(text, line).letters === letters;
}
