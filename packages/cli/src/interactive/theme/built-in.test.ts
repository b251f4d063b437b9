// Whether text of the themes that come with Stet can be read: contrast as WCAG 2 has it, 4.5 for text (7 in the theme for
// high contrast), on every background that it is drawn on. The terminal's own background is not known; the worst usual ones
// stand for it.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { builtInNames, builtInTheme } from "./built-in.ts";
import { bluer, type Colour, contrastOf, nearestIndex, nearestOf16, type Rgb, rgbOf } from "./colours.ts";
import { paintOf } from "./paint.ts";
import { type BackgroundToken, type ColourToken, colourTokens } from "./theme.ts";
import type { ThemeData } from "./theme-file.ts";

const light = ["blue-crab", "meadow", "paper"];
const byTerminal = "terminal";

/** Lines and borders are seen, not read. */
const lines: readonly ColourToken[] = [
  "border",
  "borderAccent",
  "borderMuted",
  "mdCodeBlockBorder",
  "mdQuoteBorder",
  "mdHr",
  "thinkingOff",
];
const texts = colourTokens.filter((token) => !token.endsWith("Bg") && !lines.includes(token));
const statusTexts = texts.filter((token) => token.startsWith("statusLine"));
const diffTexts = texts.filter((token) => token.startsWith("toolDiff") || token.startsWith("syntax"));
const toolTexts: readonly ColourToken[] = [
  ...diffTexts,
  "toolTitle",
  "toolOutput",
  "success",
  "error",
  "warning",
  "muted",
  "accent",
];

/** What is drawn on what. */
const pairs: readonly (readonly [BackgroundToken, readonly ColourToken[]])[] = [
  ["selectedBg", ["text", "accent", "muted", "warning", "success", "error"]],
  ["userMessageBg", ["userMessageText", "accent", "muted"]],
  ["customMessageBg", ["customMessageText", "customMessageLabel"]],
  ["toolPendingBg", toolTexts],
  ["toolSuccessBg", toolTexts],
  ["toolErrorBg", toolTexts],
  ["statusLineBg", statusTexts],
];

/** The terminal's own text and backgrounds, at their worst. */
function ownOf(name: string): { readonly text: Rgb; readonly backgrounds: readonly Rgb[] } {
  if (light.includes(name))
    return {
      text: [60, 60, 60],
      backgrounds: [
        [255, 255, 255],
        [250, 250, 250],
      ],
    };
  return {
    text: [200, 200, 200],
    backgrounds: [
      [0, 0, 0],
      [30, 30, 30],
    ],
  };
}

async function themeOf(name: string): Promise<ThemeData> {
  const theme = await builtInTheme(name);
  assert.ok(theme, name);
  return theme;
}

test("every theme in the folder can be chosen, and is called as its file", async () => {
  const files = readdirSync(new URL("built-in", import.meta.url)).map((file) => file.replace(".json", ""));
  assert.deepEqual(files.sort(), builtInNames);
  assert.equal(builtInNames.length, 10);
  for (const name of builtInNames) assert.equal((await themeOf(name)).name, name);
});

/** What cannot be read, as sentences. */
function unreadable(
  theme: ThemeData,
  shown: (colour: Colour, layer: "text" | "background") => Rgb | undefined,
  least: number,
): string[] {
  const own = ownOf(theme.name);
  const found: string[] = [];
  const compare = (token: ColourToken, backgrounds: readonly Rgb[], where: string, needed: number) => {
    const colour = shown(theme.colours[token], "text") ?? own.text;
    for (const background of backgrounds) {
      const contrast = contrastOf(colour, background);
      if (contrast < needed) found.push(`${theme.name}: ${token} on ${where} has ${contrast.toFixed(2)}`);
    }
  };
  for (const token of texts) compare(token, own.backgrounds, "the terminal", least);
  for (const token of lines) compare(token, own.backgrounds, "the terminal", 1.2);
  for (const [background, tokens] of pairs) {
    const behind = shown(theme.colours[background], "background");
    for (const token of tokens)
      compare(token, behind === undefined ? own.backgrounds : [behind], background, least);
  }
  return found;
}

test("text of every theme has enough contrast with what is behind it", async () => {
  const found: string[] = [];
  for (const name of builtInNames.filter((each) => each !== byTerminal)) {
    found.push(...unreadable(await themeOf(name), rgbOf, name === "high-contrast" ? 7 : 4.5));
  }
  assert.deepEqual(found, []);
});

test("text of every theme can be read in 256 colours, too", async () => {
  const shown = (colour: Colour) => {
    const rgb = rgbOf(colour);
    return rgb && rgbOf(nearestIndex(rgb, "256"));
  };
  const found: string[] = [];
  for (const name of builtInNames.filter((each) => each !== byTerminal)) {
    found.push(...unreadable(await themeOf(name), shown, 3.5));
  }
  assert.deepEqual(found, []);
});

test("text of every theme can be told from what is behind it in 16 colours", async () => {
  const shown = (colour: Colour, layer: "text" | "background") => {
    const rgb = rgbOf(colour);
    return rgb && rgbOf(nearestOf16(rgb, layer));
  };
  const found: string[] = [];
  for (const name of builtInNames.filter((each) => each !== byTerminal)) {
    found.push(...unreadable(await themeOf(name), shown, 2));
  }
  assert.deepEqual(found, []);
});

test("added and removed lines differ for every eye: by their sign, and in one theme and one mode by blue and orange", async () => {
  for (const name of builtInNames) {
    const paint = paintOf(await themeOf(name), { colours: "none" });
    assert.deepEqual([paint.symbol("added"), paint.symbol("removed")], ["+", "-"]);
  }
  const { colours } = await themeOf("blue-orange");
  const [added, removed] = [rgbOf(colours.toolDiffAdded), rgbOf(colours.toolDiffRemoved)];
  assert.ok(added && removed && added[2] > added[0] + 100 && removed[0] > removed[2] + 100);
  for (const name of builtInNames.filter((each) => each !== byTerminal)) {
    const theme = await themeOf(name);
    const shifted = bluer(theme.colours.toolDiffAdded);
    const found = unreadable({ ...theme, colours: { ...theme.colours, toolDiffAdded: shifted } }, rgbOf, 3);
    assert.deepEqual(found, []);
  }
});

test("the theme of the terminal's own colours has no others, and no background", async () => {
  const { colours } = await themeOf(byTerminal);
  for (const token of colourTokens) {
    const colour = colours[token];
    assert.ok(colour === "" || (typeof colour === "number" && colour < 16 && !token.endsWith("Bg")), token);
  }
});
