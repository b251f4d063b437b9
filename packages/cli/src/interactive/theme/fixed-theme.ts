// A theme that never changes: for output without redraws, and where there is no terminal to ask.

import { darkTheme } from "./built-in.ts";
import { type PaintOptions, paintOf } from "./paint.ts";
import type { Theme } from "./theme.ts";

export function fixedTheme(options: PaintOptions, data = darkTheme()): Theme {
  return { name: data.name, revision: 0, appearance: "dark", ...paintOf(data, options) };
}
