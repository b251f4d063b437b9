// Insert and replace mode: typed text, up to <Esc> or the end of the keys.

import { type Fault, isFault } from "@stet/protocol/fault";
import { lastColumn, maxBufferLength, nextColumn, type Position, previousColumn, tooLong } from "./buffer.ts";
import { type Key, typedText } from "./keys.ts";
import type { Vim } from "./state.ts";
import { wordBack } from "./words.ts";

/** How often the text is inserted, and how: over what is there, or on lines of their own. */
export interface Typing {
  readonly count: number;
  readonly isReplacing?: boolean;
  readonly isOpeningLines?: boolean;
}

/** Reads keys until the mode ends. The cursor is where the first character goes. */
export function typeText(
  vim: Vim,
  { count, isReplacing = false, isOpeningLines = false }: Typing,
): Fault | undefined {
  const start = vim.cursor;
  let typed = "";
  /** What was replaced, so that <BS> brings it back. */
  const covered: string[] = [];
  for (;;) {
    const key = vim.next();
    if (key === undefined && vim.depth === 0) vim.typingAt = vim.cursor;
    if (key === undefined || key === "<Esc>" || key === "<C-c>") break;
    const text = textFor(vim, key);
    if (text !== undefined) {
      const fault = isReplacing && text !== "\n" ? overwrite(vim, text, covered) : insertText(vim, text);
      if (fault !== undefined) return fault;
      typed += text;
      continue;
    }
    const fault = specialKey(vim, key, start, isReplacing ? covered : undefined);
    if (isFault(fault)) return fault;
    if (fault === undefined) continue;
    typed = fault === "erased" ? typed.slice(0, -1) : "";
  }
  const fault = repeatTyped(vim, typed, count, isOpeningLines, isReplacing, covered);
  if (fault !== undefined) return fault;
  const { line, col } = vim.cursor;
  vim.buffer.marks.set("^", vim.cursor);
  vim.moveTo({ line, col: Math.max(0, previousColumn(vim.buffer.line(line), col)) });
  return undefined;
}

function textFor(vim: Vim, key: Key): string | undefined {
  if (key === "<Tab>" && vim.indent !== "\t") {
    const width = vim.indent.length;
    return " ".repeat(width - (vim.cursor.col % width));
  }
  if (key === "<C-v>") {
    const next = vim.next();
    return next === undefined ? "" : (typedText(next) ?? "");
  }
  if (key === "<C-r>") {
    const name = vim.next();
    return name === undefined ? "" : (vim.registers.get(name)?.text ?? "");
  }
  return typedText(key);
}

function insertText(vim: Vim, text: string): Fault | undefined {
  const end = vim.buffer.replace(vim.cursor, vim.cursor, text);
  if (isFault(end)) return end;
  vim.cursor = end;
  return undefined;
}

function overwrite(vim: Vim, text: string, covered: string[]): Fault | undefined {
  const { line, col } = vim.cursor;
  const old = vim.buffer.line(line);
  const to = col < old.length ? nextColumn(old, col) : col;
  covered.push(old.slice(col, to));
  const end = vim.buffer.replace(vim.cursor, { line, col: to }, text);
  if (isFault(end)) return end;
  vim.cursor = end;
  return undefined;
}

/** Tells whether the text typed so far lost its end, or is no longer one piece. */
function specialKey(
  vim: Vim,
  key: Key,
  start: Position,
  covered: string[] | undefined,
): Fault | "erased" | "moved" | undefined {
  const { buffer, cursor } = vim;
  const text = buffer.line(cursor.line);
  // These stop once where typing began.
  const typedFrom = start.line === cursor.line && start.col < cursor.col ? start.col : 0;
  const erase = (from: Position): Fault | "erased" | "moved" => {
    const end = buffer.replace(from, cursor, "");
    if (isFault(end)) return end;
    vim.cursor = from;
    return cursor.line === from.line && cursor.col - from.col === 1 ? "erased" : "moved";
  };
  switch (key) {
    case "<BS>":
    case "<C-h>": {
      if (covered !== undefined) return uncover(vim, start, covered);
      if (cursor.col > 0) return erase({ line: cursor.line, col: previousColumn(text, cursor.col) });
      if (cursor.line === 0) return undefined;
      const erased = erase({ line: cursor.line - 1, col: buffer.line(cursor.line - 1).length });
      return isFault(erased) ? erased : "erased";
    }
    case "<Del>": {
      if (cursor.col >= text.length) return undefined;
      const end = buffer.replace(cursor, { line: cursor.line, col: nextColumn(text, cursor.col) }, "");
      return isFault(end) ? end : undefined;
    }
    case "<C-w>": {
      if (cursor.col === 0) return undefined;
      const back = wordBack(buffer.lines, cursor, false);
      return erase({
        line: cursor.line,
        col: Math.max(typedFrom, back?.line === cursor.line ? back.col : 0),
      });
    }
    case "<C-u>":
      return cursor.col === 0 ? undefined : erase({ line: cursor.line, col: typedFrom });
    case "<Left>":
      vim.cursor = { line: cursor.line, col: Math.max(0, previousColumn(text, cursor.col)) };
      return "moved";
    case "<Right>":
      vim.cursor = { line: cursor.line, col: Math.min(text.length, nextColumn(text, cursor.col)) };
      return "moved";
    case "<Home>":
      vim.cursor = { line: cursor.line, col: 0 };
      return "moved";
    case "<End>":
      vim.cursor = { line: cursor.line, col: text.length };
      return "moved";
    case "<Up>":
    case "<Down>": {
      const line = Math.max(0, Math.min(buffer.last, cursor.line + (key === "<Up>" ? -1 : 1)));
      vim.cursor = { line, col: Math.min(cursor.col, buffer.line(line).length) };
      return "moved";
    }
    default:
      return vim.refused("invalid_arguments", `${key} is not known while text is typed`);
  }
}

function uncover(vim: Vim, start: Position, covered: string[]): Fault | "erased" | undefined {
  const { line, col } = vim.cursor;
  if (line === start.line && col <= start.col) return undefined;
  const from = { line, col: Math.max(0, previousColumn(vim.buffer.line(line), col)) };
  const end = vim.buffer.replace(from, vim.cursor, covered.pop() ?? "");
  if (isFault(end)) return end;
  vim.cursor = from;
  return "erased";
}

function repeatTyped(
  vim: Vim,
  typed: string,
  count: number,
  isOpeningLines: boolean,
  isReplacing: boolean,
  covered: string[],
): Fault | undefined {
  if (count <= 1 || (typed === "" && !isOpeningLines)) return undefined;
  if ((typed.length + 1) * count > maxBufferLength) return tooLong(typed.length * count);
  if (isReplacing) {
    for (let index = 1; index < count; index += 1)
      for (const character of typed) {
        const fault = character === "\n" ? insertText(vim, character) : overwrite(vim, character, covered);
        if (fault !== undefined) return fault;
      }
    return undefined;
  }
  if (isOpeningLines) {
    vim.cursor = { line: vim.cursor.line, col: vim.buffer.line(vim.cursor.line).length };
    return insertText(vim, `\n${typed}`.repeat(count - 1));
  }
  return insertText(vim, typed.repeat(count - 1));
}

/** Where `a` begins: behind the character under the cursor. */
export function behindCursor({ buffer, cursor }: Vim): Position {
  const text = buffer.line(cursor.line);
  return { line: cursor.line, col: lastColumn(text) < 0 ? 0 : nextColumn(text, cursor.col) };
}
