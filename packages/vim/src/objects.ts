// Text objects: words, paragraphs, quotes, brackets and tags around the cursor.

import type { Position } from "./buffer.ts";
import { isBehind } from "./search.ts";
import { classAt } from "./words.ts";

export interface TextObject {
  readonly from: Position;
  /** Not part of it; for whole lines, the last line. */
  readonly to: Position;
  readonly isLinewise: boolean;
}

const brackets: Readonly<Record<string, readonly [string, string]>> = {
  "(": ["(", ")"],
  ")": ["(", ")"],
  b: ["(", ")"],
  "{": ["{", "}"],
  "}": ["{", "}"],
  B: ["{", "}"],
  "[": ["[", "]"],
  "]": ["[", "]"],
  "<": ["<", ">"],
  ">": ["<", ">"],
};

/** Undefined where there is none around the cursor; null where the key names none. */
export function textObject(
  lines: readonly string[],
  at: Position,
  isAround: boolean,
  key: string,
  count: number,
): TextObject | undefined | null {
  if (key === "w" || key === "W") return wordObject(lines, at, isAround, key === "W", count);
  if (key === "p") return paragraphObject(lines, at.line, isAround, count);
  if (key === '"' || key === "'" || key === "`") return quoteObject(lines, at, isAround, key);
  if (key === "t") return tagObject(lines, at, isAround, count);
  const pair = brackets[key];
  return pair === undefined ? null : bracketObject(lines, at, isAround, pair, count);
}

/** Words of one line; an object never takes a line break. */
function wordObject(
  lines: readonly string[],
  { line, col }: Position,
  isAround: boolean,
  isBig: boolean,
  count: number,
): TextObject | undefined {
  const text = lines[line] ?? "";
  if (text === "") {
    if (isAround || count > 1) return undefined;
    return { from: { line, col: 0 }, to: { line, col: 0 }, isLinewise: false };
  }
  const classOf = (at: number) => classAt(text, at, isBig);
  const runEnd = (from: number): number => {
    let end = from;
    while (end < text.length && classOf(end) === classOf(from)) end += 1;
    return end;
  };
  let start = col;
  while (start > 0 && classOf(start - 1) === classOf(col)) start -= 1;
  const beginsBlank = classOf(col) === 0;
  let end = start;
  for (let index = 0; index < count; index += 1) {
    if (end >= text.length) return undefined;
    const isBlank = classOf(end) === 0;
    end = runEnd(end);
    if (!isAround) continue;
    // White space belongs to the word that it was on, or to the one before it.
    if (isBlank && end >= text.length) return undefined;
    if (isBlank || (end < text.length && classOf(end) === 0)) end = runEnd(end);
  }
  if (isAround && !beginsBlank && classOf(end - 1) !== 0) {
    // No white space behind: that before it goes, but never the indentation of the line.
    let blank = start;
    while (blank > 0 && classOf(blank - 1) === 0) blank -= 1;
    if (blank > 0) start = blank;
  }
  return { from: { line, col: start }, to: { line, col: end }, isLinewise: false };
}

function paragraphObject(
  lines: readonly string[],
  line: number,
  isAround: boolean,
  count: number,
): TextObject | undefined {
  const isBlank = (index: number) => (lines[index] ?? "").trim() === "";
  const last = lines.length - 1;
  let first = line;
  while (first > 0 && isBlank(first - 1) === isBlank(line)) first -= 1;
  let end = first - 1;
  const run = (): boolean => {
    if (end >= last) return false;
    const kind = isBlank(end + 1);
    end += 1;
    while (end < last && isBlank(end + 1) === kind) end += 1;
    return true;
  };
  for (let index = 0; index < count; index += 1) {
    if (!run()) return undefined;
    if (!isAround || run()) continue;
    // At the end of the text the blank lines before it belong to it.
    if (isBlank(first) || first === 0) {
      if (isBlank(first)) return undefined;
      break;
    }
    while (first > 0 && isBlank(first - 1)) first -= 1;
  }
  return { from: { line: first, col: 0 }, to: { line: end, col: 0 }, isLinewise: true };
}

function quoteObject(
  lines: readonly string[],
  { line, col }: Position,
  isAround: boolean,
  quote: string,
): TextObject | undefined {
  const text = lines[line] ?? "";
  const marks: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === quote) marks.push(index);
  }
  for (let index = 0; index + 1 < marks.length; index += 2) {
    const open = marks[index] ?? 0;
    const close = marks[index + 1] ?? 0;
    if (close < col) continue;
    if (!isAround) return { from: { line, col: open + 1 }, to: { line, col: close }, isLinewise: false };
    let from = open;
    let to = close + 1;
    while (to < text.length && /\s/.test(text[to] ?? "")) to += 1;
    if (to === close + 1) while (from > 0 && /\s/.test(text[from - 1] ?? "")) from -= 1;
    return { from: { line, col: from }, to: { line, col: to }, isLinewise: false };
  }
  return undefined;
}

function bracketObject(
  lines: readonly string[],
  at: Position,
  isAround: boolean,
  [open, close]: readonly [string, string],
  count: number,
): TextObject | undefined {
  let start = lines[at.line]?.[at.col] === open ? at : enclosing(lines, at, open, close);
  if (start === undefined && count === 1) {
    // Outside of any, the next one in the line is the target.
    const col = lines[at.line]?.indexOf(open, at.col) ?? -1;
    if (col >= 0) start = { line: at.line, col };
  }
  for (let index = 1; index < count && start !== undefined; index += 1)
    start = enclosing(lines, start, open, close);
  const end = start === undefined ? undefined : matchingBracket(lines, start, open, close);
  if (start === undefined || end === undefined) return undefined;
  if (isAround) return { from: start, to: { line: end.line, col: end.col + 1 }, isLinewise: false };
  return inside({ line: start.line, col: start.col + 1 }, end, lines, open === "{");
}

/** What is between two brackets, without the line breaks beside them: where both have one, whole lines. */
function inside(from: Position, end: Position, lines: readonly string[], isBlock: boolean): TextObject {
  if (from.line === end.line) return { from, to: end, isLinewise: false };
  const before = (lines[end.line] ?? "").slice(0, end.col);
  const isOpenLast = from.col >= (lines[from.line] ?? "").length;
  const isCloseFirst = isBlock ? before.trim() === "" : before === "";
  const first = isOpenLast ? { line: from.line + 1, col: 0 } : from;
  const last = { line: end.line - 1, col: (lines[end.line - 1] ?? "").length };
  if (isOpenLast && isCloseFirst) {
    if (last.line < first.line) return { from, to: from, isLinewise: false };
    return { from: first, to: last, isLinewise: true };
  }
  return { from: first, to: isCloseFirst ? last : end, isLinewise: false };
}

/** The bracket that is open at a position. */
function enclosing(
  lines: readonly string[],
  at: Position,
  open: string,
  close: string,
): Position | undefined {
  let depth = 0;
  for (let { line } = at; line >= 0; line -= 1) {
    const text = lines[line] ?? "";
    for (let col = line === at.line ? at.col - 1 : text.length - 1; col >= 0; col -= 1) {
      if (text[col] === close) depth += 1;
      else if (text[col] === open) {
        if (depth === 0) return { line, col };
        depth -= 1;
      }
    }
  }
  return undefined;
}

const partners: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  ")": "(",
  "]": "[",
  "}": "{",
};

/** The partner of the bracket at a position. */
export function matchingBracket(
  lines: readonly string[],
  at: Position,
  open = lines[at.line]?.[at.col] ?? "",
  close = partners[open] ?? "",
): Position | undefined {
  const isForward = open === "<" || "([{".includes(open);
  let depth = 0;
  for (let { line } = at; line >= 0 && line < lines.length; line += isForward ? 1 : -1) {
    const text = lines[line] ?? "";
    const first = line === at.line ? at.col : isForward ? 0 : text.length - 1;
    for (let col = first; col >= 0 && col < text.length; col += isForward ? 1 : -1) {
      if (text[col] === open) depth += 1;
      else if (text[col] === close) {
        depth -= 1;
        if (depth === 0) return { line, col };
      }
    }
  }
  return undefined;
}

function tagObject(
  lines: readonly string[],
  at: Position,
  isAround: boolean,
  count: number,
): TextObject | undefined {
  const text = lines.join("\n");
  const starts: number[] = [0];
  for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
  const positionOf = (offset: number): Position => {
    let low = 0;
    let high = lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, col: offset - (starts[low] ?? 0) };
  };
  const open: { name: string; from: number; to: number }[] = [];
  const around: { from: number; inner: number; close: number; to: number }[] = [];
  for (const tag of text.matchAll(/<(\/?)([A-Za-z][^\s<>/]*)([^<>]*)>/g)) {
    const [whole, slash, name = "", rest = ""] = tag;
    const to = tag.index + whole.length;
    if (slash === "") {
      if (!rest.endsWith("/")) open.push({ name, from: tag.index, to });
      continue;
    }
    const index = open.findLastIndex((each) => each.name === name);
    const opening = open[index];
    if (opening === undefined) continue;
    open.length = index;
    const isAfter = isBehind(at, positionOf(to - 1));
    const isBefore = isBehind(positionOf(opening.from), at);
    if (!isAfter && !isBefore) around.push({ from: opening.from, inner: opening.to, close: tag.index, to });
  }
  const found = around[count - 1];
  if (found === undefined) return undefined;
  const [from, to] = isAround ? [found.from, found.to] : [found.inner, found.close];
  return { from: positionOf(from), to: positionOf(to), isLinewise: false };
}
