// /settings: every setting with its value and where that came from. One that is chosen is changed in the person's own file:
// from a list where it has few values, else by typing, as JSON. An empty text brings the default back.

import type { Reply } from "@stet/protocol/api/route";
import type { Routes } from "@stet/protocol/api/routes";
import { isFault } from "@stet/protocol/fault";
import { visibleName } from "@stet/protocol/visible";
import type { App, Choice } from "../app.ts";

type Setting = Reply<Routes["getConfig"]>["settings"][number];

export async function settings(argument: string, app: App): Promise<void> {
  const [name, written] = split(argument);
  if (name !== undefined) return changeOne(name, written, app);
  let latest: string | undefined;
  for (;;) {
    const all = await readAll(app);
    latest = all && (await pick(all, latest, app));
    const setting = all?.find((each) => each.name === latest);
    if (setting === undefined) return;
    const value = await askFor(setting, app);
    if (value !== undefined) await change(setting, value.value, app);
  }
}

async function changeOne(name: string, written: string | undefined, app: App): Promise<void> {
  const all = await readAll(app);
  if (all === undefined) return;
  const setting = all.find((each) => each.name === name);
  if (setting === undefined) return app.tell(await unknown(name, all), "error");
  const value = written === undefined ? await askFor(setting, app) : parseValue(written, setting);
  if (value !== undefined) await change(setting, value.value, app);
}

async function readAll(app: App): Promise<readonly Setting[] | undefined> {
  const config = await app.api.call("getConfig", {});
  if (!isFault(config)) return config.settings;
  app.tellFault(config);
  return undefined;
}

export async function completeSetting(word: string, app: App): Promise<readonly string[]> {
  const config = await app.api.call("getConfig", {});
  return isFault(config)
    ? []
    : config.settings.map(({ name }) => name).filter((name) => name.startsWith(word));
}

function split(argument: string): [name: string | undefined, value: string | undefined] {
  const [, name, value] = /^(\S+)(?:\s+(.+))?$/s.exec(argument) ?? [];
  return [name, value];
}

async function unknown(name: string, all: readonly Setting[]): Promise<string> {
  const { nearest } = await import("../../nearest.ts");
  const near = nearest(
    name,
    all.map((setting) => setting.name),
  );
  return `There is no setting ${visibleName(name)}. ${near === undefined ? "/settings lists them." : `Did you mean ${near}?`}`;
}

/** On a narrower screen there is no room for what a setting means. */
const leastColumns = 80;

function pick(all: readonly Setting[], latest: string | undefined, app: App): Promise<string | undefined> {
  const longest = Math.max(...all.map(({ name }) => name.length));
  const isWide = app.screen.columns >= leastColumns;
  return app.dialogs.choose({
    title: "Settings",
    choices: all.map((setting): Choice<string> => {
      const { name, about } = setting;
      const value = shown(setting.value);
      const origin = originOf(setting);
      return {
        value: name,
        label: isWide ? `${name.padEnd(longest)}  ${value}` : name,
        detail: isWide ? `${origin}: ${about}` : `${value} (${origin})`,
        words: about,
      };
    }),
    selected: Math.max(
      0,
      all.findIndex(({ name }) => name === latest),
    ),
    hint: "Type to search, Enter changes, Esc closes",
  });
}

/** Without the file's path: a row is short, and the path is told once it is changed. */
function originOf({ source }: Setting): string {
  return visibleName(/^\w+/.exec(source)?.[0] ?? source);
}

const defaultChoice = Symbol("default");

/** Undefined where nothing is to change. */
async function askFor(setting: Setting, app: App): Promise<{ readonly value: unknown } | undefined> {
  const title = `${setting.name}: ${setting.about}`;
  if (setting.values === undefined) {
    const text = await app.dialogs.ask({
      title: `${title} (empty: the default)`,
      text: typeof setting.value === "string" ? setting.value : JSON.stringify(setting.value),
    });
    return text === undefined ? undefined : parseValue(text, setting);
  }
  const values = [...setting.values, defaultChoice];
  const value = await app.dialogs.choose({
    title,
    choices: values.map((each) => ({
      value: each,
      label: each === defaultChoice ? "the default" : shown(each),
    })),
    selected: Math.max(0, values.indexOf(setting.value)),
  });
  if (value === undefined) return undefined;
  return { value: value === defaultChoice ? null : value };
}

/** JSON where it is some; else the text itself, for settings that are texts. */
function parseValue(text: string, setting: Setting): { readonly value: unknown } {
  const written = text.trim();
  if (written === "") return { value: null };
  if (typeof setting.value === "string") return { value: written };
  try {
    return { value: JSON.parse(written) };
  } catch {
    return { value: written };
  }
}

async function change(setting: Setting, value: unknown, app: App): Promise<void> {
  const changed = await app.api.call("changeSetting", { body: { name: setting.name, value } });
  if (isFault(changed)) return app.tellFault(changed);
  await app.reloadSettings();
  const isInForce = value === null || JSON.stringify(changed.value) === JSON.stringify(value);
  if (isInForce) app.tell(`${setting.name} is ${shown(changed.value)} (${visibleName(changed.source)}).`);
  else {
    const where = visibleName(changed.source);
    app.tell(
      `It was written, but ${setting.name} stays ${shown(changed.value)}: ${where} decides.`,
      "warning",
    );
  }
}

const mostShown = 40;

function shown(value: unknown): string {
  const text = value === "" ? '""' : typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const name = visibleName(text);
  return name.length > mostShown ? `${name.slice(0, mostShown)}…` : name;
}
