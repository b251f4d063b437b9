// Anchors are how lines are shown, not what they hold. Content that was copied from an answer of read, with the header
// `[path#TAG]` and the prefixes `41th|`, is written without them.
//
// A file may hold such lines by itself. So prefixes go only where half of the lines or more have one and at least one of
// them is the anchor of the very text behind it; the header goes with them, or where it names the file that is written.

import { anchorLetters } from "@stet/text/anchors";
import { headerPath } from "./snapshot-header.ts";

export interface CleanContent {
  readonly content: string;
  readonly wasStripped: boolean;
}

const prefixed = /^([1-9]\d{0,8})([a-z]{2})\|(.*?)(\r?)$/s;

export function withoutPastedAnchors(content: string, path: string): CleanContent {
  const lines = content.split("\n");
  const header = headerPath(lines[0] ?? "");
  const body = header === undefined ? lines : lines.slice(1);
  const clean = withoutPrefixes(body);
  const isHeader = header !== undefined && (clean !== undefined || header === path);
  if (clean === undefined) return { content: isHeader ? body.join("\n") : content, wasStripped: isHeader };
  return { content: clean.join("\n"), wasStripped: true };
}

/** Undefined where the lines have none. */
function withoutPrefixes(lines: readonly string[]): string[] | undefined {
  const filled = lines.filter((line) => line.trim() !== "");
  const matches = filled.map((line) => prefixed.exec(line)).filter((match) => match !== null);
  const isAnchor = ([, line, letters, text]: readonly string[]): boolean =>
    anchorLetters(text ?? "", Number(line)) === letters;
  if (matches.length * 2 < filled.length || !matches.some(isAnchor)) return undefined;
  return lines.map((line) => line.replace(prefixed, "$3$4"));
}
