// The operations on models for a command that needs nothing else of its folder: settings are read, and neither the ledger nor a
// session is opened, so that it also works where there is no project.

import type { Operations } from "@stet/protocol/api/operation";
import { configOperations } from "./operations/config.ts";
import { modelOperations } from "./operations/models.ts";
import { loadConfiguration } from "./settings/configuration.ts";
import { isTrusted } from "./settings/trust.ts";

export interface ModelsOfFolderOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly dataFolder: string;
}

export type ModelsOfFolder = ReturnType<typeof modelsOfFolder>;

/** `root`: a real path. */
export function modelsOfFolder(root: string, { environment, dataFolder }: ModelsOfFolderOptions) {
  const trusted = isTrusted(root, environment);
  const host = {
    environment,
    dataFolder,
    workspace: { root: { path: root } },
    configuration: () => loadConfiguration({ folder: root, environment, isTrusted: trusted }),
    // Nobody reads the events of a command.
    events: { tell() {} },
  };
  const config = configOperations({ ...host, limits: {} });
  return { ...modelOperations(host), ...config } satisfies Partial<Operations>;
}
