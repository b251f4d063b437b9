// Visual mode: a selection of characters or lines, moved by motions and text objects, taken by operators.

import { type Fault, isFault } from "@stet/protocol/fault";
import { lastColumn, maxBufferLength, nextColumn, type Position, tooLong } from "./buffer.ts";
import { runCommandLine } from "./ex.ts";
import { typeText } from "./insert.ts";
import { typedText } from "./keys.ts";
import { readMotion } from "./motions.ts";
import type { CommandResult, Prefix } from "./normal.ts";
import { objectRange } from "./operator-pending.ts";
import { contentOf, joinLines, operate, type Range, shift, wholeRange } from "./operators.ts";
import { isBehind } from "./search.ts";
import type { Vim, Visual } from "./state.ts";

export function enterVisual(vim: Vim, kind: Visual["kind"]): void {
  vim.visual = { kind, anchor: vim.cursor };
}

export function visualCommand(vim: Vim, visual: Visual, key: string, prefix: Prefix): CommandResult {
  const { cursor } = vim;
  switch (key) {
    case "<Esc>":
    case "<C-c>":
      leave(vim, visual);
      return "done";
    case "v":
    case "V": {
      const kind = key === "v" ? "characters" : "lines";
      if (kind === visual.kind) leave(vim, visual);
      else vim.visual = { ...visual, kind };
      return "done";
    }
    case "o":
    case "O":
      vim.visual = { ...visual, anchor: cursor };
      vim.moveTo(visual.anchor);
      return "done";
    case "i":
    case "a":
      return selectObject(vim, visual, key === "a", prefix.count ?? 1);
    case ":": {
      leave(vim, visual);
      const line = vim.readLine(":");
      if (isFault(line)) return line;
      return runCommandLine(vim, `'<,'>${line}`) ?? "done";
    }
    default:
      return visualOperator(vim, visual, key, prefix) ?? visualMotion(vim, key, prefix);
  }
}

function visualMotion(vim: Vim, key: string, { count }: Prefix): CommandResult {
  const target = readMotion(vim, key, { count });
  if (isFault(target)) return target;
  if (target === undefined)
    return vim.refused("invalid_arguments", `${key} is not a command while text is selected`);
  if (target !== null) vim.moveTo(target, target.wanted, true);
  return "done";
}

function selectObject(vim: Vim, visual: Visual, isAround: boolean, count: number): CommandResult {
  const range = objectRange(vim, "v", isAround, count);
  if (isFault(range)) return range;
  const { from, to, isLinewise } = range;
  if (!isLinewise) {
    vim.visual = { kind: visual.kind, anchor: from };
    vim.moveTo({ line: to.line, col: Math.max(0, to.col - 1) });
  } else if (vim.command.at(-1) === "p") {
    vim.visual = { kind: "lines", anchor: from };
    vim.moveTo(to);
  } else {
    // Lines between brackets are selected with their line breaks.
    vim.visual = { kind: visual.kind, anchor: { line: from.line, col: 0 } };
    vim.moveTo({ line: to.line, col: vim.buffer.line(to.line).length }, undefined, true);
  }
  return "done";
}

/** What is selected. Behind `$`, and on an empty line, the line break is part of it. */
function selection({ buffer, cursor, wanted }: Vim, { kind, anchor }: Visual): Range {
  const isBack = isBehind(anchor, cursor);
  const from = isBack ? cursor : anchor;
  const end = isBack ? anchor : cursor;
  if (kind === "lines") return { from: isBack ? from : { ...from, col: 0 }, to: end, isLinewise: true };
  const text = buffer.line(end.line);
  const isAtBreak = end.col > lastColumn(text) || (!isBack && wanted === Number.POSITIVE_INFINITY);
  if (isAtBreak && end.line < buffer.last)
    return { from, to: { line: end.line + 1, col: 0 }, isLinewise: false };
  return {
    from,
    to: { line: end.line, col: isAtBreak ? text.length : nextColumn(text, end.col) },
    isLinewise: false,
  };
}

function leave(vim: Vim, visual: Visual): Range {
  const range = selection(vim, visual);
  const { from, to } = range;
  vim.lastVisual = { ...visual, cursor: vim.cursor };
  vim.buffer.marks.set("<", from);
  vim.buffer.marks.set(">", { line: lastLine(range), col: Math.max(0, to.col - 1) });
  vim.visual = undefined;
  vim.moveTo(vim.cursor, vim.wanted);
  return range;
}

/** The last line of which something is selected. */
function lastLine({ from, to, isLinewise }: Range): number {
  return isLinewise || to.col > 0 ? to.line : Math.max(from.line, to.line - 1);
}

const operators: Readonly<Record<string, string>> = {
  d: "d",
  x: "d",
  "<Del>": "d",
  c: "c",
  s: "c",
  y: "y",
  "<": "<",
  ">": ">",
  "=": "=",
  "~": "~",
  u: "u",
  U: "U",
};

/** Operators that take whole lines, whatever is selected. */
const onLines: Readonly<Record<string, string>> = { D: "d", X: "d", C: "c", S: "c", R: "c", Y: "y" };

function visualOperator(vim: Vim, visual: Visual, key: string, prefix: Prefix): CommandResult | undefined {
  const { count, register } = prefix;
  if (key === "J" || (key === "g" && vim.peek() === "J")) {
    if (key === "g") vim.next();
    const { cursor } = vim;
    const range = leave(vim, visual);
    const first = range.from.line;
    const last = Math.max(lastLine(range), first + 1);
    return finish(vim, visual, cursor, key, joinLines(vim, first, last, key === "g") ?? "done");
  }
  if (key === "r") return replaceEach(vim, visual);
  if (key === "p" || key === "P") return putOver(vim, visual, prefix);
  const operator = onLines[key] ?? operators[key];
  if (operator === undefined) return undefined;
  const { cursor } = vim;
  const selected = leave(vim, visual);
  const takesLines = onLines[key] !== undefined || "<>=".includes(operator);
  const range = takesLines ? wholeLines(selected) : selected;
  if ((operator === ">" || operator === "<") && count !== undefined) {
    const operated = shift(vim, range, operator === ">" ? count : -count);
    return isFault(operated) ? operated : "change";
  }
  vim.cursor = range.from;
  const operated = operate(vim, operator, range, register);
  if (isFault(operated)) return operated;
  const typed = operated === "insert" ? typeText(vim, { count: 1 }) : undefined;
  if (typed !== undefined) return typed;
  return operator === "y" ? "done" : finish(vim, visual, cursor, key, "done");
}

function wholeLines(range: Range): Range {
  const to = { line: lastLine(range), col: 0 };
  return { from: { line: range.from.line, col: 0 }, to, isLinewise: true };
}

/** `.` takes as much text again: as many lines, or as many characters. */
function finish(
  vim: Vim,
  { kind, anchor }: Visual,
  cursor: Position,
  key: string,
  result: Fault | "done",
): CommandResult {
  if (isFault(result) || vim.isRepeating) return result;
  const end = isBehind(anchor, cursor) ? anchor : cursor;
  const lines = Math.abs(anchor.line - cursor.line);
  const columns = lines === 0 ? Math.abs(anchor.col - cursor.col) : end.col;
  const select = kind === "lines" ? ["V"] : ["v"];
  if (lines > 0) select.push(...String(lines), "j");
  if (kind === "characters" && lines > 0) select.push("0");
  if (kind === "characters" && columns > 0) select.push(...String(columns), "l");
  const typed = vim.command.slice(vim.command.lastIndexOf(key));
  vim.lastChange = { keys: [...select, ...typed], count: undefined, register: undefined };
  return "done";
}

function replaceEach(vim: Vim, visual: Visual): CommandResult {
  const key = vim.next();
  const character = key === undefined ? undefined : typedText(key);
  if (key === undefined || character === undefined) return vim.incomplete("r");
  const { cursor } = vim;
  const selected = leave(vim, visual);
  const { from, to } = wholeRange(vim, selected);
  const text = vim.buffer.textBetween(from, to);
  const done = vim.buffer.replace(
    from,
    to,
    text.replace(/[^\n]/gu, () => character),
  );
  if (isFault(done)) return done;
  vim.moveTo(from);
  return finish(vim, visual, cursor, "r", "done");
}

/** Replaces the selection by the register; the selection becomes the unnamed register. */
function putOver(vim: Vim, visual: Visual, { register, count }: Prefix): CommandResult {
  const value = vim.registers.get(register);
  if (value === undefined)
    return vim.refused("no_match", `Register ${register ?? '"'} is empty, so nothing can be put`);
  const range = leave(vim, visual);
  const taken = contentOf(vim, range);
  const whole = wholeRange(vim, range);
  const times = count ?? 1;
  if ((value.text.length + 1) * times > maxBufferLength) return tooLong(value.text.length * times);
  const text = value.text.replace(/\n$/, "");
  const filled = Array.from({ length: times }, () => text).join(value.isLinewise ? "\n" : "");
  const isApart = value.isLinewise && !range.isLinewise;
  const done = vim.buffer.replace(whole.from, whole.to, isApart ? `\n${filled}\n` : filled);
  if (isFault(done)) return done;
  vim.registers.delete(undefined, taken, !range.isLinewise && range.from.line === range.to.line);
  if (value.isLinewise) vim.moveTo(vim.buffer.firstNonBlank(whole.from.line + (isApart ? 1 : 0)));
  else
    vim.moveTo(range.isLinewise || text.includes("\n") ? whole.from : { line: done.line, col: done.col - 1 });
  return "done";
}
