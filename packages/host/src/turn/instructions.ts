// Instructions for the agent from files: the person's own AGENTS.md, then those of the project, from its root (that of the
// repository, where there is one) down to the folder that the person stands in. CLAUDE.md stands in where a folder has no
// AGENTS.md that can be used. They are text for the model, never configuration.
//
// A link is followed to another Markdown file of the project (AGENTS.md and CLAUDE.md are often one file with two names) and
// nowhere else: what is read here is sent to the model.
//
// Notes of a folder that the person does not trust are introduced to the model as that, and come last: nothing in them can
// end the part that is not the person's.

import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { filledPrompt } from "@stet/agent/prompt-file";

export interface Instruction {
  readonly path: string;
  readonly bytes: number;
  /** How many of them the model gets. */
  readonly usedBytes: number;
  readonly text: string;
  /** The person's own, or of a folder that they trust. */
  readonly isTrusted: boolean;
}

export interface NotePlaces {
  /** The person's own configuration. */
  readonly configFolder: string;
  /** Where the project begins, and the folder that the person stands in. */
  readonly root: string;
  readonly folder: string;
  /** The folder that the person trusts, with everything below it; undefined where they do not. */
  readonly trusted: string | undefined;
}

const maxFileBytes = 16 * 1024;
const maxTotalBytes = 48 * 1024;

export function findInstructions({ configFolder, root, folder, trusted }: NotePlaces): Instruction[] {
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
    const isTrusted = place === configFolder || (trusted !== undefined && isWithin(place, trusted));
    found.push({ path: file.path, bytes: content.length, usedBytes, text, isTrusted });
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
  for (let place = folder; isWithin(place, root); place = dirname(place)) {
    folders.unshift(place);
    if (place === root) break;
  }
  return folders;
}

function isWithin(place: string, root: string): boolean {
  const way = relative(root, place);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

export function withInstructions(system: string, instructions: readonly Instruction[]): string {
  const [own, others] = [true, false].map((isTrusted) =>
    instructions
      .filter((instruction) => instruction.isTrusted === isTrusted)
      .map(({ path, text }) => `From ${path}:\n\n${text.trim()}`)
      .join("\n\n"),
  );
  return [
    system,
    own ? filledPrompt("notes-of-person.md", { notes: own }) : "",
    others ? filledPrompt("notes-of-untrusted-folder.md", { notes: others }) : "",
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}
