// /theme: which theme is drawn with. The one that is chosen goes into the slot, dark or light, that this terminal has now.
// Moving through the list changes nothing: what is drawn is what is chosen.

import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App } from "../app.ts";
import { builtInNames } from "../theme/built-in.ts";
import { customThemesFolder, loadTheme, themeNames } from "../theme/load-theme.ts";

/** What people see beside a name. */
export const themeAbouts: Readonly<Record<string, string>> = {
  "red-claw": "dark, warm; the default on dark terminals",
  "blue-crab": "light, cool; the default on light terminals",
  "blue-orange": "dark; nothing depends on telling red from green",
  dusk: "dark, violet",
  "high-contrast": "dark, for weak eyes and bright rooms",
  ink: "dark, quiet greys",
  meadow: "light, green",
  paper: "light, warm",
  pine: "dark, green",
  terminal: "dark or light: the terminal's own sixteen colours",
};

export async function theme(argument: string, app: App): Promise<void> {
  const folder = customThemesFolder(app.environment);
  const name = argument === "" ? await pick(app, folder) : argument;
  if (name === undefined) return;
  const loaded = await loadTheme(name, folder);
  if (isFault(loaded)) return app.tellFault(loaded);
  const slot = app.theme.appearance === "dark" ? "theme.dark" : "theme.light";
  const changed = await app.api.call("changeSetting", { body: { name: slot, value: name } });
  if (isFault(changed)) return app.tellFault(changed);
  await app.reloadSettings();
  if (changed.value === name)
    app.tell(`The theme of ${app.theme.appearance} terminals is ${visibleName(name)}.`);
  else app.tell(`${slot} is decided elsewhere: ${visibleName(changed.source)}.`, "warning");
}

export async function completeTheme(word: string, app: App): Promise<readonly string[]> {
  return themeNames(customThemesFolder(app.environment)).filter((name) => name.startsWith(word));
}

function pick(app: App, folder: string): Promise<string | undefined> {
  const names = themeNames(folder);
  return app.dialogs.choose({
    title: `Theme of ${app.theme.appearance} terminals`,
    choices: names.map((name) => ({
      value: name,
      label: visibleName(name),
      detail: builtInNames.includes(name) ? (themeAbouts[name] ?? "") : "your own",
    })),
    selected: Math.max(0, names.indexOf(app.theme.name)),
    hint: "Enter takes it, Esc leaves it as it is",
  });
}
