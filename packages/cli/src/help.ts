// Help, from the table: `stet --help` fits a screen, `stet COMMAND --help` has the verbs and options of one.

import {
  type CommandEntry,
  type CommandName,
  commandTable,
  globalOptions,
  type Option,
  turnEntry,
} from "./command-table.ts";

export function help(): string {
  const commands = Object.entries<CommandEntry>(commandTable).map(([name, entry]) => {
    const verbs = entry.verbs === undefined ? "" : `: ${fitting(Object.keys(entry.verbs), entry.help)}`;
    return row(
      `${name}${entry.arguments === undefined ? "" : ` ${entry.arguments}`}`,
      `${entry.help}${verbs}`,
    );
  });
  const { resume: _, ...options } = { ...turnEntry.options, continue: continueOrResume };
  return [
    `Usage: stet [options] ${turnEntry.arguments}, or stet COMMAND [arguments]`,
    turnEntry.help,
    ...optionRows({ ...options, folder: globalOptions.folder, help: helpAndVersion }),
    "Commands:",
    ...commands,
    "Exit codes: 0 done, 1 failed, 2 not understood, 3 a limit was reached, 4 refused, 130 interrupted.",
    "",
  ].join("\n");
}

// What goes together has one row, so that all of it fits a screen.
const helpAndVersion: Option = {
  ...globalOptions.help,
  help: "this; of one: stet COMMAND --help; -v, --version: which version it is",
};
const continueOrResume: Option = {
  ...turnEntry.options.continue,
  help: `${turnEntry.options.continue.help}; -r, --resume [ID]: with one by its id`,
};

export function helpFor(name: CommandName): string {
  const entry: CommandEntry = commandTable[name];
  const verbs = Object.entries(entry.verbs ?? {});
  const [folder] = optionRows({ folder: globalOptions.folder });
  const what = verbs.length > 0 ? " [VERB]" : entry.arguments === undefined ? "" : ` ${entry.arguments}`;
  return [
    `Usage: stet ${name}${what}${Object.keys(entry.options).length > 0 ? " [options]" : ""}`,
    "",
    `${entry.help.charAt(0).toUpperCase()}${entry.help.slice(1)}.`,
    "",
    ...verbs.map(([verb, { arguments: words = "", help: text }]) => row(`${verb} ${words}`, text)),
    ...(verbs.length > 0 ? [""] : []),
    ...optionRows(entry.options),
    folder,
    "",
  ].join("\n");
}

/** As many as there is room for in a row. */
function fitting(verbs: readonly string[], help: string): string {
  const room = 74 - help.length;
  const all = verbs.join(", ");
  return all.length <= room ? all : `${all.slice(0, all.lastIndexOf(",", room - 2))}, …`;
}

function optionRows(options: Readonly<Record<string, Option>>): string[] {
  return Object.entries(options).map(([name, { short, value, help: text }]) => {
    const left = `${short === undefined ? "   " : `-${short},`} --${name}${value === undefined ? "" : ` ${value}`}`;
    return row(left, text);
  });
}

function row(left: string, right: string): string {
  return `  ${left.trimEnd().padEnd(21)} ${right}`;
}
