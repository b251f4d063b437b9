// Which part of a file an @@ header means: the block that begins with that line.
//
// A block goes on while lines are blank or indented further than its first line; a bracket at the same indentation does not
// end it. A Markdown heading's block goes on to the next heading of its rank. Where a hunk fits inside the block, places
// outside are not meant; where it fits nowhere inside, every place below the header is considered.

import type { SourceText } from "./source-text.ts";
import { foldedAs, forgivenFor } from "./tolerance.ts";

/** Lines, 0-based, `[from, to)`. */
export interface Scope {
  readonly from: number;
  readonly to: number;
}

/** The lines that a header may mean: equal to it in decreasing strictness, or else containing it. */
function headerLines(source: SourceText, header: string, within: Scope): number[] {
  const isWithin = (line: number) => line >= within.from && line < within.to;
  for (const how of forgivenFor("hunk")) {
    const found = source.placesOf([header], how).filter(isWithin);
    if (found.length > 0) return found;
  }
  const part = foldedAs.indentation(header);
  return source
    .at("indentation")
    .flatMap((line, index) => (isWithin(index) && line.includes(part) ? [index] : []));
}

/** The lines that the innermost of nested headers may mean; undefined with the header that is nowhere. */
export function nestedHeaderLines(
  source: SourceText,
  headers: readonly string[],
): readonly number[] | { readonly missing: string } {
  let scopes: readonly Scope[] = [{ from: 0, to: source.lines.length }];
  let found: readonly number[] = [];
  for (const header of headers) {
    const inside = scopes.flatMap((scope) => headerLines(source, header, scope));
    const below = () =>
      scopes
        .slice(0, 1)
        .flatMap((scope) => headerLines(source, header, { ...scope, to: source.lines.length }));
    found = [...new Set(inside.length > 0 ? inside : below())];
    if (found.length === 0) return { missing: header };
    scopes = found.map((line) => blockAt(source, line));
  }
  return found;
}

export function blockAt(source: SourceText, first: number): Scope {
  const { lines } = source;
  const head = lines[first] ?? "";
  const rank = /^(#{1,6}) /.exec(head)?.[1]?.length;
  const indent = indentOf(head);
  let end = first + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    if (rank !== undefined) {
      const other = /^(#{1,6}) /.exec(line)?.[1]?.length;
      if (other !== undefined && other <= rank) break;
    } else if (line.trim() !== "" && indentOf(line) <= indent && !/^\s*[{}()[\]]/.test(line)) break;
  }
  return { from: first, to: end };
}

function indentOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === " ") width += 1;
    else if (character === "\t") width += 8 - (width % 8);
    else break;
  }
  return width;
}
