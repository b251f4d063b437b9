// The chapters of a plain text: lines that announce a section, in surroundings that fit a heading.
//
//   heading     a marker at the start of a paragraph or behind a finished sentence, not part of running prose
//   contents    headings in a row with nothing between them that are announced again where their text is; left out
//   named       "Prologue" and the like; they count only beside real chapters

import type { OutlineScan } from "./blocks.ts";
import { lineAt } from "./blocks.ts";
import { withoutContents } from "./contents.ts";
import { type Marker, markerOf, rankOf, ranks } from "./markers.ts";
import { numberedHeadings } from "./numbered.ts";
import { displayTitle, isAllCaps, isTitleCase, undecorated } from "./titles.ts";

export interface Announced {
  readonly line: number;
  /** The index of the block in which its title ends. */
  readonly block: number;
  /** How much text stands before the heading and behind it. */
  readonly before: number;
  readonly after: number;
  readonly rank: number;
  readonly key: string;
  readonly title: string;
  readonly detectedBy: string;
}

export interface FoundHeading {
  readonly line: number;
  readonly level: number;
  readonly title: string;
  readonly detectedBy: string;
}

const detectedBy: Readonly<Record<string, string>> = { named: "named_section", delimited: "section_marker" };

export function chaptersIn(scan: OutlineScan): FoundHeading[] {
  const announced: Announced[] = [];
  for (const marked of scan.markers) {
    const heading = headingAt(scan, marked);
    if (heading !== undefined) announced.push(heading);
  }
  const real = withoutContents(announced, scan);
  const marked = real.filter(({ rank }) => rank > 0);
  const numbered = marked.some(({ rank }) => rank >= ranks.chapter) ? [] : numberedHeadings(scan, marked);
  if (marked.length + numbered.length === 0) return [];
  return withLevels([...real, ...numbered].sort((a, b) => a.line - b.line));
}

/** Sections that have only a name, for a text without chapters. */
export function namedIn(scan: OutlineScan): Announced[] {
  return scan.markers
    .filter(({ marker }) => marker.kind === "named")
    .flatMap((marked) => headingAt(scan, marked) ?? []);
}

function withLevels(headings: readonly Announced[]): FoundHeading[] {
  const numbered = headings.filter(({ rank }) => rank > 0);
  const present = [...new Set(numbered.map(({ rank }) => rank))].sort((a, b) => a - b);
  const levels = new Map(present.map((rank, index) => [rank, index + 1]));
  const first = numbered[0]?.line ?? 0;
  const last = numbered.at(-1)?.line ?? 0;
  return headings.map(({ line, rank, title, detectedBy }) => {
    // A preface or an epilogue stands beside the parts of a book; between its chapters it is one of them.
    const level = levels.get(rank) ?? (line > first && line < last ? present.length : 1);
    return { line, level, title, detectedBy };
  });
}

type MarkedLine = OutlineScan["markers"][number];

function headingAt(scan: OutlineScan, marked: MarkedLine): Announced | undefined {
  const { line, before, marker, source } = marked;
  if (!fits(scan, marked)) return undefined;
  const { title, lines, last } = fullTitle(scan, marked);
  return {
    line,
    block: last,
    before,
    after: before + source.length + lines.reduce((sum, each) => sum + each.length, 0),
    rank: rankOf(marker),
    key: marker.key,
    title: displayTitle(title),
    detectedBy: detectedBy[marker.kind] ?? "chapter_marker",
  };
}

const startsSmall = /^\p{Ll}/u;
const endsSentence = /[.!?:;…"”’»)\]。！？」]$/u;
const separator = /^(?:[-=*~_#•·]\s?){3,}$/;
const margin = 65;

/** Whether the surroundings of a marker are those of a heading. */
function fits({ text, blocks }: OutlineScan, { line, block, marker, source }: MarkedLine): boolean {
  const { start, end } = blocks[block] ?? { start: line, end: line };
  if (marker.kind === "named" || marker.kind === "delimited")
    return end === start || marker.kind === "delimited";
  const next = line < end ? (lineAt(text, line + 1) ?? "") : "";
  // A line this short was not wrapped, whatever the next one begins with.
  const runsOn = startsSmall.test(next) && source.length >= 40;
  if (line > start) {
    const previous = lineAt(text, line - 1) ?? "";
    const isBelowHeading = separator.test(previous) || markerOf(previous) !== undefined;
    if (!isBelowHeading) {
      if (source.length > 60 || runsOn || !marker.isDivided) return false;
      if (!endsSentence.test(previous) && previous.length >= 50) return false;
    }
  }
  if (next === "" || separator.test(next)) return true;
  if (marker.isBare) return !runsOn;
  if (isWrapped(source, next)) return end - line <= 2;
  return source.length <= 60 && !runsOn;
}

/** Whether a line ends only because the next word had no room in it. */
function isWrapped(line: string, next: string): boolean {
  return line.length + 1 + (/^\S+/.exec(next)?.[0].length ?? 0) > margin;
}

/** The title with the lines it goes on in, and the block in which it ends. */
function fullTitle(
  { text, blocks }: OutlineScan,
  { line, block, marker, source }: MarkedLine,
): { title: string; lines: string[]; last: number } {
  const alone = { title: marker.title, lines: [], last: block };
  if (marker.kind === "named" || marker.kind === "delimited") return alone;
  const here = blocks[block];
  if (here === undefined) return alone;
  if (!marker.isBare) {
    const next = line < here.end ? (lineAt(text, line + 1) ?? "") : "";
    if (next === "" || !isWrapped(source, next) || markerOf(next) !== undefined) return alone;
    const lines = Array.from({ length: here.end - line }, (_, index) => lineAt(text, line + 1 + index) ?? "");
    return { title: [marker.title, ...lines].join(" "), lines, last: block };
  }
  const isBelow = line < here.end;
  const after = isBelow ? here : blocks[block + 1];
  if (after === undefined || (!isBelow && after.blanks > 2)) return alone;
  const from = isBelow ? line + 1 : after.start;
  const title = titleBelow(marker, lineAt(text, from) ?? "", after.end - from, isBelow);
  if (title === undefined) return alone;
  const last = isBelow ? block : block + 1;
  const following = blocks[last + 1];
  // With nothing behind it before the next heading, the line is all the text there is.
  const hasText = following !== undefined && markerOf(lineAt(text, following.start) ?? "") === undefined;
  return { title: hasText ? joined(marker.title, title) : marker.title, lines: [title], last };
}

/** The line behind a bare "CHAPTER I", where it is the chapter's title and not its first sentence. */
function titleBelow(marker: Marker, line: string, more: number, isBelow: boolean): string | undefined {
  if (line === "" || line.length > 80 || more > 0 || startsSmall.test(line)) return undefined;
  if (separator.test(line) || markerOf(line) !== undefined || marker.kind === "scene") return undefined;
  // Speech, and the number of a chapter inside this part.
  if (/^[“"‘'«—–-]|^\d+[.)]|^(?:\d+|[IVXLC]+)\.?$/.test(line)) return undefined;
  const isSentence = /[.,;:!?”"’»…。]$/u.test(line);
  if (isAllCaps(line)) return line;
  if (!isSentence) return isTitleCase(line) || line.length <= 50 ? line : undefined;
  return isBelow && isTitleCase(line) && /[.!?]$/.test(line) ? line : undefined;
}

function joined(marker: string, title: string): string {
  return /[.:—–-]$/.test(marker) ? `${marker} ${undecorated(title)}` : `${marker}: ${undecorated(title)}`;
}
