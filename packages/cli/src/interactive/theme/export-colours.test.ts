import assert from "node:assert/strict";
import { test } from "node:test";
import { builtInNames, builtInTheme, darkTheme } from "./built-in.ts";
import { contrastOf, rgbOf } from "./colours.ts";
import { pageBackgrounds } from "./export-colours.ts";

const dark = darkTheme();

test("an exported page has the theme's backgrounds, and those of the terminal where it names none", () => {
  assert.deepEqual(pageBackgrounds(dark), { page: "#171110", card: "#211817", info: "#2a2230" });
  assert.deepEqual(pageBackgrounds({ ...dark, export: { cardBg: 235 } }), {
    page: dark.colours.statusLineBg,
    card: "#262626",
    info: dark.colours.customMessageBg,
  });
});

test("a theme without backgrounds leaves the page to its reader, and no card is darker than its ink allows", () => {
  const bare = { ...dark.colours, statusLineBg: "", userMessageBg: "", customMessageBg: "" };
  assert.deepEqual(pageBackgrounds({ ...dark, export: {}, colours: bare }), {});
  assert.deepEqual(pageBackgrounds({ ...dark, export: { pageBg: "#ffffff", infoBg: "#eeeeee" } }), {
    page: "#ffffff",
    info: "#eeeeee",
  });
});

test("the ink of an exported page can be read on every background of ours", async () => {
  for (const name of builtInNames) {
    const theme = await builtInTheme(name);
    assert.ok(theme);
    for (const background of Object.values(pageBackgrounds(theme))) {
      const rgb = rgbOf(background);
      assert.ok(rgb);
      const best = Math.max(contrastOf(rgb, [29, 33, 37]), contrastOf(rgb, [226, 230, 234]));
      assert.ok(best >= 7, `${name}: ${background} has ${best}`);
    }
  }
});
