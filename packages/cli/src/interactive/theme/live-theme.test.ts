import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { appearanceOf } from "./appearance.ts";
import redClaw from "./built-in/red-claw.json" with { type: "json" };
import { LiveTheme, type LiveThemeOptions, type ThemeSettings } from "./live-theme.ts";

const home = mkdtempSync(join(tmpdir(), "stet-live-theme-"));
const themes = join(home, "stet/themes");
mkdirSync(themes, { recursive: true });
after(() => rmSync(home, { recursive: true }));

const settings: ThemeSettings = {
  "theme.dark": "red-claw",
  "theme.light": "blue-crab",
  symbolPreset: "unicode",
  colorBlindMode: false,
};

function write(name: string, accent: string): void {
  const content = { ...redClaw, name, colors: { ...redClaw.colors, accent } };
  // As editors save: another file takes its place.
  writeFileSync(join(themes, `${name}.new`), JSON.stringify(content));
  renameSync(join(themes, `${name}.new`), join(themes, `${name}.json`));
}

function live(more: Partial<LiveThemeOptions> = {}) {
  const changes = { count: 0 };
  const theme = new LiveTheme({
    environment: { XDG_CONFIG_HOME: home },
    colours: "true",
    onChange: () => {
      changes.count += 1;
    },
    platform: "linux",
    ...more,
  });
  return { theme, changes };
}

const accentOf = (theme: LiveTheme) => /38;2;([\d;]+)m/.exec(theme.fg("accent", "x"))?.[1];

/** Waits for what a watcher reports, which has no moment of its own. */
async function until(isDone: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 500 && !isDone(); tries += 1) await wait(10);
  assert.ok(isDone(), what);
}

test("a terminal that turns light gets the light theme, and the dark one again", async () => {
  const { theme, changes } = live();
  await theme.configure(settings);
  assert.equal(theme.name, "red-claw");
  await theme.terminalChanged("true", "light");
  assert.equal(theme.name, "blue-crab");
  const { count } = changes;
  await theme.terminalChanged("true", "light");
  await theme.terminalChanged("true", undefined);
  assert.equal(changes.count, count, "Nothing changed, so nothing is drawn again.");
  await theme.terminalChanged("true", "dark");
  assert.equal(theme.name, "red-claw");
  theme.close();
});

test("the answer of the terminal wins over COLORFGBG, and nothing means dark", () => {
  const by = (reported: "dark" | "light" | undefined, COLORFGBG?: string) =>
    appearanceOf({ reported, environment: { COLORFGBG }, platform: "linux" });
  assert.equal(by("light", "15;0"), "light");
  assert.equal(by(undefined, "15;0"), "dark");
  assert.equal(by(undefined, "0;15"), "light");
  assert.equal(by(undefined, "0;default;8"), "light");
  assert.equal(by(undefined, "0;default;7"), "dark");
  for (const nonsense of ["", "light", "15", "0;default", "1;99999", "0;-1"]) {
    assert.equal(by(undefined, nonsense), "dark");
  }
});

test("in Zellij on macOS the system is asked, because the terminal's answer is wrong there", () => {
  const environment = { ZELLIJ: "0" };
  const mac = { reported: "dark", environment, platform: "darwin" } as const;
  assert.equal(appearanceOf({ ...mac, system: "light" }), "light");
  assert.equal(
    appearanceOf({ ...mac, environment: { ZELLIJ: "0", COLORFGBG: "15;0" }, system: "light" }),
    "dark",
  );
  assert.equal(appearanceOf({ ...mac, platform: "linux", system: "light" }), "dark");
});

test("a theme that cannot be set leaves the dark one, and one that cannot be previewed leaves what is there", async () => {
  const { theme } = live();
  await theme.configure({ ...settings, "theme.dark": "pine" });
  const preview = await theme.previewTheme("missing");
  assert.ok(!preview.success);
  assert.equal(preview.error.message, "Theme not found: missing");
  assert.equal(theme.name, "pine");
  const set = await theme.setTheme("missing");
  assert.ok(!set.success);
  assert.equal(theme.name, "red-claw");
  theme.close();
});

test("a broken theme in the settings is told once and not at each answer of the terminal", async () => {
  writeFileSync(join(themes, "broken.json"), "{");
  const { theme } = live();
  const first = await theme.configure({ ...settings, "theme.dark": "broken" });
  assert.ok(!first.success);
  assert.equal(theme.name, "red-claw");
  assert.deepEqual(await theme.terminalChanged("256", "dark"), { success: true });
  theme.close();
});

test("of two themes that are chosen in a row the later one stays", async () => {
  const { theme } = live();
  await Promise.all([theme.setTheme("paper"), theme.setTheme("dusk")]);
  assert.equal(theme.name, "dusk");
  theme.close();
});

test("a theme's file that is saved is in force at once; a broken or missing one keeps the last that was good", async () => {
  write("mine", "#010203");
  const { theme, changes } = live();
  await theme.configure({ ...settings, "theme.dark": "mine" });
  assert.equal(accentOf(theme), "1;2;3");
  const { revision } = theme;
  write("mine", "#040506");
  await until(() => accentOf(theme) === "4;5;6", "The new colours are not there.");
  assert.ok(theme.revision > revision);
  const { count } = changes;
  writeFileSync(join(themes, "mine.json"), "{ broken");
  await wait(200);
  rmSync(join(themes, "mine.json"));
  await wait(200);
  assert.equal(accentOf(theme), "4;5;6");
  assert.equal(changes.count, count);
  write("mine", "#070809");
  await until(() => accentOf(theme) === "7;8;9", "The file that came back was not read.");
  theme.close();
  write("mine", "#0a0b0c");
  await wait(200);
  assert.equal(accentOf(theme), "7;8;9", "A theme that is closed goes on reading.");
});

test("files of other themes are left alone", async () => {
  write("mine", "#010203");
  const { theme, changes } = live();
  await theme.setTheme("mine");
  const { count } = changes;
  write("other", "#040506");
  await wait(200);
  assert.equal(changes.count, count);
  await theme.setTheme("ink");
  write("mine", "#040506");
  await wait(200);
  assert.equal(theme.name, "ink");
  theme.close();
});

test("a terminal without UTF-8 gets ASCII signs", async () => {
  const ascii = [{ LANG: "C" }, { LANG: "de_DE.ISO-8859-1" }, { LC_ALL: "POSIX", LANG: "en_US.UTF-8" }];
  for (const environment of ascii) {
    const { theme } = live({ environment });
    await theme.configure(settings);
    assert.equal(theme.symbol("selected"), ">");
    assert.match(theme.symbol("spinner"), /^[ -~]+$/);
    theme.close();
  }
  const { theme } = live({ environment: { LANG: "C" } });
  await theme.configure({ ...settings, symbolPreset: "nerd" });
  assert.equal(theme.symbol("success"), "\uf00c", "Who chooses them has them.");
  theme.close();
});
