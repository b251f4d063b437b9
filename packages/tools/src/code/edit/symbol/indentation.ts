// New content at the indentation of its place.
//
// Models write content flush left, at the depth of its place, or with only the first line cut: all three come out right.
// Lines inside of a string are part of its value and are never moved; those of a docstring move with the code.

import type { Text } from "@codemirror/state";
import { lineContent } from "@stet/text/lines";
import { indentOf } from "../../../locate/indentation.ts";
import { type Language, loadParser, longStrings } from "../../structure/languages.ts";

/** What one level of a file's indentation is. */
export function indentUnit(text: Text, language: Language | undefined): string {
  const own = ownUnit(text.sliceString(0, Math.min(text.length, 20_000)));
  if (own !== undefined) return own;
  if (language === "go") return "\t";
  return language === "python" || language === "rust" || language === "java" || language === "c"
    ? "    "
    : "  ";
}

/** What one level is in some code; undefined where nothing is indented. */
export function ownUnit(source: string): string | undefined {
  const counts = new Map<string, number>();
  let previous: number | undefined;
  for (const line of source.split("\n")) {
    if (line.trim() === "" || /^\s*\*/.test(line)) continue;
    const indent = indentOf(line);
    const step = previous === undefined ? 0 : indent.length - previous;
    previous = indent.length;
    const unit = indent.startsWith("\t") ? "\t" : step >= 2 && step <= 8 ? " ".repeat(step) : undefined;
    if (unit !== undefined) counts.set(unit, (counts.get(unit) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[0];
}

/** The lines of some content, at an indentation. */
export async function indented(
  content: string,
  indent: string,
  unit: string,
  language: Language | undefined,
): Promise<string[]> {
  const lines = contentLines(content);
  const inString = language === undefined ? new Set<number>() : await stringLines(language, lines);
  const movable = lines.filter((line, index) => line.trim() !== "" && !inString.has(index));
  const [first = "", ...rest] = movable.map(indentOf);
  if (isFirstCut(movable, rest, indent, unit)) return [indent + (lines[0] ?? ""), ...lines.slice(1)];
  // Who begins at the depth of the place has written the rest as it is meant, too.
  const base =
    first === indent
      ? first
      : rest.reduce((least, each) => (each.length < least.length ? each : least), first);
  const step = stepOf(
    [first, ...rest].map((each) => each.slice(base.length)),
    unit,
  );
  if (base === indent && step === unit) return lines;
  return lines.map((line, index) => {
    if (inString.has(index)) return line;
    if (line.trim() === "") return "";
    const own = indentOf(line);
    return indent + own.slice(base.length).replaceAll(step, unit) + line.slice(own.length);
  });
}

/** Without blank lines around it. */
export function contentLines(content: string): string[] {
  const lines = content.split(/\r\n|\r|\n/);
  while (lines[0]?.trim() === "") lines.shift();
  while (lines.at(-1)?.trim() === "") lines.pop();
  return lines;
}

/**
 * The first line stands at the margin, and the others are where they belong already: at the place's own depth, where the
 * first opens nothing or what it opens is closed there; one level deeper than it; or lined up behind a bracket.
 */
function isFirstCut(
  lines: readonly string[],
  rest: readonly string[],
  indent: string,
  unit: string,
): boolean {
  const [first = "", second = ""] = lines;
  if (indentOf(first) !== "" || indent === "" || rest.length === 0) return false;
  const least = Math.min(...rest.map((each) => each.length));
  if (least < indent.length) return false;
  const bracket = openBracket(first);
  if (bracket !== undefined && indentOf(second).length === indent.length + bracket + 1) return true;
  if (least === indent.length) {
    const opens = bracket !== undefined || /[:,=]\s*$/.test(first);
    return (
      !opens ||
      lines.some((line) => /^\s*[}\])]/.test(line) && indentOf(line) === indent && bracket !== undefined)
    );
  }
  return least === indent.length + unit.length && (lines.at(-1) ?? "").startsWith(indent + unit);
}

/** The column of the last bracket that a line opens and does not close. */
function openBracket(line: string): number | undefined {
  const open: number[] = [];
  for (const [column, character] of [...line].entries()) {
    if (/[{([]/.test(character)) open.push(column);
    else if (/[})\]]/.test(character)) open.pop();
  }
  return open.at(-1);
}

/** What one level is in content that is indented by spaces where the file has tabs, or the other way round. */
function stepOf(inner: readonly string[], unit: string): string {
  const steps = inner.filter((each) => each !== "").sort((one, other) => one.length - other.length);
  const [least] = steps;
  if (least === undefined) return unit;
  if (unit === "\t") return steps.every((each) => /^ +$/.test(each)) ? least : unit;
  return steps.every((each) => /^\t+$/.test(each)) ? "\t" : unit;
}

/** Indexes of lines that begin inside of a string. */
async function stringLines(language: Language, lines: readonly string[]): Promise<Set<number>> {
  const inside = new Set<number>();
  const source = lines.join("\n");
  if (!/[`]|"""|'''|r#*"|"[^"\n]*\n/.test(source)) return inside;
  const parser = await loadParser();
  if (!parser.has(language)) return inside;
  const kinds = longStrings[language];
  if (kinds === undefined) return inside;
  for (const node of parser
    .parse(language, source)
    .findAll({ rule: { any: kinds.map((kind) => ({ kind })) } })) {
    const { start, end } = node.range();
    if (language === "python" && node.parent()?.kind() === "expression_statement") continue;
    for (let line = start.line + 1; line <= end.line; line += 1) inside.add(line);
  }
  return inside;
}

/** The indentation of a counted line. */
export function indentAt(text: Text, line: number): string {
  return indentOf(lineContent(text, line - 1));
}
