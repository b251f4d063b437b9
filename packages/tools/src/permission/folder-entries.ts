// What the disk says of folders and repositories, for judging what a command would reach.

import { execFileSync } from "node:child_process";
import { accessSync, constants, readdirSync } from "node:fs";

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link";
}

/** Empty for what is no folder or cannot be read: then nothing in it is reached. */
export function entriesOnDisk(absolute: string): readonly FolderEntry[] {
  try {
    return readdirSync(absolute, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : "file",
    }));
  } catch {
    return [];
  }
}

/** What git knows of a repository. */
export interface GitFiles {
  /** Files of the index that fit one of these pathspecs; undefined when that cannot be told. */
  readonly tracked: (pathspecs: readonly string[]) => readonly string[] | undefined;
  /** Files that fit one of these pathspecs and are in the index or anywhere in the history; undefined when that cannot be told. */
  readonly known: (pathspecs: readonly string[]) => readonly string[] | undefined;
  /** Of these paths from the root those that git does not ignore. */
  readonly unignored: (paths: readonly string[]) => readonly string[];
}

const timeout = 2000;
const maxBuffer = 1024 ** 2;
const programs = ["/usr/bin/git", "/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"];

/** Nothing that a configuration of the folder names is run by these questions. */
const harmless = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "log.showSignature=false",
];

export function gitOnDisk(root: string): GitFiles {
  const ask = (words: readonly string[], input = "") => {
    const program = programs.find(isProgram);
    if (program === undefined) return undefined;
    const configuration = harmless.flatMap((each) => ["-c", each]);
    try {
      return execFileSync(program, ["-C", root, "--no-optional-locks", ...configuration, ...words], {
        input,
        timeout,
        maxBuffer,
        encoding: "utf8",
        stdio: ["pipe", "pipe", "ignore"],
        env: {
          PATH: "/usr/bin:/bin",
          HOME: "/nonexistent",
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_GLOBAL: "/dev/null",
          GIT_NO_LAZY_FETCH: "1",
        },
      });
    } catch (error) {
      // 1 is an answer: nothing was found.
      const isNothing = error instanceof Error && "status" in error && error.status === 1;
      return isNothing ? "" : undefined;
    }
  };
  const tracked = (pathspecs: readonly string[]) => {
    return ask(["ls-files", "-z", "--cached", "--", ...pathspecs])
      ?.split("\0")
      .filter((path) => path !== "");
  };
  return {
    tracked,
    known(pathspecs) {
      const files = tracked(pathspecs);
      if (files === undefined || files.length > 0) return files;
      const names = ["--format=", "--name-only", "-z", "--no-ext-diff", "--no-textconv"];
      const past = ask(["log", "--all", "-1", ...names, "--", ...pathspecs]);
      return past?.split(/[\0\n]+/).filter((path) => path !== "");
    },
    unignored(paths) {
      const ignored = ask(["check-ignore", "-z", "--stdin"], paths.join("\0"))?.split("\0") ?? [];
      return paths.filter((path) => !ignored.includes(path));
    },
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
