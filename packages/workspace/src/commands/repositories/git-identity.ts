// What git knows of the person, for commits in the sandbox: a configuration file of ours instead of the person's own, which
// may name programs, helpers and credentials.

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../command-environment.ts";
import { askGit } from "./own-git.ts";

/** Settings that are values and name neither a program nor a file nor an address. */
const passed = [
  "user.name",
  "user.email",
  "init.defaultbranch",
  "core.autocrlf",
  "core.eol",
  "core.safecrlf",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.quotepath",
  "pull.rebase",
  "pull.ff",
  "merge.ff",
  "merge.conflictstyle",
  "rebase.autosquash",
  "rebase.autostash",
  "rebase.updaterefs",
  "diff.algorithm",
  "diff.renames",
  "diff.colormoved",
  "rerere.enabled",
  "push.default",
  "push.autosetupremote",
  "fetch.prune",
  "branch.sort",
  "tag.sort",
  "safe.directory",
];

/** Names a file of patterns, whose text is passed: without it `git add -A` would add what the person ignores everywhere. */
const ignoreFile = "core.excludesfile";

export interface GitIdentity {
  /** The text of a configuration file. */
  readonly config: string;
  /** The text of a file of patterns. */
  readonly ignored: string;
}

/** `ignorePath` is where commands find the patterns. Signing is off, because the keys are not there. */
export async function gitIdentity(
  git: string | undefined,
  { root, home, ignorePath, environment }: GitIdentityOptions,
): Promise<GitIdentity> {
  const settings = git === undefined ? [] : await readSettings(git, root, environment);
  const named = settings.findLast(([name]) => name === ignoreFile)?.[1];
  const off = ["commit.gpgsign", "tag.gpgsign", "push.gpgsign"].map((name) => [name, "false"] as const);
  const usual = settings.filter(([name]) => name !== ignoreFile);
  const lines = [...usual, ...off, [ignoreFile, ignorePath] as const];
  return {
    config: lines.map(([name, value]) => settingLines(name, value)).join(""),
    ignored: readIgnored(named?.replace(/^~(?=\/)/, home) ?? join(home, ".config/git/ignore")),
  };
}

export interface GitIdentityOptions {
  readonly root: string;
  readonly home: string;
  readonly ignorePath: string;
  readonly environment: Environment;
}

const maxIgnored = 64 * 1024;

function readIgnored(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8").slice(0, maxIgnored) : "";
  } catch {
    return "";
  }
}

type Setting = readonly [name: string, value: string];

/** Of the machine and of the person; the repository's own are read from the repository. */
async function readSettings(git: string, cwd: string, env: Environment): Promise<Setting[]> {
  const scoped = await entriesOf(git, "--show-scope", cwd, env);
  if (scoped !== undefined) {
    // A list of scopes, each with its entry behind it.
    const entries = scoped.filter(
      (_, at) => at % 2 === 1 && /^(?:system|global)$/.test(scoped[at - 1] ?? ""),
    );
    return entries.map(settingOf);
  }
  // A git before 2.26, or a configuration of the repository that cannot be read.
  const scopes = ["--system", "--global"];
  const answers = await Promise.all(scopes.map((scope) => entriesOf(git, scope, cwd, env)));
  return answers.flatMap((entries) => (entries ?? []).map(settingOf));
}

/** Undefined where git does not answer. */
async function entriesOf(
  git: string,
  option: string,
  cwd: string,
  environment: Environment,
): Promise<string[] | undefined> {
  const pattern = `^(${[...passed, ignoreFile].join("|").replaceAll(".", "\\.")})$`;
  const words = ["config", option, "--includes", "-z", "--get-regexp", pattern];
  const { exitCode, output } = await askGit(git, words, { cwd, environment });
  // 1 means that none of them is set.
  if (exitCode !== 0 && exitCode !== 1) return undefined;
  return output.split("\0").filter((each) => each !== "");
}

/** Of `name LF value`. */
function settingOf(entry: string): Setting {
  const end = entry.indexOf("\n");
  return end < 0 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
}

function settingLines(name: string, value: string): string {
  const dot = name.indexOf(".");
  const escaped = value
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `[${name.slice(0, dot)}]\n\t${name.slice(dot + 1)} = "${escaped}"\n`;
}
