// Instructions for the agent from files: the person's own AGENTS.md, then those of the project, from its root (that of the
// repository, where there is one) down to the folder that the person stands in. CLAUDE.md stands in where a folder has no
// AGENTS.md that can be used. They are text for the model, never configuration.
//
// A link is followed to another Markdown file of the project (AGENTS.md and CLAUDE.md are often one file with two names) and
// nowhere else: what is read here is sent to the model.

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

export interface Instruction {
  readonly path: string;
  readonly bytes: number;
  /** How many of them the model gets. */
  readonly usedBytes: number;
  readonly text: string;
}

const maxFileBytes = 16 * 1024;
const maxTotalBytes = 48 * 1024;

export function findInstructions(configFolder: string, root: string, folder: string): Instruction[] {
  const found: Instruction[] = [];
  const used = new Set<string>();
  let left = maxTotalBytes;
  for (const place of [configFolder, ...foldersBetween(root, folder)]) {
    const [file] = ["AGENTS.md", "CLAUDE.md"].flatMap((name) => {
      const path = join(place, name);
      const real = place === configFolder ? ownFile(path) : fileOfProject(path, root);
      return real === undefined ? [] : [{ path, real }];
    });
    if (file === undefined || left <= 0 || used.has(file.real)) continue;
    used.add(file.real);
    const content = readFileSync(file.real);
    const usedBytes = Math.min(content.length, maxFileBytes, left);
    const rest = usedBytes < content.length ? "\n[The rest is left out.]" : "";
    const text = `${content
      .subarray(0, usedBytes)
      .toString("utf8")
      .replace(/\ufffd+$/, "")}${rest}`;
    left -= usedBytes;
    found.push({ path: file.path, bytes: content.length, usedBytes, text });
  }
  return found;
}

/** What the person links in their own configuration is theirs, wherever it is. */
function ownFile(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return lstatSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}

function fileOfProject(path: string, root: string): string | undefined {
  const real = ownFile(path);
  if (real === undefined || real === path) return real;
  const inside = relative(realpathSync(root), real).split(sep);
  const isOutside = inside[0] === ".." || inside.some((name) => name.toLowerCase() === ".git");
  return isOutside || !/\.md$/i.test(real) ? undefined : real;
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
