// /help: every command and every key, from their tables, in the pager.

import { visibleName } from "@stet/protocol/visible";
import type { Component } from "@stet/tui/component";
import { truncateCells } from "@stet/tui/text/slice";
import type { App, SlashCommand } from "../app.ts";
import type { Theme } from "../theme/theme.ts";
import { columnRows } from "./columns.ts";
import { findCommand, slashCommands, usageOf } from "./table.ts";

export async function help(argument: string, app: App): Promise<void> {
  const name = argument.replace(/^\//, "");
  if (name === "") return app.dialogs.page("Help", new HelpPage(app.theme));
  const command = findCommand(name);
  if (command === undefined)
    app.tell(`There is no command /${visibleName(name)}. /help lists all of them.`, "error");
  else app.tell(`${usageOf(command)}: ${explained(command)}`);
}

interface Section {
  readonly title: string;
  readonly pairs: readonly (readonly [string, string])[];
}

class HelpPage implements Component {
  readonly #theme: Theme;

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  render(width: number): readonly string[] {
    const theme = this.#theme;
    const style = {
      left: (text: string) => theme.fg("accent", text),
      right: (text: string) => theme.fg("text", text),
    };
    return sections().flatMap(({ title, pairs }) => [
      theme.emphasis("bold", theme.fg("mdHeading", truncateCells(title, width))),
      ...columnRows(pairs, width, style),
      "",
    ]);
  }
}

function sections(): readonly Section[] {
  return [
    { title: "Commands", pairs: slashCommands.map((command) => [usageOf(command), explained(command)]) },
  ];
}

/** With the other names that it has. */
function explained({ help: text, aliases = [] }: SlashCommand): string {
  return aliases.length === 0 ? text : `${text} (also ${aliases.map((alias) => `/${alias}`).join(", ")})`;
}
