// Reads a file of git's configuration, without git: what it says is looked at before anything obeys it.
//
//   [core]                      section; names of sections and keys have no case
//   [remote "origin"]           section with a subsection, in which `\"` and `\\` are escapes
//   key = value  # comment      `key` alone means true; quotes keep spaces and comment signs; `\` at the end continues
//
// What cannot be parsed is an entry without a key, so that an allow-list does not match it.

import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { textOf } from "./guard-path.ts";

export interface ConfigEntry {
  /** `core.fsmonitor`, `remote.origin.url`; the empty text for a line that is none. */
  readonly key: string;
  readonly value: string;
}

const maxIncludeDepth = 5;

export function parseGitConfig(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let section = "";
  for (const line of logicalLines(text)) {
    let rest = line.trimStart();
    const header = /^\[([^\]"]*?)\s*(?:"((?:[^"\\]|\\.)*)")?\]/.exec(rest);
    if (header !== null) {
      const [whole, name = "", subsection] = header;
      const inner = subsection === undefined ? "" : `.${subsection.replaceAll(/\\(.)/g, "$1")}`;
      section = name.trim().toLowerCase() + inner;
      rest = rest.slice(whole.length).trimStart();
    }
    if (rest === "" || rest.startsWith("#") || rest.startsWith(";")) continue;
    const [, name, value] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=([\s\S]*))?$/.exec(withoutComment(rest)) ?? [];
    if (name === undefined || section === "") entries.push({ key: "", value: rest });
    else entries.push({ key: `${section}.${name.toLowerCase()}`, value: unquoted(value ?? "true") });
  }
  return entries;
}

/** The entries of a file and of what it includes, whatever an include depends on. Missing files say nothing. */
export function readGitConfig(path: string, home = homedir()): { entries: ConfigEntry[]; files: string[] } {
  const entries: ConfigEntry[] = [];
  const files: string[] = [];
  const read = (file: string, depth: number) => {
    if (files.includes(file)) return;
    files.push(file);
    for (const entry of parseGitConfig(textOf(file) ?? "")) {
      entries.push(entry);
      const isInclude = /^include(if\..*)?\.path$/s.test(entry.key);
      if (isInclude && depth < maxIncludeDepth) read(pathIn(dirname(file), entry.value, home), depth + 1);
    }
  };
  read(path, 0);
  return { entries, files };
}

/** A path as git reads it in a configuration. */
export function pathIn(folder: string, value: string, home: string): string {
  if (value.startsWith("~/")) return join(home, value.slice(2));
  return isAbsolute(value) ? value : resolve(folder, value);
}

function logicalLines(text: string): string[] {
  return text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .replaceAll(/\\\n/g, "")
    .split("\n");
}

/** Without what follows `#` or `;` outside of quotes. */
function withoutComment(line: string): string {
  const [kept = ""] = /^(?:[^"#;\\]|\\.|"(?:[^"\\]|\\.)*"?)*/s.exec(line) ?? [];
  return kept.trimEnd();
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

function unquoted(value: string): string {
  return value
    .trim()
    .replaceAll(/\\(.)|"/gs, (_, escaped: string | undefined) =>
      escaped === undefined ? "" : (escapes[escaped] ?? escaped),
    );
}
