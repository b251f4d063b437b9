// Blocks: runs of lines in which a line break is only a line break, so that a sentence may run across it.
//
// A blank line ends a block. A heading, a table row, a fence, a rule and a bare quote mark are blocks of one line; a
// list item and the lines that carry it on are a block, and so are quoted lines side by side. Whether a block ends
// between two lines depends on these two lines alone: an offset in the middle of a document is understood without
// reading what comes before it.

import type { Text } from "@codemirror/state";

export type LineKind = "blank" | "plain" | "quote" | "item" | "single";

export interface SentenceBlock {
  readonly from: number;
  /** Behind its last line's last character, before the line break. */
  readonly to: number;
  /** Of its first line. */
  readonly kind: LineKind;
}

/** More of a line than this does not matter for what kind it is. */
const headLength = 200;

const singleLine = /^\s*(?:#{1,6}(?:\s|$)|\||`{3}|~{3}|(?:[-*_=]\s*){3,}$|(?:>\s*)+$)/;
const listItem = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
/** The marker of a list item, with quote marks before it. */
export const itemMarker = /^[\s>]*(?:[-*+•]|\d{1,3}[.)])\s+/;

export function kindOfLine(line: string): LineKind {
  const first = line.charCodeAt(0);
  if ((first >= 65 && first <= 90) || (first >= 97 && first <= 122)) return "plain";
  const head = line.length > headLength ? line.slice(0, headLength) : line;
  const start = head.search(/\S/);
  if (start < 0) return line.length > headLength && /\S/.test(line) ? "plain" : "blank";
  if (singleLine.test(head) && (line.length <= headLength || !/^\s*[-*_=>]/.test(head))) return "single";
  if (head[start] === ">") return "quote";
  return listItem.test(head) ? "item" : "plain";
}

/** Whether a block ends between two lines of these kinds. */
export function isBreakBetween(before: LineKind, after: LineKind): boolean {
  if (before === "plain" && after === "plain") return false;
  if (before === "blank" || before === "single") return true;
  if (after === "blank" || after === "single" || after === "item") return true;
  return (before === "quote") !== (after === "quote");
}

/**
 * The blocks from the line of `from` on, in order, that begin before `to`. The last is not followed further than
 * `beyond` characters behind `to`.
 */
export function* blocksFrom(
  text: Text,
  from: number,
  to: number,
  beyond = Infinity,
): Generator<SentenceBlock> {
  const first = text.lineAt(from);
  let position = first.from;
  let previous: LineKind = "blank";
  let block: { from: number; to: number; kind: LineKind } | undefined;
  for (const line of text.iterLines(first.number)) {
    const kind = kindOfLine(line);
    if (block === undefined || isBreakBetween(previous, kind)) {
      if (block !== undefined) yield block;
      block = undefined;
      if (position >= to) return;
      if (kind !== "blank") block = { from: position, to: position + line.length, kind };
    } else {
      block.to = position + line.length;
      if (block.to > to + beyond) break;
    }
    previous = kind;
    position += line.length + 1;
  }
  if (block !== undefined) yield block;
}

/** The part of the block around a position that lies within `reach` of it, and which of its ends are the block's own. */
export interface BlockPart extends SentenceBlock {
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

/** Undefined on a blank line. */
export function blockAround(text: Text, position: number, reach: number): BlockPart | undefined {
  const here = text.lineAt(position);
  let kind = kindOfLine(here.text);
  if (kind === "blank") return undefined;
  const least = Math.max(0, position - reach);
  const most = Math.min(text.length, position + reach);
  let after: LineKind = kind;
  let from = here.from;
  let to = here.to;
  let isStart = from === 0;
  while (from > least && !isStart) {
    const line = text.lineAt(from - 1);
    const before = kindOfLine(line.text);
    isStart = isBreakBetween(before, kind);
    if (isStart) break;
    kind = before;
    from = line.from;
    isStart = from === 0;
  }
  if (!isStart && from > 0 && from === least) {
    isStart = isBreakBetween(kindOfLine(text.lineAt(from - 1).text), kind);
  }
  let isEnd = to === text.length;
  while (to < most && !isEnd) {
    const line = text.lineAt(to + 1);
    const next = kindOfLine(line.text);
    isEnd = isBreakBetween(after, next);
    if (isEnd) break;
    after = next;
    to = line.to;
    isEnd = to === text.length;
  }
  if (!isEnd && to === most && to < text.length) {
    isEnd = isBreakBetween(after, kindOfLine(text.lineAt(to + 1).text));
  }
  return {
    kind,
    from: Math.max(from, least),
    to: Math.min(to, most),
    isStart: isStart && from >= least,
    isEnd: isEnd && to <= most,
  };
}
