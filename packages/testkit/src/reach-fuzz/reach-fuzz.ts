// What commands really read against what they were judged to reach: lines at random over a folder with files that a rule denies,
// files that hold secrets, links to both and out of the folder. What may run without a question is run in a real bash, and none of
// those texts may be in what it prints.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { examineCommand } from "@stet/tools/permission/examine-command";
import { entriesOnDisk, gitOnDisk } from "@stet/tools/permission/folder-entries";
import { judge } from "@stet/tools/permission/judge";
import { realPathOnDisk } from "@stet/tools/permission/path-context";
import { Random } from "../random.ts";
import { readingLine } from "./reading-line.ts";

export interface ReachFuzzReport {
  readonly judged: number;
  readonly ran: number;
  /** Lines that printed what they must not. */
  readonly failures: readonly string[];
}

const denied = "DENIED-TEXT";
const secret = "SECRET-TEXT";
const outside = "OUTSIDE-TEXT";

const files: Readonly<Record<string, string>> = {
  "private/a.txt": denied,
  "private/deep/b.txt": denied,
  "private/old.txt": denied,
  "src/a.txt": "word",
  "src/deep/b.txt": "word",
  "docs/intro.md": "word",
  "docs/.env": secret,
  ".env": secret,
  "certs/key.pem": secret,
  "a.txt": "word",
  ".gitignore": ".env\n",
};

const links: Readonly<Record<string, string>> = {
  "src/way": "../private",
  "docs/link.md": "../private/a.txt",
  "docs/key.md": "../certs/key.pem",
  "docs/out.md": "../../outside/o.txt",
  "src/away": "../../outside",
};

export function fuzzReach(options: { readonly seed: number; readonly lines: number }): ReachFuzzReport {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "stet-reach-")));
  const root = join(base, "root");
  try {
    prepare(base, root);
    const random = new Random(options.seed);
    const failures: string[] = [];
    let ran = 0;
    const seen = new Set<string>();
    for (let judged = 0; judged < options.lines; judged += 1) {
      const line = readingLine(random);
      if (seen.has(line) || !isAllowed(root, base, line)) continue;
      seen.add(line);
      ran += 1;
      const printed = run(root, line);
      const shown = [denied, secret, outside].filter((text) => printed.includes(text));
      if (shown.length > 0) failures.push(`${line}: ${shown.join(", ")}`);
    }
    return { judged: options.lines, ran, failures };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function prepare(base: string, root: string): void {
  const write = (path: string, text: string) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, `${text} word\n`);
  };
  for (const [name, text] of Object.entries(files)) write(join(root, name), text);
  write(join(base, "outside/o.txt"), outside);
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  // What is tracked is in the repository, and nobody is asked for it: keys of this folder are not.
  git("add", "-A", "--", ":!certs");
  git("commit", "-qm", "one");
  rmSync(join(root, "private/old.txt"));
  writeFileSync(join(root, "private/a.txt"), `${denied} word changed\n`);
  writeFileSync(join(root, "src/a.txt"), "word changed\n");
}

function isAllowed(root: string, home: string, command: string): boolean {
  const target = { kind: "command", command, folder: ".", network: false } as const;
  const setting = {
    mode: "plan",
    rules: [{ tool: "read", target: "private/**", effect: "deny" }],
    remembered: [],
    hasSandbox: true,
    sandboxNetwork: false,
    place: {
      root,
      home,
      realPath: realPathOnDisk,
      entriesIn: entriesOnDisk,
      git: gitOnDisk(root),
      shell: "bash",
      isWritableProgram: () => false,
    },
  } as const;
  return judge({ tool: "bash", targets: [target] }, setting, examineCommand).effect === "allow";
}

/** The whole disk can be read there, and nothing be written. */
function run(root: string, line: string): string {
  const { stdout, stderr } = spawnSync(
    "bwrap",
    [
      ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-all", "--die-with-parent"],
      ...["--chdir", root, "--setenv", "GIT_OPTIONAL_LOCKS", "0", "--setenv", "GIT_PAGER", "cat"],
      ...["bash", "--noprofile", "--norc", "-c", line],
    ],
    { input: "", timeout: 5000, maxBuffer: 4 * 1024 ** 2, encoding: "utf8" },
  );
  return `${stdout}${stderr}`;
}
