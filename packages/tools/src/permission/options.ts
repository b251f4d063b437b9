// The options of a command, read in the way its program would, against the ones that are known to be harmless.
//
// A table is a line: `-abc` are letters that stand alone, any other item is a long name. Behind either, `=` means that a value
// follows, `=file` that the value is a file to read, and `?` that a value, if there is one, stands in the same word (`-U5`,
// `--color=always`). `-#` stands for numbers (`-5`).
//
// Whatever is not listed is unknown, also an abbreviation (`--out` for `--output`): then nothing is said about the command.

import { literalWord, type ShellWord } from "./shell-step.ts";

export interface OptionTable {
  readonly options: string;
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
  const known = formsOf(table.options);
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
    if (known.has("#") && /^-\d+$/.test(text)) continue;
    const read = text.startsWith("--") ? readLong(text, known) : readLetters(text, known);
    if (read === undefined) return undefined;
    for (const name of read.names) names.add(name);
    const { form } = read;
    let { value } = read;
    if (form === "" || (form === "?" && value === undefined)) continue;
    if (value === undefined) {
      index += 1;
      value = words[index];
      // Should the program not want a value here after all, this would be an option.
      if (value === undefined || couldBeOption(value) || textOf(value).startsWith("-")) return undefined;
    }
    const name = read.names.at(-1) ?? text;
    values.set(name, [...(values.get(name) ?? []), value]);
    if (form === "=file") files.push(value);
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
  readonly form: string;
  readonly value: ShellWord | undefined;
}

function readLong(text: string, known: ReadonlyMap<string, string>): ReadOption | undefined {
  const [, name = "", given] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const form = known.get(name);
  if (form === undefined || (form === "" && given !== undefined)) return undefined;
  return { names: [name], form, value: given === undefined ? undefined : literalWord(given) };
}

/** Letters in one word, of which the last may have a value. */
function readLetters(text: string, known: ReadonlyMap<string, string>): ReadOption | undefined {
  const names: string[] = [];
  for (let at = 1; at < text.length; at += 1) {
    const name = `-${text.charAt(at)}`;
    const form = known.get(name);
    if (form === undefined) return undefined;
    names.push(name);
    if (form === "?") break;
    const rest = text.slice(at + 1);
    if (form !== "") return { names, form, value: rest === "" ? undefined : literalWord(rest) };
  }
  return { names, form: "", value: undefined };
}

/** What follows each option of a table. */
function formsOf(options: string): ReadonlyMap<string, string> {
  const forms = new Map<string, string>();
  for (const item of options.split(" ")) {
    const [, letters, name, form = ""] = /^(?:-(.+?)|([\w-]+?))(=file|=|\?)?$/.exec(item) ?? [];
    // Without a dash: it is no option that could be written so.
    for (const letter of letters ?? "") forms.set(letter === "#" ? letter : `-${letter}`, form);
    if (name !== undefined) forms.set(`--${name}`, form);
  }
  return forms;
}
