// What is sent from the prompt: a command where it begins with a slash and a name, else a message. A path (/usr/bin) is none.

import type { App } from "../app.ts";
import { findCommand, slashCommands } from "./table.ts";

export interface CommandLine {
  readonly name: string;
  readonly argument: string;
}

/** Undefined where the text is a message. */
export function parseCommand(text: string): CommandLine | undefined {
  const match = /^\/([a-z][\w-]*|\?)(?:\s+([\s\S]*))?$/i.exec(text.trim());
  return match?.[1] === undefined ? undefined : { name: match[1], argument: (match[2] ?? "").trim() };
}

/** Returns whether the text was used up; where it was not, the prompt keeps it. */
export async function runCommand({ name, argument }: CommandLine, app: App): Promise<boolean> {
  const command = findCommand(name);
  if (command === undefined) {
    const { nearest } = await import("../../nearest.ts");
    const names = slashCommands.map((known) => known.name);
    const near = names.find((known) => known.startsWith(name.toLowerCase())) ?? nearest(name, names);
    const hint = near === undefined ? "/help lists all of them." : `Did you mean /${near}?`;
    app.tell(`There is no command /${name}. ${hint}`, "error");
    return false;
  }
  if (app.conversation.runningJob !== undefined && command.whileBusy !== true) {
    app.tell(`/${command.name} has to wait until the turn has ended; Esc stops it.`, "warning");
    return false;
  }
  await command.run(argument, app);
  return true;
}
