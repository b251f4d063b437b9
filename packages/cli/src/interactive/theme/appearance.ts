// Whether the terminal is dark or light, which chooses the theme's slot:
//
//   its background colour, as it answered  →  COLORFGBG (background below 8: dark)  →  dark
//
// Zellij on macOS answers with a background that is not the terminal's, so there the system's own appearance is asked.

import { execFile } from "node:child_process";

export type Appearance = "dark" | "light";

export interface AppearanceSources {
  /** By the background colour that the terminal reports; undefined where it does not. */
  readonly reported: Appearance | undefined;
  readonly environment: NodeJS.ProcessEnv;
  readonly platform?: NodeJS.Platform;
  /** The system's appearance, where the terminal's answer is not to be used. */
  readonly system?: Appearance | undefined;
}

export function appearanceOf({ reported, environment, platform, system }: AppearanceSources): Appearance {
  const isReplyWrong = asksSystem(environment, platform);
  return (
    (isReplyWrong ? undefined : reported) ??
    byVariable(environment) ??
    (isReplyWrong ? system : undefined) ??
    "dark"
  );
}

/** Whether the terminal's answer is known to be wrong here. */
export function asksSystem(environment: NodeJS.ProcessEnv, platform = process.platform): boolean {
  return platform === "darwin" && Boolean(environment.ZELLIJ);
}

/** `COLORFGBG` is `foreground;background`, or has a word between them. */
function byVariable({ COLORFGBG: value = "" }: NodeJS.ProcessEnv): Appearance | undefined {
  const last = value.split(";").at(-1) ?? "";
  if (!value.includes(";") || !/^\d{1,3}$/.test(last)) return undefined;
  return Number(last) < 8 ? "dark" : "light";
}

/** macOS has a value here in dark mode only. */
export function systemAppearance(): Promise<Appearance> {
  return new Promise((resolve) => {
    execFile("defaults", ["read", "-g", "AppleInterfaceStyle"], { timeout: 1000 }, (error, output) => {
      resolve(error === null && output.trim() === "Dark" ? "dark" : "light");
    });
  });
}
