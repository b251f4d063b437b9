// At a start: what a killed process left of its agents' folders. What knows such folders is loaded only where there are any.

import { existsSync, readdirSync } from "node:fs";
import type { Environment } from "../commands/command-environment.ts";
import { agentsFolder } from "./agents-folder.ts";

export async function removeAnyLeftFolders(
  root: string,
  dataFolder: string,
  environment: Environment,
): Promise<void> {
  const agents = agentsFolder(dataFolder);
  if (!existsSync(agents) || readdirSync(agents).length === 0) return;
  const { removeLeftFolders } = await import("./agent-folder.ts");
  await removeLeftFolders(root, dataFolder, environment);
}
