// Git as Stet itself runs it, in a folder that may not be trusted: the one way in which it is run.
//
// A repository's configuration and the environment name programs. Those that git may start by itself are set to nothing
// here, over whatever the repository says. What a repository names under a name of its own (`filter.x.clean`,
// `diff.x.textconv`, `merge.x.driver`) cannot be set to nothing without knowing it, so only questions are put that read
// neither the index nor the files (a worktree is made without a checkout): what is needed of those is read without git
// (git-index.ts, git-config.ts).

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "../command-environment.ts";

const run = promisify(execFile);

const neutral: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.editor": "false",
  "core.askPass": "false",
  "core.sshCommand": "false",
  "core.gitProxy": "false",
  "core.alternateRefsCommand": "false",
  "core.attributesFile": "/dev/null",
  "diff.external": "",
  "gpg.program": "false",
  "gpg.ssh.program": "false",
  "credential.helper": "",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "false",
  "maintenance.auto": "false",
  "gc.auto": "0",
};

/** Where the person's own configuration is. Everything else of git in the environment is left out. */
const keptVariables = new Set(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"]);

const questions = new Set(["config", "version", "worktree"]);

export interface OwnGitOptions {
  readonly cwd: string;
  readonly environment: Environment;
}

export interface GitAnswer {
  /** Undefined where git was not started, or was ended. */
  readonly exitCode: number | undefined;
  readonly output: string;
}

/** `git` is a path outside of the folder. */
export async function askGit(
  git: string,
  [question = "", ...words]: readonly string[],
  { cwd, environment }: OwnGitOptions,
): Promise<GitAnswer> {
  if (!questions.has(question)) throw new Error(`git ${question} may run what a repository names`);
  const settings = Object.entries(neutral).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const kept = Object.entries(environment).filter(
    ([name]) => !name.startsWith("GIT_") || keptVariables.has(name),
  );
  const env = { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: "0", GIT_ALLOW_PROTOCOL: "" };
  const all = ["--no-pager", "--no-optional-locks", ...settings, question, ...words];
  try {
    const { stdout } = await run(git, all, { cwd, env, encoding: "utf8", timeout: 3000 });
    return { exitCode: 0, output: stdout };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return { exitCode: typeof code === "number" ? code : undefined, output: "" };
  }
}
