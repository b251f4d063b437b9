// Which folders the person trusts. Nothing in a folder configures or runs anything before.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolder } from "@stet/workspace/state-folder";

function trustFile(environment: NodeJS.ProcessEnv): string {
  return join(dataFolder(environment), "trusted.json");
}

function trustedFolders(environment: NodeJS.ProcessEnv): string[] {
  const path = trustFile(environment);
  if (!existsSync(path)) return [];
  try {
    const list: unknown = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(list) ? list.filter((folder) => typeof folder === "string") : [];
  } catch {
    // A damaged file trusts nobody.
    return [];
  }
}

export function isTrusted(folder: string, environment: NodeJS.ProcessEnv): boolean {
  return trustedFolders(environment).includes(folder);
}

export function setTrusted(folder: string, trusted: boolean, environment: NodeJS.ProcessEnv): void {
  const others = trustedFolders(environment).filter((known) => known !== folder);
  const path = trustFile(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(trusted ? [...others, folder] : others), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export const trustMeaning =
  "Trusting a folder lets its .stet/config.json choose tools and limits. It never lets it choose a model, an address or a command.";
