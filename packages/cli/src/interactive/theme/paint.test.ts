import assert from "node:assert/strict";
import { test } from "node:test";
import { darkTheme } from "./built-in.ts";
import { bluer, nearestIndex, rgbOf, sgrOf } from "./colours.ts";
import { paintOf } from "./paint.ts";
import type { ThemeData } from "./theme-file.ts";

const dark = darkTheme();
const shown = (text: string) => text.replaceAll("\u001b", "^");

function themed(colours: Partial<ThemeData["colours"]>, more: Partial<ThemeData> = {}): ThemeData {
  return { ...dark, ...more, colours: { ...dark.colours, ...colours } };
}

test("a word in another colour does not take the rest of the row back to the terminal's colour", () => {
  const paint = paintOf(themed({ muted: 8, accent: 1 }), { colours: "16" });
  assert.equal(shown(paint.fg("muted", `a ${paint.fg("accent", "b")} c`)), "^[90ma ^[31mb^[90m c^[39m");
});

test("the terminal's own colour inside another one is the terminal's own", () => {
  const paint = paintOf(themed({ muted: 8, text: "" }), { colours: "16" });
  assert.equal(shown(paint.fg("muted", `a ${paint.fg("text", "b")} c`)), "^[90ma ^[39;39mb^[90m c^[39m");
  const three = paint.fg("muted", `a ${paint.fg("text", `b ${paint.fg("muted", "c")} d`)} e`);
  assert.equal(shown(three), "^[90ma ^[39;39mb ^[90mc^[39;39m d^[90m e^[39m");
});

test("a background goes on behind text with a colour and with one of its own", () => {
  const paint = paintOf(themed({ accent: 1, selectedBg: 4, userMessageBg: 0 }), { colours: "16" });
  const row = paint.bg("userMessageBg", `a${paint.bg("selectedBg", paint.fg("accent", "b"))}c`);
  assert.equal(shown(row), "^[40ma^[44m^[31mb^[39m^[40mc^[49m");
});

test("dim inside bold ends without ending bold", () => {
  const paint = paintOf(dark, { colours: "none" });
  const row = paint.emphasis("bold", `a${paint.emphasis("dim", "b")}c`);
  assert.equal(shown(row), "^[1ma^[2mb^[22m^[1mc^[22m");
});

test("without colours there is emphasis, and in a plain terminal no sequence at all", () => {
  const none = paintOf(dark, { colours: "none" });
  assert.equal(none.fg("error", none.bg("selectedBg", "text")), "text");
  assert.equal(shown(none.emphasis("inverse", "text")), "^[7mtext^[27m");
  const plain = paintOf(dark, { colours: "true", isPlain: true });
  assert.equal(plain.emphasis("bold", plain.fg("error", plain.bg("selectedBg", "text"))), "text");
});

test("nothing is written for an empty text", () => {
  const paint = paintOf(dark, { colours: "true" });
  assert.equal(paint.fg("error", "") + paint.bg("selectedBg", "") + paint.emphasis("bold", ""), "");
});

test("colours become the nearest that the terminal has", () => {
  assert.equal(sgrOf("#ff6b57", "true", "text"), "38;2;255;107;87");
  assert.equal(sgrOf("#ff6b57", "true", "background"), "48;2;255;107;87");
  assert.equal(sgrOf("#5f87af", "256", "text"), "38;5;67");
  assert.equal(sgrOf("#080808", "256", "background"), "48;5;232");
  assert.equal(sgrOf("#cc0000", "16", "text"), "31");
  assert.equal(sgrOf("#00ff00", "16", "text"), "92");
  assert.equal(sgrOf("#ffffff", "16", "background"), "107");
  assert.equal(sgrOf("#101010", "16", "background"), "40");
  assert.equal(sgrOf(244, "true", "text"), "38;5;244");
  assert.equal(sgrOf(244, "16", "text"), "90");
  assert.equal(sgrOf(9, "16", "background"), "101");
  assert.equal(sgrOf("", "256", "text"), "39");
  assert.equal(sgrOf("", "16", "background"), "49");
  assert.equal(sgrOf("#ff6b57", "none", "text"), undefined);
});

test("each of the 240 fixed colours is nearest to itself", () => {
  for (let index = 16; index < 256; index += 1) {
    const rgb = rgbOf(index);
    assert.ok(rgb);
    assert.deepEqual(rgbOf(nearestIndex(rgb, "256")), rgb);
  }
});

test("the colour-blind mode makes added lines blue, and changes nothing else", () => {
  const theme = themed({ toolDiffAdded: "#00cc00", success: "#00cc00", toolDiffRemoved: "#cc0000" });
  const usual = paintOf(theme, { colours: "true" });
  const paint = paintOf(theme, { colours: "true", isColourBlind: true });
  const [red = 0, green = 0, blue = 0] = rgbOf(bluer("#00cc00")) ?? [];
  assert.ok(blue > red && blue > green, `${red} ${green} ${blue}`);
  assert.equal(shown(paint.fg("toolDiffAdded", "x")), `^[38;2;${red};${green};${blue}mx^[39m`);
  assert.equal(paint.fg("success", "x"), usual.fg("success", "x"));
  assert.equal(paint.fg("toolDiffRemoved", "x"), usual.fg("toolDiffRemoved", "x"));
  const indexed = themed({ toolDiffAdded: 2 });
  assert.equal(
    paintOf(indexed, { colours: "true", isColourBlind: true }).fg("toolDiffAdded", "x"),
    "\u001b[38;5;2mx\u001b[39m",
  );
});

test("signs come from the setting, else from the theme, else they are Unicode", () => {
  const symbol = (preset: "ascii" | "nerd" | undefined, own: ThemeData) =>
    paintOf(own, { colours: "none", preset }).symbol("success");
  assert.equal(symbol(undefined, dark), "✓");
  assert.equal(symbol(undefined, themed({}, { preset: "ascii" })), "ok");
  assert.equal(symbol("ascii", themed({}, { preset: "nerd" })), "ok");
  assert.equal(symbol(undefined, themed({}, { overrides: { success: "♥" } })), "♥");
  assert.equal(
    symbol("ascii", themed({}, { overrides: { success: "♥" } })),
    "ok",
    "not on an ASCII terminal",
  );
  assert.equal(symbol("ascii", themed({}, { overrides: { success: "yes" } })), "yes");
});
