// A line of the editor as the units that a cursor stops at: grapheme clusters, and chips.
//
// A chip is one private-use character (U+10F000 and above) that stands for something larger, a pasted text or a picture, and is
// drawn as its label. Foreign text cannot contain one: `withoutChips` replaces those characters.
//
// A line may be megabytes long, so nothing here looks further than a few hundred characters. Characters of common scripts that
// cannot combine with a neighbour are found by their number; only the others are segmented.

import { cellWidth } from "../text/width.ts";

/** The labels of the chips that exist, by their characters. */
export type ChipLabels = ReadonlyMap<string, string>;

export const tabCells = 4;
const firstChip = 0x10f000;
const lastChip = 0x10fffd;
/** How far back a cluster may begin; one that is longer is cut. */
const maxClusterUnits = 256;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function chipCharacter(number: number): string {
  return String.fromCodePoint(firstChip + (number % (lastChip - firstChip + 1)));
}

export function isChip(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= firstChip && code <= lastChip;
}

const chips = /[\u{10f000}-\u{10fffd}]/gu;
/** The first halves of their surrogate pairs: most texts have none, and are not looked at character by character. */
const maybeChips = /[\udbfc-\udbff]/;

export function withoutChips(text: string): string {
  return maybeChips.test(text) ? text.replace(chips, "\ufffd") : text;
}

/** The end of the cluster that begins at `at`. */
export function clusterEnd(line: string, at: number): number {
  if (at >= line.length) return line.length;
  const next = at + 1;
  if (isAlone(line.charCodeAt(at)) && (next === line.length || isAlone(line.charCodeAt(next)))) return next;
  for (let units = 32; ; units *= 4) {
    const part = line.slice(at, at + units);
    const first = firstSegment(part);
    if (isChip(first)) return at + 2;
    if (first.length < part.length || at + units >= line.length || units > maxClusterUnits)
      return at + first.length;
  }
}

/** The ends of clusters one after the other: a window of the line is segmented at once, which is much cheaper than each alone. */
export class ClusterWalk {
  readonly #line: string;
  #ends: readonly number[] = [];
  #next = 0;

  constructor(line: string) {
    this.#line = line;
  }

  /** The end of the cluster that begins at `at`, which is where one begins. */
  end(at: number): number {
    const line = this.#line;
    const after = at + 1;
    if (isAlone(line.charCodeAt(at)) && (after >= line.length || isAlone(line.charCodeAt(after))))
      return after;
    while (this.#next < this.#ends.length && (this.#ends[this.#next] ?? 0) <= at) this.#next++;
    const isKnown = this.#next > 0 ? this.#ends[this.#next - 1] === at : false;
    if (!isKnown || this.#next === this.#ends.length) this.#segment(at);
    return this.#ends[this.#next] ?? clusterEnd(line, at);
  }

  /** The last cluster of the window may go on behind it, so it is left out. */
  #segment(at: number): void {
    const part = this.#line.slice(at, at + maxClusterUnits);
    const ends = [at];
    for (const { index, segment } of segmenter.segment(part)) {
      const end = index + segment.length;
      if (end === part.length && at + end < this.#line.length) break;
      ends.push(at + (isChip(segment) ? index + 2 : end));
      if (isChip(segment) && segment.length > 2) break;
    }
    this.#ends = ends;
    this.#next = 1;
  }
}

/** The beginning of the cluster that ends at `at`. */
export function clusterStart(line: string, at: number): number {
  if (at <= 0) return 0;
  if (isAlone(line.charCodeAt(at - 1))) return at - 1;
  let from = at - 1;
  const earliest = Math.max(0, at - maxClusterUnits);
  while (from > earliest && !isAlone(line.charCodeAt(from))) from--;
  if (isLowSurrogate(line.charCodeAt(from)) && from > 0) from--;
  for (;;) {
    const end = clusterEnd(line, from);
    if (end >= at) return from;
    from = end;
  }
}

/** The nearest boundary at or before a position that may be inside a cluster. */
export function clusterFloor(line: string, at: number): number {
  if (at <= 0 || at >= line.length) return Math.max(0, Math.min(at, line.length));
  const start = clusterStart(line, at);
  return clusterEnd(line, start) <= at ? at : start;
}

/** How many cells a cluster takes at a column of its row; never none, so that a cursor always moves. */
export function clusterCells(cluster: string, column: number, labels: ChipLabels): number {
  if (cluster.length === 1) {
    const code = cluster.charCodeAt(0);
    if (code === 9) return tabCells - (column % tabCells);
    if (code >= 0x20 && code < 0x7f) return 1;
    if (isAlone(code)) return code < 0x1100 ? 1 : 2;
  }
  if (labels.has(cluster)) return cellWidth(labels.get(cluster) ?? "");
  const known = widths.get(cluster);
  if (known !== undefined) return known;
  const cells = cellWidth(drawnCluster(cluster, column, labels));
  if (widths.size >= maxWidths) widths.clear();
  widths.set(cluster, cells);
  return cells;
}

/** The cells of clusters that are not found by their number; a text uses a few of them again and again. */
const widths = new Map<string, number>();
const maxWidths = 2000;

/** What is shown for a cluster: controls and what has no width are pictures or numbers, a chip is its label. */
export function drawnCluster(cluster: string, column: number, labels: ChipLabels): string {
  if (cluster === "\t") return " ".repeat(tabCells - (column % tabCells));
  const code = cluster.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code) + numbers(cluster.slice(1));
  if (code === 0x7f) return `\u2421${numbers(cluster.slice(1))}`;
  if (cluster.length === 1 && isAlone(code)) return cluster;
  const label = labels.get(cluster);
  if (label !== undefined) return label;
  if (reorders.test(cluster) || (code >= 0x80 && code < 0xa0)) return numbers(cluster);
  const wellFormed = cluster.toWellFormed();
  return cellWidth(wellFormed) === 0 ? numbers(cluster) : wellFormed;
}

const reorders = /[\u202a-\u202e\u2066-\u2069]/;

function numbers(text: string): string {
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  }).join("");
}

function firstSegment(text: string): string {
  for (const { segment } of segmenter.segment(text)) return segment;
  return text;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** Whether a character never joins the one before it, and takes one cell below U+1100 and two above. */
export function isAlone(code: number): boolean {
  if (code < 0x7f) return code >= 0x20;
  if (code < 0x0300) return code >= 0xc0;
  if (code < 0x0530) return code >= 0x0400 && (code < 0x0483 || code > 0x0489);
  if (code < 0x3041) return false;
  if (code < 0x30fb) return code <= 0x3096 || code >= 0x30a1;
  return (
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xff01 && code <= 0xff60)
  );
}
