// Every command of the prompt. Completion, /help and docs/terminal.md are made from this table, so what is added here is known
// everywhere. The file that does the work is loaded when the command is used: the table itself is read before the first key.
//
// A row: `name` without the slash, `arguments` as help shows them, `help` as a sentence without its full stop, `whileBusy`
// where it makes sense while a turn runs. Rows are in the order in which help lists them.

import type { SlashCommand } from "../app.ts";

export const slashCommands: readonly SlashCommand[] = [
  {
    name: "help",
    aliases: ["?"],
    arguments: "[COMMAND]",
    help: "the commands and keys",
    whileBusy: true,
    complete: async (word) => slashCommands.map(({ name }) => name).filter((name) => name.startsWith(word)),
    run: async (argument, app) => (await import("./help.ts")).help(argument, app),
  },
  {
    name: "theme",
    arguments: "[NAME]",
    help: "choose the colours",
    whileBusy: true,
    complete: async (word, app) => (await import("./theme.ts")).completeTheme(word, app),
    run: async (argument, app) => (await import("./theme.ts")).theme(argument, app),
  },
  {
    name: "settings",
    arguments: "[NAME [VALUE]]",
    help: "see and change every setting",
    whileBusy: true,
    complete: async (word, app) => (await import("./settings.ts")).completeSetting(word, app),
    run: async (argument, app) => (await import("./settings.ts")).settings(argument, app),
  },
  {
    name: "review",
    help: "go through what the agent changed, and decide",
    whileBusy: true,
    run: async (_, app) => (await import("./review.ts")).review(app),
  },
  {
    name: "quit",
    aliases: ["exit", "q"],
    help: "leave; the session is kept",
    whileBusy: true,
    run: (_, app) => app.quit(),
  },
];

/** By its name or another one; undefined where there is none. */
export function findCommand(name: string): SlashCommand | undefined {
  const wanted = name.toLowerCase();
  return slashCommands.find(
    (command) => command.name === wanted || command.aliases?.includes(wanted) === true,
  );
}

/** `/name` and what follows it, as it is typed. */
export function usageOf({ name, arguments: words }: SlashCommand): string {
  return words === undefined ? `/${name}` : `/${name} ${words}`;
}
