// A command: what it does with the words after its name. Its module is loaded when it is called; its words are checked
// against the table before.

import type { CommandName, CommandTable, turnEntry } from "./command-table.ts";
import type { Words } from "./parse-words.ts";
import type { Terminal } from "./terminal.ts";

/** Where the command runs: everything of the process that it uses. */
export interface Surroundings {
  readonly terminal: Terminal;
  /** Where the person stands. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** What Ctrl-C does, for those who read it as a key. */
  readonly interrupt: () => void;
  /** The process ends with the command: what ends with a process need not be closed first. */
  readonly endsProcess: boolean;
  /** Takes the terminal over for the interactive mode; undefined where the process does not have one to itself. */
  readonly interact?: (words: Words<typeof turnEntry>, context: CommandContext) => Promise<number>;
}

export interface CommandContext extends Surroundings {
  /** The folder that paths on the command line start from: where the person stands, or `-C`. A real path. */
  readonly folder: string;
  /** The folder of the workspace: this one, or that of the repository around it. A real path. */
  readonly root: string;
}

export type WordsOf<Name extends CommandName> = Words<CommandTable[Name]>;

/** Returns the exit code. */
export type Command<Name extends CommandName> = (
  words: WordsOf<Name>,
  context: CommandContext,
) => Promise<number>;
