#!/usr/bin/env node
// The `stet` command. Only what the first words ask for is loaded.

import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { inspect } from "node:util";
import { type Fault, isFault } from "@stet/protocol/fault";
import { onNotice } from "@stet/storage/notices";
import { installLog, log } from "@stet/storage/operator-log";
import { growThreadPool } from "@stet/workspace/files/concurrently";
import type { Command, CommandContext, Surroundings } from "./command.ts";
import {
  type CommandEntry,
  type CommandName,
  commandTable,
  isCommandName,
  turnEntry,
} from "./command-table.ts";
import { exitCode } from "./exit-code.ts";
import { isMisuse, parseWords, type Words } from "./parse-words.ts";
import { onOutputError, processTerminal, showFault, type Terminal } from "./terminal.ts";

type Loaders = { readonly [Name in CommandName]: () => Promise<Command<Name>> };

const loaders: Loaders = {
  tabs: async () => (await import("./commands/tabs.ts")).tabs,
  search: async () => (await import("./commands/search.ts")).search,
  review: async () => (await import("./commands/review.ts")).review,
  checkpoints: async () => (await import("./commands/checkpoints.ts")).checkpoints,
  rollback: async () => (await import("./commands/rollback.ts")).rollback,
  sessions: async () => (await import("./commands/sessions.ts")).sessions,
  agents: async () => (await import("./commands/agents.ts")).agents,
  jobs: async () => (await import("./commands/jobs.ts")).jobs,
  login: async () => (await import("./commands/login.ts")).login,
  logout: async () => (await import("./commands/logout.ts")).logout,
  models: async () => (await import("./commands/models.ts")).models,
  config: async () => (await import("./commands/config.ts")).config,
  trust: async () => (await import("./commands/trust.ts")).trust,
  permissions: async () => (await import("./commands/permissions.ts")).permissions,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  serve: async () => (await import("./commands/serve.ts")).serve,
  work: async () => (await import("./commands/work.ts")).work,
  completions: async () => (await import("./commands/completions.ts")).completions,
};

export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal, cwd, environment } = surroundings;
  const refuse = (problem: string, name?: CommandName) => {
    terminal.note(`stet: ${problem} See stet ${name === undefined ? "" : `${name} `}--help.\n`);
    return exitCode.usage;
  };
  const { folder, rest } = takeFolder(args);
  if (folder === undefined) return refuse("-C needs a folder: -C DIR.");
  const [first, second] = rest;
  if (first === undefined && surroundings.interact === undefined) {
    terminal.out((await import("./help.ts")).help());
    return exitCode.usage;
  }
  if (first === "--version" || first === "-v") {
    terminal.out(`${(await import("@stet/host/version")).version()}\n`);
    return exitCode.done;
  }
  const asked = asksForHelp(rest);
  if (first === "help" && second !== undefined && !isCommandName(second))
    return refuse(await unknownCommand(second));
  if (asked || first === "help") {
    const { help, helpFor } = await import("./help.ts");
    const name = first === "help" ? second : first;
    terminal.out(isCommandName(name) ? helpFor(name) : help());
    return exitCode.done;
  }
  const meant = resolve(cwd, folder);
  if (statSync(meant, { throwIfNoEntry: false })?.isDirectory() !== true) {
    terminal.note(`stet: There is no folder ${meant}.\n`);
    return exitCode.usage;
  }
  const { workspaceRootOf } = await import("@stet/workspace/files/workspace-root");
  const { dataFolder } = await import("@stet/workspace/files/state-folder");
  const { narrowDataFolder } = await import("@stet/storage/narrow-data-folder");
  narrowDataFolder(dataFolder(environment), Boolean(environment.STET_DATA_DIR));
  const real = realpathSync(meant);
  const context: CommandContext = { ...surroundings, folder: real, root: workspaceRootOf(real, environment) };
  const stopLog = environment.STET_LOG ? await startLog(terminal, environment) : () => {};
  if (isFault(stopLog)) {
    showFault(terminal, stopLog);
    return exitCode.usage;
  }
  const stopNotices = onNotice((notice) => showFault(terminal, notice));
  try {
    if (isCommandName(first)) {
      const result = await runCommand(first, rest.slice(1), context);
      return typeof result === "number" ? result : refuse(result.problem, first);
    }
    const words = await parseWords(turnEntry, rest);
    if (isMisuse(words)) return refuse(words.problem);
    const mistake = await mistakenCommand(words);
    if (mistake !== undefined) return refuse(mistake);
    const isPrinted = words.values.print || words.values.mode === "json" || words.values["no-session"];
    if (!isPrinted && surroundings.interact !== undefined) {
      // The screen is drawn by one renderer: notices reach it as events of the host.
      stopNotices();
      return await surroundings.interact(words, context);
    }
    return await (await import("./commands/print.ts")).print(words, context);
  } catch (error) {
    // The session that could not be written, or a bug. Either way a person gets a sentence, and the log the stack.
    log("error", "command.broken", { command: first }, error);
    terminal.note(`stet: ${error instanceof Error ? error.message : String(error)}\n`);
    return exitCode.failed;
  } finally {
    stopNotices();
    stopLog();
  }
}

/** Loaded only where a log is asked for. */
async function startLog(terminal: Terminal, environment: NodeJS.ProcessEnv): Promise<(() => void) | Fault> {
  const { logSinkFor } = await import("@stet/storage/operator-log-sink");
  const sink = logSinkFor(environment, (line) => terminal.note(line));
  return isFault(sink) ? sink : installLog(sink);
}

async function runCommand<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  context: CommandContext,
): Promise<number | { readonly problem: string }> {
  const words = await parseWords(commandTable[name], args);
  if (isMisuse(words)) return words;
  const problem = await verbProblem(name, words.positionals[0]);
  if (problem !== undefined) return { problem };
  const command = await loaders[name]();
  return command(words, context);
}

async function verbProblem(name: CommandName, verb: string | undefined): Promise<string | undefined> {
  const { verbs, isVerbNeeded, takesOtherWords }: CommandEntry = commandTable[name];
  if (verbs === undefined || takesOtherWords || (verb === undefined && !isVerbNeeded)) return undefined;
  if (verb !== undefined && Object.hasOwn(verbs, verb)) return undefined;
  const known = Object.keys(verbs);
  const all = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  if (verb === undefined) return `Say which: stet ${name} ${all}.`;
  const { nearest } = await import("./nearest.ts");
  const near = nearest(verb, known);
  return `"${name} ${verb}" is not known. ${near === undefined ? `There is ${all}.` : `Did you mean ${near}?`}`;
}

/**
 * A mistyped command must not become a turn that is paid for. So without -p a request has several words, and its first is
 * not one slip away from a command.
 */
async function mistakenCommand({
  values,
  positionals,
}: Words<typeof turnEntry>): Promise<string | undefined> {
  const [first, ...others] = positionals;
  if (values.print || first === undefined || first.startsWith("@") || /\s/.test(first)) return undefined;
  const { nearest } = await import("./nearest.ts");
  if (others.length > 0 && nearest(first, Object.keys(commandTable)) === undefined) return undefined;
  return `${await unknownCommand(first)} To ask the agent: stet -p "${positionals.join(" ")}".`;
}

async function unknownCommand(word: string): Promise<string> {
  const { nearest } = await import("./nearest.ts");
  const near = nearest(word, Object.keys(commandTable));
  return `There is no command ${word}.${near === undefined ? "" : ` Did you mean ${near}?`}`;
}

/** `-C DIR` may stand before a command, too. No folder where its name is missing. */
function takeFolder(args: readonly string[]): { folder: string | undefined; rest: string[] } {
  const end = args.indexOf("--");
  const at = args.findIndex((word, index) => (end < 0 || index < end) && /^(-C|--folder(=|$))/.test(word));
  const word = args[at];
  if (word === undefined) return { folder: ".", rest: [...args] };
  const isApart = word === "-C" || word === "--folder";
  const folder = isApart ? args[at + 1] : word.replace(/^(-C|--folder)=?/, "");
  const rest = [...args.slice(0, at), ...args.slice(at + (isApart ? 2 : 1))];
  const isMissing = folder === undefined || folder === "" || (isApart && folder.startsWith("-"));
  return { folder: isMissing ? undefined : folder, rest };
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? undefined : end).some((word) => word === "--help" || word === "-h");
}

/** Ctrl-C stops the turn; a second one ends the process. */
function interruption(terminal: Terminal): Pick<Surroundings, "signal" | "interrupt"> {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    controller.abort();
    terminal.note("\nStopping. Press Ctrl-C again to end at once.\n");
  };
  process.on("SIGINT", interrupt);
  return { signal: controller.signal, interrupt };
}

/** Whoever reads our output may stop reading; that is no error. */
function endQuietly(terminal: Terminal): void {
  onOutputError((error) => {
    if (error.code === "EPIPE") process.exit(exitCode.done);
    terminal.note(`stet: The output could not be written: ${error.message}.\n`);
    process.exit(exitCode.failed);
  });
}

/** A bug that nobody caught is told as everything else is: Node itself would print the error's text as it is. */
function tellBugs(terminal: Terminal): void {
  const tell = (error: unknown) => {
    terminal.note(`stet: ${inspect(error)}\n`);
    process.exit(exitCode.failed);
  };
  process.on("uncaughtException", tell).on("unhandledRejection", tell);
}

const interact: NonNullable<Surroundings["interact"]> = async (words, context) =>
  (await import("./interactive/start.ts")).startInteractive(words, context);

export async function start(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (takeFolder(args).rest[0] === "serve") (await import("./bound-memory.ts")).boundMemory();
  growThreadPool();
  const terminal = processTerminal();
  endQuietly(terminal);
  tellBugs(terminal);
  process.exitCode = await main(args, {
    terminal,
    cwd: process.cwd(),
    environment: process.env,
    ...interruption(terminal),
    endsProcess: true,
    ...(terminal.isInteractive ? { interact } : {}),
  });
}

if (import.meta.main) await start();
