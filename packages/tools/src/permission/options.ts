// The options of a command, read in the way its program would, against the ones that are known to be harmless.
//
// Whatever is not listed is unknown, also an abbreviation (`--out` for `--output`): then nothing is said about the command.

import type { ShellWord } from "./shell-step.ts";

export interface OptionTable {
  /** Letters that stand alone. */
  readonly flags?: string;
  /** Letters with a value that is no path. */
  readonly values?: string;
  /** Letters with a value that is a file to read. */
  readonly files?: string;
  /** Letters whose value, if there is one, follows in the same word: `-U5`. */
  readonly attached?: string;
  /** Long names, separated by spaces: `name`, `name=` with a value, `name?` with a value only behind `=`, `name=file`. */
  readonly long?: string;
  /** Whether `-5` is an option. */
  readonly numbers?: boolean;
  /** Whether no option of the program does more than read, so that a file's name that looks like one does no harm. */
  readonly isForgiving?: boolean;
  /** Whether options end at the first operand. */
  readonly endsAtOperand?: boolean;
}

export interface ReadOptions {
  readonly operands: readonly ShellWord[];
  /** Values of options that are files. */
  readonly files: readonly ShellWord[];
  /** The options without their values: `-n`, `--lines`. */
  readonly names: ReadonlySet<string>;
  /** What each option with a value was given, every time it was. */
  readonly values: ReadonlyMap<string, readonly ShellWord[]>;
}

/** Undefined when an option is not in the table, or when a word could be one. */
export function readOptions(words: readonly ShellWord[], table: OptionTable): ReadOptions | undefined {
  const operands: ShellWord[] = [];
  const files: ShellWord[] = [];
  const names = new Set<string>();
  const values = new Map<string, ShellWord[]>();
  const long = longNames(table.long);
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const isName = table.isForgiving === true && word.kind === "glob";
    if (!isName && couldBeOption(word)) return undefined;
    const text = word.kind === "unknown" ? "" : word.value;
    if (text === "--") {
      const rest = words.slice(index + 1);
      // Not every program knows that nothing is an option any more.
      if (rest.some((later) => later.kind === "unknown" || textOf(later).startsWith("-"))) return undefined;
      operands.push(...rest);
      break;
    }
    if (!text.startsWith("-") || text === "-") {
      operands.push(word);
      if (table.endsAtOperand === true) {
        operands.push(...words.slice(index + 1));
        break;
      }
      continue;
    }
    if (word.kind !== "literal") return undefined;
    if (table.numbers === true && /^-\d+$/.test(text)) continue;
    const option = text.startsWith("--") ? readLong(text, long) : readShort(text, table);
    if (option === undefined) return undefined;
    for (const name of option.names) names.add(name);
    if (option.takes === "none") continue;
    const name = option.names.at(-1) ?? text;
    let value: ShellWord | undefined = option.value;
    if (value === undefined) {
      index += 1;
      value = words[index];
      // Should the program not want a value here after all, this would be an option.
      if (value === undefined || couldBeOption(value) || textOf(value).startsWith("-")) return undefined;
    }
    values.set(name, [...(values.get(name) ?? []), value]);
    if (option.takes === "file") files.push(value);
  }
  return { operands, files, names, values };
}

/** Whether a word that is not known yet could turn out to begin with a dash. */
function couldBeOption(word: ShellWord): boolean {
  return word.kind === "unknown" || (word.kind === "glob" && /^[*?[]/.test(word.value));
}

function textOf(word: ShellWord): string {
  return word.kind === "unknown" ? word.source : word.value;
}

interface ReadOption {
  readonly names: readonly string[];
  readonly takes: "none" | "text" | "file";
  readonly value: ShellWord | undefined;
}

function readLong(text: string, long: ReadonlyMap<string, string>): ReadOption | undefined {
  const equals = text.indexOf("=");
  const name = equals === -1 ? text : text.slice(0, equals);
  const form = long.get(name.slice(2));
  if (form === undefined || (form === "" && equals !== -1)) return undefined;
  const given = equals === -1 ? undefined : literal(text.slice(equals + 1));
  if (form === "" || (form === "?" && given === undefined)) {
    return { names: [name], takes: "none", value: undefined };
  }
  return { names: [name], takes: form === "=file" ? "file" : "text", value: given };
}

function readShort(text: string, table: OptionTable): ReadOption | undefined {
  const names: string[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (table.attached?.includes(letter)) {
      return { names: [...names, `-${letter}`], takes: "none", value: undefined };
    }
    const takes = table.files?.includes(letter)
      ? "file"
      : table.values?.includes(letter)
        ? "text"
        : table.flags?.includes(letter)
          ? "none"
          : undefined;
    if (takes === undefined) return undefined;
    names.push(`-${letter}`);
    if (takes === "none") continue;
    const rest = text.slice(at + 1);
    return { names, takes, value: rest === "" ? undefined : literal(rest) };
  }
  return { names, takes: "none", value: undefined };
}

function longNames(list = ""): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const item of list.split(" ")) {
    const name = /^[\w-]+/.exec(item)?.[0];
    if (name !== undefined) names.set(name, item.slice(name.length));
  }
  return names;
}

function literal(value: string): ShellWord {
  return { kind: "literal", value, source: value };
}
