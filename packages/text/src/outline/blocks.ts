// One look at every line of a plain text: where its paragraphs are, and which lines may be headings.
//
// Of each line only the first few hundred characters are seen, so a document of a single enormous line costs no more
// than any other. `before` counts the characters of text before a line, which makes "how much prose stands
// between these two" a subtraction.

import type { Text } from "@codemirror/state";
import {
  delimitedMarkerOf,
  firstWord,
  isContentsHeading,
  type Marker,
  markerOf,
  mayBeMarker,
  mayBeMarkerInside,
  namedMarkerOf,
} from "./markers.ts";
import { lineStart } from "./titles.ts";

/** Lines without a blank one between them. */
export interface TextBlock {
  readonly start: number;
  /** Inclusive. */
  end: number;
  /** How many blank lines stand before it. */
  readonly blanks: number;
}

export interface OutlineLine {
  readonly line: number;
  /** The index of its block. */
  readonly block: number;
  readonly before: number;
  /** The line, trimmed. */
  readonly source: string;
}

export interface OutlineScan {
  readonly text: Text;
  readonly blocks: readonly TextBlock[];
  readonly markers: readonly (OutlineLine & { readonly marker: Marker })[];
  /** Paragraphs that begin with a number. */
  readonly numbered: readonly OutlineLine[];
  /** Headings of tables of contents. */
  readonly contents: readonly OutlineLine[];
  /** Where the licence begins that a library adds to its books. */
  readonly boilerplate: OutlineLine | undefined;
  /** How many characters of text there are. */
  readonly length: number;
}

const libraryStart = /^\*{3}\s?START OF (?:THE|THIS) PROJECT GUTENBERG/i;
const libraryEnd = /^\*{3}\s?END OF (?:THE|THIS) PROJECT GUTENBERG|^End of (?:the )?Project Gutenberg/i;
const numberedStart = /^(?:\d{1,3}(?:\.\d{1,3}){0,3}|[IVXLC]{1,8})(?=[.)\s]|$)/;
const decorations = "-=*~_#";

export function scanOf(text: Text): OutlineScan {
  const blocks: TextBlock[] = [];
  let markers: (OutlineLine & { readonly marker: Marker })[] = [];
  let numbered: OutlineLine[] = [];
  let contents: OutlineLine[] = [];
  let boilerplate: OutlineLine | undefined;
  let open: TextBlock | undefined;
  let blanks = 0;
  let before = 0;
  let line = -1;
  for (const raw of text.iterLines()) {
    line += 1;
    const source = raw === "" ? "" : lineStart(raw);
    if (source === "") {
      open = undefined;
      blanks += 1;
      continue;
    }
    const isStart = open === undefined;
    if (open === undefined) {
      open = { start: line, end: line, blanks };
      blocks.push(open);
      blanks = 0;
    } else open.end = line;
    if (source.length <= 160) {
      const outlineLine = () => ({ line, block: blocks.length - 1, before, source });
      const word = firstWord(source);
      const isAsked = mayBeMarkerInside(word) || (isStart && mayBeMarker(word));
      let marker = isAsked ? markerOf(source) : undefined;
      if (isStart && marker === undefined) {
        if (libraryEnd.test(source)) {
          boilerplate = outlineLine();
          blocks.pop();
          break;
        }
        if (libraryStart.test(source)) {
          // What stands before it is the library's.
          blocks.length = 0;
          markers = [];
          numbered = [];
          contents = [];
          open = undefined;
          continue;
        }
        marker = namedMarkerOf(source, word);
        if (decorations.includes(source.charAt(0))) marker ??= delimitedMarkerOf(source);
        if (marker !== undefined) markers.push({ ...outlineLine(), marker });
        else if (numberedStart.test(source)) numbered.push(outlineLine());
        else if (source.length < 40 && isContentsHeading(source)) contents.push(outlineLine());
      } else if (marker !== undefined) markers.push({ ...outlineLine(), marker });
    }
    before += source.length;
  }
  return { text, blocks, markers, numbered, contents, boilerplate, length: before };
}

/** The trimmed start of a line; undefined behind the last one. */
export function lineAt(text: Text, line: number): string | undefined {
  return line >= 0 && line < text.lines ? lineStart(text.line(line + 1).text) : undefined;
}
