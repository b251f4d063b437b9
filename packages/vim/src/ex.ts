// The command line: ranges and ex commands. Nothing leads out of the buffer: no shell, no other files, no scripts.

import { type Fault, isFault } from "@stet/protocol/fault";
import {
  deleteLines,
  dropChanges,
  joinRange,
  moveOrCopy,
  putLines,
  shiftRange,
  sortLines,
  writeBuffer,
  yankLines,
} from "./ex-commands.ts";
import { type ExRange, ExReader, readRange } from "./ex-range.ts";
import { keysOf } from "./keys.ts";
import { repeating, runKeys } from "./normal.ts";
import { matchesIn } from "./search.ts";
import type { Vim } from "./state.ts";
import { substitute } from "./substitute.ts";
import { vimPattern } from "./vim-pattern.ts";

type ExCommand = (vim: Vim, range: ExRange, reader: ExReader, isForced: boolean) => Fault | undefined;

/** Names with the letters that may be left out in brackets, as vim's manual writes them. */
const commands: readonly (readonly [string, ExCommand])[] = [
  ["s[ubstitute]", substitute],
  ["g[lobal]", (vim, range, reader, isForced) => global(vim, range, reader, isForced)],
  ["v[global]", (vim, range, reader) => global(vim, range, reader, true)],
  ["norm[al]", normal],
  ["d[elete]", deleteLines],
  ["m[ove]", (vim, range, reader) => moveOrCopy(vim, range, reader, true)],
  ["t", (vim, range, reader) => moveOrCopy(vim, range, reader, false)],
  ["co[py]", (vim, range, reader) => moveOrCopy(vim, range, reader, false)],
  ["y[ank]", yankLines],
  ["pu[t]", putLines],
  ["j[oin]", joinRange],
  ["sor[t]", sortLines],
  ["k", markLine],
  ["ma[rk]", markLine],
  ["u[ndo]", (vim) => vim.within(["u"], () => runKeys(vim))],
  ["red[o]", (vim) => vim.within(["<C-r>"], () => runKeys(vim))],
  ["w[rite]", writeBuffer],
  ["wq", writeBuffer],
  ["x[it]", writeBuffer],
  ["up[date]", writeBuffer],
  ["wa[ll]", writeBuffer],
  ["e[dit]", dropChanges],
  ["q[uit]", dropChanges],
  ["se[t]", (vim) => noted(vim, ":set changes nothing here")],
  ["noh[lsearch]", () => undefined],
  ["p[rint]", () => undefined],
  ["nu[mber]", () => undefined],
];

const refusedNames =
  /^(?:!|r(?:ead)?\b|so(?:urce)?\b|cal?l?\b|exe(?:cute)?\b|ter(?:minal)?\b|py|lua|system|ru(?:ntime)?\b|sh(?:ell)?\b|make?\b|gr(?:ep)?\b)/;

export function runCommandLine(vim: Vim, line: string): Fault | undefined {
  const reader = new ExReader(line);
  for (;;) {
    const fault = runOne(vim, reader);
    if (fault !== undefined) return fault;
    if (reader.take(/^\s*\|/) === undefined) break;
  }
  const rest = reader.rest.trim();
  if (rest === "" || rest.startsWith('"')) return undefined;
  return vim.refused("invalid_arguments", `${JSON.stringify(rest)} behind :${line} is not understood`);
}

function runOne(vim: Vim, reader: ExReader): Fault | undefined {
  const range = readRange(vim, reader);
  if (isFault(range)) return range;
  reader.take(/^\s+/);
  if (refusedNames.test(reader.rest)) {
    return vim.refused(
      "not_allowed",
      `:${reader.rest.slice(0, 40)} is not carried out here`,
      "Only this buffer can be edited. Use the tools for commands and other files.",
    );
  }
  const shifts = reader.take(/^([<>])+/)?.[0];
  if (shifts !== undefined) return shiftRange(vim, range, shifts);
  if (reader.take(/^&&/) !== undefined) return substitute(vim, range, new ExReader("&"));
  if (reader.take(/^&/) !== undefined) return substitute(vim, range, reader);
  const name = readName(reader.rest);
  if (name === undefined) return goTo(vim, range, reader);
  reader.at += name.length;
  const command = commands.find(([pattern]) => isNamed(pattern, name))?.[1];
  if (command === undefined) return vim.refused("invalid_arguments", `:${name} is not a command here`);
  const isForced = reader.take(/^!/) !== undefined;
  reader.take(/^[ \t]+/);
  return command(vim, range, reader, isForced);
}

/** A name goes up to what cannot be part of one; `s`, `g`, `v` and `k` end where their argument begins. */
function readName(rest: string): string | undefined {
  const letters = /^[a-zA-Z]+/.exec(rest)?.[0];
  if (letters === undefined) return undefined;
  if (commands.some(([pattern]) => isNamed(pattern, letters))) return letters;
  const short = /^(?:s(?=[&cegiIn]*(?:$|[\s|]))|k(?=[a-z]$)|[dy](?=[a-z]$))/.exec(rest)?.[0];
  return short ?? letters;
}

function isNamed(pattern: string, name: string): boolean {
  const [start = "", rest = ""] = pattern.split(/[[\]]/);
  return name.startsWith(start) && (start + rest).startsWith(name);
}

function goTo(vim: Vim, range: ExRange, reader: ExReader): Fault | undefined {
  if (reader.rest.trim() !== "" && !/^\s*[|"]/.test(reader.rest))
    return vim.refused("invalid_arguments", `${JSON.stringify(reader.rest)} is not an ex command`);
  if (range.given > 0) {
    vim.markJump();
    vim.moveToLine(range.to);
  }
  return undefined;
}

function noted(vim: Vim, note: string): undefined {
  vim.notes.push(note);
  return undefined;
}

/** :g and :v: marks the lines first, then visits those that are still there. */
function global(vim: Vim, range: ExRange, reader: ExReader, isInverse: boolean): Fault | undefined {
  const { buffer } = vim;
  if (buffer.pending.length > 0)
    return vim.refused("invalid_arguments", ":global inside of :global is not carried out");
  const delimiter = reader.take(/^([^\w\s"|\\])/)?.[1];
  if (delimiter === undefined)
    return vim.refused("invalid_arguments", ":g needs a pattern, as in :g/pattern/d");
  const typed = reader.until(delimiter);
  const source = typed === "" ? vim.lastSearch?.source : typed;
  if (source === undefined) return vim.refused("no_match", "There is no search to repeat");
  const command = reader.rest;
  reader.at = reader.text.length;
  vim.lastSearch = { source, isForward: true };
  const pattern = vimPattern(source);
  if (isFault(pattern)) return pattern;
  const [from, to] = range.given === 0 ? [0, buffer.last] : [Math.max(0, range.from), range.to];
  const found = matchesIn(buffer, pattern, from, to + 1);
  if (isFault(found)) return found;
  const matched = new Set(found.map((match) => match.from.line));
  const lines: number[] = [];
  for (let line = from; line <= to; line += 1) if (matched.has(line) !== isInverse) lines.push(line);
  if (lines.length === 0)
    return vim.refused(
      "no_match",
      `No line ${isInverse ? "is without" : "has"} the pattern ${JSON.stringify(source)}`,
    );
  vim.notes.push(`${lines.length} lines visited`);
  if (/^\s*d(?:el(?:ete)?)?\s*_?\s*$/.test(command)) return deleteEach(vim, lines);
  return visit(vim, lines, command);
}

/** The plain case, in one pass. */
function deleteEach(vim: Vim, lines: readonly number[]): Fault | undefined {
  const { buffer } = vim;
  const gone = new Set(lines);
  const last = lines.at(-1) ?? 0;
  vim.registers.delete(undefined, { text: `${buffer.line(last)}\n`, isLinewise: true }, false);
  const first = lines[0] ?? 0;
  const sources: number[] = [];
  for (let line = first; line <= last; line += 1) if (!gone.has(line)) sources.push(line - first);
  const texts = sources.map((index) => buffer.line(first + index));
  const fault = buffer.splice(first, last - first + 1, texts, sources);
  if (fault !== undefined) return fault;
  vim.moveTo(buffer.firstNonBlank(Math.min(first + sources.length, buffer.last)));
  return undefined;
}

function visit(vim: Vim, lines: readonly number[], command: string): Fault | undefined {
  const { buffer } = vim;
  buffer.pending = [...lines];
  const notes = [...vim.notes];
  const fault = repeating(vim, () => {
    for (let line = buffer.pending.shift(); line !== undefined; line = buffer.pending.shift()) {
      vim.moveTo({ line, col: 0 });
      const refusal = vim.startCommand() ?? runCommandLine(vim, command);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  });
  buffer.pending = [];
  vim.notes = notes;
  if (fault === undefined && /^\s*s[^a-z]/.test(command)) vim.moveTo(buffer.firstNonBlank(vim.cursor.line));
  return fault;
}

/** :normal on each line of a range, or once where the cursor is. */
function normal(vim: Vim, range: ExRange, reader: ExReader): Fault | undefined {
  const keys = keysOf(reader.rest);
  reader.at = reader.text.length;
  if (keys.length === 0) return vim.refused("invalid_arguments", ":normal needs keys");
  return repeating(vim, () => {
    if (range.given === 0) return vim.within(keys, () => runKeys(vim));
    const { buffer } = vim;
    const wasPending = buffer.pending;
    const lines = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
    buffer.pending = lines;
    for (let line = buffer.pending.shift(); line !== undefined; line = buffer.pending.shift()) {
      vim.moveTo({ line, col: 0 });
      const fault = vim.startCommand() ?? vim.within(keys, () => runKeys(vim));
      if (fault !== undefined) return fault;
    }
    buffer.pending = wasPending;
    return undefined;
  });
}

function markLine(vim: Vim, { to }: ExRange, reader: ExReader): Fault | undefined {
  const name = reader.take(/^\s*([a-zA-Z])/)?.[1];
  if (name === undefined) return vim.refused("invalid_arguments", ":mark needs a letter");
  vim.buffer.marks.set(name, { line: to, col: 0 });
  return undefined;
}
