// Opens the workspace for one command and closes it whatever happens.

import { type Fault, isFault } from "@stet/protocol/fault";
import { dataFolder } from "@stet/workspace/files/state-folder";
import { Workspace } from "@stet/workspace/workspace";
import type { CommandContext } from "./command.ts";
import { exitCode } from "./exit-code.ts";
import { showFault } from "./terminal.ts";

export async function withWorkspace(
  context: CommandContext,
  action: (workspace: Workspace) => Promise<number | Fault>,
): Promise<number> {
  const workspace = await Workspace.open(context.root, {
    dataFolder: dataFolder(context.environment),
  });
  if (isFault(workspace)) {
    showFault(context.terminal, workspace);
    return exitCode.failed;
  }
  try {
    const { finished = [], takenBack = [] } = workspace.recovery ?? {};
    for (const [groups, what] of [
      [finished, "Finished"],
      [takenBack, "Took back"],
    ] as const) {
      for (const group of groups) {
        const paths = group.files.map((file) => file.path).join(", ");
        context.terminal.note(`${what} a save that was interrupted: ${paths}.\n`);
      }
    }
    const result = await action(workspace);
    if (!isFault(result)) return result;
    showFault(context.terminal, result);
    return exitCode.refused;
  } finally {
    // A process that ends now takes the connection with it. Closing it properly would first copy the write-ahead log into
    // the ledger, which takes longer than all else a small command does; SQLite does that once the log has grown.
    if (context.endsProcess) workspace.leave();
    else workspace.close();
  }
}

export function usage(context: CommandContext, message: string): number {
  context.terminal.note(`stet: ${message}\n`);
  return exitCode.usage;
}
