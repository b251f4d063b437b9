// Which folders the person trusts. Nothing in a folder configures or runs anything before.

import { existsSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder, writePrivateFile } from "@stet/storage/private-files";
import { dataFolder } from "@stet/workspace/state-folder";

function trustFile(environment: NodeJS.ProcessEnv): string {
  return join(dataFolder(environment), "trusted.json");
}

/** Folders and the person's answers. */
function answers(environment: NodeJS.ProcessEnv): Record<string, boolean> {
  const path = trustFile(environment);
  if (!existsSync(path)) return {};
  try {
    const known: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof known !== "object" || known === null) return {};
    return Object.fromEntries(
      Object.entries(known).filter((entry): entry is [string, boolean] => typeof entry[1] === "boolean"),
    );
  } catch {
    // A damaged file trusts nobody.
    return {};
  }
}

export function isTrusted(folder: string, environment: NodeJS.ProcessEnv): boolean {
  return answers(environment)[folder] === true;
}

export function wasAsked(folder: string, environment: NodeJS.ProcessEnv): boolean {
  return answers(environment)[folder] !== undefined;
}

export function setTrusted(folder: string, trusted: boolean, environment: NodeJS.ProcessEnv): void {
  const path = trustFile(environment);
  makePrivateFolder(dirname(path));
  const content = JSON.stringify({ ...answers(environment), [folder]: trusted });
  writePrivateFile(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

export const trustMeaning =
  "Trusting a folder lets its .stet/config.json choose tools and limits, and its AGENTS.md speak to the model for you. It never lets it choose a model, an address or a command.";
