// A theme by its name: one that comes with Stet, else `themes/NAME.json` in the person's configuration folder. One of ours
// wins over a file of the same name, so that a broken file never takes away what everything falls back to.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { visibleName } from "@stet/protocol/visible";
import { log } from "@stet/storage/operator-log";
import { homeFolder, xdgFolder } from "@stet/workspace/files/state-folder";
import { builtInNames, builtInTheme } from "./built-in.ts";
import { readTheme, type ThemeData, ThemeProblem } from "./theme-file.ts";

/** A theme has 66 colours; what is larger is something else. */
const mostBytes = 256 * 1024;

export function customThemesFolder(environment: NodeJS.ProcessEnv): string {
  return join(xdgFolder(environment.XDG_CONFIG_HOME, join(homeFolder(environment), ".config")), "themes");
}

export async function loadTheme(name: string, folder: string): Promise<ThemeData | Fault> {
  return (await builtInTheme(name)) ?? readCustomTheme(name, folder);
}

/** Names of all themes, sorted. What is in the folder is not read: a broken one tells why when it is chosen. */
export function themeNames(folder: string): string[] {
  return [...new Set([...builtInNames, ...customNames(folder)])].sort();
}

function customNames(folder: string): string[] {
  const files = attempt("listed", folder, () => readdirSync(folder));
  // No such folder is the usual case; one that cannot be read holds nothing that could be chosen.
  if (isFault(files)) return [];
  return files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
}

/** Where a custom theme is; undefined where a name leads out of the folder, or cannot be a file's. */
export function customThemeFile(name: string, folder: string): string | undefined {
  const isPlain = name !== "" && name.length <= 200 && !/[/\\\0]/.test(name);
  return isPlain ? join(folder, `${name}.json`) : undefined;
}

export function readCustomTheme(name: string, folder: string): ThemeData | Fault {
  const path = customThemeFile(name, folder);
  if (path === undefined) return notFound(name, folder);
  const found = attempt("read", path, () => statSync(path, { throwIfNoEntry: false }));
  if (isFault(found)) return found;
  if (found === undefined) return notFound(name, folder);
  const broken = (reason: string) => unusable(name, path, reason);
  // Also a device or a pipe, which might be read for ever.
  if (!found.isFile()) return broken("it is not a file");
  if (found.size > mostBytes) return broken(`it is larger than ${mostBytes / 1024} KB`);
  const bytes = attempt("read", path, () => readFileSync(path));
  if (isFault(bytes)) return bytes;
  const content = parsed(bytes);
  if (content instanceof ThemeProblem) return broken(content.reason);
  const theme = readTheme(content);
  if (theme instanceof ThemeProblem) return broken(theme.reason);
  if (theme.unknownSymbols.length > 0) {
    log("debug", "theme.unknown-symbols", { theme: name, symbols: theme.unknownSymbols.join(" ") });
  }
  return theme;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    const reason = error instanceof Error ? visibleName(error.message) : String(error);
    return new ThemeProblem(`it is not valid JSON (${reason})`);
  }
}

function notFound(name: string, folder: string): Fault {
  return new Fault(
    "file_not_found",
    `Theme not found: ${visibleName(name.slice(0, 200))}`,
    `There are ${builtInNames.join(", ")}, and what is in ${visibleName(folder)}.`,
  );
}

function unusable(name: string, path: string, reason: string): Fault {
  return new Fault(
    "invalid_arguments",
    `The theme ${visibleName(name)} cannot be used: ${reason}.`,
    `Correct ${visibleName(path)}, or choose another with /theme.`,
    { path },
  );
}
