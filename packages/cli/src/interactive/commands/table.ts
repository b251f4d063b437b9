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
    name: "diff",
    arguments: "[FILE | turn]",
    help: "what is open, in all files or in one; or what the latest turn did",
    whileBusy: true,
    complete: async (word, app) => (await import("./diff.ts")).completeDiff(word, app),
    run: async (argument, app) => (await import("./diff.ts")).diff(argument, app),
  },
  {
    name: "undo",
    help: "take the latest turn back; shows what that changes first",
    run: async (_, app) => (await import("./undo.ts")).undo(app),
  },
  {
    name: "redo",
    help: "take the latest undo back",
    run: async (_, app) => (await import("./undo.ts")).redo(app),
  },
  {
    name: "checkpoints",
    help: "all turns that changed files, and the way back to before each",
    run: async (_, app) => (await import("./checkpoints.ts")).checkpoints(app),
  },
  {
    name: "tree",
    help: "the session as a tree: go on from any message, name it, search",
    run: async (_, app) => (await import("../sessions/go-on.ts")).openTree(app),
  },
  {
    name: "branch",
    help: "begin a new session from one of your messages",
    run: async (_, app) => {
      if (app.settings.doubleEscapeAction === "tree")
        await (await import("../sessions/go-on.ts")).openTree(app);
      else await (await import("../sessions/branch-off.ts")).branchOff(app);
    },
  },
  {
    name: "fork",
    help: "go on in a copy of the session",
    run: async (_, app) => (await import("../sessions/branch-off.ts")).forkSession(app),
  },
  {
    name: "resume",
    help: "go on with another session",
    run: async (_, app) => (await import("../sessions/resume.ts")).resume(app),
  },
  {
    name: "model",
    arguments: "[NAME]",
    help: "choose who answers, the mode, and favourites",
    whileBusy: true,
    complete: async (word, app) => (await import("./model.ts")).completeModel(word, app),
    run: async (argument, app) => (await import("./model.ts")).model(argument, app),
  },
  {
    name: "login",
    arguments: "[PROVIDER [ADDRESS]]",
    help: "connect a provider of models, by its key or address",
    whileBusy: true,
    complete: async (word, app) => (await import("./login.ts")).completeLogin(word, app),
    run: async (argument, app) => (await import("./login.ts")).login(argument, app),
  },
  {
    name: "logout",
    arguments: "[PROVIDER]",
    help: "forget keys that were kept here",
    whileBusy: true,
    complete: async (word, app) => (await import("./login.ts")).completeLogin(word, app),
    run: async (argument, app) => (await import("./logout.ts")).logout(argument, app),
  },
  {
    name: "thinking",
    arguments: "[LEVEL]",
    help: "how much the model thinks before it answers",
    whileBusy: true,
    complete: async (word) => (await import("./thinking.ts")).completeThinking(word),
    run: async (argument, app) => (await import("./thinking.ts")).thinking(argument, app),
  },
  {
    name: "plan",
    arguments: "[WHAT]",
    help: "only read until a plan is approved",
    run: async (argument, app) => (await import("./plan.ts")).plan(argument, app),
  },
  {
    name: "permissions",
    arguments: "[MODE]",
    help: "what may be done without a question, and taking it back",
    whileBusy: true,
    run: async (argument, app) => (await import("./permissions.ts")).permissions(argument, app),
  },
  {
    name: "todo",
    arguments: "[add|done|drop|rm|edit|clear]",
    help: "the agent's list of tasks; see it and change it",
    whileBusy: true,
    complete: async (word) => (await import("./todo.ts")).todoVerbs.filter((verb) => verb.startsWith(word)),
    run: async (argument, app) => (await import("./todo.ts")).todo(argument, app),
  },
  {
    name: "agents",
    arguments: "[stop ID | tell ID TEXT | read ID]",
    help: "the agents of this session: watch, read, steer, ask again, stop; and which there are",
    whileBusy: true,
    complete: async (word, app) => (await import("./agents.ts")).completeAgents(word, app),
    run: async (argument, app) => (await import("./agents.ts")).agents(argument, app),
  },
  {
    name: "jobs",
    arguments: "[show|stop|tell|dismiss [ID]]",
    help: "commands, monitors and timers in the background, and what the agent was not told yet",
    whileBusy: true,
    complete: async (word, app) => (await import("./jobs.ts")).completeJobs(word, app),
    run: async (argument, app) => (await import("./jobs.ts")).jobs(argument, app),
  },
  {
    name: "context",
    help: "what fills the model's context",
    whileBusy: true,
    run: async (_, app) => (await import("./context.ts")).context(app),
  },
  {
    name: "cost",
    help: "what the session has used, by model",
    whileBusy: true,
    run: async (_, app) => (await import("./cost.ts")).cost(app),
  },
  {
    name: "compact",
    arguments: "[INSTRUCTIONS]",
    help: "sum up what was said, to make room",
    run: async (argument, app) => void (await (await import("./compact.ts")).compact(argument, app)),
  },
  {
    name: "init",
    help: "let the agent write AGENTS.md",
    run: async (argument, app) => (await import("./init.ts")).init(argument, app),
  },
  {
    name: "new",
    aliases: ["clear"],
    help: "begin another session; this one is kept",
    whileBusy: true,
    run: (_, app) => app.openSession(undefined),
  },
  {
    name: "rename",
    arguments: "[TITLE]",
    help: "give the session another title",
    whileBusy: true,
    run: async (argument, app) => (await import("./rename.ts")).rename(argument, app),
  },
  {
    name: "copy",
    arguments: "[code [NUMBER]]",
    help: "the last answer, or code of it, onto the clipboard",
    whileBusy: true,
    run: async (argument, app) => (await import("./copy.ts")).copy(argument, app),
  },
  {
    name: "export",
    arguments: "[FILE]",
    help: "the conversation as Markdown, HTML or JSONL",
    whileBusy: true,
    run: async (argument, app) => (await import("./export.ts")).exportSession(argument, app),
  },
  {
    name: "status",
    help: "what is open, who answers, where things are kept",
    whileBusy: true,
    run: async (_, app) => (await import("./status.ts")).status(app),
  },
  {
    name: "debug",
    arguments: "[WHAT]",
    help: "what goes on behind the screen; a report of it",
    whileBusy: true,
    complete: async (word) =>
      (await import("./debug.ts")).debugEntries.filter((name) => name.startsWith(word)),
    run: async (argument, app) => (await import("./debug.ts")).debug(argument, app),
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
