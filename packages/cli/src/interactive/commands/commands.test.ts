import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { userConfigFile } from "@stet/host/settings/configuration";
import { openCommandApp } from "@stet/testkit/command-app";
import { cellWidth } from "@stet/tui/text/width";
import { customThemesFolder } from "../theme/load-theme.ts";
import { columnRows } from "./columns.ts";
import { parseCommand, runCommand } from "./run-command.ts";
import { findCommand, slashCommands } from "./table.ts";

const run = (line: string, app: Parameters<typeof runCommand>[1]) => {
  const command = parseCommand(line);
  assert.ok(command, line);
  return runCommand(command, app);
};

test("a message that begins with a path is no command", () => {
  for (const text of ["/usr/bin/env is broken", "/etc", "/ hello", "//", "look at /help", "/a/b"]) {
    const command = parseCommand(text);
    assert.ok(command === undefined || text === "/etc", text);
  }
  assert.deepEqual(parseCommand("/theme  ink "), { name: "theme", argument: "ink" });
  assert.deepEqual(parseCommand("/settings a {\n}"), { name: "settings", argument: "a {\n}" });
  assert.deepEqual(parseCommand("/?"), { name: "?", argument: "" });
});

test("names and other names of commands are each used once", () => {
  const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  assert.deepEqual(names, [...new Set(names)]);
  for (const { name, help } of slashCommands) {
    assert.match(name, /^[a-z][a-z-]*$/);
    assert.doesNotMatch(help, /\.$/, "/help shows rows, not sentences");
    assert.equal(findCommand(name.toUpperCase())?.name, name);
  }
});

test("a mistyped command keeps what was written and says what was meant", async (t) => {
  const { app, said } = await openCommandApp(t);
  assert.equal(await run("/hlep", app), false);
  assert.equal(await run("/xyzzy", app), false);
  assert.equal(await run("/he", app), false);
  assert.deepEqual(said, [
    "error: There is no command /hlep. Did you mean /help?",
    "error: There is no command /xyzzy. /help lists all of them.",
    "error: There is no command /he. Did you mean /help?",
  ]);
});

test("/help has every command and every key, at any width", async (t) => {
  for (const columns of [200, 80, 40, 20, 3]) {
    const { app, shown } = await openCommandApp(t, { columns });
    await run("/help", app);
    const rows = shown[0]?.rows ?? [];
    assert.ok(rows.every((row) => cellWidth(row) <= columns));
    if (columns < 20) continue;
    for (const { name } of slashCommands)
      assert.ok(
        rows.some((row) => row.includes(`/${name}`)),
        name,
      );
  }
});

test("/help of a command is a sentence", async (t) => {
  const { app, said } = await openCommandApp(t);
  await run("/help /quit", app);
  await run("/help nothing", app);
  assert.match(said[0] ?? "", /^info: \/quit: leave/);
  assert.match(said[1] ?? "", /^error: There is no command \/nothing/);
});

test("/theme writes what was chosen into the slot of this terminal, and nothing where it is broken", async (t) => {
  const { app, said, shown } = await openCommandApp(t, { answers: ["pine", "mine", undefined] });
  const folder = customThemesFolder(app.environment);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "mine.json"), "{");
  writeFileSync(join(folder, "\u001b[31mevil.json"), "{}");
  await run("/theme", app);
  assert.equal(app.settings["theme.dark"], "pine");
  assert.equal(app.settings["theme.light"], "blue-crab");
  const rows = shown[0]?.rows ?? [];
  assert.equal(rows.length, 12);
  assert.ok(rows.includes("mine  your own"));
  assert.doesNotMatch(rows.join(""), /\p{Cc}/u);
  await run("/theme", app);
  await run("/theme", app);
  await run("/theme nothing", app);
  assert.equal(app.settings["theme.dark"], "pine");
  assert.equal(said[0], "info: The theme of dark terminals is pine.");
  assert.match(said[1] ?? "", /^error: The theme mine cannot be used: it is not valid JSON/);
  assert.match(said[2] ?? "", /^error: Theme not found: nothing/);
  assert.equal(said.length, 3);
});

test("/settings lists every value with where it came from, changes one and brings its default back", async (t) => {
  const answers = ["symbolPreset", "ascii", "maxCost", "2.5", "symbolPreset", "the default", undefined];
  const { app, said, shown } = await openCommandApp(t, { settings: { thinking: "low" }, answers });
  await run("/settings", app);
  const list = shown[0]?.rows ?? [];
  assert.ok(
    list.some((row) => /^thinking +low +user: how much/.test(row)),
    list.join("\n"),
  );
  assert.ok(list.some((row) => /^model +practice +environment: provider/.test(row)));
  assert.match(said[0] ?? "", /^info: symbolPreset is ascii \(user: /);
  assert.match(said[1] ?? "", /^info: maxCost is 2\.5 \(user: /);
  assert.equal(said[2], "info: symbolPreset is unicode (default).");
  const file = JSON.parse(readFileSync(userConfigFile(app.environment), "utf8"));
  assert.deepEqual(file, { thinking: "low", maxCost: 2.5 });
  assert.equal(app.settings.maxCost, 2.5);
});

test("/settings NAME VALUE changes one at once, and tells what does not fit", async (t) => {
  const { app, said } = await openCommandApp(t);
  await run("/settings colorBlindMode true", app);
  await run("/settings tui.replayRows -5", app);
  await run("/settings colourBlindMode true", app);
  await run("/settings model practice/other", app);
  assert.equal(app.settings.colorBlindMode, true);
  assert.match(said[0] ?? "", /^info: colorBlindMode is true/);
  assert.match(said[1] ?? "", /^error: The setting tui\.replayRows cannot be -5/);
  assert.match(said[2] ?? "", /Did you mean colorBlindMode\?/);
  assert.match(said[3] ?? "", /model stays practice: environment: STET_MODEL decides/);
});

test("two columns become one where there is no room, and never wider than asked for", () => {
  const style = { left: (text: string) => text, right: (text: string) => text };
  const pairs = [
    ["/settings [NAME [VALUE]]", "see and change every setting"],
    ["/quit", "leave"],
  ] as const;
  assert.deepEqual(columnRows(pairs, 80, style), [
    "  /settings [NAME [VALUE]]  see and change every setting",
    "  /quit                     leave",
  ]);
  assert.deepEqual(columnRows(pairs, 30, style).slice(0, 2), [
    "  /settings [NAME [VALUE]]",
    "    see and change every",
  ]);
  for (let width = 1; width < 90; width += 1) {
    for (const row of columnRows(pairs, width, style)) assert.ok(cellWidth(row) <= width, `${width}: ${row}`);
  }
});
