// Normal mode: one command after the other, each read whole and then carried out.

import { type Fault, isFault } from "@stet/protocol/fault";
import { runCommandLine } from "./ex.ts";
import { behindCursor, typeText } from "./insert.ts";
import { keysOf } from "./keys.ts";
import { readMotion } from "./motions.ts";
import { changeNumber, replaceCharacters, toggleCase } from "./normal-characters.ts";
import { readOperator } from "./operator-pending.ts";
import { joinLines, put } from "./operators.ts";
import type { Vim } from "./state.ts";
import { enterVisual, visualCommand } from "./visual.ts";

/** What stands before a command. */
export interface Prefix {
  readonly count: number | undefined;
  readonly register: string | undefined;
}

const maxCount = 1_000_000;
const maxDepth = 500;

/** Carries out all keys. */
export function runKeys(vim: Vim): Fault | undefined {
  while (vim.peek() !== undefined) {
    const fault = vim.startCommand() ?? runCommand(vim);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function runCommand(vim: Vim): Fault | undefined {
  const prefix = readPrefix(vim);
  if (isFault(prefix)) return prefix;
  const start = vim.command.length;
  const key = vim.next();
  if (key === undefined) return vim.incomplete(vim.command.join(""));
  vim.buffer.begin(() => vim.cursor);
  const isRepeating = vim.isRepeating;
  const result =
    vim.visual === undefined ? normalCommand(vim, key, prefix) : visualCommand(vim, vim.visual, key, prefix);
  if (isFault(result)) return result;
  // What runs inside of another command is undone with it.
  if (!isRepeating) vim.buffer.commit();
  if (result === "change" && !vim.isRepeating)
    vim.lastChange = { keys: vim.command.slice(start), count: prefix.count, register: prefix.register };
  return undefined;
}

/** `"x` and a count, in any order. */
function readPrefix(vim: Vim): Prefix | Fault {
  let register: string | undefined;
  let digits = vim.readDigits();
  while (vim.peek() === '"') {
    vim.next();
    register = vim.next();
    if (register === undefined) return vim.incomplete('"');
    if (!/^[\w"+*_-]$/.test(register))
      return vim.refused("invalid_arguments", `There is no register ${register}`);
    digits = vim.readDigits(digits);
  }
  return { count: digits === "" ? undefined : Math.min(maxCount, Number(digits)), register };
}

/** Whether the command changed text in a way that `.` repeats. */
export type CommandResult = Fault | "change" | "done";

function normalCommand(vim: Vim, key: string, prefix: Prefix): CommandResult {
  const operated = readOperator(vim, key, prefix);
  if (operated !== undefined) return operated;
  const special = editingCommand(vim, key, prefix) ?? otherCommand(vim, key, prefix);
  if (special !== undefined) return special;
  const before = vim.cursor;
  const target = readMotion(vim, key, { count: prefix.count });
  if (isFault(target)) return target;
  if (target === undefined) return unknown(vim, key);
  if (target === null) return "done";
  if ("G%{}/?nN*#'`".includes(key) || (key === "g" && vim.command.at(-1) === "g"))
    vim.buffer.marks.set("'", before);
  vim.moveTo(target, target.wanted);
  return "done";
}

function unknown(vim: Vim, key: string): Fault {
  const hint: Readonly<Record<string, string>> = {
    "!": "No shell commands here: use the bash tool.",
    "<C-v>": "There are no blocks here: use :s with a range, or I and A on each line with :normal.",
  };
  const command = key === "g" || key === "z" ? `${key}${vim.peek() ?? ""}` : key;
  const code = key === "!" ? "not_allowed" : "invalid_arguments";
  return vim.refused(code, `${command} is not a command here`, hint[key]);
}

/** Commands that begin to type, or change text without a motion. */
function editingCommand(vim: Vim, key: string, { count, register }: Prefix): CommandResult | undefined {
  const { buffer, cursor } = vim;
  const times = count ?? 1;
  const line = buffer.line(cursor.line);
  switch (key) {
    case "i":
      return typed(vim, cursor, times);
    case "a":
      return typed(vim, behindCursor(vim), times);
    case "I":
      return typed(vim, { line: cursor.line, col: Math.max(0, line.search(/\S|$/)) }, times);
    case "A":
      return typed(vim, { line: cursor.line, col: line.length }, times);
    case "o":
    case "O": {
      const at = key === "o" ? cursor.line + 1 : cursor.line;
      const fault = buffer.splice(at, 0, [""]);
      if (fault !== undefined) return fault;
      vim.cursor = { line: at, col: 0 };
      return typeText(vim, { count: times, isOpeningLines: true }) ?? "change";
    }
    case "R":
      return typeText(vim, { count: times, isReplacing: true }) ?? "change";
    case "r":
      return replaceCharacters(vim, times);
    case "~":
      return toggleCase(vim, times);
    case "<C-a>":
    case "<C-x>":
      return changeNumber(vim, key === "<C-a>" ? times : -times);
    case "J":
      return joinLines(vim, cursor.line, cursor.line + Math.max(2, times) - 1, false) ?? "change";
    case "p":
    case "P":
      return put(vim, register, key === "P", times) ?? "change";
    default:
      return undefined;
  }
}

function typed(vim: Vim, at: { line: number; col: number }, count: number): CommandResult {
  vim.cursor = at;
  return typeText(vim, { count }) ?? "change";
}

function otherCommand(vim: Vim, key: string, prefix: Prefix): CommandResult | undefined {
  const { buffer, cursor } = vim;
  const times = prefix.count ?? 1;
  switch (key) {
    case "<Esc>":
    case "<C-c>":
      return "done";
    case "u":
    case "<C-r>":
      return undoOrRedo(vim, key === "u", times);
    case ".":
      return repeatChange(vim, prefix);
    case "v":
    case "V":
      enterVisual(vim, key === "v" ? "characters" : "lines");
      return "done";
    case "m": {
      const name = vim.next();
      if (name === undefined) return vim.incomplete("m");
      buffer.marks.set(name, cursor);
      return "done";
    }
    case ":": {
      const typedLine = vim.readLine(":");
      if (isFault(typedLine)) return typedLine;
      const range = prefix.count === undefined ? "" : `.,.+${prefix.count - 1}`;
      return runCommandLine(vim, range + typedLine) ?? "done";
    }
    case "&":
      return runCommandLine(vim, "s") ?? "change";
    case "q":
      return record(vim);
    case "@":
      return playMacro(vim, times);
    case "Z":
      return closeFile(vim);
    case "g":
      return gCommand(vim, prefix);
    case "z":
      // Scrolling: there is no screen.
      vim.next();
      return "done";
    default:
      return undefined;
  }
}

function gCommand(vim: Vim, { count }: Prefix): CommandResult | undefined {
  const { cursor, lastVisual, buffer } = vim;
  switch (vim.peek()) {
    case "J":
      vim.next();
      return joinLines(vim, cursor.line, cursor.line + Math.max(2, count ?? 2) - 1, true) ?? "change";
    case "v":
      vim.next();
      if (lastVisual === undefined) return vim.refused("no_match", "Nothing was selected before");
      vim.visual = { kind: lastVisual.kind, anchor: lastVisual.anchor };
      vim.moveTo(lastVisual.cursor);
      return "done";
    case "i":
      vim.next();
      vim.moveTo(buffer.marks.get("^") ?? cursor, undefined, true);
      return typeText(vim, { count: count ?? 1 }) ?? "change";
    case "&":
      vim.next();
      return runCommandLine(vim, "%s//~/&") ?? "change";
    default:
      return undefined;
  }
}

function undoOrRedo(vim: Vim, isUndo: boolean, times: number): CommandResult {
  for (let index = 0; index < times; index += 1) {
    const position = isUndo ? vim.buffer.undo() : vim.buffer.redo();
    if (position === undefined) {
      if (index > 0) break;
      return vim.refused("no_match", `There is nothing to ${isUndo ? "undo" : "redo"} in this buffer`);
    }
    vim.moveTo(position);
  }
  return "done";
}

function repeatChange(vim: Vim, { count, register }: Prefix): CommandResult {
  const change = vim.lastChange;
  if (change === undefined) return vim.refused("no_match", "There is no change to repeat");
  const times = count ?? change.count;
  const name = register ?? change.register;
  const keys = [
    ...(name === undefined ? [] : ['"', name]),
    ...(times === undefined ? [] : String(times)),
    ...change.keys,
  ];
  const fault = repeating(vim, () => vim.within(keys, () => runKeys(vim)));
  if (fault !== undefined) return fault;
  vim.lastChange = { keys: change.keys, count: times, register: name };
  return "done";
}

/** Runs keys that are part of another command: undone with it, and not what `.` repeats. */
export function repeating<T>(vim: Vim, action: () => T): T {
  const was = vim.isRepeating;
  vim.isRepeating = true;
  const result = action();
  vim.isRepeating = was;
  return result;
}

function record(vim: Vim): CommandResult {
  if (vim.recording !== undefined) {
    const { name, keys } = vim.recording;
    vim.registers.set(name, { text: keys.slice(0, -1).join(""), isLinewise: false });
    vim.recording = undefined;
    return "done";
  }
  const name = vim.next();
  if (name === undefined) return vim.incomplete("q");
  vim.recording = { name, keys: [] };
  return "done";
}

function playMacro(vim: Vim, times: number): CommandResult {
  const typedName = vim.next();
  if (typedName === undefined) return vim.incomplete("@");
  const name = typedName === "@" ? vim.lastMacro : typedName;
  const text = name === undefined ? undefined : vim.registers.get(name)?.text;
  if (text === undefined) return vim.refused("no_match", `There are no keys in register ${name ?? "@"}`);
  if (vim.depth >= maxDepth)
    return vim.refused("too_large", `Register ${name ?? "@"} calls itself more than ${maxDepth} times`);
  vim.lastMacro = name;
  const keys = keysOf(text);
  for (let index = 0; index < times; index += 1) {
    const fault = vim.within(keys, () => runKeys(vim));
    if (fault !== undefined) return fault;
  }
  return "done";
}

function closeFile(vim: Vim): CommandResult {
  const key = vim.next();
  if (key === "Z") vim.wish = "write";
  else if (key === "Q") return runCommandLine(vim, "q!") ?? "done";
  else return vim.refused("invalid_arguments", `Z${key ?? ""} is not a command here`);
  return "done";
}
