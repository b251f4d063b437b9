// Opens the folder for one command, and closes it whatever happens.

import type { Client } from "@stet/client/client";
import { type Api, directClient } from "@stet/client/direct";
import { Folder, type FolderOperations } from "@stet/host/folder";
import { type Fault, isFault } from "@stet/protocol/fault";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { sessionStore } from "./open-session.ts";
import { showFault } from "./terminal.ts";

/** What commands call, whoever carries it out. */
export type CommandApi = Api<keyof FolderOperations>;

/** Beside a running server, it carries out what the command calls; otherwise this process does. */
export async function withApi(
  context: CommandContext,
  action: (api: CommandApi) => Promise<number | Fault>,
): Promise<number> {
  return withRunningServer(context, action, () =>
    withFolder(context, ({ operations }) => action(directClient(operations))),
  );
}

/** What a server does for the command, or `alone` where nobody serves the folder. */
export async function withRunningServer(
  context: CommandContext,
  action: (server: Client) => Promise<number | Fault>,
  alone: () => Promise<number | Fault>,
): Promise<number> {
  const { isGone, runningServer, serverGone } = await import("./running-server.ts");
  const server = await runningServer(context);
  if (server === undefined) return codeOf(await alone(), context);
  const result = isFault(server) ? server : await action(server);
  if (!isGone(result)) return codeOf(result, context);
  showFault(context.terminal, serverGone(context.root));
  return exitCode.failed;
}

export async function withFolder(
  context: CommandContext,
  action: (folder: Folder) => Promise<number | Fault>,
): Promise<number> {
  const { terminal, environment, endsProcess } = context;
  const folder = await Folder.open(context.root, {
    dataFolder: dataFolder(environment),
    sessions: sessionStore(context),
  });
  if (isFault(folder)) {
    showFault(terminal, folder);
    return exitCode.failed;
  }
  try {
    const { finished = [], takenBack = [] } = folder.workspace.recovery ?? {};
    for (const [groups, what] of [
      [finished, "Finished"],
      [takenBack, "Took back"],
    ] as const) {
      for (const group of groups) {
        const paths = group.files.map((file) => file.path).join(", ");
        terminal.note(`${what} a save that was interrupted: ${paths}.\n`);
      }
    }
    return codeOf(await action(folder), context);
  } finally {
    folder.close({ endsProcess });
  }
}

/** The exit code of a command; a refusal is told. */
export function codeOf(result: number | Fault, { terminal }: CommandContext): number {
  if (!isFault(result)) return result;
  showFault(terminal, result);
  return result.error === "aborted" ? exitCode.interrupted : exitCode.refused;
}

export function usage(context: CommandContext, message: string): number {
  context.terminal.note(`stet: ${message}\n`);
  return exitCode.usage;
}
