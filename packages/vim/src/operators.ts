// Operators over a range of text: d c y > < = ~ u U J, and putting registers.

import { type Fault, isFault } from "@stet/protocol/fault";
import { lastColumn, maxBufferLength, nextColumn, type Position, tooLong } from "./buffer.ts";
import type { Register } from "./registers.ts";
import type { Vim } from "./state.ts";

/** Characters up to `to`, which is not part of it; or whole lines, `to` being in the last. */
export interface Range {
  readonly from: Position;
  readonly to: Position;
  readonly isLinewise: boolean;
}

const maxShifts = 50;

/** What an operator leaves: a fault, or whether text is to be typed now. */
export type Operated = Fault | "done" | "insert";

export function operate(vim: Vim, operator: string, range: Range, register: string | undefined): Operated {
  const appended = register !== undefined && /[A-Z]/.test(register) ? vim.registers.get(register) : undefined;
  const length = appended === undefined ? 0 : appended.text.length + contentOf(vim, range).text.length;
  if (length > maxBufferLength) return tooLong(length);
  switch (operator) {
    case "y":
      vim.registers.yank(register, contentOf(vim, range));
      vim.moveTo(range.from);
      return "done";
    case "d":
      return remove(vim, range, register) ?? "done";
    case "c":
      return change(vim, range, register);
    case ">":
    case "<":
      return shift(vim, range, operator === ">" ? 1 : -1);
    case "=":
      return reindent(vim, range);
    case "~":
    case "u":
    case "U":
      return changeCase(vim, range, operator);
    default:
      return vim.refused("invalid_arguments", `${operator} is not an operator here`);
  }
}

export function contentOf({ buffer }: Vim, { from, to, isLinewise }: Range): Register {
  if (!isLinewise) return { text: buffer.textBetween(from, to), isLinewise };
  return { text: `${buffer.lines.slice(from.line, to.line + 1).join("\n")}\n`, isLinewise };
}

function remove(vim: Vim, range: Range, register: string | undefined): Fault | undefined {
  const { buffer } = vim;
  const { from, to, isLinewise } = range;
  keepDeleted(vim, range, register);
  if (isLinewise) return vim.replaceLines(from.line, to.line - from.line + 1, [], from.line);
  const end = buffer.replace(from, to, "");
  if (isFault(end)) return end;
  vim.moveTo(from);
  return undefined;
}

/** Nothing is no deletion, and leaves the registers alone. */
function keepDeleted(vim: Vim, range: Range, register: string | undefined): void {
  const content = contentOf(vim, range);
  const isSmall = !range.isLinewise && range.from.line === range.to.line;
  if (content.text !== "") vim.registers.delete(register, content, isSmall);
}

function change(vim: Vim, range: Range, register: string | undefined): Operated {
  const { buffer } = vim;
  const { from, to, isLinewise } = range;
  keepDeleted(vim, range, register);
  const fault = isLinewise
    ? buffer.splice(from.line, to.line - from.line + 1, [""])
    : buffer.replace(from, to, "");
  if (isFault(fault)) return fault;
  vim.moveTo(isLinewise ? { line: from.line, col: 0 } : from, undefined, true);
  return "insert";
}

export function shift(vim: Vim, { from, to }: Range, steps: number): Operated {
  const { buffer, indent } = vim;
  if (Math.abs(steps) > maxShifts)
    return vim.refused("too_large", `Lines cannot be indented by more than ${maxShifts} steps at once`);
  const lines = buffer.lines.slice(from.line, to.line + 1).map((line) => {
    if (line === "") return line;
    if (steps > 0) return indent.repeat(steps) + line;
    let rest = line;
    for (let step = 0; step < -steps; step += 1) rest = outdented(rest, indent);
    return rest;
  });
  return vim.replaceLines(from.line, lines.length, lines, from.line) ?? "done";
}

function outdented(line: string, indent: string): string {
  if (line.startsWith("\t")) return line.slice(1);
  const width = indent === "\t" ? 8 : indent.length;
  let spaces = 0;
  while (spaces < width && line[spaces] === " ") spaces += 1;
  return line.slice(spaces);
}

/** Indents by the brackets that are open: as far as that can be known without knowing the language. */
function reindent(vim: Vim, { from, to }: Range): Operated {
  const { buffer, indent } = vim;
  const lines: string[] = [];
  for (let line = from.line; line <= to.line; line += 1) {
    const text = buffer.line(line).trimStart();
    const above = [...lines].reverse().find((each) => each.trim() !== "") ?? lineAbove(vim, from.line);
    lines.push(text === "" ? "" : indentBelow(above, text, indent) + text);
  }
  return vim.replaceLines(from.line, lines.length, lines, from.line) ?? "done";
}

function lineAbove({ buffer }: Vim, line: number): string | undefined {
  return buffer.lines.slice(0, line).findLast((each) => each.trim() !== "");
}

function indentBelow(above: string | undefined, text: string, indent: string): string {
  if (above === undefined) return "";
  const own = /^\s*/.exec(above)?.[0] ?? "";
  const opens = /[{([]\s*$/.test(above);
  const closes = /^[)}\]]/.test(text);
  if (opens === closes) return own;
  return opens ? own + indent : outdented(own, indent);
}

function changeCase(vim: Vim, range: Range, operator: string): Operated {
  const { buffer } = vim;
  const { from, to } = wholeRange(vim, range);
  const text = buffer.textBetween(from, to);
  const end = buffer.replace(from, to, inCase(text, operator));
  if (isFault(end)) return end;
  vim.moveTo(range.from);
  return "done";
}

export function inCase(text: string, operator: string): string {
  if (operator === "u") return text.toLowerCase();
  if (operator === "U") return text.toUpperCase();
  return [...text]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join("");
}

/** A range of whole lines by its characters. */
export function wholeRange(
  { buffer }: Vim,
  { from, to, isLinewise }: Range,
): { from: Position; to: Position } {
  if (!isLinewise) return { from, to };
  return { from: { line: from.line, col: 0 }, to: { line: to.line, col: buffer.line(to.line).length } };
}

/** Joins lines: with one space, or with none (gJ). */
export function joinLines(vim: Vim, first: number, last: number, isPlain: boolean): Fault | undefined {
  const { buffer } = vim;
  const end = Math.min(last, buffer.last);
  if (end <= first)
    return vim.refused("invalid_line_range", `There is no line below line ${first + 1} to join`);
  let joined = buffer.line(first);
  let col = joined.length;
  for (const line of buffer.lines.slice(first + 1, end + 1)) {
    col = joined.length;
    if (isPlain) {
      joined += line;
      continue;
    }
    const text = line.trimStart();
    const isSpaced = text === "" || text.startsWith(")") || joined === "" || /\s$/.test(joined);
    joined += isSpaced ? text : ` ${text}`;
    if (text === "") col = Math.max(0, lastColumn(joined));
  }
  const fault = buffer.splice(first, end - first + 1, [joined]);
  if (fault !== undefined) return fault;
  vim.moveTo({ line: first, col });
  return undefined;
}

export function put(vim: Vim, name: string | undefined, isBefore: boolean, count: number): Fault | undefined {
  const register = vim.registers.get(name);
  if (register === undefined || register.text === "")
    return vim.refused("no_match", `Register ${name ?? '"'} is empty, so nothing can be put`);
  const { buffer, cursor } = vim;
  if (register.text.length * count > maxBufferLength) return tooLong(register.text.length * count);
  const text = register.text.repeat(count);
  if (register.isLinewise) {
    const at = isBefore ? cursor.line : cursor.line + 1;
    return vim.replaceLines(at, 0, text.replace(/\n$/, "").split("\n"), at);
  }
  const line = buffer.line(cursor.line);
  const col = isBefore || line === "" ? cursor.col : nextColumn(line, cursor.col);
  const at = { line: cursor.line, col };
  const end = buffer.replace(at, at, text);
  if (isFault(end)) return end;
  // Behind text of several lines the cursor stays at its start.
  if (text.includes("\n")) vim.moveTo(at);
  else vim.moveTo({ line: end.line, col: end.col - 1 });
  return undefined;
}
