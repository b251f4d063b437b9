// Code in the colours that its parser gives. Only code that is whole is parsed: of code that is still being written, a parser
// takes milliseconds for each line to guess how it goes on.

import type { Parser } from "@lezer/common";
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import type { TextToken } from "../theme/theme.ts";
import type { Piece } from "./tokenizer.ts";

const classes = {
  c: "syntaxComment",
  k: "syntaxKeyword",
  f: "syntaxFunction",
  v: "syntaxVariable",
  s: "syntaxString",
  n: "syntaxNumber",
  t: "syntaxType",
  o: "syntaxOperator",
  p: "syntaxPunctuation",
} as const satisfies Readonly<Record<string, TextToken>>;

const highlighter = tagHighlighter([
  { tag: tags.comment, class: "c" },
  { tag: [tags.keyword, tags.modifier, tags.self, tags.null, tags.bool, tags.atom], class: "k" },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName], class: "f" },
  { tag: [tags.propertyName, tags.attributeName, tags.labelName], class: "v" },
  {
    tag: [tags.string, tags.special(tags.string), tags.regexp, tags.escape, tags.attributeValue],
    class: "s",
  },
  { tag: [tags.number, tags.unit, tags.color], class: "n" },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.heading], class: "t" },
  { tag: tags.tagName, class: "k" },
  { tag: tags.operator, class: "o" },
  { tag: [tags.punctuation, tags.bracket, tags.separator, tags.meta], class: "p" },
]);

/** The pieces of each line of code that is whole. */
export function parsedLines(parser: Parser, lines: readonly string[]): Piece[][] {
  const marks: Mark[] = [];
  highlightTree(parser.parse(lines.join("\n")), highlighter, (start, end, name) => {
    marks.push({ start, end, token: tokenOf(name) });
  });
  return piecesOf(lines, marks);
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly token: TextToken | undefined;
}

function tokenOf(name: string): TextToken | undefined {
  const known: Readonly<Record<string, TextToken>> = classes;
  return known[name.slice(-1)];
}

/** Marks are in order and do not overlap; one may go over several lines. */
function piecesOf(lines: readonly string[], marks: readonly Mark[]): Piece[][] {
  let start = 0;
  let index = 0;
  return lines.map((line) => {
    const end = start + line.length;
    const pieces: Piece[] = [];
    let at = start;
    for (let mark = marks[index]; mark !== undefined && mark.start < end; mark = marks[index]) {
      const [first, last] = [Math.max(mark.start, at), Math.min(mark.end, end)];
      if (first > at) pieces.push({ text: line.slice(at - start, first - start), token: undefined });
      if (last > first) pieces.push({ text: line.slice(first - start, last - start), token: mark.token });
      at = Math.max(at, last);
      if (mark.end > end) break;
      index += 1;
    }
    if (at < end) pieces.push({ text: line.slice(at - start), token: undefined });
    start = end + 1;
    return pieces;
  });
}
