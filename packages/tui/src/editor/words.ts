// Where words begin and end, over the ends of lines. A chip is a word.

import { clusterEnd, clusterStart, isChip } from "./clusters.ts";
import type { Position, TextBuffer } from "./text-buffer.ts";

type IsInside = (cluster: string) => boolean;

const wordCharacter = /^[\p{L}\p{N}\p{M}_]/u;

/** Letters, digits and the underscore. */
export const isWordCluster: IsInside = (cluster) => wordCharacter.test(cluster) || isChip(cluster);
/** Everything but blanks. */
export const isInkCluster: IsInside = (cluster) => !/^\s/.test(cluster);

export function wordStartBefore(buffer: TextBuffer, from: Position, isInside = isWordCluster): Position {
  let { line, column } = from;
  let text = buffer.line(line);
  let hasEntered = false;
  for (;;) {
    if (column === 0) {
      if (hasEntered || line === 0) return { line, column };
      line--;
      text = buffer.line(line);
      column = text.length;
      continue;
    }
    const start = clusterStart(text, column);
    const isWord = isInside(text.slice(start, column));
    if (hasEntered && !isWord) return { line, column };
    hasEntered ||= isWord;
    column = start;
  }
}

export function wordEndAfter(buffer: TextBuffer, from: Position, isInside = isWordCluster): Position {
  let { line, column } = from;
  let text = buffer.line(line);
  let hasEntered = false;
  for (;;) {
    if (column >= text.length) {
      if (hasEntered || line === buffer.lines.length - 1) return { line, column };
      line++;
      text = buffer.line(line);
      column = 0;
      continue;
    }
    const end = clusterEnd(text, column);
    const isWord = isInside(text.slice(column, end));
    if (hasEntered && !isWord) return { line, column };
    hasEntered ||= isWord;
    column = end;
  }
}
