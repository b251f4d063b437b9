// Commands over a temporary folder, for one test; closed when the test ends.

import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CommandEnd, CommandRequest } from "@stet/workspace/commands/command";
import { Commands, type CommandsOptions } from "@stet/workspace/commands/commands";
import { openRoot } from "@stet/workspace/files/containment";
import { temporaryFolder } from "./temporary.ts";
import { must } from "./workspace.ts";

export interface CommandsFixture {
  readonly commands: Commands;
  /** Everything of the test is in it: root, state and home. */
  readonly folder: string;
  readonly root: string;
  readonly home: string;
  /** Runs to the end: in the sandbox unless given otherwise, and without the network. */
  run(command: string, request?: Partial<CommandRequest>): Promise<CommandEnd>;
  refused(command: string, request?: Partial<CommandRequest>): Promise<Fault>;
}

export interface CommandsFixtureOptions extends Partial<CommandsOptions> {
  /** Below the folder: `root/…`, `home/…`. */
  readonly files?: Record<string, string>;
  /** Where commands run by default. */
  readonly inSandbox?: boolean;
}

export function openCommands(t: TestContext, options: CommandsFixtureOptions = {}): CommandsFixture {
  const { files = {}, inSandbox = true, ...rest } = options;
  // What a test registers first is done first: the folder goes after everything in it has ended.
  const opened: Commands[] = [];
  t.after(() => Promise.all(opened.map((each) => each.close())));
  const folder = temporaryFolder(t, { "root/.keep": "", "state/.keep": "", "home/.keep": "", ...files });
  const home = join(folder, "home");
  const environment = { PATH: process.env.PATH, LANG: "C.UTF-8", HOME: home, ...rest.environment };
  const commands = new Commands({
    stateFolder: join(folder, "state"),
    isSandboxed: true,
    ...rest,
    environment,
    root: rest.root ?? must(openRoot(join(folder, "root"))),
  });
  opened.push(commands);
  const start = (command: string, request: Partial<CommandRequest> = {}) =>
    commands.run({ command, timeoutSeconds: 20, isSandboxed: inSandbox, network: false, ...request });
  return {
    commands,
    folder,
    root: join(folder, "root"),
    home,
    run: async (command, request) => must(await start(command, request)),
    async refused(command, request) {
      const end = await start(command, request);
      if (!isFault(end)) throw new Error(`expected a fault, not ${JSON.stringify(end)}`);
      return end;
    },
  };
}

/** A line why a test that needs the sandbox is skipped; false where there is one. */
export function noSandbox(): string | false {
  const root = must(openRoot(process.cwd()));
  const { kind, reason } = new Commands({
    root,
    stateFolder: root.path,
    environment: process.env,
    isSandboxed: true,
  }).sandbox;
  return kind === "none" ? reason : false;
}
