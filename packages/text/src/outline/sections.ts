// From found headings to a nested outline that is small enough to read.
//
//   Section   a line, its level, and the last line it covers
//   outline   sections down to the asked depth, nested by level; at most `maxItems`, and where there are more,
//             whole levels go before siblings do, so that a long document still shows its outermost structure

import type { Outline, OutlineItem } from "./outline.ts";

const maxItems = 2_000;

export interface Section {
  /** A function where it takes work that only listed sections are worth. */
  readonly title: string | (() => string);
  readonly level: number;
  readonly start: number;
  /** Null where it extends to the end of the document. */
  readonly end: number | null;
  readonly detectedBy?: string;
}

/** A key with the characters `[from, to)` of it and its value. */
export interface SectionKey {
  readonly title: string;
  readonly level: number;
  readonly from: number;
  /** Undefined where its end could not be found. */
  readonly to: number | undefined;
  /** Whether commas stand between it and its neighbours. */
  readonly isListed: boolean;
}

export type SectionHeading = Omit<Section, "start" | "end"> & { readonly line: number };

/** Each heading with its section: up to the line before the next heading of its own or a higher level. */
export function sectionsOf(headings: readonly SectionHeading[]): Section[] {
  const ends: (number | null)[] = [];
  const open: number[] = [];
  for (const [index, { level, line }] of headings.entries()) {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const heading = headings[last];
      if (heading === undefined || heading.level < level) break;
      ends[last] = Math.max(heading.line, line - 1);
      open.pop();
    }
    open.push(index);
  }
  return headings.map(({ line, ...heading }, index) => ({
    ...heading,
    start: line,
    end: ends[index] ?? null,
  }));
}

/** Keeps count of what is found on each level; what is beyond `maxItems` of one is only counted. */
export class LevelCounts {
  total = 0;
  readonly #perLevel: number[] = [];

  /** Whether one more of this level is collected. */
  add(level: number): boolean {
    this.total += 1;
    const count = (this.#perLevel[level] ?? 0) + 1;
    this.#perLevel[level] = count;
    return count <= maxItems;
  }
}

export type Detection = Pick<Outline, "detection_method" | "detection_confidence" | "note">;

/** `total` counts sections that were found and not even collected; as many as there are unless given. */
export function nested(
  found: Detection,
  sections: readonly Section[],
  maxDepth: number,
  total?: number,
): Outline {
  const within = sections.filter((section) => section.level <= maxDepth);
  if (within.length === 0) return nothing(sections.length > 0);
  const listed = outermost(within);
  const cut = Math.max(total ?? 0, within.length) > listed.length;
  const notes = [found.note, cut ? cutNote(listed.length) : undefined].filter((note) => note !== undefined);
  const { note: _, ...rest } = found;
  return { ...rest, outline: tree(listed), ...(notes.length > 0 && { note: notes.join(" ") }) };
}

function cutNote(listed: number): string {
  return `The document has more sections than the ${listed} that are listed. Use search_document to find the others.`;
}

export function nothing(isDeeper = false): Outline {
  return {
    detection_method: "none",
    outline: [],
    suggestion: isDeeper
      ? "All sections of this document lie deeper than max_depth. Ask again with a larger max_depth."
      : "No structure was found in this document. Find a place with search_document, or read it in order with read_document.",
  };
}

function outermost(sections: readonly Section[]): readonly Section[] {
  if (sections.length <= maxItems) return sections;
  const counts = new Map<number, number>();
  for (const { level } of sections) counts.set(level, (counts.get(level) ?? 0) + 1);
  const room = new Map<number, number>();
  let left = maxItems;
  for (const [level, count] of [...counts].sort(([a], [b]) => a - b)) {
    room.set(level, Math.min(left, count));
    left -= Math.min(left, count);
  }
  return sections.filter(({ level }) => {
    const free = room.get(level) ?? 0;
    room.set(level, free - 1);
    return free > 0;
  });
}

function tree(sections: readonly Section[]): OutlineItem[] {
  const roots: OutlineItem[] = [];
  const open: OutlineItem[] = [];
  for (const { title, level, start, end, detectedBy } of sections) {
    const item: OutlineItem = {
      title: typeof title === "string" ? title : title(),
      level,
      line_start: start,
      line_end: end,
    };
    if (detectedBy !== undefined) item.detected_by = detectedBy;
    for (let last = open.at(-1); last !== undefined && last.level >= level; last = open.at(-1)) open.pop();
    const parent = open.at(-1);
    if (parent === undefined) roots.push(item);
    else if (parent.children === undefined) parent.children = [item];
    else parent.children.push(item);
    open.push(item);
  }
  return roots;
}
