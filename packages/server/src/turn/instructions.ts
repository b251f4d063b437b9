// Instructions for the agent from files: the person's own AGENTS.md, then those of the project, from its root down to the
// working folder. CLAUDE.md stands in where a folder has no AGENTS.md. They are text for the model, never configuration.

import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface Instruction {
  readonly path: string;
  readonly bytes: number;
  readonly text: string;
}

const maxFileBytes = 16 * 1024;
const maxTotalBytes = 48 * 1024;

export function findInstructions(configFolder: string, root: string, folder: string): Instruction[] {
  const found: Instruction[] = [];
  let left = maxTotalBytes;
  for (const place of [configFolder, ...foldersBetween(root, folder)]) {
    const path = ["AGENTS.md", "CLAUDE.md"]
      .map((name) => join(place, name))
      .find((candidate) => existsSync(candidate));
    if (path === undefined || left <= 0 || !isOwn(path, place)) continue;
    const content = readFileSync(path);
    const limit = Math.min(maxFileBytes, left);
    const isCut = content.length > limit;
    const text = `${content.subarray(0, limit).toString("utf8")}${isCut ? "\n[The rest is left out.]" : ""}`;
    left -= Math.min(content.length, limit);
    found.push({ path, bytes: content.length, text });
  }
  return found;
}

/** A regular file where it says it is: a link could lead to a secret, which would then be sent to the model. */
function isOwn(path: string, folder: string): boolean {
  return lstatSync(path).isFile() && dirname(realpathSync(path)) === realpathSync(folder);
}

/** From the root down to the folder, both included. */
function foldersBetween(root: string, folder: string): string[] {
  const folders: string[] = [];
  for (let place = folder; !relative(root, place).startsWith(".."); place = dirname(place)) {
    folders.unshift(place);
    if (place === root) break;
  }
  return folders;
}

export function withInstructions(system: string, instructions: readonly Instruction[]): string {
  if (instructions.length === 0) return system;
  const parts = instructions.map(({ path, text }) => `From ${path}:\n\n${text.trim()}`);
  return `${system}\n\nNotes that the person keeps for agents:\n\n${parts.join("\n\n")}`;
}
