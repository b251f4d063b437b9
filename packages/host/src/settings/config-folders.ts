// Where rules and skills are looked for: the project's own folder where the person trusts it, and their configuration.

import { join } from "node:path";
import { userConfigFolder } from "./configuration.ts";
import { isTrusted } from "./trust.ts";

export interface ConfigFolders {
  readonly project: string | undefined;
  readonly user: string;
}

export function configFoldersOf(
  folder: string,
  environment: NodeJS.ProcessEnv,
  trusted = isTrusted(folder, environment),
): ConfigFolders {
  return { project: trusted ? join(folder, ".stet") : undefined, user: userConfigFolder(environment) };
}
