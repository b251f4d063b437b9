// What the word before the cursor may become: a command behind `/` at the beginning, an argument of a command, a file or an agent
// behind `@`.

import { visibleName } from "@stet/protocol/visible";
import { fuzzyFilter } from "@stet/tui/components/fuzzy";
import type { SlashCommand } from "../app.ts";
import { usageOf } from "../commands/table.ts";
import type { AgentName, AgentNames } from "./agent-names.ts";
import type { FileIndex } from "./file-index.ts";

export interface Candidate {
  /** What stands instead of the word. */
  readonly text: string;
  readonly label: string;
  readonly detail?: string;
  /** Whether the word goes on behind it: a folder. */
  readonly isPartial?: boolean;
  /** Whether Enter sends it, too: a command that takes no arguments. */
  readonly isWhole?: boolean;
}

export type Word =
  | { readonly kind: "command"; readonly from: number; readonly word: string }
  | {
      readonly kind: "argument";
      readonly from: number;
      readonly word: string;
      readonly command: SlashCommand;
    }
  | { readonly kind: "file"; readonly from: number; readonly word: string };

export interface CompletionSources {
  readonly commands: readonly SlashCommand[];
  /** Undefined until there is somebody to ask. */
  readonly files: () => FileIndex | undefined;
  readonly agents: Pick<AgentNames, "search">;
  readonly completeArgument: (command: SlashCommand, word: string) => Promise<readonly string[]>;
}

const maxFiles = 50;
const maxWord = 1000;

/** `before` is the line up to the cursor. */
export function wordAt(
  before: string,
  isFirstLine: boolean,
  commands: readonly SlashCommand[],
): Word | undefined {
  const end = before.slice(-maxWord);
  const at = before.length - end.length;
  const file = /(?:^|[\s("'[{])@("[^"]*|[^\s"]*)$/.exec(end);
  if (file?.[1] !== undefined) {
    const written = file[1];
    const word = written.startsWith('"') ? written.slice(1) : written;
    return { kind: "file", from: at + end.length - written.length - 1, word };
  }
  if (!isFirstLine || at > 0 || before.startsWith("/") === false) return undefined;
  const name = /^\/([\w-]*)$/.exec(before);
  if (name !== null) return { kind: "command", from: 0, word: name[1] ?? "" };
  const call = /^\/([\w-]+)\s+(?:.*\s)?(\S*)$/.exec(before);
  const command = commands.find(
    (known) => known.name === call?.[1] || (call?.[1] !== undefined && known.aliases?.includes(call[1])),
  );
  if (command?.complete === undefined) return undefined;
  const word = call?.[2] ?? "";
  return { kind: "argument", from: before.length - word.length, word, command };
}

/** Undefined where it was aborted. */
export async function candidatesFor(
  word: Word,
  sources: CompletionSources,
  signal: AbortSignal,
): Promise<readonly Candidate[] | undefined> {
  if (word.kind === "file") {
    const index = sources.files();
    if (index === undefined) return undefined;
    const [agents, paths] = await Promise.all([
      sources.agents.search(word.word),
      index.search(word.word, maxFiles, signal),
    ]);
    if (paths === undefined || signal.aborted) return undefined;
    return besideFiles(agents, paths, word.word);
  }
  if (word.kind === "command") return commandCandidates(word.word, sources.commands);
  const words = await sources.completeArgument(word.command, word.word);
  if (signal.aborted) return undefined;
  return fuzzyFilter(words, word.word, (text) => text).map((text) => ({
    text: `${text} `,
    label: visibleName(text),
  }));
}

/** Names that begin with the word come before those that only contain it. */
export function commandCandidates(word: string, commands: readonly SlashCommand[]): Candidate[] {
  const wanted = word.toLowerCase();
  const isBeginning = ({ name, aliases = [] }: SlashCommand) =>
    [name, ...aliases].some((one) => one.startsWith(wanted));
  const beginning = commands.filter(isBeginning);
  const names = ({ name, aliases = [] }: SlashCommand) => [name, ...aliases].join(" ");
  const others = fuzzyFilter(commands, word, names).filter((command) => !beginning.includes(command));
  return [...beginning, ...others].map((command) => ({
    text: command.arguments === undefined ? `/${command.name}` : `/${command.name} `,
    label: usageOf(command),
    detail: command.help,
    isWhole: command.arguments === undefined,
  }));
}

/** A name that begins with the word comes before files; one that only has its letters, or any without letters, behind them. */
function besideFiles(agents: readonly AgentName[], paths: readonly string[], word: string): Candidate[] {
  const isBeginning = ({ name }: AgentName) => word !== "" && name.startsWith(word.toLowerCase());
  return [
    ...agents.filter(isBeginning).map(agentCandidate),
    ...paths.flatMap(fileCandidate),
    ...agents.filter((agent) => !isBeginning(agent)).map(agentCandidate),
  ];
}

function agentCandidate({ name, about }: AgentName): Candidate {
  return { text: `@${name} `, label: `${visibleName(name)} (agent)`, detail: about };
}

/** A name that cannot be written as one word is left out: it would not be read again as the same file. */
function fileCandidate(path: string): Candidate[] {
  if (/["\n\r]/.test(path)) return [];
  const isFolder = path.endsWith("/");
  const needsQuotes = /\s/.test(path);
  const written = needsQuotes ? `@"${path}${isFolder ? "" : '"'}` : `@${path}`;
  return [{ text: isFolder ? written : `${written} `, label: visibleName(path), isPartial: isFolder }];
}
