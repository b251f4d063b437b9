// A document's outline as rows that can be folded, filtered and walked through by keys.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";

export type OutlineReply = Reply<Routes["outline"]>;
export type OutlineItem = OutlineReply["outline"][number];

export interface OutlineRow {
  /** The same as long as the titles above it and its own are. */
  readonly key: string;
  readonly title: string;
  /** From 0. */
  readonly level: number;
  /** From 1, as the editor counts. */
  readonly line: number;
  /** Undefined where nothing is inside. */
  readonly isOpen: boolean | undefined;
}

/** What is only cut at its blank lines has no outline that anyone could use. */
export function itemsOf(reply: OutlineReply): readonly OutlineItem[] {
  return reply.detection_confidence === "low" ? [] : reply.outline;
}

/** All rows that are not within a folded one; with a filter, those whose title holds all of its words, and what is above them. */
export function outlineRows(
  items: readonly OutlineItem[],
  folded: ReadonlySet<string>,
  filter: string,
): OutlineRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? unfolded(items, folded, 0, "") : matching(items, words, 0, "");
}

function unfolded(
  items: readonly OutlineItem[],
  folded: ReadonlySet<string>,
  level: number,
  above: string,
): OutlineRow[] {
  const keys = keysOf(items, above);
  return items.flatMap((item, index) => {
    const key = keys[index] ?? "";
    const children = item.children ?? [];
    const isOpen = !folded.has(key);
    const row = rowOf(item, key, level, isOpen);
    return isOpen ? [row, ...unfolded(children, folded, level + 1, key)] : [row];
  });
}

function matching(
  items: readonly OutlineItem[],
  words: readonly string[],
  level: number,
  above: string,
): OutlineRow[] {
  const keys = keysOf(items, above);
  return items.flatMap((item, index) => {
    const key = keys[index] ?? "";
    const below = matching(item.children ?? [], words, level + 1, key);
    const title = item.title.toLowerCase();
    const fits = words.every((word) => title.includes(word));
    return fits || below.length > 0 ? [rowOf(item, key, level, true), ...below] : [];
  });
}

function rowOf(
  { title, line_start, children = [] }: OutlineItem,
  key: string,
  level: number,
  isOpen: boolean,
): OutlineRow {
  return { key, title, level, line: line_start + 1, isOpen: children.length > 0 ? isOpen : undefined };
}

/** Equal titles side by side are numbered. */
function keysOf(items: readonly OutlineItem[], above: string): string[] {
  const counts = new Map<string, number>();
  return items.map(({ title }) => {
    const count = counts.get(title) ?? 0;
    counts.set(title, count + 1);
    return `${above}/${title}\n${count}`;
  });
}

/** The row that a line belongs to; -1 before the first. */
export function rowAtLine(rows: readonly OutlineRow[], line: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.line ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
