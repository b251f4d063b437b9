// A document in pieces of bounded size, for readers that cannot take all of it.
//
//   - The cores tile the document: one after the other they are its text.
//   - A core measures at most the budget. Only a sentence that alone is over it is cut, at a line's end if there is
//     one, else between words, else between characters as a reader sees them.
//   - A core ends at a section's start, else at a paragraph's end, else at a sentence's end.
//   - Where it ends is chosen among the boundaries in the second half of the budget, by what stands beside them. Two runs
//     that come to a passage from different offsets therefore soon agree: an edit changes the chunks near it only.
//
// A size is the sum of the sizes of its parts, which is what it measures, or a little more; a core is measured itself
// before it is let go.

import type { Text } from "@codemirror/state";
import { paragraphsOf, piecesOf, piecesOfLong, type Segment } from "./chunk-pieces.ts";
import { sentencesIn } from "./sentences.ts";

export interface Chunk {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  /** Raw lines, 0-based; the last is included. */
  readonly startLine: number;
  readonly endLine: number;
  /** `[from, to)`, as it stands. */
  readonly text: string;
  /** Whole sentences that end right before `from`, with the blank space behind them. */
  readonly before: string;
  /** Of the section that most of it belongs to; "" where there is none. */
  readonly heading: string;
}

export interface ChunkOptions {
  readonly budget: number;
  /** Tokens, characters: whatever the budget counts. */
  measure(text: string): number;
  /** How much of the sentences before it a chunk repeats; 0 unless given. */
  readonly overlap?: number;
  /** Where sections begin, as 0-based raw lines, in order. A chunk spans such a line only if the section is tiny. */
  readonly sections?: readonly Section[];
}

interface Section {
  readonly line: number;
  readonly title: string;
}

export function chunkDocument(text: Text, options: ChunkOptions): Chunk[] {
  const starts = (options.sections ?? []).map(({ line, title }) => ({ from: startOf(text, line), title }));
  const chunks: Chunk[] = [];
  let last = 0;
  const cuts = starts.map(({ from }) => from);
  for (const group of groupsOf(paragraphsOf(text, cuts, options.measure), cuts, options.budget)) {
    for (const { from, to, core } of pack(text, group, options)) {
      while (last + 1 < starts.length && (starts[last + 1]?.from ?? 0) <= from) last += 1;
      chunks.push({
        index: chunks.length,
        from,
        to,
        startLine: text.lineAt(from).number - 1,
        endLine: text.lineAt(to - 1).number - 1,
        text: core,
        before: before(text, from, options),
        heading: headingOf(starts, last, from, to),
      });
    }
  }
  return chunks;
}

function startOf(text: Text, line: number): number {
  return text.line(Math.max(1, Math.min(text.lines, line + 1))).from;
}

/** Paragraphs that are packed together: those of a section, with the tiny sections before it. */
function groupsOf(paragraphs: readonly Segment[], cuts: readonly number[], budget: number): Segment[][] {
  const isCut = new Set(cuts);
  const groups: Segment[][] = [];
  let group: Segment[] = [];
  let size = 0;
  for (const paragraph of paragraphs) {
    if (isCut.has(paragraph.from) && size > 0 && size >= budget / 4) {
      groups.push(group);
      group = [];
      size = 0;
    }
    group.push(paragraph);
    size += paragraph.size;
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

interface Core {
  readonly from: number;
  readonly to: number;
  readonly core: string;
}

/** The cores of a group of paragraphs. */
function* pack(text: Text, group: readonly Segment[], options: ChunkOptions): Generator<Core> {
  const { measure } = options;
  const budget = Math.max(options.budget, Number.MIN_VALUE);
  const pending = [...group].reverse();
  let taken: Segment[] = [];
  let size = 0;
  for (let next = pending.at(-1); next !== undefined || taken.length > 0; next = pending.at(-1)) {
    if (next !== undefined && size + next.size <= budget) {
      pending.pop();
      taken.push(next);
      size += next.size;
      continue;
    }
    let count = taken.length;
    if (next !== undefined) {
      const chosen = chooseEnd(text, taken, next, budget);
      if (chosen === undefined) {
        pending.pop();
        const parts = next.isParagraph
          ? piecesOf(text, next, measure)
          : piecesOfLong(text, next, measure, budget);
        // One character, and it is over the budget.
        if (parts.length === 1 && !next.isParagraph) taken.push(next);
        else for (const part of parts.reverse()) pending.push(part);
        size = sizeOf(taken);
        continue;
      }
      count = chosen;
    }
    const from = taken[0]?.from ?? 0;
    let to = taken[count - 1]?.to ?? from;
    let core = text.sliceString(from, to);
    while (count > 1 && measure(core) > budget) {
      count -= 1;
      to = taken[count - 1]?.to ?? from;
      core = text.sliceString(from, to);
    }
    yield { from, to, core };
    for (const piece of taken.slice(count).reverse()) pending.push(piece);
    taken = [];
    size = 0;
  }
}

/** How many of the taken pieces a core gets, given that `next` does not fit; undefined if `next` is to be split. */
function chooseEnd(text: Text, taken: readonly Segment[], next: Segment, budget: number): number | undefined {
  const best = bestEnd(text, taken, budget / 2);
  if (best !== undefined && taken[best - 1]?.end === "paragraph") return best;
  if (next.isParagraph) {
    const isWorthIt = next.size <= budget && taken.at(-1)?.end === "paragraph" && sizeOf(taken) >= budget / 4;
    return isWorthIt ? taken.length : undefined;
  }
  return best ?? (taken.length > 0 ? taken.length : undefined);
}

function sizeOf(pieces: readonly Segment[]): number {
  return pieces.reduce((sum, piece) => sum + piece.size, 0);
}

const ranks = { part: 0, sentence: 1, line: 2, paragraph: 3 } as const;

/** The best boundary behind `least`: of the highest rank, and among equals the one that its surroundings pick. */
function bestEnd(text: Text, taken: readonly Segment[], least: number): number | undefined {
  let best: number | undefined;
  let bestRank = -1;
  let bestPick = -1;
  let size = 0;
  for (const [index, piece] of taken.entries()) {
    size += piece.size;
    if (size < least || ranks[piece.end] < bestRank) continue;
    const pick = pickOf(text, piece.to);
    if (ranks[piece.end] === bestRank && pick <= bestPick) continue;
    best = index + 1;
    bestRank = ranks[piece.end];
    bestPick = pick;
  }
  return best;
}

/** A hash of the few characters around an offset, and of nothing else. */
function pickOf(text: Text, offset: number): number {
  const around = text.sliceString(Math.max(0, offset - 24), Math.min(text.length, offset + 24));
  let hash = 0x811c9dc5;
  for (let index = 0; index < around.length; index += 1) {
    hash = Math.imul(hash ^ around.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** An overlap is looked for in about this many characters, however little they measure. */
const furthestOverlap = 65_536;

function before(text: Text, from: number, { overlap = 0, measure }: ChunkOptions): string {
  if (overlap <= 0) return "";
  for (let reach = 256; ; reach *= 4) {
    const least = Math.max(0, from - reach);
    const starts = [...sentencesIn(text, least, from)]
      .map((sentence) => sentence.from)
      .filter((start) => start < from);
    let start = from;
    let size = 0;
    while (starts.length > 0) {
      const previous = starts.pop() ?? start;
      size += measure(text.sliceString(previous, start));
      if (size > overlap) return text.sliceString(start, from);
      start = previous;
    }
    if (least === 0 || reach >= furthestOverlap) return text.sliceString(start, from);
  }
}

/** The title of the section that holds most of `[from, to)`; `first` is the last section that begins before it ends. */
function headingOf(
  starts: readonly { from: number; title: string }[],
  first: number,
  from: number,
  to: number,
): string {
  let heading = "";
  let most = Math.min(to, starts[first]?.from ?? to) - from;
  for (let index = first; index < starts.length; index += 1) {
    const section = starts[index];
    if (section === undefined || section.from >= to) break;
    const length = Math.min(to, starts[index + 1]?.from ?? to) - Math.max(from, section.from);
    if (length <= most) continue;
    most = length;
    heading = section.title;
  }
  return heading;
}
