// The operations on models, for commands: of the server that serves the folder, so that open windows see what changed, else of
// this process, which opens nothing of the folder for them.

import { type Api, directClient } from "@stet/client/direct";
import type { ModelsOfFolder } from "@stet/host/models-of-folder";
import type { Fault } from "@stet/protocol/fault";
import { dataFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "../command.ts";
import { withRunningServer } from "../with-folder.ts";

export type ModelsApi = Api<keyof ModelsOfFolder>;

export async function withModels(
  context: CommandContext,
  action: (api: ModelsApi) => Promise<number | Fault>,
): Promise<number> {
  return withRunningServer(context, action, async () => action(await ownModels(context)));
}

export async function ownModels({ root, environment }: CommandContext): Promise<ModelsApi> {
  const { modelsOfFolder } = await import("@stet/host/models-of-folder");
  return directClient(modelsOfFolder(root, { environment, dataFolder: dataFolder(environment) }));
}
