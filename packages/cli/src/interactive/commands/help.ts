// /help: every command and every key, from their tables, in the pager.

import { join } from "node:path";
import { visibleName } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import { homeFolder, xdgFolder } from "@stet/workspace/files/state-folder";
import type { App, SlashCommand } from "../app.ts";
import { type ActionId, keyActions, keyGroupTitles } from "../keys/actions.ts";
import { type KeyBindings, loadKeyBindings } from "../keys/bindings.ts";
import { keyName } from "../keys/key-ids.ts";
import type { Theme } from "../theme/theme.ts";
import { columnRows } from "./columns.ts";
import { findCommand, slashCommands, usageOf } from "./table.ts";

export async function help(argument: string, app: App): Promise<void> {
  const name = argument.replace(/^\//, "");
  if (name === "") return app.dialogs.page("Help", new HelpPage(app));
  const command = findCommand(name);
  if (command === undefined)
    app.tell(`There is no command /${visibleName(name)}. /help lists all of them.`, "error");
  else app.tell(`${usageOf(command)}: ${explained(command)}`);
}

export interface Section {
  readonly title: string;
  readonly pairs: readonly (readonly [string, string])[];
}

class HelpPage implements Component {
  readonly #theme: Theme;
  readonly #sections: readonly Section[];

  constructor({ theme, environment }: Pick<App, "theme" | "environment">) {
    this.#theme = theme;
    const folder = xdgFolder(environment.XDG_CONFIG_HOME, join(homeFolder(environment), ".config"));
    this.#sections = sectionsOf(loadKeyBindings(folder));
  }

  render(width: number): readonly string[] {
    const theme = this.#theme;
    const style = {
      left: (text: string) => theme.fg("accent", text),
      right: (text: string) => theme.fg("text", text),
    };
    return this.#sections.flatMap(({ title, pairs }) => [
      theme.emphasis("bold", theme.fg("mdHeading", truncateCells(title, width))),
      ...columnRows(pairs, width, style),
      "",
    ]);
  }
}

function sectionsOf(bindings: KeyBindings): readonly Section[] {
  const commands = slashCommands.map((command) => [usageOf(command), explained(command)] as const);
  return [{ title: "Commands", pairs: commands }, ...keySections(bindings)];
}

/** The keys that are in force; actions without one are left out. */
export function keySections(bindings: KeyBindings): readonly Section[] {
  return Object.entries(keyActions).map(([group, actions]) => ({
    title: titleOf(group),
    pairs: Object.entries(actions).flatMap(([id, action]): [string, string][] => {
      // The ids are the keys of the table itself.
      const keys = namesOf(bindings.keysOf(id as ActionId));
      return keys === "" ? [] : [[keys, action.help]];
    }),
  }));
}

/** Each key once: terminals report some of them in two ways. */
export function namesOf(keys: readonly string[]): string {
  const shifted = new Set(
    keys.filter((key) => key.startsWith("shift+")).map((key) => key.slice("shift+".length)),
  );
  const names = keys.filter((key) => key !== " " && !(/^[A-Z]$/.test(key) && shifted.has(key.toLowerCase())));
  return names.map(keyName).join(", ");
}

function titleOf(group: string): string {
  return Object.entries(keyGroupTitles).find(([name]) => name === group)?.[1] ?? group;
}

/** With the other names that it has. */
function explained({ help: text, aliases = [] }: SlashCommand): string {
  return aliases.length === 0 ? text : `${text} (also ${aliases.map((alias) => `/${alias}`).join(", ")})`;
}
