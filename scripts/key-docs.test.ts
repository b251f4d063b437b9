// The table of keys in docs/workspace.md against the commands of the page, as their sources write them:
//
//   file("file.save", "Save", "Mod-s", …          a row `| Save | Ctrl+S |`
//
// Registrations need a window, so they are read and not run. One that is written in a way that is not understood here fails
// the first test, instead of being missed by the others.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Keyed {
  readonly title: string;
  /** As a person without a Mac presses them. */
  readonly keys: string;
}

const web = join(import.meta.dirname, "../packages/web/src");
const sources = globSync("**/*.{ts,tsx}", { cwd: web })
  .filter((name) => !name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(web, name), "utf8"));

const row = /\b(?:command|file|go|help|view|commandsOf\("\w+"\))\(\s*["`]/g;
const registration = new RegExp(`${row.source}[\\w.]+",\\s*"([^"]+)",\\s*"([^"]*)",`, "g");
/** Panels differ in a name and a digit only: `["files", "Files", "Alt-1"]`. */
const panel = /\["\w+", "(\w+)", "(Alt-\d)"\]/g;

const registered = sources.flatMap((source) => [...source.matchAll(registration)]);
const panels = sources.flatMap((source) => [...source.matchAll(panel)]);

function shown(keys: string): string {
  const names: Readonly<Record<string, string>> = { Mod: "Ctrl", PageDown: "Page Down", PageUp: "Page Up" };
  const parts = keys.split(/-(?=.)/);
  return parts.map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join("+");
}

const commands: readonly Keyed[] = [
  ...registered.flatMap(([, title = "", list = ""]) => {
    return list === "" ? [] : { title, keys: list.split(" ").map(shown).join(", ") };
  }),
  ...panels.map(([, title = "", keys = ""]) => ({ title: `Show or hide ${title}`, keys: shown(keys) })),
];

const guide = readFileSync(join(import.meta.dirname, "../docs/workspace.md"), "utf8");
const [, table = ""] = guide.split(/^## Keys$/m);
const rows = [...(table.split(/^## /m)[0] ?? "").matchAll(/^\| ([^|]+?) \| ([^|]+?) \|$/gm)];
const written = new Set(rows.map(([, title = "", keys = ""]) => `| ${title} | ${keys} |`));

test("every command is found in the sources of the page", () => {
  const all = sources.flatMap((source) => [...source.matchAll(row)]).length;
  // One row registers all panels, and one all themes.
  assert.equal(registered.length + 2, all, "A command is written in a way that this test does not read.");
  assert.equal(panels.length, 5, "The panels are written in a way that this test does not read.");
});

test("whoever looks up a key finds every one in docs/workspace.md", () => {
  const missing = commands
    .map(({ title, keys }) => `| ${title} | ${keys} |`)
    .filter((row) => !written.has(row));
  assert.deepEqual(missing, [], "Add these rows under “Keys”.");
});

test("docs/workspace.md promises no key that does nothing", () => {
  const known = new Set(commands.map(({ title, keys }) => `| ${title} | ${keys} |`));
  const old = [...written].filter((row) => !known.has(row) && row !== "| command | keys |");
  assert.deepEqual(old, [], "Remove or mend these rows under “Keys”.");
});
