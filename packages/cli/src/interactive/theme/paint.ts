// Styles as SGR sequences. Styles nest: where one ends inside another, what was set before holds again, so its end is
// replaced by the beginning of the outer one. The terminal's own colour inside another one is set in a form that no end has
// (39;39), because it would otherwise be taken for an end.

import { bluer, type ColourMode, sgrOf } from "./colours.ts";
import { type SymbolPreset, symbolsOf } from "./symbols.ts";
import type { BackgroundToken, ColourToken, Emphasis, SymbolName, TextToken } from "./theme.ts";
import type { ThemeData } from "./theme-file.ts";

export interface PaintOptions {
  readonly colours: ColourMode;
  /** Wins over the theme's own preset; the signs that a theme changes are only used with its own. */
  readonly preset?: SymbolPreset | undefined;
  readonly isColourBlind?: boolean;
  /** No sequences at all, also none for bold or inverse. */
  readonly isPlain?: boolean;
}

/** What a theme looks like on one terminal. */
export interface Paint {
  fg(token: TextToken, text: string): string;
  bg(token: BackgroundToken, text: string): string;
  emphasis(kind: Emphasis, text: string): string;
  symbol(name: SymbolName): string;
}

const textEnd = "\u001b[39m";
const backgroundEnd = "\u001b[49m";

const emphases: Readonly<Record<Emphasis, readonly [start: string, end: string]>> = {
  bold: ["\u001b[1m", "\u001b[22m"],
  dim: ["\u001b[2m", "\u001b[22m"],
  italic: ["\u001b[3m", "\u001b[23m"],
  underline: ["\u001b[4m", "\u001b[24m"],
  inverse: ["\u001b[7m", "\u001b[27m"],
  strikethrough: ["\u001b[9m", "\u001b[29m"],
};

export function paintOf(theme: ThemeData, options: PaintOptions): Paint {
  const { isPlain = false, isColourBlind = false } = options;
  const mode = isPlain ? "none" : options.colours;
  const preset = options.preset ?? theme.preset ?? "unicode";
  const symbols = {
    ...symbolsOf(preset),
    ...(preset === "ascii" ? asciiOf(theme.overrides) : theme.overrides),
  };
  /** Sequences by token, made when first used. */
  const starts = new Map<ColourToken, string | undefined>();
  const startOf = (token: ColourToken, layer: "text" | "background"): string | undefined => {
    if (starts.has(token)) return starts.get(token);
    const own = theme.colours[token];
    const codes = sgrOf(isColourBlind && token === "toolDiffAdded" ? bluer(own) : own, mode, layer);
    const start = codes && `\u001b[${codes === "39" || codes === "49" ? `${codes};${codes}` : codes}m`;
    starts.set(token, start);
    return start;
  };
  const within = (start: string | undefined, text: string, end: string) => {
    if (start === undefined || text === "") return text;
    return `${start}${text.includes(end) ? text.replaceAll(end, start) : text}${end}`;
  };
  return {
    fg: (token, text) => within(startOf(token, "text"), text, textEnd),
    bg: (token, text) => within(startOf(token, "background"), text, backgroundEnd),
    emphasis(kind, text) {
      if (isPlain || text === "") return text;
      const [start, end] = emphases[kind];
      // Bold and dim have one end: inside each other, both end, and the outer one begins again.
      return `${start}${text.includes(end) ? text.replaceAll(end, `${end}${start}`) : text}${end}`;
    },
    symbol: (name) => symbols[name],
  };
}

/** A terminal that knows ASCII only gets no other sign from a theme. */
function asciiOf(overrides: ThemeData["overrides"]): ThemeData["overrides"] {
  return Object.fromEntries(Object.entries(overrides).filter(([, sign]) => /^[ -~]+$/.test(sign)));
}
