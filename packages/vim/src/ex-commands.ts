// Ex commands on lines: :d :m :t :y :pu :j :> :< :sort, and those about the file.

import { type Fault, isFault } from "@stet/protocol/fault";
import { type ExRange, type ExReader, readAddress } from "./ex-range.ts";
import { contentOf, joinLines, operate, type Range, shift } from "./operators.ts";
import type { Vim } from "./state.ts";

/** A register's letter and a count behind a command. */
function registerAndCount(
  vim: Vim,
  range: ExRange,
  reader: ExReader,
): { register: string | undefined; lines: Range } {
  const register = reader.take(/^([a-zA-Z_"+*-])(?=\s|$|\|)/)?.[1];
  reader.take(/^\s+/);
  const count = reader.take(/^\d+/)?.[0];
  const from = count === undefined ? Math.max(0, range.from) : Math.max(0, range.to);
  const to =
    count === undefined ? Math.max(0, range.to) : Math.min(vim.buffer.last, from + Number(count) - 1);
  return { register, lines: { from: { line: from, col: 0 }, to: { line: to, col: 0 }, isLinewise: true } };
}

export function deleteLines(vim: Vim, range: ExRange, reader: ExReader): Fault | undefined {
  const { register, lines } = registerAndCount(vim, range, reader);
  const operated = operate(vim, "d", lines, register);
  return isFault(operated) ? operated : undefined;
}

export function yankLines(vim: Vim, range: ExRange, reader: ExReader): undefined {
  const { register, lines } = registerAndCount(vim, range, reader);
  vim.registers.yank(register, contentOf(vim, lines));
  return undefined;
}

export function putLines(vim: Vim, { to }: ExRange, reader: ExReader, isAbove: boolean): Fault | undefined {
  const name = reader.take(/^["]?([a-zA-Z0-9"+*-])/)?.[1];
  const register = vim.registers.get(name);
  if (register === undefined)
    return vim.refused("no_match", `Register ${name ?? '"'} is empty, so nothing can be put`);
  const lines = register.text.replace(/\n$/, "").split("\n");
  const at = isAbove ? Math.max(0, to) : to + 1;
  return vim.replaceLines(at, 0, lines, at + lines.length - 1);
}

export function moveOrCopy(vim: Vim, range: ExRange, reader: ExReader, isMove: boolean): Fault | undefined {
  const { buffer } = vim;
  const address = readAddress(vim, reader, vim.cursor.line);
  if (isFault(address)) return address;
  if (address === undefined)
    return vim.refused(
      "invalid_arguments",
      "An address is missing: :m and :t need a line, 0 is above the first",
    );
  if (address < -1 || address > buffer.last) return vim.noSuchLine(address);
  const { from, to } = { from: Math.max(0, range.from), to: Math.max(0, range.to) };
  const lines = buffer.lines.slice(from, to + 1);
  if (!isMove) return vim.replaceLines(address + 1, 0, lines, address + lines.length);
  if (address === to || address === from - 1) {
    vim.moveToLine(to);
    return undefined;
  }
  if (address >= from && address < to)
    return vim.refused("invalid_line_range", "Lines cannot be moved into themselves");
  // One splice over everything between, so that no line is ever twice in the buffer.
  const isDown = address > to;
  const between = isDown ? buffer.lines.slice(to + 1, address + 1) : buffer.lines.slice(address + 1, from);
  const start = isDown ? from : address + 1;
  const pending = buffer.pending;
  const moved = isDown ? [...between, ...lines] : [...lines, ...between];
  const fault = buffer.splice(start, moved.length, moved);
  if (fault !== undefined) return fault;
  const shiftOf = (line: number): number => {
    if (line >= from && line <= to) return line + (isDown ? between.length : -between.length);
    const isBetween = isDown ? line > to && line <= address : line > address && line < from;
    return isBetween ? line + (isDown ? -lines.length : lines.length) : line;
  };
  buffer.pending = pending.map(shiftOf);
  for (const [name, mark] of buffer.marks) buffer.marks.set(name, { ...mark, line: shiftOf(mark.line) });
  vim.moveToLine(isDown ? address : address + lines.length);
  return undefined;
}

export function joinRange(vim: Vim, range: ExRange, reader: ExReader, isPlain: boolean): Fault | undefined {
  const count = reader.take(/^\d+/)?.[0];
  const first = Math.max(0, range.from);
  const last = count === undefined ? Math.max(range.to, first + 1) : range.to + Number(count) - 1;
  const fault = joinLines(vim, first, last, isPlain);
  if (fault === undefined) vim.moveToLine(first);
  return fault;
}

export function shiftRange(vim: Vim, { from, to }: ExRange, shifts: string): Fault | undefined {
  const steps = shifts.startsWith(">") ? shifts.length : -shifts.length;
  const range = {
    from: { line: Math.max(0, from), col: 0 },
    to: { line: Math.max(0, to), col: 0 },
    isLinewise: true,
  };
  const operated = shift(vim, range, steps);
  if (isFault(operated)) return operated;
  vim.moveToLine(range.to.line);
  return undefined;
}

/** :sort with u, n, i and ! for the other direction. */
export function sortLines(
  vim: Vim,
  range: ExRange,
  reader: ExReader,
  isReversed: boolean,
): Fault | undefined {
  const flags = reader.take(/^[uni ]*/)?.[0] ?? "";
  const [from, to] = range.given === 0 ? [0, vim.buffer.last] : [Math.max(0, range.from), range.to];
  const isNumeric = flags.includes("n");
  const keyed = vim.buffer.lines.slice(from, to + 1).map((text) => {
    const number = /-?\d+/.exec(text)?.[0];
    return {
      text,
      key: flags.includes("i") ? text.toLowerCase() : text,
      number: number === undefined ? -Infinity : Number(number),
    };
  });
  const compare = (one: (typeof keyed)[number], other: (typeof keyed)[number]) => {
    if (isNumeric) return one.number - other.number || 0;
    return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
  };
  keyed.sort((one, other) => (isReversed ? compare(other, one) : compare(one, other)));
  const isSame = (one: (typeof keyed)[number], other: (typeof keyed)[number] | undefined) =>
    other !== undefined && (isNumeric ? one.number === other.number : one.key === other.key);
  const sorted = flags.includes("u") ? keyed.filter((each, index) => !isSame(each, keyed[index - 1])) : keyed;
  const texts = sorted.map(({ text }) => text);
  return vim.replaceLines(from, to - from + 1, texts, from);
}

/** :w and its kin: the file is written at the end of the call. */
export function writeBuffer(
  vim: Vim,
  range: ExRange,
  reader: ExReader,
  isForced: boolean,
): Fault | undefined {
  if (reader.take(/^[^|\s].*/) !== undefined || range.given > 0)
    return vim.refused("not_allowed", "Only the whole buffer can be written, and only to its own file");
  vim.wish = isForced ? "force" : "write";
  return undefined;
}

/** :e! and :q! drop what was not saved; without ! they change nothing. */
export function dropChanges(
  vim: Vim,
  _range: ExRange,
  reader: ExReader,
  isForced: boolean,
): Fault | undefined {
  if (reader.take(/^[^|\s].*/) !== undefined)
    return vim.refused(
      "not_allowed",
      "Other files cannot be opened from here",
      "Call the tool with another path.",
    );
  if (!isForced) return undefined;
  const fault = vim.buffer.splice(0, vim.buffer.lines.length, vim.saved.lines);
  vim.moveTo(vim.cursor);
  return fault;
}
