// What the first frame needs of the settings, read without a schema: that takes longer than the frame. Whatever is not as it
// should be is left to the configuration, which is loaded after it and tells what is wrong.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolder, xdgFolder } from "@stet/workspace/files/state-folder";
import type { ThemeSettings } from "./theme/live-theme.ts";

export interface EarlySettings {
  readonly isLinear: boolean;
  readonly theme: ThemeSettings;
}

/** The folder of the person's own configuration. */
export function configFolder(environment: NodeJS.ProcessEnv): string {
  return xdgFolder(environment.XDG_CONFIG_HOME, join(homeFolder(environment), ".config"));
}

export function earlySettings(environment: NodeJS.ProcessEnv): EarlySettings {
  const found = read(join(configFolder(environment), "config.json"));
  const text = (name: string, otherwise: string) => {
    const value = found[name];
    return typeof value === "string" && value !== "" ? value : otherwise;
  };
  const preset = (["unicode", "nerd", "ascii"] as const).find((name) => name === found.symbolPreset);
  return {
    isLinear: found["tui.linear"] === true,
    theme: {
      "theme.dark": text("theme.dark", "red-claw"),
      "theme.light": text("theme.light", "blue-crab"),
      symbolPreset: preset ?? "unicode",
      colorBlindMode: found.colorBlindMode === true,
    },
  };
}

function read(path: string): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof content === "object" && content !== null ? { ...content } : {};
  } catch {
    return {};
  }
}
