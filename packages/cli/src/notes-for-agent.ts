// The notes that a turn gets from files, each told to the person, and where they stand.

import { relative } from "node:path";
import type { Instruction } from "@stet/host/turn/instructions";
import { numberText } from "@stet/protocol/number-text";
import { homeFolder } from "@stet/workspace/files/state-folder";
import type { CommandContext } from "./command.ts";

export function tellInstructions(context: CommandContext, instructions: readonly Instruction[]): void {
  const { terminal } = context;
  warnOfWideFolder(context);
  for (const { path, bytes, usedBytes, isTrusted } of instructions) {
    const cut = usedBytes < bytes ? `, of which the first ${numberText(usedBytes)} are used` : "";
    const whose = isTrusted ? "" : ", not as yours: this folder is not trusted (stet trust)";
    const line = `Using the notes in ${path} (${numberText(bytes)} bytes${cut})${whose}.`;
    terminal.note(terminal.style("dim", `${line}\n`));
  }
}

/** Where the person stands, told to both sides. */
export function folderNote({ terminal, folder, root }: CommandContext): Instruction[] {
  if (folder === root) return [];
  const line = `Working in ${root}, the workspace that this folder is part of.`;
  terminal.note(terminal.style("dim", `${line}\n`));
  const text = `The person stands in the folder ${relative(root, folder)} of this project. Paths in their messages may be relative to it.`;
  return [{ path: "the command line", bytes: text.length, usedBytes: text.length, text, isTrusted: true }];
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
