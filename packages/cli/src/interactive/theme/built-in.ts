// The themes that come with Stet. The dark one is here at once, because everything else falls back to it; the others are
// loaded by name.

import redClaw from "./built-in/red-claw.json" with { type: "json" };
import { readTheme, type ThemeData, ThemeProblem } from "./theme-file.ts";

export const darkDefault = "red-claw";
export const lightDefault = "blue-crab";

type Loader = () => Promise<{ readonly default: unknown }>;

const loaders: Readonly<Record<string, Loader>> = {
  "red-claw": async () => ({ default: redClaw }),
  "blue-crab": () => import("./built-in/blue-crab.json", { with: { type: "json" } }),
  "blue-orange": () => import("./built-in/blue-orange.json", { with: { type: "json" } }),
  dusk: () => import("./built-in/dusk.json", { with: { type: "json" } }),
  "high-contrast": () => import("./built-in/high-contrast.json", { with: { type: "json" } }),
  ink: () => import("./built-in/ink.json", { with: { type: "json" } }),
  meadow: () => import("./built-in/meadow.json", { with: { type: "json" } }),
  paper: () => import("./built-in/paper.json", { with: { type: "json" } }),
  pine: () => import("./built-in/pine.json", { with: { type: "json" } }),
  terminal: () => import("./built-in/terminal.json", { with: { type: "json" } }),
};

export const builtInNames: readonly string[] = Object.keys(loaders).sort();

/** Undefined where none is called so. */
export async function builtInTheme(name: string): Promise<ThemeData | undefined> {
  const load = Object.hasOwn(loaders, name) ? loaders[name] : undefined;
  return load && checked((await load()).default);
}

export function darkTheme(): ThemeData {
  return checked(redClaw);
}

/** Ours are tested: one that is wrong is a bug. */
function checked(content: unknown): ThemeData {
  const theme = readTheme(content);
  if (theme instanceof ThemeProblem) throw new Error(`A theme of ours is wrong: ${theme.reason}.`);
  return theme;
}
