// Themes for tests: one without any sequence, and one with colours.

import { fixedTheme } from "../theme/fixed-theme.ts";
import type { Theme } from "../theme/theme.ts";

export function plainTheme(): Theme {
  return fixedTheme({ colours: "none", isPlain: true });
}

export function colouredTheme(): Theme {
  return fixedTheme({ colours: "true" });
}

/** What may not be in a row, when our own sequences are taken out. */
export const steering = /[\p{Cc}\p{Bidi_C}]/u;
