// Themes for tests: one without any sequence, and one with colours.

import { darkTheme } from "../theme/built-in.ts";
import { paintOf } from "../theme/paint.ts";
import type { Theme } from "../theme/theme.ts";

export function plainTheme(): Theme {
  return { name: "plain", revision: 0, ...paintOf(darkTheme(), { colours: "none", isPlain: true }) };
}

export function colouredTheme(): Theme {
  return { name: "coloured", revision: 0, ...paintOf(darkTheme(), { colours: "true" }) };
}
