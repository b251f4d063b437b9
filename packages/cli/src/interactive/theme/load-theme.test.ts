import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import redClaw from "./built-in/red-claw.json" with { type: "json" };
import { customThemesFolder, loadTheme, themeNames } from "./load-theme.ts";

const folder = mkdtempSync(join(tmpdir(), "stet-themes-"));
after(() => rmSync(folder, { recursive: true }));

const { name: _, ...rest } = redClaw;
const whole = { name: "mine", ...rest };

/** What a person reads who chooses a theme with this content. */
async function complaintOf(content: unknown, name = "mine"): Promise<string> {
  writeFileSync(
    join(folder, `${name}.json`),
    typeof content === "string" ? content : JSON.stringify(content),
  );
  const theme = await loadTheme(name, folder);
  assert.ok(isFault(theme), "It was taken.");
  assert.doesNotMatch(`${theme.message}${theme.suggestion}`, /\p{Cc}/u);
  assert.ok(theme.message.length < 2000, `${theme.message.length} characters`);
  return theme.message;
}

async function loaded(content: unknown) {
  writeFileSync(join(folder, "mine.json"), JSON.stringify(content));
  const theme = await loadTheme("mine", folder);
  assert.ok(!isFault(theme), isFault(theme) ? theme.message : "");
  return theme;
}

test("a theme of one's own has its colours, through variables that name variables", async () => {
  const theme = await loaded({
    ...whole,
    vars: { ...whole.vars, a: "b", b: "c", c: "#ABCDEF", d: "", e: 244 },
    colors: { ...whole.colors, accent: "a", text: "d", dim: "e", muted: 0 },
  });
  const { accent, text, dim, muted } = theme.colours;
  assert.deepEqual([accent, text, dim, muted], ["#abcdef", "", 244, 0]);
});

test("colours that are missing are told together", async () => {
  const { accent: _a, mdHr: _m, statusLineCost: _s, ...colors } = whole.colors;
  assert.equal(
    await complaintOf({ ...whole, colors }),
    "The theme mine cannot be used: 3 colours are missing in colors: accent, mdHr, statusLineCost.",
  );
  assert.match(
    await complaintOf({ name: "mine", colors: {} }),
    /66 colours are missing in colors: accent, .*, and 46 more\./,
  );
  assert.match(await complaintOf({ name: "mine" }), /colors is missing/);
});

test("a wrong colour is told with its path and with what it could be", async () => {
  for (const value of ["#12345", "#gggggg", 256, -1, 1.5, null, [], {}, true]) {
    const message = await complaintOf({ ...whole, colors: { ...whole.colors, accent: value } });
    assert.ok(message.includes(`colors.accent is ${JSON.stringify(value)}, but must be "#RRGGBB"`), message);
  }
  assert.match(await complaintOf({ ...whole, export: { pageBg: 999 } }), /export\.pageBg is 999/);
  assert.match(
    await complaintOf({ ...whole, vars: { ...whole.vars, wrong: false } }),
    /vars\.wrong is false/,
  );
});

test("a variable that is not there, or leads back to itself, is told by its name", async () => {
  assert.match(
    await complaintOf({ ...whole, colors: { ...whole.colors, accent: "salmon" } }),
    /colors\.accent names the variable "salmon", which vars does not have/,
  );
  assert.match(
    await complaintOf({ ...whole, colors: { ...whole.colors, accent: "constructor" } }),
    /names the variable "constructor", which vars does not have/,
  );
  assert.match(
    await complaintOf({ ...whole, vars: { ...whole.vars, a: "b", b: "c", c: "a" } }),
    /the variables lead in a circle: a → b → c → a\./,
  );
  assert.match(
    await complaintOf({ ...whole, vars: { ...whole.vars, self: "self" } }),
    /the variables lead in a circle: self → self\./,
  );
});

test("ten thousand variables in a row are followed once each", async () => {
  const vars = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`v${at}`, `v${at + 1}`]));
  const theme = await loaded({
    ...whole,
    vars: { ...whole.vars, ...vars, v10000: "#010203" },
    colors: { ...whole.colors, accent: "v0" },
  });
  assert.equal(theme.colours.accent, "#010203");
  assert.match(
    await complaintOf({ ...whole, vars: { ...whole.vars, ...vars, v10000: "v0" } }),
    /circle: v0 → v1 →/,
  );
});

test("a theme that is not there is not found, wherever its name leads", async () => {
  writeFileSync(join(folder, "..", "stet-outside.json"), JSON.stringify(whole));
  for (const name of ["nothing", "../stet-outside", "a/b", "a\\b", "", "x".repeat(500), "nul\0"]) {
    const theme = await loadTheme(name, folder);
    assert.ok(isFault(theme), name);
    assert.match(theme.message, /^Theme not found: /);
    assert.doesNotMatch(theme.message, /\p{Cc}/u);
  }
  rmSync(join(folder, "..", "stet-outside.json"));
  assert.deepEqual(themeNames(join(folder, "nowhere")).length, 10);
});

test("what is not JSON, or no object, is told", async () => {
  assert.match(await complaintOf("{ name: mine }"), /cannot be used: it is not valid JSON/);
  assert.match(await complaintOf("[]"), /cannot be used: it is not a JSON object/);
  assert.match(await complaintOf("null"), /it is not a JSON object/);
  assert.match(await complaintOf(""), /it is not valid JSON/);
  assert.match(await complaintOf({ ...whole, name: 5 }), /name must be a text/);
  assert.match(await complaintOf({ ...whole, vars: [], symbols: 1 }), /vars must be an object/);
  writeFileSync(join(folder, "mine.json"), Buffer.from([0xff, 0xfe, 0x00]));
  const theme = await loadTheme("mine", folder);
  assert.ok(isFault(theme));
  assert.match(theme.message, /it is not valid JSON/);
});

test("ten megabytes, a folder and a pipe are not read", async () => {
  assert.match(await complaintOf(" ".repeat(10 * 1024 * 1024), "large"), /it is larger than 256 KB/);
  mkdirSync(join(folder, "inside.json"));
  execFileSync("mkfifo", [join(folder, "pipe.json")]);
  symlinkSync("circle.json", join(folder, "circle.json"));
  for (const [name, reason] of [
    ["inside", /The theme inside cannot be used: it is not a file/],
    ["pipe", /The theme pipe cannot be used: it is not a file/],
    ["circle", /links lead in a circle/],
  ] as const) {
    const theme = await loadTheme(name, folder);
    assert.ok(isFault(theme));
    assert.match(theme.message, reason);
  }
});

test("nothing of a hostile theme reaches the terminal as it is", async () => {
  const evil = "\u001b]0;owned\u0007";
  await complaintOf({ ...whole, colors: { ...whole.colors, accent: evil } });
  await complaintOf({ ...whole, vars: { ...whole.vars, [evil]: evil } });
  await complaintOf({ ...whole, symbols: { preset: evil } });
  await complaintOf(`{"name": "${evil}`);
  await complaintOf({ ...whole, colors: {} }, `evil${evil}`.replaceAll("/", ""));
  for (const sign of [evil, "a\nb", "\u202e", "\u200b", "", "x".repeat(33), 5, null]) {
    const message = await complaintOf({ ...whole, symbols: { overrides: { success: sign } } });
    assert.match(message, /symbols\.overrides\.success/);
  }
});

test("signs that there are not are left out, and the others taken", async () => {
  const theme = await loaded({
    ...whole,
    symbols: { preset: "ascii", overrides: { success: "yes", nope: "?" } },
  });
  assert.deepEqual(theme.overrides, { success: "yes" });
  assert.deepEqual(theme.unknownSymbols, ["nope"]);
  assert.equal(theme.preset, "ascii");
  assert.match(
    await complaintOf({ ...whole, symbols: { preset: "emoji" } }),
    /must be one of unicode, nerd, ascii/,
  );
});

test("a theme of ours wins over a file of its name", async () => {
  writeFileSync(join(folder, "ink.json"), "broken");
  const theme = await loadTheme("ink", folder);
  assert.ok(!isFault(theme) && theme.name === "ink");
  assert.equal(themeNames(folder).filter((name) => name === "ink").length, 1);
});

test("themes are in the person's configuration folder", () => {
  assert.equal(customThemesFolder({ XDG_CONFIG_HOME: "/etc/somebody" }), "/etc/somebody/stet/themes");
  assert.equal(customThemesFolder({ HOME: "/home/me" }), "/home/me/.config/stet/themes");
});
