// A request to run a command, and the report of its end.

import { Fault } from "@stet/protocol/fault";
import type { OutputSummary } from "./command-output.ts";
import type { SetAside } from "./repositories/repository-watch.ts";
import type { TerminalSize } from "./shell/terminal.ts";

export interface CommandRequest {
  readonly command: string;
  /** From the root. The command runs there, and the shell stays where it was. */
  readonly cwd?: string | undefined;
  /** Clamped to 1 to 3,600; none where it is undefined. */
  readonly timeoutSeconds: number | undefined;
  /** For this command only. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Gives it a terminal of its own. */
  readonly terminal?: TerminalSize | undefined;
  readonly isSandboxed: boolean;
  /** Whether the sandbox has the workspace read-only. */
  readonly isReadOnly?: boolean | undefined;
  /** Whether the sandbox has a network. */
  readonly network: boolean;
  /** Whether it gets a shell that nothing else runs in. */
  readonly hasOwnShell?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with more output, as the command wrote it. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
}

export interface CommandEnd {
  /** Undefined where the command was ended by force. */
  readonly exitCode: number | undefined;
  readonly timedOut: boolean;
  /** Undefined where it had none. */
  readonly timeoutSeconds: number | undefined;
  readonly cancelled: boolean;
  /** Where the shell is now: absolute. */
  readonly folder: string;
  /** The shell's folder was gone, so the command ran in the root. */
  readonly folderWasGone: boolean;
  /** The shell has ended with the command: variables and functions are gone, the next command gets a fresh one. */
  readonly shellEnded: boolean;
  readonly output: OutputSummary;
  readonly durationMs: number;
  readonly isSandboxed: boolean;
  /** Whether the workspace could not be written. */
  readonly wasReadOnly: boolean;
  readonly network: boolean;
  /** Whether other commands have run with another /tmp. */
  readonly hasOtherTemporary: boolean;
  /** Paths that the command must not change, and that were put back. */
  readonly putBack: readonly string[];
  /** Repositories that it made and that were set aside, because git would run a program for them. */
  readonly setAside: readonly SetAside[];
}

export const maxTimeoutSeconds = 3600;
const maxCommandLength = 256 * 1024;

export function clampTimeout(seconds: number): number {
  return Number.isFinite(seconds) ? Math.min(Math.max(1, seconds), maxTimeoutSeconds) : 1;
}

/** What is wrong with a request as it is written. */
export function requestFault({ command, env = {} }: CommandRequest): Fault | undefined {
  if (command.trim() === "") {
    return new Fault("invalid_arguments", "The command is empty.", "Write the command to run.");
  }
  if (command.length > maxCommandLength) {
    return new Fault(
      "too_large",
      `The command has ${command.length} characters; ${maxCommandLength} are allowed.`,
      "Write the long part to a file first, and use the file.",
    );
  }
  const bad = Object.keys(env).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (bad !== undefined) {
    return new Fault(
      "invalid_arguments",
      `${JSON.stringify(bad)} is not a name of a variable.`,
      "Use letters, digits and underscores; a digit cannot be the first.",
    );
  }
  if (command.includes("\0") || Object.values(env).some((value) => value.includes("\0"))) {
    return new Fault(
      "invalid_arguments",
      "The command contains a NUL character, which no command line can have.",
      "Leave it out, or write it as an escape such as \\0 for printf.",
    );
  }
  return undefined;
}
