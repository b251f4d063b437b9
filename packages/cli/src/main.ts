#!/usr/bin/env node
// The `stet` command. Only what the first words ask for is loaded.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { boundMemory } from "./bound-memory.ts";
import type { Command, CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

const commands: Readonly<Record<string, () => Promise<Command>>> = {
  tabs: async () => (await import("./commands/tabs.ts")).tabs,
  search: async () => (await import("./commands/search.ts")).search,
  review: async () => (await import("./commands/review.ts")).review,
  checkpoints: async () => (await import("./commands/checkpoints.ts")).checkpoints,
  rollback: async () => (await import("./commands/rollback.ts")).rollback,
  sessions: async () => (await import("./commands/sessions.ts")).sessions,
  models: async () => (await import("./commands/models.ts")).models,
  config: async () => (await import("./commands/config.ts")).config,
  trust: async () => (await import("./commands/trust.ts")).trust,
  permissions: async () => (await import("./commands/permissions.ts")).permissions,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  serve: async () => (await import("./commands/serve.ts")).serve,
  work: async () => (await import("./commands/work.ts")).work,
  completions: async () => (await import("./commands/completions.ts")).completions,
};

/** Where the command runs: everything of the process that it uses. */
export interface Surroundings {
  readonly terminal: Terminal;
  /** Where the person stands. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly endsProcess: boolean;
}

export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal, cwd, environment } = surroundings;
  const [first] = args;
  if (first === "--version" || first === "-v") {
    terminal.out(`${await version()}\n`);
    return exitCode.done;
  }
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    terminal.out((await import("./help.ts")).help);
    return first === undefined ? exitCode.usage : exitCode.done;
  }
  const { folder, rest } = takeFolder(args);
  const context: CommandContext = { ...surroundings, folder: resolve(cwd, folder) };
  if (!existsSync(context.folder)) {
    terminal.note(`stet: There is no folder ${context.folder}.\n`);
    return exitCode.usage;
  }
  const load = commands[rest[0] ?? ""];
  try {
    if (load !== undefined) return await (await load())(rest.slice(1), context);
    return await (await import("./commands/print.ts")).print(rest, context);
  } catch (error) {
    if (isUsageError(error)) {
      terminal.note(`stet: ${error.message} See stet --help.\n`);
      return exitCode.usage;
    }
    // The session that could not be written, or a bug. Either way a person gets a sentence, and the stack when asked for.
    if (environment.STET_DEBUG) throw error;
    terminal.note(`stet: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCode.failed;
  }
}

async function version(): Promise<string> {
  const { readFileSync } = await import("node:fs");
  const { version: number }: { version: string } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  return number;
}

/** `-C DIR` may stand before a command, too. */
function takeFolder(args: readonly string[]): { folder: string; rest: string[] } {
  const at = args.findIndex((word) => word === "-C" || word === "--folder");
  if (at < 0) return { folder: ".", rest: [...args] };
  return { folder: args[at + 1] ?? ".", rest: [...args.slice(0, at), ...args.slice(at + 2)] };
}

/** What `parseArgs` throws for a wrong option. */
function isUsageError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Ctrl-C stops the turn; a second one ends the process. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
    process.stderr.write("\nStopping. Press Ctrl-C again to end at once.\n");
  });
  return controller.signal;
}

/** Whoever reads our output may stop reading; that is no error. */
function endQuietly(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(exitCode.done);
  });
}

export async function start(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (takeFolder(args).rest[0] === "serve") boundMemory();
  endQuietly();
  process.exitCode = await main(args, {
    terminal: processTerminal(),
    cwd: process.cwd(),
    environment: process.env,
    signal: interruption(),
    endsProcess: true,
  });
}

if (import.meta.main) await start();
