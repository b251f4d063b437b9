// What takes the place of a match: text with the match's captures in it.
//
// Later lines of the text are indented as the line that the match begins on. A capture over several lines keeps its shape:
// its lines move by as much as its first line did, but for those inside of a string. A list that captured nothing takes the
// comma beside it along.

import { Fault } from "@stet/protocol/fault";
import { type Language, longStrings, type Node } from "./languages.ts";
import { type Capture, captured, capturesOf } from "./patterns.ts";

export interface Template {
  readonly out: string;
  readonly captures: readonly Capture[];
}

/** Refused where the text wants something that the pattern does not capture. */
export function compileTemplate(pattern: string, out: string): Template | Fault {
  const captures = capturesOf(pattern);
  const unknown = capturesOf(out).find(
    ({ name, isMany }) => !captures.some((capture) => capture.name === name && capture.isMany === isMany),
  );
  if (unknown === undefined) return { out: out.replaceAll("\r\n", "\n"), captures };
  const shown = `${unknown.isMany ? "$$$" : "$"}${unknown.name}`;
  return new Fault(
    "invalid_arguments",
    `out uses ${shown}, which ${JSON.stringify(pattern)} does not capture.`,
    "Use the same name, with the same number of $, in pat and out.",
    { pattern, variable: shown },
  );
}

const token = /\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)/g;

export function fillTemplate(template: Template, match: Node, source: string, language: Language): string {
  const { out, captures } = template;
  const outer = indentAt(source, match.range().start.index);
  let result = "";
  let at = 0;
  for (const found of out.matchAll(token)) {
    const capture = captures.find(({ name }) => name === (found[1] ?? found[2]));
    if (capture === undefined) continue;
    result += indentLines(out.slice(at, found.index), outer);
    at = found.index + found[0].length;
    const place = captured(match, capture);
    if (place !== undefined && place.start < place.end) {
      const own = /^[ \t]*/.exec(out.slice(out.lastIndexOf("\n", found.index - 1) + 1))?.[0] ?? "";
      const indent = out.lastIndexOf("\n", found.index - 1) < 0 ? outer : outer + own;
      result += moved(match, source, place, indent, language);
    } else if (/,\s*$/.test(result)) {
      result = result.replace(/,\s*$/, "");
    } else {
      at += /^\s*,[ \t]*/.exec(out.slice(at))?.[0].length ?? 0;
    }
  }
  return result + indentLines(out.slice(at), outer);
}

function indentAt(source: string, offset: number): string {
  const start = source.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(source.slice(start, offset))?.[0] ?? "";
}

function indentLines(text: string, indent: string): string {
  return text.replace(/\n(?=[^\n])/g, `\n${indent}`);
}

function moved(
  match: Node,
  source: string,
  { start, end }: { start: number; end: number },
  indent: string,
  language: Language,
): string {
  const text = source.slice(start, end);
  const was = indentAt(source, start);
  if (!text.includes("\n") || was === indent) return text;
  const fixed = stringRanges(match, language);
  let offset = start;
  return text
    .split("\n")
    .map((line, index) => {
      const lineStart = offset;
      offset += line.length + 1;
      const isInString = fixed.some((range) => range.start < lineStart && range.end > lineStart);
      if (index === 0 || isInString || !line.startsWith(was) || line.trim() === "") return line;
      return indent + line.slice(was.length);
    })
    .join("\n");
}

function stringRanges(match: Node, language: Language): { start: number; end: number }[] {
  const kinds = longStrings[language];
  if (kinds === undefined) return [];
  return match.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } }).map((node) => {
    const { start, end } = node.range();
    return { start: start.index, end: end.index };
  });
}
