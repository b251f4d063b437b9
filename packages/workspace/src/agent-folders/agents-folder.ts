import { join } from "node:path";

/** Where the folders of agents are, of all projects. */
export function agentsFolder(dataFolder: string): string {
  return join(dataFolder, "agents");
}
