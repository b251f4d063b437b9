// A chunk's lines with the document's own numbers (from 0), as transformers see them and name them in their edits.
//
// A chunk that begins or ends inside a very long line holds a piece of that line under the line's number. An edit of whole
// lines takes their line breaks along; an edit of a piece stays inside its line.

import type { Text } from "@codemirror/state";
import type { Replacement } from "./replacements.ts";

export interface Piece {
  readonly line: number;
  readonly from: number;
  /** Without the line's end. */
  readonly to: number;
  /** Behind the line's end, where the piece reaches it; else as `to`. */
  readonly end: number;
  readonly isWholeLine: boolean;
  readonly content: string;
}

export function piecesOf(text: Text, { from, to }: { readonly from: number; readonly to: number }): Piece[] {
  const pieces: Piece[] = [];
  if (to <= from) return pieces;
  const first = text.lineAt(from).number;
  const last = text.lineAt(to - 1).number;
  for (let number = first; number <= last; number += 1) {
    const line = text.line(number);
    const contentEnd = line.text.endsWith("\r") ? line.to - 1 : line.to;
    const start = Math.max(line.from, from);
    const reachesEnd = to >= contentEnd;
    const end = reachesEnd ? Math.min(line.to + 1, text.length) : to;
    const stop = Math.max(start, Math.min(contentEnd, to));
    const isWholeLine = start === line.from && reachesEnd;
    const content = line.text.slice(start - line.from, stop - line.from);
    pieces.push({ line: number - 1, from: start, to: stop, end, isWholeLine, content });
  }
  return pieces;
}

export function numbered(pieces: readonly Piece[]): string {
  return pieces.map(({ line, content }) => `${line}|${content}`).join("\n");
}

/** The replacement of some neighbouring pieces by new content. Empty content takes whole lines away. */
export function replacementOf(pieces: readonly Piece[], content: string): Replacement | undefined {
  const [first] = pieces;
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (pieces.every(({ isWholeLine }) => isWholeLine)) {
    const insert = content === "" || content.endsWith("\n") ? content : `${content}\n`;
    return { from: first.from, to: last.end, insert };
  }
  return { from: first.from, to: last.to, insert: content.replace(/\r?\n$/, "") };
}

/** What transformers asked about lines that they were shown. */
export function questionsWithin<Q extends { readonly line: number }>(
  results: readonly { readonly questions: readonly Q[] }[],
  shown: readonly (readonly Piece[])[],
): Q[] {
  return results.flatMap(({ questions }, index) => {
    const lines = new Set((shown[index] ?? []).map(({ line }) => line));
    return questions.filter(({ line }) => lines.has(line));
  });
}
