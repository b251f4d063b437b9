// What is judged to only read is run here by a real shell, in a folder of its own, and must leave it as it was.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { type TestContext, test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { temporaryFolder } from "@stet/testkit/temporary";
import fc from "fast-check";
import cases from "./cases.json" with { type: "json" };
import { examineCommand } from "./examine-command.ts";
import { judge } from "./judge.ts";

const evil = "#!/bin/sh\ntouch pwned\n";

function folderWithFiles(t: TestContext): string {
  const folder = temporaryFolder(t, {
    "README.md": "foo\nbar\n",
    "a.txt": "a:b\nc:d\n",
    "b.txt": "a:b\n",
    "names.txt": "x\ny\n",
    "package.json": '{"name":"x","scripts":{"a":"b"}}\n',
    "src/a.ts": "foo\n",
    "evil.sh": evil,
    "x.txt": "1 2\n3 4\n",
  });
  const run = (...words: string[]) => spawnSync("git", words, { cwd: folder, env: environment });
  run("init", "-q", "-b", "main");
  run("add", ".");
  run("-c", "user.name=me", "-c", "user.email=me@example.com", "commit", "-qm", "first");
  return folder;
}

const environment = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

function snapshot(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return (
    names
      // git's own notes of what it saw, which it renews while it reads.
      .filter((name) => name !== join(".git", "index"))
      .map((name) => {
        const path = join(folder, name);
        return statSync(path).isFile() ? `${name}=${readFileSync(path, "latin1")}` : name;
      })
      .join("\0")
  );
}

function isAllowed(root: string, command: string): boolean {
  const place = {
    root,
    home: "/nonexistent",
    realPath: (absolute: string) => posix.normalize(absolute),
    entriesIn: () => [],
    git: { tracked: () => [], known: () => [], unignored: (paths: readonly string[]) => paths },
    shell: "bash" as const,
    isWritableProgram: () => false,
  };
  const setting = {
    mode: "ask",
    rules: [],
    remembered: [],
    place,
    // Everything that is ever taken for reading.
    hasSandbox: true,
    sandboxNetwork: false,
  } as const;
  const target = { kind: "command", command, folder: ".", network: false } as const;
  const { effect, isReadOnly } = judge({ tool: "bash", targets: [target] }, setting, examineCommand);
  if (effect === "allow") assert.ok(isReadOnly, command);
  return effect === "allow";
}

function run(folder: string, command: string): void {
  spawnSync("bash", ["--norc", "-c", command], { cwd: folder, env: environment, input: "", timeout: 3000 });
}

test("no command of the cases that is allowed without a question changes anything", (t) => {
  const folder = folderWithFiles(t);
  const before = snapshot(folder);
  for (const entry of cases) {
    if (entry.mode !== "ask" || entry.effect !== "allow" || "rules" in entry || "folder" in entry) continue;
    if (!isAllowed(folder, entry.command)) assert.fail(`${entry.command} is asked for`);
    run(folder, entry.command);
    assert.equal(snapshot(folder) === before, true, `${entry.command} changed something`);
  }
});

const programs =
  "ls cat head tail wc cut sort uniq tr diff cmp comm join paste grep rg find file stat du tree date xxd od hexdump strings jq sed awk printf echo test basename md5sum nl fold column tee-not git".split(
    " ",
  );
const verbs =
  "status diff log show branch tag remote config stash reflog grep ls-files blame worktree rev-parse describe cat-file shortlog ls-tree for-each-ref".split(
    " ",
  );
// Options that write or run something in one program or another, and what they would need.
const words =
  '-o -O -i -w -e -f -p -n -s -r -z -u -x -U -M -C -d -D -m -b -c -t -l -L -T -R --output=pwned --output pwned --pre=./evil.sh --pre ./evil.sh -exec -execdir -ok -delete -fprint -fls -fprintf {} ; + -- --ext-diff --textconv --open-files-in-pager=./evil.sh -O./evil.sh --compress-program=./evil.sh --to-command=./evil.sh -opwned -i.bak --in-place --hostname-bin=./evil.sh --set --list -l --get --add --unset --delete --force a.txt b.txt names.txt README.md src HEAD main foo . * {print} w 1p 1wpwned s/foo/pwned/w s/a/touch/e 1e {system("touch")} core.pager ./evil.sh user.name clear drop pop push expire prune add remove --all -v --sort=x -k2 -S1 --files0-from=a.txt --version --help -5 5 %n -v[0] ('.split(
    " ",
  );

test("no words turn a command that is allowed without a question into one that writes", {
  timeout: 120_000,
}, (t) => {
  const folder = folderWithFiles(t);
  const before = snapshot(folder);
  const quoted = (word: string) => (/^[*+]$|^[\w./=@%-]+$/.test(word) ? word : `'${word}'`);
  let allowed = 0;
  const line = fc
    .tuple(
      fc.constantFrom(...programs, "git", "git", "find", "sed"),
      fc.constantFrom(...verbs),
      fc.array(fc.constantFrom(...words), { maxLength: 5 }),
    )
    .map(([program, verb, rest]) =>
      [program, ...(program === "git" ? [verb] : []), ...rest.map(quoted)].join(" "),
    );
  fc.assert(
    fc.property(line, (command) => {
      if (!isAllowed(folder, command)) return;
      allowed += 1;
      run(folder, command);
      assert.equal(snapshot(folder) === before, true, `${command} changed something`);
    }),
    // What was changed stays changed, so a smaller example would prove nothing.
    { numRuns: runs(500), endOnFailure: true },
  );
  assert.ok(allowed > 10, `only ${allowed} were allowed`);
});

test("a line is never more allowed than its parts", () => {
  const plain = cases.filter((entry) => entry.mode === "ask" && !("rules" in entry) && !("folder" in entry));
  const held = plain.filter((entry) => !("sandbox" in entry));
  // Half a quote or an open bracket may become whole with what follows it.
  const asked = held.filter(
    (entry) =>
      entry.effect === "ask" &&
      entry.why !== "the grammar has an error" &&
      !isAllowed("/home/me/project", entry.command),
  );
  const fine = held.filter((entry) => entry.effect === "allow");
  const wrap = fc.constantFrom(
    (a: string, b: string) => `${a}\n${b}`,
    (a: string, b: string) => `${b}\n${a}`,
    (a: string, b: string) => `(${b}\n)\n${a}`,
    (a: string, b: string) => `${a}\n{ ${b}\n}`,
    (a: string, b: string) => `${a}\nif true; then ${b}\nfi`,
    (a: string, b: string) => `${a}\necho "$(${b}\n)"`,
    (a: string, b: string) => `${a}\nf() {\n${b}\n}`,
    (a: string, b: string) => `${a}\nwhile true; do ${b}\nbreak; done`,
    (a: string, b: string) => `${a}\n! { ${b}\n}`,
    (a: string, b: string) => `${a}\ncat <(${b}\n)`,
  );
  const one = fc.constantFrom(...fine.map((entry) => entry.command));
  const other = fc.constantFrom(...asked.map((entry) => entry.command));
  fc.assert(
    fc.property(one, other, wrap, (a, b, make) => {
      assert.equal(isAllowed("/home/me/project", make(a, b)), false, make(a, b));
    }),
    { numRuns: runs(3000) },
  );
});
