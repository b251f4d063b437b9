// The backgrounds of a session that is exported as HTML: those that the theme names, else the ones it has in the terminal. A
// page is dark or light as a whole, because its ink is one colour: a card that does not go with the page is left out.

import { isFault } from "@stet/protocol/fault";
import { type Colour, hexOf, luminanceOf, rgbOf } from "./colours.ts";
import { customThemesFolder, loadTheme } from "./load-theme.ts";
import type { ThemeData } from "./theme-file.ts";

/** Each `#rrggbb`; none where the theme leaves it to the terminal. */
export interface PageBackgrounds {
  readonly page?: string;
  readonly card?: string;
  readonly info?: string;
}

export function pageBackgrounds({ colours, export: named }: ThemeData): PageBackgrounds {
  const page = rgbOf(named.pageBg ?? colours.statusLineBg);
  if (page === undefined) return {};
  const isDark = luminanceOf(page) < middle;
  const beside = (colour: Colour) => {
    const rgb = rgbOf(colour);
    return rgb !== undefined && luminanceOf(rgb) < middle === isDark ? hexOf(rgb) : undefined;
  };
  const card = beside(named.cardBg ?? colours.userMessageBg);
  const info = beside(named.infoBg ?? colours.customMessageBg);
  return { page: hexOf(page), ...(card && { card }), ...(info && { info }) };
}

/** Black and white ink have the same contrast with it. */
const middle = 0.179;

/** Those of the theme that is in force; one that cannot be read any more has none. */
export async function backgroundsOf(theme: string, environment: NodeJS.ProcessEnv): Promise<PageBackgrounds> {
  const data = await loadTheme(theme, customThemesFolder(environment));
  return isFault(data) ? {} : pageBackgrounds(data);
}
