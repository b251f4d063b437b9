// What a change did to a text, in blocks that can be drawn one by one: changed lines, a few lines around them, and how many
// are left out in between.
//
// A change of very many lines is cut into several blocks, so that no block is ever longer than a screen or two.

import { diffLines } from "@stet/text/diff";
import { readUnified, type UnifiedHunk } from "@stet/text/unified";

export type DiffBlock =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "fold"; readonly lines: number }
  | { readonly kind: "context"; readonly line: number; readonly lines: readonly string[] }
  | ChangeBlock;

export interface ChangeBlock {
  readonly kind: "change";
  /** Where it stands in the text after the change, from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** What became of it, where that is told. */
  readonly verdict?: Verdict;
}

/** Of a change that is made of several, they may differ. */
export type Verdict = "accepted" | "rejected" | "open" | "mixed";

const usualContext = 3;
const maxBlockLines = 120;

/** From one text to the other; empty where they are equal. */
export function blocksBetween(before: string, after: string, context = usualContext): DiffBlock[] {
  const [old, fresh] = linesOfBoth(before, after);
  const changes = diffLines(old, fresh);
  const blocks: DiffBlock[] = [];
  let shown = 0;
  const keepUntil = (end: number, isLast: boolean) => {
    const isFirst = blocks.length === 0;
    const head = isFirst ? 0 : context;
    const tail = isLast ? 0 : context;
    const length = end - shown;
    // A fold that hides one line takes the place of that line.
    if (length <= head + tail + 1) {
      addContext(blocks, fresh, shown, end);
    } else {
      addContext(blocks, fresh, shown, shown + head);
      blocks.push({ kind: "fold", lines: length - head - tail });
      addContext(blocks, fresh, end - tail, end);
    }
  };
  for (const { at, removed, newAt, added } of changes) {
    keepUntil(newAt, false);
    shown = newAt + added;
    blocks.push(...changeBlocks(newAt + 1, old.slice(at, at + removed), fresh.slice(newAt, shown)));
  }
  if (changes.length > 0) keepUntil(fresh.length, true);
  return blocks;
}

function addContext(blocks: DiffBlock[], lines: readonly string[], from: number, to: number): void {
  if (to > from) blocks.push({ kind: "context", line: from + 1, lines: lines.slice(from, to) });
}

/** What stands behind the last line break is a line only where the texts differ in it. */
function linesOfBoth(before: string, after: string): [string[], string[]] {
  const old = before === "" ? [] : before.split("\n");
  const fresh = after === "" ? [] : after.split("\n");
  const isEnded = (lines: readonly string[]) => lines.length === 0 || lines.at(-1) === "";
  if (isEnded(old) && isEnded(fresh)) {
    old.pop();
    fresh.pop();
  }
  return [old, fresh];
}

/** One change, in pieces where it is long. */
export function changeBlocks(
  line: number,
  removed: readonly string[],
  added: readonly string[],
): ChangeBlock[] {
  if (removed.length + added.length <= maxBlockLines) return [{ kind: "change", line, removed, added }];
  const blocks: ChangeBlock[] = [];
  for (let at = 0; at < removed.length; at += maxBlockLines)
    blocks.push({ kind: "change", line, removed: removed.slice(at, at + maxBlockLines), added: [] });
  for (let at = 0; at < added.length; at += maxBlockLines)
    blocks.push({
      kind: "change",
      line: line + at,
      removed: [],
      added: added.slice(at, at + maxBlockLines),
    });
  return blocks;
}

/** A unified diff of one file, exactly as it is; undefined where it cannot be read. */
export function blocksOfPatch(patch: string): DiffBlock[] | undefined {
  const files = readUnified(patch);
  if (files === undefined) return undefined;
  const blocks: DiffBlock[] = [];
  for (const file of files) {
    let end = 1;
    for (const hunk of file.hunks) {
      const start = hunk.newStart;
      if (start > end) blocks.push({ kind: "fold", lines: start - end });
      blocks.push(...hunkBlocks(hunk, start));
      end = start + hunk.newLines;
    }
  }
  return blocks;
}

function hunkBlocks(hunk: UnifiedHunk, start: number): DiffBlock[] {
  const blocks: DiffBlock[] = [];
  let line = start;
  let context: string[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const closeChange = () => {
    if (removed.length + added.length > 0) blocks.push(...changeBlocks(line, removed, added));
    line += added.length;
    removed = [];
    added = [];
  };
  const closeContext = () => {
    if (context.length > 0) blocks.push({ kind: "context", line, lines: context });
    line += context.length;
    context = [];
  };
  for (const line of hunk.lines) {
    const text = line.slice(1);
    if (line.startsWith(" ")) {
      closeChange();
      context.push(text);
    } else if (!line.startsWith("\\")) {
      closeContext();
      (line.startsWith("-") ? removed : added).push(text);
    }
  }
  closeChange();
  closeContext();
  return blocks;
}

/** What a hunk of a turn did, from the way back that its checkpoint keeps. */
export function changeOfReverse(reversePatch: string): ChangeBlock {
  const [head = "", ...lines] = reversePatch.split("\n");
  const [, start = "1", count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(head) ?? [];
  const starting = (sign: string) => lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(1)] : []));
  return {
    kind: "change",
    line: Number(start) + (Number(count) === 0 ? 1 : 0),
    removed: starting("+"),
    added: starting("-"),
  };
}

interface DecidedHunk {
  readonly reverse_patch: string;
  readonly verdict: "accepted" | "rejected" | null;
}

/** The changes of a turn with what became of each; one that no hunk of the turn is told of stays without. */
export function withVerdicts(blocks: readonly DiffBlock[], hunks: readonly DecidedHunk[]): DiffBlock[] {
  const ranges = hunks.map(({ reverse_patch, verdict }) => {
    const { line, added } = changeOfReverse(reverse_patch);
    return { from: line, to: line + Math.max(added.length, 1), verdict: verdict ?? ("open" as const) };
  });
  let last: ChangeBlock | undefined;
  return blocks.map((block) => {
    // Of a change in several pieces, the first one tells it.
    const isPiece = last !== undefined && block.kind === "change";
    last = block.kind === "change" ? block : undefined;
    if (block.kind !== "change" || isPiece) return block;
    const to = block.line + Math.max(block.added.length, 1);
    const met = new Set(
      ranges.flatMap((range) => (range.from < to && block.line < range.to ? range.verdict : [])),
    );
    const [verdict] = met;
    return verdict === undefined ? block : { ...block, verdict: met.size > 1 ? "mixed" : verdict };
  });
}

const proseFile = /\.(?:md|markdown|mdx|txt|text|rst|adoc|org|tex|fountain)$/i;

/** Prose is read word by word, everything else line by line. A document without a file is prose. */
export function isProse(path: string | null): boolean {
  return path === null || proseFile.test(path) || !/\.[^/.]+$/.test(path);
}
