// Motions: where a key leads from the cursor, and which text an operator then takes.

import { type Fault, isFault } from "@stet/protocol/fault";
import { columnNear, lastColumn, nextColumn, type Position, previousColumn } from "./buffer.ts";
import { matchingBracket } from "./objects.ts";
import { findNext } from "./search.ts";
import type { Vim } from "./state.ts";
import { vimPattern } from "./vim-pattern.ts";
import { classAt, wordBack, wordEnd, wordEndBack, wordForward } from "./words.ts";

export interface MotionTarget extends Position {
  readonly kind: "exclusive" | "inclusive" | "linewise";
  /** The column that up and down keep to; the new column unless given. */
  readonly wanted?: number;
}

export interface MotionOptions {
  readonly count: number | undefined;
  /** The operator that waits for it. */
  readonly operator?: string | undefined;
}

/** Undefined where the key is no motion; null where it leads nowhere. */
export function readMotion(
  vim: Vim,
  key: string,
  options: MotionOptions,
): MotionTarget | Fault | null | undefined {
  const { buffer, cursor } = vim;
  const count = options.count ?? 1;
  const text = buffer.line(cursor.line);
  switch (key) {
    case "h":
    case "<Left>":
    case "<BS>":
      return horizontal(vim, -count);
    case "l":
    case "<Right>":
    case " ":
      return horizontal(vim, count, options.operator !== undefined || vim.visual !== undefined);
    case "j":
    case "<Down>":
    case "k":
    case "<Up>":
      return vertical(vim, key === "j" || key === "<Down>" ? count : -count);
    case "+":
    case "<CR>":
      return lineMotion(vim, cursor.line + count);
    case "-":
      return lineMotion(vim, cursor.line - count);
    case "_":
      return lineMotion(vim, cursor.line + count - 1);
    case "0":
    case "<Home>":
      return { line: cursor.line, col: 0, kind: "exclusive" };
    case "^":
      return { ...buffer.firstNonBlank(cursor.line), kind: "exclusive" };
    case "$":
    case "<End>":
      return endOfLine(vim, count);
    case "|":
      return {
        line: cursor.line,
        col: Math.min(count - 1, Math.max(0, lastColumn(text))),
        kind: "exclusive",
      };
    case "w":
    case "W":
      return wordMotion(vim, key === "W", count, options.operator);
    case "b":
    case "B":
      return repeated(vim, count, "exclusive", (at) => wordBack(buffer.lines, at, key === "B"));
    case "e":
    case "E":
      return repeated(vim, count, "inclusive", (at) => wordEnd(buffer.lines, at, key === "E"));
    case "G":
      return lineMotion(vim, (options.count ?? buffer.lines.length) - 1, true);
    case "g":
      return gMotion(vim, options);
    case "f":
    case "F":
    case "t":
    case "T":
      return findMotion(vim, key, count);
    case ";":
    case ",":
      return repeatFind(vim, key === ",", count);
    case "%":
      return percent(vim, options.count);
    case "{":
    case "}":
      return paragraph(vim, key === "}" ? 1 : -1, count);
    case "/":
    case "?":
      return searchMotion(vim, key === "/", count);
    case "n":
    case "N":
      return repeatSearch(vim, key === "N", count);
    case "*":
    case "#":
      return starMotion(vim, key === "*", count);
    case "'":
    case "`":
      return markMotion(vim, key === "'");
    default:
      return undefined;
  }
}

function horizontal({ buffer, cursor }: Vim, count: number, canPass = false): MotionTarget | null {
  const text = buffer.line(cursor.line);
  const limit = canPass ? text.length : lastColumn(text);
  let { col } = cursor;
  for (let step = 0; step < Math.abs(count); step += 1) {
    const next = count > 0 ? nextColumn(text, col) : previousColumn(text, col);
    if (next < 0 || next > limit || (count > 0 && text === "")) break;
    col = next;
  }
  return col === cursor.col ? null : { line: cursor.line, col, kind: "exclusive" };
}

function vertical({ buffer, cursor, wanted, visual }: Vim, count: number): MotionTarget | null {
  const line = Math.max(0, Math.min(buffer.last, cursor.line + count));
  if (line === cursor.line) return null;
  const text = buffer.line(line);
  // A selection may reach the line break of a shorter line.
  const col = visual !== undefined && wanted >= text.length ? text.length : columnNear(text, wanted);
  return { line, col, kind: "linewise", wanted };
}

function lineMotion({ buffer }: Vim, line: number, isClamped = false): MotionTarget | null {
  if (!isClamped && (line < 0 || line > buffer.last)) return null;
  return { ...buffer.firstNonBlank(Math.max(0, Math.min(buffer.last, line))), kind: "linewise" };
}

function endOfLine({ buffer, cursor }: Vim, count: number): MotionTarget | null {
  const line = cursor.line + count - 1;
  if (line > buffer.last) return null;
  const col = Math.max(0, lastColumn(buffer.line(line)));
  return { line, col, kind: "inclusive", wanted: Number.POSITIVE_INFINITY };
}

function repeated(
  { cursor }: Vim,
  count: number,
  kind: MotionTarget["kind"],
  step: (at: Position) => Position | undefined,
): MotionTarget | null {
  let at: Position = cursor;
  for (let index = 0; index < count; index += 1) {
    const next = step(at);
    if (next === undefined) return index === 0 ? null : { ...at, kind };
    at = next;
  }
  return { ...at, kind };
}

function wordMotion(
  { buffer, cursor }: Vim,
  isBig: boolean,
  count: number,
  operator: string | undefined,
): MotionTarget | null {
  const { lines } = buffer;
  const text = buffer.line(cursor.line);
  if (operator === "c" && text !== "" && classAt(text, cursor.col, isBig) !== 0) {
    // cw changes the word and not the space behind it.
    let at: Position = wordEnd(lines, cursor, isBig, true) ?? cursor;
    for (let index = 1; index < count; index += 1) at = wordEnd(lines, at, isBig) ?? at;
    return { ...at, kind: "inclusive" };
  }
  let at: Position = cursor;
  for (let index = 0; index < count; index += 1) {
    const isLast = operator !== undefined && index === count - 1;
    const next = wordForward(lines, at, isBig, isLast);
    if (next === undefined) return index === 0 ? null : { ...at, kind: "exclusive" };
    at = next.to;
    if (!next.isAtEnd) continue;
    if (operator !== undefined) return { ...at, kind: "exclusive" };
    const col = Math.max(0, lastColumn(buffer.line(at.line)));
    return at.line === cursor.line && col === cursor.col ? null : { line: at.line, col, kind: "exclusive" };
  }
  return { ...at, kind: "exclusive" };
}

function gMotion(vim: Vim, options: MotionOptions): MotionTarget | Fault | null | undefined {
  const key = vim.peek();
  const count = options.count ?? 1;
  const { lines } = vim.buffer;
  switch (key) {
    case "g":
      vim.next();
      return lineMotion(vim, (options.count ?? 1) - 1, true);
    case "e":
    case "E":
      vim.next();
      return repeated(vim, count, "inclusive", (at) => wordEndBack(lines, at, key === "E"));
    case "_": {
      vim.next();
      const line = Math.min(vim.buffer.last, vim.cursor.line + count - 1);
      const col = Math.max(0, lastColumn(vim.buffer.line(line).trimEnd()));
      return { line, col, kind: "inclusive" };
    }
    case "j":
    case "k":
      vim.next();
      return vertical(vim, key === "j" ? count : -count);
    case "0":
      vim.next();
      return { line: vim.cursor.line, col: 0, kind: "exclusive" };
    default:
      return undefined;
  }
}

function findMotion(vim: Vim, key: string, count: number): MotionTarget | Fault | null {
  const character = vim.next();
  if (character === undefined) return vim.incomplete(key);
  const wanted = character === "<Tab>" ? "\t" : character;
  vim.lastFind = { key, character: wanted };
  return findIn(vim, key, wanted, count, false);
}

function repeatFind(vim: Vim, isReversed: boolean, count: number): MotionTarget | Fault | null {
  if (vim.lastFind === undefined) return vim.refused("no_match", "There is no f, t, F or T to repeat");
  const { key, character } = vim.lastFind;
  const reversed: Readonly<Record<string, string>> = { f: "F", F: "f", t: "T", T: "t" };
  return findIn(vim, isReversed ? (reversed[key] ?? key) : key, character, count, true);
}

function findIn(
  vim: Vim,
  key: string,
  character: string,
  count: number,
  isRepeated: boolean,
): MotionTarget | Fault {
  const { line, col } = vim.cursor;
  const text = vim.buffer.line(line);
  const isForward = key === "f" || key === "t";
  const isTill = key === "t" || key === "T";
  let at = col;
  // A repeated t moves on from where it is.
  if (isTill && isRepeated && text[isForward ? col + 1 : col - 1] === character) at += isForward ? 1 : -1;
  for (let index = 0; index < count; index += 1) {
    at = isForward ? text.indexOf(character, at + 1) : at === 0 ? -1 : text.lastIndexOf(character, at - 1);
    if (at < 0) {
      const where = isForward ? "behind" : "before";
      return vim.refused(
        "no_match",
        `There is no ${JSON.stringify(character)} ${where} the cursor in line ${line + 1}`,
      );
    }
  }
  if (isTill) at = isForward ? previousColumn(text, at) : nextColumn(text, at);
  return { line, col: at, kind: isForward ? "inclusive" : "exclusive" };
}

function percent(vim: Vim, count: number | undefined): MotionTarget | Fault | null {
  const { buffer, cursor } = vim;
  if (count !== undefined) {
    const line = Math.min(
      buffer.last,
      Math.max(0, Math.ceil((Math.min(count, 100) * buffer.lines.length) / 100) - 1),
    );
    return { ...buffer.firstNonBlank(line), kind: "linewise" };
  }
  const text = buffer.line(cursor.line);
  const offset = text.slice(cursor.col).search(/[()[\]{}]/);
  const found =
    offset < 0 ? undefined : matchingBracket(buffer.lines, { line: cursor.line, col: cursor.col + offset });
  if (found !== undefined) return { ...found, kind: "inclusive" };
  return vim.refused(
    "no_match",
    `There is no bracket with a partner at or behind the cursor in line ${cursor.line + 1}`,
  );
}

function paragraph({ buffer, cursor }: Vim, direction: 1 | -1, count: number): MotionTarget | null {
  let { line } = cursor;
  const edge = direction > 0 ? buffer.last : 0;
  if (line === edge && (direction < 0 || cursor.col >= lastColumn(buffer.line(line)))) {
    if (direction < 0 ? cursor.col === 0 : true) return null;
  }
  for (let index = 0; index < count; index += 1) {
    while (line !== edge && buffer.line(line) === "") line += direction;
    while (line !== edge && buffer.line(line) !== "") line += direction;
  }
  if (buffer.line(line) === "" || direction < 0) return { line, col: 0, kind: "exclusive" };
  // At the last line the motion ends behind its last character.
  return { line, col: Math.max(0, lastColumn(buffer.line(line))), kind: "inclusive" };
}

function searchMotion(vim: Vim, isForward: boolean, count: number): MotionTarget | Fault {
  const typed = vim.readLine(isForward ? "/" : "?");
  if (isFault(typed)) return typed;
  const delimiter = isForward ? "/" : "?";
  const source = upToDelimiter(typed, delimiter);
  const offset = typed.slice(source.length + 1);
  if (offset !== "")
    return vim.refused(
      "invalid_arguments",
      `The offset ${JSON.stringify(offset)} behind a search is not known here`,
    );
  if (source !== "") vim.lastSearch = { source, isForward };
  else if (vim.lastSearch !== undefined) vim.lastSearch = { ...vim.lastSearch, isForward };
  return searched(vim, isForward, count);
}

/** A pattern ends at its delimiter, unless that is escaped or in brackets. */
function upToDelimiter(text: string, delimiter: string): string {
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === "\\") index += 1;
    else if (text[index] === delimiter) return text.slice(0, index);
  }
  return text;
}

function repeatSearch(vim: Vim, isReversed: boolean, count: number): MotionTarget | Fault {
  const isForward = vim.lastSearch?.isForward ?? true;
  return searched(vim, isReversed ? !isForward : isForward, count);
}

function starMotion(vim: Vim, isForward: boolean, count: number): MotionTarget | Fault {
  const { line, col } = vim.cursor;
  const text = vim.buffer.line(line);
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}_]+/gu)];
  const word = words.find((each) => each.index + each[0].length > col);
  if (word === undefined)
    return vim.refused("no_match", `There is no word under the cursor in line ${line + 1}`);
  vim.lastSearch = { source: `\\<${word[0]}\\>`, isForward };
  // The word itself is passed over.
  vim.cursor = { line, col: word.index };
  return searched(vim, isForward, count);
}

function searched(vim: Vim, isForward: boolean, count: number): MotionTarget | Fault {
  const { lastSearch, buffer } = vim;
  if (lastSearch === undefined) return vim.refused("no_match", "There is no search to repeat");
  const pattern = vimPattern(lastSearch.source);
  if (isFault(pattern)) return pattern;
  let at: Position = vim.cursor;
  for (let index = 0; index < count; index += 1) {
    const found = findNext(buffer, pattern, at, isForward);
    if (isFault(found)) return found;
    if (found === undefined)
      return vim.refused("no_match", `The pattern ${JSON.stringify(lastSearch.source)} is not in the buffer`);
    at = found.from;
  }
  return { ...at, kind: "exclusive" };
}

function markMotion(vim: Vim, isLine: boolean): MotionTarget | Fault {
  const name = vim.next();
  if (name === undefined) return vim.incomplete(isLine ? "'" : "`");
  const isBack = name === "'" || name === "`";
  const mark = isBack ? (vim.buffer.marks.get("'") ?? { line: 0, col: 0 }) : vim.buffer.marks.get(name);
  if (mark === undefined) return vim.refused("no_match", `The mark ${name} is not set`);
  const line = Math.min(mark.line, vim.buffer.last);
  if (isLine) return { ...vim.buffer.firstNonBlank(line), kind: "linewise" };
  return { line, col: columnNear(vim.buffer.line(line), mark.col), kind: "exclusive" };
}
