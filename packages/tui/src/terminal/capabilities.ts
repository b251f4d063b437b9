// What a terminal can do, read from the environment alone: pure over (environment, platform). Probes correct it later. Only what
// is faster or prettier depends on it, so a wrong guess is never more than cosmetic. What the person asks for wins over every
// guess and over every probe.

import type { ProbeKind } from "../input/probes.ts";
import type { Capabilities } from "./terminal.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type TerminalName =
  | "kitty"
  | "ghostty"
  | "wezterm"
  | "iterm2"
  | "alacritty"
  | "foot"
  | "contour"
  | "rio"
  | "vscode"
  | "windows-terminal"
  | "apple-terminal"
  | "konsole"
  | "vte"
  | "xterm"
  | "unknown";

/** The terminal that is at the other end, as far as its own variables say; also through a multiplexer. */
export function terminalName(environment: Environment): TerminalName {
  const term = environment.TERM ?? "";
  const program = (environment.TERM_PROGRAM ?? "").toLowerCase();
  if (isSet(environment.KITTY_WINDOW_ID) || term === "xterm-kitty") return "kitty";
  if (isSet(environment.GHOSTTY_RESOURCES_DIR) || program === "ghostty" || term === "xterm-ghostty")
    return "ghostty";
  if (isSet(environment.WEZTERM_PANE) || program === "wezterm") return "wezterm";
  if (isSet(environment.ITERM_SESSION_ID) || program === "iterm.app") return "iterm2";
  if (isSet(environment.WT_SESSION)) return "windows-terminal";
  if (program === "vscode") return "vscode";
  if (program === "apple_terminal") return "apple-terminal";
  if (isSet(environment.ALACRITTY_WINDOW_ID) || term.startsWith("alacritty")) return "alacritty";
  if (term === "foot" || term.startsWith("foot-")) return "foot";
  if (program === "contour" || term.startsWith("contour")) return "contour";
  if (program === "rio" || term === "rio") return "rio";
  if (isSet(environment.KONSOLE_VERSION)) return "konsole";
  if (isSet(environment.VTE_VERSION)) return "vte";
  return isSet(environment.XTERM_VERSION) ? "xterm" : "unknown";
}

/** Inside tmux, screen or zellij. */
export function isInMultiplexer(environment: Environment): boolean {
  const term = environment.TERM ?? "";
  return (
    isSet(environment.TMUX) ||
    isSet(environment.STY) ||
    isSet(environment.ZELLIJ) ||
    /^(tmux|screen)([-.]|$)/.test(term)
  );
}

/** What the person says about synchronized output; undefined where nothing. */
export function synchronizedOutputOverride(environment: Environment): boolean | undefined {
  if (isOn(environment.STET_NO_SYNC_OUTPUT) || environment.STET_TUI_SYNC_OUTPUT === "0") return false;
  if (isOn(environment.STET_FORCE_SYNC_OUTPUT) || environment.STET_TUI_SYNC_OUTPUT === "1") return true;
  return undefined;
}

const synchronizing: ReadonlySet<TerminalName> = new Set([
  "kitty",
  "ghostty",
  "wezterm",
  "iterm2",
  "alacritty",
  "foot",
  "contour",
  "rio",
  "vscode",
  "windows-terminal",
]);

/** The person's word, then the terminal's own feature list, then what is known of terminals; unknown ones and multiplexers not. */
export function hasSynchronizedOutput(environment: Environment): boolean {
  const override = synchronizedOutputOverride(environment);
  if (override !== undefined) return override;
  if (hasFeature(environment.TERM_FEATURES, "Sy")) return true;
  if (isSet(environment.WT_SESSION)) return true;
  return !isInMultiplexer(environment) && synchronizing.has(terminalName(environment));
}

/** Features are a capital with small letters, each with an optional number: `T3CwLrMSc7UUw9Ts3BFGsSyHNoSxF`. */
function hasFeature(features: string | undefined, name: string): boolean {
  return (features?.match(/[A-Z][a-z]*[0-9]*/g) ?? []).some(
    (feature) => feature.replace(/[0-9]+$/, "") === name,
  );
}

export type ColourMode = Capabilities["colours"];

/** NO_COLOR and FORCE_COLOR first, then what TERM and COLORTERM say. */
export function colourMode(environment: Environment): ColourMode {
  const forced = forcedColours(environment.FORCE_COLOR);
  if (forced !== undefined) return forced;
  if (isSet(environment.NO_COLOR)) return "none";
  const colorTerm = (environment.COLORTERM ?? "").toLowerCase();
  if (colorTerm === "truecolor" || colorTerm === "24bit" || isSet(environment.WT_SESSION)) return "true";
  const term = environment.TERM ?? "";
  if (term === "dumb" || term === "linux" || term === "") return "256";
  if (/^(vt[0-9]+|ansi|cygwin|cons25)$|-16color$/.test(term)) return "16";
  // It draws wrong colours where it is given more.
  return terminalName(environment) === "apple-terminal" ? "256" : "true";
}

function forcedColours(value: string | undefined): ColourMode | undefined {
  if (value === undefined) return undefined;
  if (value === "0" || value === "false") return "none";
  if (value === "1") return "16";
  if (value === "2") return "256";
  return value === "3" ? "true" : undefined;
}

/** Dark where the background is one of the eight dark colours. */
export function appearanceByColorFgBg(value: string | undefined): "dark" | "light" | undefined {
  const background = value?.split(";").at(-1) ?? "";
  return /^[0-9]+$/.test(background) ? (Number(background) < 8 ? "dark" : "light") : undefined;
}

/** Others have pictures only in newer versions, or by a setting: they say so when they are asked. */
const imageProtocols: Readonly<Partial<Record<TerminalName, Capabilities["images"]>>> = {
  kitty: "kitty",
  ghostty: "kitty",
  wezterm: "kitty",
  konsole: "kitty",
  iterm2: "iterm2",
  rio: "iterm2",
  foot: "sixel",
  contour: "sixel",
};

/** The person's word; undefined where there is none. */
export function imageOverride(environment: Environment): Capabilities["images"] | undefined {
  const value = environment.STET_FORCE_IMAGE_PROTOCOL;
  if (value === "kitty" || value === "iterm2" || value === "sixel") return value;
  return value === "off" ? "none" : undefined;
}

function imageProtocol(environment: Environment): Capabilities["images"] {
  const override = imageOverride(environment);
  if (override !== undefined) return override;
  return isInMultiplexer(environment) ? "none" : (imageProtocols[terminalName(environment)] ?? "none");
}

function hasPlaceholders(environment: Environment): boolean {
  if (isOn(environment.STET_NO_KITTY_PLACEHOLDERS)) return false;
  if (isOn(environment.STET_KITTY_PLACEHOLDERS)) return true;
  const name = terminalName(environment);
  return !isInMultiplexer(environment) && (name === "kitty" || name === "ghostty");
}

const notifying: Readonly<Partial<Record<TerminalName, Capabilities["notifications"]>>> = {
  kitty: "osc99",
  foot: "osc777",
  vte: "osc777",
  contour: "osc777",
  ghostty: "osc9",
  iterm2: "osc9",
  wezterm: "osc9",
  rio: "osc9",
};

/** The person's word; undefined where there is none. */
export function notificationOverride(environment: Environment): Capabilities["notifications"] | undefined {
  const value = environment.STET_NOTIFICATIONS?.toLowerCase();
  if (value === "off" || value === "0" || value === "false") return "none";
  return value === "osc9" || value === "osc99" || value === "osc777" || value === "bell" ? value : undefined;
}

/** A multiplexer shows a bell, and passes nothing else on. */
function notificationProtocol(environment: Environment): Capabilities["notifications"] {
  const override = notificationOverride(environment);
  if (override !== undefined) return override;
  return isInMultiplexer(environment) ? "bell" : (notifying[terminalName(environment)] ?? "bell");
}

/**
 * What this terminal may be asked. One that does not know a control string may print it: the Linux console and macOS's Terminal
 * get no more of them than they know, and a terminal that says it can do nothing is not asked at all.
 */
export function probesFor(environment: Environment): readonly ProbeKind[] {
  if (environment.TERM === "dumb") return [];
  const modes = ["keyboard", "synchronizedOutput", "inBandResize", "appearanceReports", "cellSize"] as const;
  if (environment.TERM === "linux") return modes;
  if (terminalName(environment) === "apple-terminal") return [...modes, "background"];
  const strings = ["background", "notifications"] as const;
  return isInMultiplexer(environment) ? [...modes, ...strings] : [...modes, ...strings, "graphics"];
}

export function detectCapabilities(environment: Environment, platform: NodeJS.Platform): Capabilities {
  const isMultiplexer = isInMultiplexer(environment);
  const isKitty = terminalName(environment) === "kitty" && !isMultiplexer;
  const images = imageProtocol(environment);
  return {
    synchronizedOutput: hasSynchronizedOutput(environment),
    isMultiplexer,
    screenToScrollback: isKitty,
    rectangularFill: isKitty && !isOn(environment.STET_NO_DECCARA),
    images,
    kittyPlaceholders: images === "kitty" && hasPlaceholders(environment),
    kittyKeyboard: false,
    cellSize: undefined,
    colours:
      platform === "win32" && environment.TERM === undefined
        ? windowsColours(environment)
        : colourMode(environment),
    notifications: notificationProtocol(environment),
    appearance: appearanceByColorFgBg(environment.COLORFGBG),
  };
}

/** Windows sets no TERM; its console has had all colours since 2017. */
function windowsColours(environment: Environment): ColourMode {
  return colourMode({ ...environment, TERM: "xterm-256color" });
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

function isOn(value: string | undefined): boolean {
  return isSet(value) && value !== "0" && value !== "false";
}
