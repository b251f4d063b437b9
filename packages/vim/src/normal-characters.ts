// Commands of normal mode on single characters: r, ~, and counting numbers up and down.

import { isFault } from "@stet/protocol/fault";
import { lastColumn, nextColumn } from "./buffer.ts";
import { typedText } from "./keys.ts";
import type { CommandResult } from "./normal.ts";
import { inCase } from "./operators.ts";
import type { Vim } from "./state.ts";

export function replaceCharacters(vim: Vim, count: number): CommandResult {
  const key = vim.next();
  if (key === undefined) return vim.incomplete("r");
  if (key === "<Esc>") return "done";
  const character = typedText(key);
  const { buffer, cursor } = vim;
  const text = buffer.line(cursor.line);
  let end = cursor.col;
  for (let index = 0; index < count && end <= lastColumn(text); index += 1) end = nextColumn(text, end);
  const isShort = [...text.slice(cursor.col, end)].length < count;
  if (character === undefined || isShort || text === "")
    return vim.refused(
      "invalid_arguments",
      `There are not ${count} characters to replace in line ${cursor.line + 1}`,
    );
  const isBreak = character === "\n";
  const done = buffer.replace(
    cursor,
    { line: cursor.line, col: end },
    isBreak ? "\n" : character.repeat(count),
  );
  if (isFault(done)) return done;
  vim.moveTo(isBreak ? { line: done.line, col: 0 } : { line: done.line, col: done.col - character.length });
  return "change";
}

export function toggleCase(vim: Vim, count: number): CommandResult {
  const { buffer, cursor } = vim;
  const text = buffer.line(cursor.line);
  if (text === "") return vim.refused("no_match", `Line ${cursor.line + 1} is empty`);
  let end = cursor.col;
  for (let index = 0; index < count && end <= lastColumn(text); index += 1) end = nextColumn(text, end);
  const done = buffer.replace(
    cursor,
    { line: cursor.line, col: end },
    inCase(text.slice(cursor.col, end), "~"),
  );
  if (isFault(done)) return done;
  vim.moveTo(done);
  return "change";
}

/** The number under or behind the cursor, counted up or down. */
export function changeNumber(vim: Vim, by: number): CommandResult {
  const { buffer, cursor } = vim;
  const { line } = cursor;
  const text = buffer.line(line);
  const found = [...text.matchAll(/-?\d+/g)].find((each) => each.index + each[0].length > cursor.col);
  if (found === undefined)
    return vim.refused("no_match", `There is no number at or behind the cursor in line ${line + 1}`);
  // A minus behind a word is a dash.
  const isDash = found[0].startsWith("-") && /\w/.test(text[found.index - 1] ?? "");
  const digits = isDash ? found[0].slice(1) : found[0];
  const from = found.index + (isDash ? 1 : 0);
  const value = BigInt(digits) + BigInt(by);
  const isPadded = /^-?0\d/.test(digits);
  const width = digits.replace("-", "").length;
  const magnitude = (value < 0n ? -value : value).toString();
  const digitsAfter = (value < 0n ? "-" : "") + (isPadded ? magnitude.padStart(width, "0") : magnitude);
  const done = buffer.replace({ line, col: from }, { line, col: from + digits.length }, digitsAfter);
  if (isFault(done)) return done;
  vim.moveTo({ line, col: done.col - 1 });
  return "change";
}
