// Every message that names a command, an option or a setting names one that exists.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandEntry, commandTable, globalOptions, turnEntry } from "@stet/cli/command-table";
import { slashCommands } from "@stet/cli/interactive/commands/table";
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

test("a command that a message names exists, with its verb", () => {
  const dead = texts().flatMap(({ file, text }) =>
    [...text.matchAll(/(?<![\w/.-])stet ([a-z]+)\b(?: ([a-z]+)\b)?/g)]
      .filter(([, name = "", verb]) => !isCommand(name, verb))
      .map(([named]) => `${file}: ${named}`),
  );
  assert.deepEqual(dead, []);
});

/** A word behind a command with verbs may also belong to the sentence: `stet models tells …`. */
const sentenceWords =
  /^(tells|asks|has|lists|shows|again|for|in|and|or|on|to|as|is|with|here|does|connects|goes|what|the|of)$/;

function isCommand(name: string, verb = ""): boolean {
  if (name === "help") return true;
  const entry: CommandEntry | undefined = Object.entries<CommandEntry>(commandTable).find(
    ([known]) => known === name,
  )?.[1];
  if (entry === undefined) return false;
  return entry.verbs === undefined || verb === "" || verb in entry.verbs || sentenceWords.test(verb);
}

test("a command of the prompt that a message names exists", () => {
  const names = new Set(slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  const dead = texts()
    .filter(({ file }) => /packages\/(cli|model|host)\/src/.test(file))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/(?:(?<=[\s(])\/([a-z]{3,})(?=[\s).,:;"`])|(?<=^["`])\/([a-z]{3,})(?= ))/g)]
        .filter(([, name = "", first = name]) => !names.has(first))
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
