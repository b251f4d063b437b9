// Operators in normal mode: the operator, then a motion, a text object, or the operator again for whole lines.

import { type Fault, isFault } from "@stet/protocol/fault";
import { lastColumn, nextColumn, type Position } from "./buffer.ts";
import { typeText } from "./insert.ts";
import { type MotionTarget, readMotion } from "./motions.ts";
import type { CommandResult, Prefix } from "./normal.ts";
import { textObject } from "./objects.ts";
import { operate, type Range } from "./operators.ts";
import { isBehind } from "./search.ts";
import type { Vim } from "./state.ts";

/** Commands that are short for an operator with a motion. */
const short: Readonly<Record<string, readonly [operator: string, motion: string]>> = {
  x: ["d", "l"],
  "<Del>": ["d", "l"],
  X: ["d", "h"],
  D: ["d", "$"],
  C: ["c", "$"],
  s: ["c", "l"],
  S: ["c", "c"],
  Y: ["y", "y"],
};

export function readOperator(vim: Vim, key: string, prefix: Prefix): CommandResult | undefined {
  const whole = short[key];
  if (whole !== undefined) return pending(vim, whole[0], whole[0], prefix, whole[1]);
  if ("dcy><=".includes(key) && key.length === 1) return pending(vim, key, key, prefix);
  if (key !== "g") return undefined;
  const next = vim.peek();
  if (next !== "u" && next !== "U" && next !== "~") return undefined;
  vim.next();
  return pending(vim, next, `g${next}`, prefix);
}

function pending(vim: Vim, operator: string, name: string, prefix: Prefix, given?: string): CommandResult {
  const motionCount = given === undefined ? Number(vim.readDigits()) || undefined : undefined;
  const key = given ?? vim.next();
  if (key === undefined) return vim.incomplete(name);
  if (key === "<Esc>") return "done";
  const count =
    prefix.count === undefined && motionCount === undefined
      ? undefined
      : (prefix.count ?? 1) * (motionCount ?? 1);
  const range = rangeFor(vim, operator, key, count, given);
  if (isFault(range)) return range;
  const operated = operate(vim, operator, range, prefix.register);
  if (isFault(operated)) return operated;
  if (operated === "insert") return typeText(vim, { count: 1 }) ?? "change";
  return operator === "y" ? "done" : "change";
}

function rangeFor(
  vim: Vim,
  operator: string,
  key: string,
  count: number | undefined,
  given: string | undefined,
): Range | Fault {
  const { buffer, cursor } = vim;
  const isSame = key === operator || (key === "g" && vim.peek() === operator && "uU~".includes(operator));
  if (isSame) {
    if (key === "g") vim.next();
    if ((count ?? 1) > 1 && cursor.line === buffer.last)
      return vim.refused("invalid_line_range", `There is no line below line ${cursor.line + 1}`);
    if (operator !== "y") vim.cursor = buffer.firstNonBlank(cursor.line);
    const last = Math.min(buffer.last, cursor.line + (count ?? 1) - 1);
    return { from: vim.cursor, to: { line: last, col: 0 }, isLinewise: true };
  }
  if (given === undefined && (key === "i" || key === "a"))
    return objectRange(vim, operator, key === "a", count ?? 1);
  const target = readMotion(vim, key, { count, operator });
  if (isFault(target)) return target;
  if (target === undefined)
    return vim.refused("invalid_arguments", `${key} is neither a motion nor a text object`);
  if (target === null) {
    // At the very end of a line there is nothing to take; c may still type there.
    if (operator === "c" && "lw$".includes(key)) return { from: cursor, to: cursor, isLinewise: false };
    return vim.refused(
      "no_match",
      `${operator}${key} takes nothing: the motion leads nowhere from line ${cursor.line + 1}`,
    );
  }
  return motionRange(vim, operator, vim.cursor, target);
}

export function objectRange(vim: Vim, operator: string, isAround: boolean, count: number): Range | Fault {
  const key = vim.next();
  const name = `${isAround ? "a" : "i"}${key ?? ""}`;
  if (key === undefined) return vim.incomplete(name);
  const found = textObject(vim.buffer.lines, vim.cursor, isAround, key, count);
  if (found === null)
    return vim.refused(
      "invalid_arguments",
      `${name} is not a text object here (w W p " ' \` ( ) b { } B [ ] < > t)`,
    );
  if (found === undefined)
    return vim.refused("no_match", `There is no ${name} around the cursor in line ${vim.cursor.line + 1}`);
  const isLineObject = found.isLinewise && key !== "p";
  // Lines between brackets are changed, not taken away with their line breaks.
  if (isLineObject && operator === "c") return { from: found.from, to: found.to, isLinewise: true };
  return found;
}

function motionRange({ buffer }: Vim, operator: string, start: Position, target: MotionTarget): Range {
  const isBack = isBehind(start, target);
  const from = isBack ? target : start;
  const end = isBack ? start : target;
  const plain = (position: Position): Position => ({ line: position.line, col: position.col });
  if (target.kind === "linewise") return { from: plain(from), to: plain(end), isLinewise: true };
  let to = plain(end);
  const text = buffer.line(end.line);
  if (target.kind === "inclusive") {
    // A motion that goes back and includes its end includes where it began.
    to = { line: end.line, col: lastColumn(text) < 0 ? 0 : nextColumn(text, end.col) };
  } else if (end.line > from.line && end.col === 0) {
    // A motion that ends at the start of a line does not take that line.
    const last = end.line - 1;
    if (buffer.line(from.line).slice(0, from.col).trim() === "")
      return { from: plain(from), to: { line: last, col: 0 }, isLinewise: true };
    to = { line: last, col: buffer.line(last).length };
  }
  const isWhole =
    operator === "d" &&
    to.line > from.line &&
    buffer.line(from.line).slice(0, from.col).trim() === "" &&
    buffer.line(to.line).slice(to.col).trim() === "";
  return { from: plain(from), to, isLinewise: isWhole };
}
