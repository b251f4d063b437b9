// Three sides of one file in rows: before the turn, as the agent proposed it, and as it is now. Lines that belong together
// stand in one row, and a side that has nothing there has a gap. Both later sides are compared with "before".

import { mergeLines } from "@stet/text/merge";
import { diffWords, type WordChange } from "@stet/text/words";

export type Side = "before" | "proposed" | "now";
export const sides: readonly Side[] = ["before", "proposed", "now"];

/** Lines that are not the same on all sides. */
export class Region {
  readonly before: readonly string[];
  readonly proposed: readonly string[];
  readonly now: readonly string[];
  readonly isProposed: boolean;
  readonly isNow: boolean;
  readonly #marks = new Map<Side, readonly (readonly Mark[])[]>();

  constructor(lines: Record<Side, readonly string[]>, differs: { isProposed: boolean; isNow: boolean }) {
    this.before = lines.before;
    this.proposed = lines.proposed;
    this.now = lines.now;
    this.isProposed = differs.isProposed;
    this.isNow = differs.isNow;
  }

  /** Whether a side is another than before the turn; "before" is, where another side is. */
  differs(side: Side): boolean {
    return side === "before" || (side === "proposed" ? this.isProposed : this.isNow);
  }

  /** A side's lines with the words that differ; found when it is first looked at. */
  lines(side: Side): readonly (readonly Mark[])[] {
    const known = this.#marks.get(side);
    if (known !== undefined) return known;
    const other = side === "before" ? (this.isProposed ? this.proposed : this.now) : this[side];
    const isLong = this.before.length + other.length > maxComparedLines;
    const marks =
      isLong || !this.differs(side)
        ? this[side].map((text) => [{ text, isMarked: isLong && this.differs(side) }])
        : markedLines(
            diffWords(this.before.join("\n"), other.join("\n")),
            side === "before" ? "removed" : "added",
            this[side].length,
          );
    this.#marks.set(side, marks);
    return marks;
  }
}

export interface Mark {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface ThreeRow {
  /** The text of the line on all sides; null in a region. */
  readonly same: string | null;
  readonly region: Region | null;
  /** Which line of the region. */
  readonly offset: number;
  /** Line numbers from 1; null where the side has no line there. */
  readonly numbers: Readonly<Record<Side, number | null>>;
}

export interface ThreeSides {
  readonly rows: readonly ThreeRow[];
  /** The rows at which something differs begins. */
  readonly starts: readonly number[];
}

/** Regions longer than this are marked as a whole. */
const maxComparedLines = 400;

export function threeSides(before: string, proposed: string, now: string): ThreeSides {
  const rows: ThreeRow[] = [];
  const starts: number[] = [];
  const next = { before: 1, proposed: 1, now: 1 };
  for (const { kind, base, ours, theirs } of mergeLines(linesOf(before), linesOf(proposed), linesOf(now))) {
    if (kind === "same") {
      for (const same of base) {
        rows.push({ same, region: null, offset: 0, numbers: { ...next } });
        for (const side of sides) next[side] += 1;
      }
      continue;
    }
    const lines = { before: base, proposed: ours, now: theirs };
    const region = new Region(lines, { isProposed: kind !== "theirs", isNow: kind !== "ours" });
    starts.push(rows.length);
    const height = Math.max(base.length, ours.length, theirs.length);
    for (let offset = 0; offset < height; offset += 1) {
      const numberOf = (side: Side) => (offset < lines[side].length ? next[side] + offset : null);
      const numbers = { before: numberOf("before"), proposed: numberOf("proposed"), now: numberOf("now") };
      rows.push({ same: null, region, offset, numbers });
    }
    for (const side of sides) next[side] += lines[side].length;
  }
  return { rows, starts };
}

/** Without the empty one behind the last line break. */
function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function markedLines(words: readonly WordChange[], kind: WordChange["kind"], count: number): Mark[][] {
  const lines: Mark[][] = [[]];
  for (const word of words) {
    if (word.kind !== "same" && word.kind !== kind) continue;
    for (const [index, text] of word.text.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (text !== "") lines.at(-1)?.push({ text, isMarked: word.kind !== "same" });
    }
  }
  return count === 0 ? [] : lines;
}
