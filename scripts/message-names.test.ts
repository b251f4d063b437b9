// Every message that names a command, an option or a setting names one that exists.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandEntry, commandTable, globalOptions, turnEntry } from "@stet/cli/command-table";
import { settingDescriptions } from "@stet/host/settings/configuration";

const root = join(import.meta.dirname, "..");
const files = globSync("packages/*/src/**/*.{ts,tsx}", { cwd: root }).filter(
  (file) => !/\.test\.ts$|packages\/(testkit|web)\//.test(file),
);

/** What stands in quotes on one line: messages are written so. */
function texts(): { file: string; text: string }[] {
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), "utf8").replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, "");
    return [...source.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g)].map(([text]) => ({ file, text }));
  });
}

test("a command that a message names exists", () => {
  const commands = new Set([...Object.keys(commandTable), "help"]);
  const dead = texts().flatMap(({ file, text }) =>
    [...text.matchAll(/(?:\bSee|\bwith|: |`)\s*:?\s*stet ([a-z]+)\b/g)]
      .filter(([, name = ""]) => !commands.has(name))
      .map(([named]) => `${file}: ${named}`),
  );
  assert.deepEqual(dead, []);
});

test("a setting that a message says to set exists", () => {
  const settings = new Set(Object.keys(settingDescriptions()));
  const dead = texts().flatMap(({ file, text }) =>
    [
      ...text.matchAll(
        /\b(?:[Ss]et|[Rr]aise|[Cc]heck|limit the tokens with) ([a-z][A-Za-z]*(?:\.[A-Za-z]+)+|[a-z]+[A-Z][A-Za-z]*)/g,
      ),
    ]
      .filter(([, name = ""]) => !settings.has(name) && !name.startsWith("providers."))
      .map(([named]) => `${file}: ${named}`),
  );
  assert.deepEqual(dead, []);
});

test("an option that the command's messages name exists", () => {
  const entries: CommandEntry[] = [turnEntry, ...Object.values<CommandEntry>(commandTable)];
  const options = new Set([
    ...Object.keys(globalOptions),
    ...entries.flatMap(({ options }) => Object.keys(options)),
  ]);
  const dead = texts()
    .filter(({ file }) => file.startsWith("packages/cli/") || file.startsWith("packages/model/"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/(?<=[\s"`])--([a-z][a-z-]+)(?=[\s".,;:)`])/g)]
        .filter(([, name = ""]) => !options.has(name) && !/"--/.test(text))
        .map(([named]) => `${file}: ${named}`),
    );
  assert.deepEqual(dead, []);
});
