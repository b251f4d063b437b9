// :s with its flags, and what a replacement stands for: & and \0-\9, \r for a line break, \u \l \U \L \E for case.

import { type Fault, isFault } from "@stet/protocol/fault";
import { maxBufferLength, tooLong } from "./buffer.ts";
import type { ExRange, ExReader } from "./ex-range.ts";
import { matchesIn, type VimMatch } from "./search.ts";
import type { Vim } from "./state.ts";
import { vimPattern } from "./vim-pattern.ts";

export function substitute(vim: Vim, range: ExRange, reader: ExReader): Fault | undefined {
  const delimiter = reader.take(/^([^\w\s"|\\&])/)?.[1];
  const last = vim.lastSubstitution;
  let source: string;
  let replacement: string;
  if (delimiter !== undefined) {
    source = reader.until(delimiter);
    replacement = reader.until(delimiter);
    if (source === "") source = vim.lastSearch?.source ?? last?.source ?? "";
    if (replacement === "~") replacement = last?.replacement ?? "";
  } else if (last !== undefined) ({ source, replacement } = last);
  else return vim.refused("no_match", "There is no substitution to repeat");
  if (source === "") return vim.refused("no_match", "There is no pattern to substitute");
  const typed = reader.take(/^\s*&?[cegiIn#lpr]*/)?.[0].trim() ?? "";
  const flags = typed.startsWith("&") ? (last?.flags ?? "") + typed.slice(1) : typed;
  const count = reader.take(/^\s*(\d+)/)?.[1];
  if (replacement.startsWith("\\="))
    return vim.refused("not_allowed", "Expressions (\\=) are not carried out");
  vim.lastSubstitution = { source, replacement, flags };
  vim.lastSearch = { source, isForward: true };
  const lines =
    count === undefined
      ? range
      : { ...range, from: range.to, to: Math.min(vim.buffer.last, range.to + Number(count) - 1) };
  return replaceMatches(vim, lines, source, replacement, flags);
}

function replaceMatches(
  vim: Vim,
  { from, to }: ExRange,
  source: string,
  replacement: string,
  flags: string,
): Fault | undefined {
  const { buffer } = vim;
  const prefix = flags.includes("i") ? "\\c" : flags.includes("I") ? "\\C" : "";
  const pattern = vimPattern(prefix + source);
  if (isFault(pattern)) return pattern;
  const found = matchesIn(buffer, pattern, Math.max(0, from), to + 1);
  if (isFault(found)) return found;
  const matches = flags.includes("g") ? withoutEmptyEnds(vim, found) : firstOfEachLine(found);
  if (matches.length === 0) {
    if (flags.includes("e") || vim.isRepeating) return undefined;
    return vim.refused(
      "no_match",
      `The pattern ${JSON.stringify(source)} is not in lines ${from + 1}-${to + 1}`,
    );
  }
  const lineCount = new Set(matches.map((match) => match.from.line)).size;
  if (flags.includes("n")) {
    vim.notes.push(`${matches.length} matches on ${lineCount} lines`);
    return undefined;
  }
  const template = templateOf(replacement);
  let cursor = vim.cursor.line;
  // Runs of lines are rebuilt from the last to the first, so that the line numbers of the others remain valid.
  for (let end = matches.length; end > 0; ) {
    let start = end - 1;
    while (start > 0 && (matches[start - 1]?.to.line ?? -1) >= (matches[start]?.from.line ?? 0)) start -= 1;
    const group = matches.slice(start, end);
    const fault = rebuild(vim, group, template);
    if (isFault(fault)) return fault;
    if (end === matches.length) cursor = fault.line;
    else cursor += fault.shift;
    end = start;
  }
  vim.moveToLine(cursor);
  vim.notes.push(`${matches.length} substitutions on ${lineCount} lines`);
  return undefined;
}

function firstOfEachLine(matches: readonly VimMatch[]): VimMatch[] {
  let line = -1;
  return matches.filter((match) => {
    if (match.from.line === line) return false;
    line = match.from.line;
    return true;
  });
}

/** Behind other matches of a line, nothing at its end is no match. */
function withoutEmptyEnds({ buffer }: Vim, matches: readonly VimMatch[]): VimMatch[] {
  return matches.filter(({ from, text }, index) => {
    const isEnd = text === "" && from.col > 0 && from.col === buffer.line(from.line).length;
    return !isEnd || matches[index - 1]?.from.line !== from.line;
  });
}

/** Replaces matches that stand on the same lines. Tells on which line the last one is then. */
function rebuild(
  { buffer }: Vim,
  matches: readonly VimMatch[],
  template: (match: VimMatch) => string,
): { line: number; shift: number } | Fault {
  const first = matches[0];
  const last = matches.at(-1);
  if (first === undefined || last === undefined) return { line: 0, shift: 0 };
  let text = "";
  let done = { line: first.from.line, col: 0 };
  let lineOfLast = first.from.line;
  for (const match of matches) {
    const part = buffer.textBetween(done, match.from) + template(match);
    text += part;
    if (text.length > maxBufferLength) return tooLong(text.length);
    lineOfLast += part.split("\n").length - 1;
    done = match.to;
  }
  const end = Math.min(last.to.line, buffer.last);
  if (last.to.line <= buffer.last) text += buffer.line(end).slice(done.col);
  const lines = text.split("\n");
  const removed = end - first.from.line + 1;
  const fault = buffer.splice(first.from.line, removed, lines);
  return fault ?? { line: lineOfLast, shift: lines.length - removed };
}

type CaseMode = "U" | "L" | undefined;

/** What a replacement becomes for a match. */
function templateOf(replacement: string): (match: VimMatch) => string {
  const tokens = [...replacement.matchAll(/\\([\s\S])|&|[^\\&]+|\\$/g)];
  return (match) => {
    let result = "";
    let mode: CaseMode;
    let once: "u" | "l" | undefined;
    const add = (text: string) => {
      let cased = mode === "U" ? text.toUpperCase() : mode === "L" ? text.toLowerCase() : text;
      if (once !== undefined && cased !== "") {
        const [head = ""] = cased;
        cased = (once === "u" ? head.toUpperCase() : head.toLowerCase()) + cased.slice(head.length);
        once = undefined;
      }
      result += cased;
    };
    for (const [token, escaped] of tokens) {
      if (token === "&") add(match.text);
      else if (escaped === undefined) add(token);
      else if (escaped === "0") add(match.text);
      else if (/[1-9]/.test(escaped)) add(match.groups[Number(escaped) - 1] ?? "");
      else if (escaped === "U" || escaped === "L") mode = escaped;
      else if (escaped === "u" || escaped === "l") once = escaped;
      else if (escaped === "E" || escaped === "e") mode = undefined;
      else if (escaped === "r" || escaped === "n") add("\n");
      else add(escaped === "t" ? "\t" : escaped);
    }
    return result;
  };
}
