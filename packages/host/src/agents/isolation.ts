// Where an agent works: over the documents of whoever sent it, or in a folder of its own whose changes are brought back.

import type { Fault } from "@stet/protocol/fault";
import { isFault } from "@stet/protocol/fault";
import { runsCommands } from "@stet/tools/agents/agent-definition";
import type { ChildRequest } from "@stet/tools/agents/delegation";
import type { AgentFolder } from "@stet/workspace/agent-folders/agent-folder";
import { Workspace } from "@stet/workspace/workspace";
import type { Settings } from "../settings/configuration.ts";
import type { ChildAgent } from "./child-agent.ts";
import type { Sender } from "./sender.ts";

export interface ChildWorkplace {
  readonly workspace: Workspace;
  /** Undefined where it works over the sender's documents. */
  readonly folder: AgentFolder | undefined;
  close(): Promise<void>;
}

/** Whether it gets a folder: as the call says, else its own file, else the setting; never one that runs no commands. */
export function wantsFolder({ agent, isolated }: ChildRequest, settings: Settings): boolean {
  const isUsual = agent.isolated ?? settings["task.isolation.mode"] !== "ledger";
  return runsCommands(agent) && (isolated ?? isUsual);
}

export async function openWorkplace(
  child: ChildAgent,
  request: ChildRequest,
  sender: Sender,
  dataFolder: string,
): Promise<ChildWorkplace | Fault> {
  const { settings, surroundings } = sender;
  const { workspace, environment } = surroundings;
  if (!wantsFolder(request, settings)) {
    child.isolation = "ledger";
    return { workspace, folder: undefined, close: async () => {} };
  }
  const { makeAgentFolder } = await import("@stet/workspace/agent-folders/agent-folder");
  child.note("makes its folder");
  const folder = await makeAgentFolder({
    workspace,
    turn: sender.turn,
    dataFolder,
    kind: settings["task.isolation.mode"] === "copy" ? "copy" : "worktree",
    environment,
    signal: child.stop.signal,
    onProgress: (text) => child.note(text),
  });
  if (isFault(folder)) return folder;
  child.isolation = folder.kind;
  const own = await Workspace.open(folder.root, { dataFolder: folder.dataFolder });
  if (isFault(own)) {
    await folder.remove();
    return own;
  }
  const close = async () => {
    own.close();
    await folder.remove();
  };
  return { workspace: own, folder, close };
}
