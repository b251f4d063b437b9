// A command: a name, one line of help, and what it does. Its module is loaded when it is called.

import type { Terminal } from "./terminal.ts";

export interface CommandContext {
  readonly terminal: Terminal;
  /** The folder to work in. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  /** The process ends with the command: what ends with a process need not be closed first. */
  readonly endsProcess: boolean;
}

/** Returns the exit code. */
export type Command = (args: readonly string[], context: CommandContext) => Promise<number>;
