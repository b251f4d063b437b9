// Which headings are only lines of a table of contents.
//
// Headings that follow each other without text between them are a row; it is cut where it begins to repeat itself. A row
// is a table of contents when most of what it announces is announced elsewhere too, and there with more text behind it:
// so a table at the front, one at the end, and none at all come out right, and a skeleton of empty chapters is not dropped.

import type { OutlineLine, OutlineScan } from "./blocks.ts";
import type { Announced } from "./chapters.ts";

/** Fewer characters than this between two headings are no text. */
const little = 30;

interface Entry extends Announced {
  /** The key with those of the headings it lies under. */
  readonly path: string;
  /** The text that belongs to it, up to the next heading of its rank. */
  readonly prose: number;
}

export function withoutContents(headings: readonly Announced[], scan: OutlineScan): Announced[] {
  const entries = entriesOf(headings, scan.length);
  const best = new Map<string, Entry>();
  for (const entry of entries) {
    const known = best.get(entry.key);
    if (known === undefined || entry.prose >= known.prose) best.set(entry.key, entry);
  }
  const unique: Announced[] = [];
  const isUnderTitle = underTitles(scan.contents);
  for (const row of rowsOf(entries)) {
    const inRow = new Set(row);
    const isBeaten = (entry: Entry) => {
      const other = best.get(entry.key);
      return other !== undefined && !inRow.has(other);
    };
    const isListed = isUnderTitle(row);
    if (row.length === 1 || !isContents(row, isBeaten, isListed)) {
      unique.push(...row.filter((entry) => row.length > 1 || !isEcho(entry, best.get(entry.key))));
      continue;
    }
    // The last one may be the first heading of the text itself.
    const last = row.at(-1);
    if (last !== undefined && !isBeaten(last) && last.prose >= little) unique.push(last);
  }
  return unique;
}

function entriesOf(headings: readonly Announced[], length: number): Entry[] {
  const prose: number[] = headings.map(({ after }) => length - after);
  const paths: string[] = [];
  const open: { index: number; rank: number }[] = [];
  for (const [index, { rank, key, before }] of headings.entries()) {
    for (let last = open.at(-1); last !== undefined && endsBefore(last.rank, rank); last = open.at(-1)) {
      prose[last.index] = before - (headings[last.index]?.after ?? 0);
      open.pop();
    }
    const parent = open.at(-1);
    paths.push(parent === undefined ? key : `${paths[parent.index]}/${key}`);
    open.push({ index, rank });
  }
  return headings.map((heading, index) => {
    return { ...heading, path: paths[index] ?? heading.key, prose: prose[index] ?? 0 };
  });
}

/** A section with only a name holds no chapters. */
function endsBefore(rank: number, next: number): boolean {
  return rank === 0 || rank >= next;
}

function rowsOf(entries: readonly Entry[]): Entry[][] {
  const rows: Entry[][] = [];
  let seen = new Set<string>();
  let previous: Entry | undefined;
  for (const entry of entries) {
    const row = rows.at(-1);
    const follows = previous !== undefined && entry.before - previous.after < little;
    if (row !== undefined && follows && !seen.has(entry.path)) row.push(entry);
    else {
      rows.push([entry]);
      seen = new Set();
    }
    seen.add(entry.path);
    previous = entry;
  }
  return rows;
}

function isContents(
  row: readonly Entry[],
  isBeaten: (entry: Entry) => boolean,
  isUnderTitle: boolean,
): boolean {
  // A part, its book and its first chapter follow each other too.
  if (new Set(row.map(({ rank }) => rank)).size === row.length) return false;
  const inner = row.slice(0, -1);
  const beaten = inner.filter(isBeaten).length;
  if (beaten * 2 >= inner.length) return true;
  return isUnderTitle && inner.every(({ prose }) => prose < little);
}

/** Whether a row is the first one below the heading of a table of contents. Rows are asked about in order. */
function underTitles(titles: readonly OutlineLine[]): (row: readonly Entry[]) => boolean {
  let next = 0;
  return ([first]) => {
    let title: OutlineLine | undefined;
    for (
      let at = titles[next];
      at !== undefined && first !== undefined && at.line < first.line;
      at = titles[next]
    ) {
      title = at;
      next += 1;
    }
    return (
      title !== undefined && first !== undefined && first.before - title.before - title.source.length < little
    );
  };
}

/** A heading with nothing behind it whose very title is announced again with text. */
function isEcho(entry: Entry, other: Entry | undefined): boolean {
  if (other === undefined || other === entry || entry.prose >= little || other.prose < little) return false;
  return other.path === entry.path && other.title.toLowerCase() === entry.title.toLowerCase();
}
