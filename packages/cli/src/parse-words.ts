// The words of a command line against an entry of the table. What is wrong is a sentence of ours, with the nearest word that
// there is; `parseArgs` only sees words that were checked, so it has nothing to complain of.

import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { type CommandEntry, globalOptions, type Option } from "./command-table.ts";

type Config<Entry extends CommandEntry> = {
  args: string[];
  options: Entry["options"];
  allowPositionals: true;
};

export type Words<Entry extends CommandEntry> = ReturnType<typeof parseArgs<Config<Entry>>>;

/** What is wrong with a command line. */
export interface Misuse {
  readonly problem: string;
}

export function isMisuse(value: object): value is Misuse {
  return "problem" in value;
}

export async function parseWords<Entry extends CommandEntry>(
  entry: Entry,
  args: readonly string[],
): Promise<Words<Entry> | Misuse> {
  const words = withBareValues(entry.options, args);
  const problem = await problemOf(entry, words);
  if (problem !== undefined) return { problem };
  const config: Config<Entry> = { args: words, options: entry.options, allowPositionals: true };
  return parseArgs(config);
}

/** An option whose value may be left out gets the one that stands for that. */
function withBareValues(options: Readonly<Record<string, Option>>, args: readonly string[]): string[] {
  const bare = new Map<string, string>();
  for (const [name, { short, bare: value }] of Object.entries(options)) {
    if (value === undefined) continue;
    for (const word of [`--${name}`, `-${short}`]) bare.set(word, `--${name}=${value}`);
  }
  const end = args.indexOf("--");
  return args.map((word, index) => {
    const isBare = (end < 0 || index < end) && (args[index + 1] ?? "-").startsWith("-");
    return (isBare ? bare.get(word) : undefined) ?? word;
  });
}

async function problemOf(entry: CommandEntry, args: readonly string[]): Promise<string | undefined> {
  const config: ParseArgsOptionsConfig = entry.options;
  const { tokens } = parseArgs({
    args: [...args],
    options: config,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === "positional" && entry.takesNoWords) return `"${token.value}" was not expected here.`;
    if (token.kind !== "option") continue;
    const option = entry.options[token.name];
    if (option === undefined) return unknownOption(entry, token.rawName);
    const problem = valueProblem(token.rawName, option, token.value, token.inlineValue === true);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

async function unknownOption({ options }: CommandEntry, given: string): Promise<string> {
  const { nearest } = await import("./nearest.ts");
  const all = { ...options, ...globalOptions };
  const name = given.startsWith("--") ? nearest(given.slice(2), Object.keys(all)) : undefined;
  const hint = name === undefined ? "" : ` Did you mean --${name}?`;
  return `There is no option ${given}.${hint}`;
}

function valueProblem(
  given: string,
  { type, value: called = "a value", choices, atLeast }: Option,
  value: string | undefined,
  isInline: boolean,
): string | undefined {
  if (type === "boolean")
    return value === undefined ? undefined : `${given} takes no value: ${given}=${value} is not possible.`;
  if (value === undefined) return `${given} needs a value: ${given} ${called}.`;
  if (!isInline && value.length > 1 && value.startsWith("-"))
    return `${given} needs a value: ${given} ${called}. Where it begins with "-": ${given}=${value}.`;
  if (choices !== undefined && !choices.includes(value))
    return `${given} takes ${oneOf(choices)}, not ${value}.`;
  const isCount = atLeast === undefined || (/^\d{1,9}$/.test(value) && Number(value) >= atLeast);
  return isCount ? undefined : `${given} takes a whole number from ${atLeast} on, not ${value}.`;
}

function oneOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
