// The outline of a plain text, by what it shows first of: chapters (high confidence), lines that look like titles
// (medium), blank lines between its paragraphs (low).

import type { Text } from "@codemirror/state";
import { lineAt, type OutlineScan, scanOf, type TextBlock } from "./blocks.ts";
import { chaptersIn, type FoundHeading } from "./chapters.ts";
import type { Outline } from "./outline.ts";
import { nested, nothing, sectionsOf } from "./sections.ts";
import { displayTitle, firstWords, undecorated } from "./titles.ts";
import { titlesIn } from "./visual.ts";

export function outlineOfPlainText(text: Text, maxDepth: number, detectChapters: boolean): Outline {
  const scan = scanOf(text);
  if (detectChapters) {
    const chapters = chaptersIn(scan);
    if (chapters.length > 0) return outlineFrom(scan, chapters, "high", maxDepth);
    const titles = titlesIn(scan);
    if (titles.length > 0) return outlineFrom(scan, titles, "medium", maxDepth);
  }
  return paragraphs(scan, maxDepth);
}

function outlineFrom(
  scan: OutlineScan,
  found: readonly FoundHeading[],
  confidence: "high" | "medium",
  maxDepth: number,
): Outline {
  const sections = sectionsOf([...found, ...boilerplateOf(scan)]);
  return nested({ detection_method: "heuristic", detection_confidence: confidence }, sections, maxDepth);
}

/** The licence behind a book is a section of its own, so that it is no part of the last chapter. */
function boilerplateOf({ boilerplate }: OutlineScan): FoundHeading[] {
  if (boilerplate === undefined) return [];
  const { line, source } = boilerplate;
  return [{ line, level: 1, title: displayTitle(undecorated(source)), detectedBy: "boilerplate" }];
}

function paragraphs({ text, blocks }: OutlineScan, maxDepth: number): Outline {
  if (blocks.length < 2) return nothing();
  const hasMajor = blocks.some((block, index) => index > 0 && isMajor(block));
  const headings = blocks.map((block, index) => {
    const level = hasMajor && (index === 0 || isMajor(block)) ? 1 : 2;
    const title = () => firstWords((offset) => lineAt(text, block.start + offset));
    return { line: block.start, level, title, detectedBy: "paragraph_break" };
  });
  const note = "The sections were guessed from blank lines. Use search_document to find a place exactly.";
  return nested(
    { detection_method: "heuristic", detection_confidence: "low", note },
    sectionsOf(headings),
    maxDepth,
  );
}

function isMajor({ blanks }: TextBlock): boolean {
  return blanks >= 3;
}
