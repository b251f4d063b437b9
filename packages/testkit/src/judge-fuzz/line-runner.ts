// Runs command lines in a real bash, many in one throw-away sandbox, and tells whether any of them left a trace: a file that was
// made, changed or removed, or a program that marks that it was run.

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why lines cannot be run here; undefined when they can. */
export function cannotRun(): string | undefined {
  const { error, status } = spawnSync("bwrap", [...sandbox("/", []), "bash", "-c", ":"]);
  return error === undefined && status === 0 ? undefined : "bubblewrap and bash are needed";
}

/** The folder in which lines run, as they see it. */
export const lineRoot = "/w";
export const lineHome = "/h";

/** Programs that no line may run without being judged for it. */
const marked = "pwn evil touch rm mkdir cp mv ln tee dd chmod install truncate make nano".split(" ");

// Each line is evaluated in a shell of its own, as the shells of commands do it, and for a second at most.
const driver = `
ulimit -t 1 -f 2000
while IFS= read -r -d '' line; do
  ( command eval "$line" ) </dev/null >/dev/null 2>&1
done <"$1"
sleep "$2"
`;

export class LineRunner {
  readonly #base: string;
  #before: string;

  constructor() {
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), "stet-lines-")));
    this.#prepare();
    this.#before = this.#snapshot();
  }

  /** What the lines left behind, as names; empty when there is nothing. */
  run(lines: readonly string[], options: { readonly waitSeconds: number }): readonly string[] {
    const list = join(this.#base, "lines");
    writeFileSync(list, lines.map((line) => `${line}\0`).join(""));
    const words = [...sandbox(this.#base, ["w", "h", "tmp", "mark"]), "--ro-bind", list, "/lines"];
    spawnSync(
      "bwrap",
      [
        ...words,
        "bash",
        "--noprofile",
        "--norc",
        "-c",
        driver,
        "bash",
        "/lines",
        String(options.waitSeconds),
      ],
      { stdio: "ignore", timeout: 5000 + lines.length * 100, killSignal: "SIGKILL" },
    );
    const after = this.#snapshot();
    if (after === this.#before) return [];
    const known = new Set(this.#before.split("\n"));
    const changed = after
      .split("\n")
      .filter((entry) => !known.has(entry))
      .map((entry) => entry.split("\t")[0] ?? "");
    for (const name of ["w", "h", "tmp", "mark", "bin"])
      rmSync(join(this.#base, name), { recursive: true, force: true });
    this.#prepare();
    this.#before = this.#snapshot();
    return changed.length > 0 ? changed : ["something was removed"];
  }

  close(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }

  #prepare(): void {
    for (const name of ["w/src", "h", "tmp", "mark", "bin"])
      mkdirSync(join(this.#base, name), { recursive: true });
    const files = {
      "a.txt": "foo\nbar\n",
      "b.txt": "a:b\n",
      "README.md": "foo\n",
      "package.json": '{"name":"x"}\n',
      "src/a.ts": "foo\n",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.#base, "w", name), text);
    for (const name of marked) {
      const path = join(this.#base, "bin", name);
      writeFileSync(path, `#!/bin/sh\n: >/mark/${name}\n`);
      chmodSync(path, 0o755);
    }
    const environment = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" };
    const git = (...words: string[]) =>
      spawnSync("git", words, { cwd: join(this.#base, "w"), env: environment });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("-c", "user.name=me", "-c", "user.email=me@example.com", "commit", "-qm", "first");
  }

  #snapshot(): string {
    const found: string[] = [];
    const look = (folder: string) => {
      for (const name of readdirSync(join(this.#base, folder))) {
        const path = `${folder}/${name}`;
        const { ctimeNs, mode, mtimeNs, size } = lstatSync(join(this.#base, path), { bigint: true });
        const isFolder = (mode & 0o170000n) === 0o040000n;
        found.push(`${path}\t${mode} ${isFolder ? "" : `${size} ${mtimeNs} ${ctimeNs}`}`);
        if (isFolder) look(path);
      }
    };
    for (const folder of ["w", "h", "tmp", "mark"]) look(folder);
    return found.join("\n");
  }
}

/** A root of its own: the system's programs, and the folders of `base` that can be written. */
function sandbox(base: string, folders: readonly string[]): string[] {
  const links = ["bin", "sbin", "lib", "lib64", "lib32"].filter((name) => existsSync(`/${name}`));
  return [
    ...["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"],
    ...["--ro-bind", "/usr", "/usr", "--ro-bind-try", "/etc", "/etc"],
    ...links.flatMap((name) => ["--ro-bind", `/${name}`, `/${name}`]),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...folders.flatMap((name) => ["--bind", join(base, name), `/${name}`]),
    ...(folders.length > 0 ? ["--ro-bind", join(base, "bin"), "/marked", "--chdir", lineRoot] : []),
    ...["--setenv", "PATH", "/marked:/usr/local/bin:/usr/bin:/bin", "--setenv", "HOME", lineHome],
    ...["--setenv", "GIT_OPTIONAL_LOCKS", "0", "--setenv", "PAGER", "cat", "--setenv", "GIT_PAGER", "cat"],
    ...["--setenv", "TERM", "dumb", "--setenv", "LANG", "C.UTF-8"],
  ];
}
