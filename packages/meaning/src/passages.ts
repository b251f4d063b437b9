// A text cut into the passages that are embedded and found: whole sentences and paragraphs, about half a screen each.
//
// Cutting a long document takes longer than a server may be silent, so it is cut into regions first, and one region is
// passed on at a time. A region begins at a heading, or at a paragraph that its own words pick: as with the passages
// within it, an edit moves only the boundaries near it. Only where a text has neither is a region cut by its size.

import type { Text } from "@codemirror/state";
import { chunkDocument } from "@stet/text/sentences/chunks";
import { termId } from "./terms.ts";

export interface Passage {
  /** Characters. */
  readonly from: number;
  readonly to: number;
  /** Raw lines, 0-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Long enough to tell what it is about, short enough for a vector to be about one thing. In characters. */
const passageLength = 500;
const shortestRegion = 8_000;
const longestRegion = 64_000;
/** One paragraph in so many begins a region. */
const pickOneIn = 16;

/** A heading behind less than this begins nothing: it is a line of a table of contents, or a title under another. */
const shortestSection = 250;

const markedHeading = /^#{1,6}\s/;
const proseTypes = new Set(["markdown", "md", "txt"]);
const writtenHeading =
  /^(?:(?:chapter|part|book|canto|act|scene|section|prologue|epilogue|appendix|kapitel|chapitre|capítulo|chương|phần)\b|第.{1,8}[章回節节部])/iu;

const measure = (text: string) => text.length;

export function* cutPassages(text: Text, fileType: string): Generator<Passage> {
  const isProse = proseTypes.has(fileType);
  for (const { from, to, line } of regionsOf(text, isProse)) {
    const region = text.slice(from, to);
    for (const chunk of chunkDocument(region, { budget: passageLength, measure })) {
      yield {
        from: from + chunk.from,
        to: from + chunk.to,
        startLine: line + chunk.startLine,
        endLine: line + chunk.endLine,
      };
    }
  }
}

interface Region {
  readonly from: number;
  readonly to: number;
  /** The raw line that it begins in. */
  readonly line: number;
}

function* regionsOf(text: Text, isProse: boolean): Generator<Region> {
  let start = { from: 0, line: 0 };
  let at = 0;
  let line = 0;
  let isBehindBlank = true;
  for (const content of text.iterLines()) {
    const isParagraph = isBehindBlank && content.trim() !== "";
    if (at > start.from && beginsRegion(content, at - start.from, isParagraph, isProse)) {
      yield { ...start, to: at };
      start = { from: at, line };
    }
    // A line that is longer than any region.
    for (
      ;
      at + content.length - start.from > longestRegion * 2;
      start = { from: start.from + longestRegion, line }
    ) {
      yield { ...start, to: start.from + longestRegion };
    }
    isBehindBlank = content.trim() === "";
    at += content.length + 1;
    line += 1;
  }
  if (text.length > start.from) yield { ...start, to: text.length };
}

/** `isParagraph`: whether a paragraph begins there. */
function beginsRegion(line: string, length: number, isParagraph: boolean, isProse: boolean): boolean {
  if (length > longestRegion) return true;
  if (!isParagraph) return false;
  if (isProse && length >= shortestSection && isHeading(line)) return true;
  return length >= shortestRegion && termId(line) % pickOneIn === 0;
}

function isHeading(line: string): boolean {
  return markedHeading.test(line) || writtenHeading.test(line);
}
