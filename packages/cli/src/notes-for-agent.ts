// The notes that a turn gets from files, each told to the person, and where they stand.

import { relative } from "node:path";
import { userConfigFolder } from "@stet/host/settings/configuration";
import { findInstructions, type Instruction } from "@stet/host/turn/instructions";
import { homeFolder } from "@stet/workspace/files/state-folder";
import { repositoryRootOf } from "@stet/workspace/files/workspace-root";
import type { CommandContext } from "./command.ts";

export function instructionsFor(context: CommandContext, isTrusted: boolean): Instruction[] {
  const { terminal, environment, folder, root } = context;
  const tell = (text: string) => terminal.note(terminal.style("dim", `${text}\n`));
  warnOfWideFolder(context);
  const instructions = findInstructions({
    configFolder: userConfigFolder(environment),
    root: repositoryRootOf(folder, environment) ?? root,
    folder,
    trusted: isTrusted ? root : undefined,
  });
  for (const { path, bytes, usedBytes, isTrusted: isOwn } of instructions) {
    const cut = usedBytes < bytes ? `, of which the first ${usedBytes.toLocaleString("en")} are used` : "";
    const whose = isOwn ? "" : ", not as yours: this folder is not trusted (stet trust)";
    tell(`Using the notes in ${path} (${bytes.toLocaleString("en")} bytes${cut})${whose}.`);
  }
  if (folder === root) return instructions;
  tell(`Working in ${root}, the workspace that this folder is part of.`);
  const text = `The person stands in the folder ${relative(root, folder)} of this project. Paths in their messages may be relative to it.`;
  return [
    ...instructions,
    { path: "the command line", bytes: text.length, usedBytes: text.length, text, isTrusted: true },
  ];
}

/** Everything of a person is below these, and an agent would look through all of it. */
function warnOfWideFolder({ terminal, environment, root }: CommandContext): void {
  const what =
    root === homeFolder(environment) ? "your home folder" : root === "/" ? "the whole system" : undefined;
  if (what === undefined) return;
  terminal.note(
    `${terminal.style("yellow", "Careful:")} the agent works in ${what}. Use a project's folder: stet -C DIR …\n`,
  );
}
