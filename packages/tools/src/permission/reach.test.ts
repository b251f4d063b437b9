// What a command reaches on a real disk, and what the rules and the list of secrets say to it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cannotRun } from "@stet/testkit/judge-fuzz/line-runner";
import { fuzzReach } from "@stet/testkit/reach-fuzz/reach-fuzz";
import { temporaryFolder } from "@stet/testkit/temporary";
import { examineCommand } from "./examine-command.ts";
import { entriesOnDisk, gitOnDisk } from "./folder-entries.ts";
import { type JudgeSetting, judge } from "./judge.ts";
import { realPathOnDisk } from "./path-context.ts";
import type { PermissionRule } from "./permission-rule.ts";

const denied: PermissionRule = { tool: "read", target: "private/**", effect: "deny" };

interface Ground {
  readonly root: string;
  readonly home: string;
}

function effectOf({ root, home }: Ground, command: string, more: Partial<JudgeSetting> = {}) {
  const setting: JudgeSetting = {
    mode: "ask",
    rules: [],
    remembered: [],
    hasSandbox: true,
    sandboxNetwork: false,
    place: {
      root,
      home,
      realPath: realPathOnDisk,
      shell: "bash",
      isWritableProgram: () => false,
      entriesIn: entriesOnDisk,
      git: gitOnDisk(root),
    },
    ...more,
  };
  const target = { kind: "command", command, folder: ".", network: false } as const;
  return judge({ tool: "bash", targets: [target] }, setting, examineCommand).effect;
}

function git(root: string, ...words: string[]): void {
  const author = ["-c", "user.name=a", "-c", "user.email=a@b"];
  execFileSync("git", ["-C", root, ...author, ...words], { stdio: "ignore" });
}

function ground(t: Parameters<typeof temporaryFolder>[0], files: Record<string, string>): Ground {
  const folder = temporaryFolder(t, { "home/.ssh/id_ed25519": "key\n" });
  const root = join(folder, "root");
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return { root, home: join(folder, "home") };
}

test("a rule that denies a folder holds for patterns, links, walks and git", (t) => {
  const files = {
    "private/a.txt": "a\n",
    "src/a.txt": "b\n",
    "src/deep/b.txt": "c\n",
    "docs/intro.md": "d\n",
    ".gitignore": "ignored/\n",
  };
  const place = ground(t, files);
  symlinkSync("../private/a.txt", join(place.root, "docs/linked.md"));
  symlinkSync("../private", join(place.root, "src/way"));
  git(place.root, "init", "-q");
  git(place.root, "add", "-A");
  git(place.root, "commit", "-qm", "one");
  const commands: readonly (readonly [command: string, effect: string])[] = [
    ["cat priv*/a.txt", "deny"],
    ["cat */a.txt", "deny"],
    ["cat p?ivate/a.txt", "deny"],
    ["cat [p]rivate/a.txt", "deny"],
    ["cat **/a.txt", "deny"],
    ["cat < p*/a.txt", "deny"],
    ["head -1 docs/*.md", "deny"],
    ["cat docs/linked.md", "deny"],
    ["cat src/w*/a.txt", "deny"],
    ["cat src/*.txt", "allow"],
    ["cat docs/i*.md", "allow"],
    ["grep -r a .", "deny"],
    ["grep -rn a", "deny"],
    ["grep -d recurse a .", "deny"],
    ["grep -r a s*", "allow"],
    ["grep -R a src", "deny"],
    ["grep -r a src docs", "allow"],
    ["grep -r --exclude-dir=private a .", "allow"],
    ["grep -r --exclude=private a .", "deny"],
    ["rg a", "deny"],
    ["rg a .", "deny"],
    ["rg a src", "allow"],
    ["rg -L a src", "deny"],
    ["rg -g '!private' a", "allow"],
    ["rg -g '!private' -g 'private/**' a", "deny"],
    ["diff -r . src", "deny"],
    ["ls -R", "deny"],
    ["ls -lR .", "deny"],
    ["ls", "allow"],
    ["ls private", "deny"],
    ["tree", "deny"],
    ["find . -name x", "deny"],
    ["find src -name x", "allow"],
    ["find . -maxdepth 1", "allow"],
    ["find . -type f -exec cat {} +", "deny"],
    ["find src -type f -exec cat {} +", "ask"],
    ["git diff", "deny"],
    ["git diff HEAD~1 -- src", "allow"],
    ["git diff -- .", "deny"],
    ["git diff -- ':!private'", "allow"],
    ["git diff -- 'p*'", "deny"],
    ["git diff -- ':(top)private'", "deny"],
    ["git diff -- ':/'", "deny"],
    ["git log -p -- src docs", "allow"],
    ["git grep --no-index a -- ':!src'", "deny"],
    ["git diff --stat", "allow"],
    ["git show", "deny"],
    ["git show HEAD:private/a.txt", "deny"],
    ["git show --stat HEAD", "allow"],
    ["git log --oneline", "allow"],
    ["git log -p", "deny"],
    ["git stash show -p", "deny"],
    ["git grep a", "deny"],
    ["git grep a -- src", "allow"],
    ["git grep --no-index a", "deny"],
    ["git grep --untracked a", "deny"],
    ["git status", "allow"],
  ];
  const wrong = commands.flatMap(([command, effect]) => {
    const judged = effectOf(place, command, { rules: [denied] });
    return judged === effect ? [] : [`${command}: ${judged}, not ${effect}`];
  });
  assert.deepEqual(wrong, []);
  // In the history it can still be seen.
  rmSync(join(place.root, "private"), { recursive: true });
  git(place.root, "commit", "-qam", "two");
  assert.equal(effectOf(place, "git log -p", { rules: [denied] }), "deny");
  assert.equal(effectOf(place, "git log -p", { rules: [{ ...denied, target: "never/**" }] }), "allow");
});

test("files that may hold secrets are asked about wherever a command comes by them", (t) => {
  const files = {
    "src/a.ts": "a\n",
    "app/.env": "A=b\n",
    "certs/key.pem": "k\n",
    "node_modules/x/test/server.key": "k\n",
    "build/secret.json": "k\n",
    ".gitignore": "build/\nnode_modules/\n",
  };
  const place = ground(t, files);
  mkdirSync(join(place.root, "docs"));
  symlinkSync(join(place.home, ".ssh/id_ed25519"), join(place.root, "docs/intro.md"));
  git(place.root, "init", "-q");
  const commands: readonly (readonly [command: string, effect: string])[] = [
    ["cat docs/*.md", "ask"],
    ["cat docs/*", "ask"],
    ["cat */*.md", "ask"],
    ["ls docs/*", "allow"],
    ["ls certs/*", "allow"],
    ["cat certs/*", "ask"],
    ["cat app/*", "allow"],
    ["cat app/.*", "ask"],
    ["cat src/*", "allow"],
    ["grep -r a .", "ask"],
    ["grep -r a app", "ask"],
    ["grep -r a src", "allow"],
    ["grep -r --include='*.ts' a .", "allow"],
    ["grep -r a node_modules/x/src", "allow"],
    ["rg a", "ask"],
    ["rg a app", "allow"],
    ["rg --hidden a app", "ask"],
    ["rg -t ts a", "allow"],
    ["rg -g '*.ts' a", "allow"],
    ["rg -g '*.pem' a", "ask"],
    ["rg a build", "ask"],
    ["rg a .", "ask"],
    ["rg -u a build", "ask"],
    ["git grep --no-index a", "ask"],
    ["ls -R", "allow"],
    ["find . -name '*.ts'", "allow"],
  ];
  const wrong = commands.flatMap(([command, effect]) => {
    const judged = effectOf(place, command);
    return judged === effect ? [] : [`${command}: ${judged}, not ${effect}`];
  });
  assert.deepEqual(wrong, []);
  assert.equal(effectOf(place, "find . -type f -exec cat {} +", { mode: "auto-edit" }), "ask");
  assert.equal(effectOf(place, "find . -name '*.ts' -exec cat {} +", { mode: "auto-edit" }), "allow");
  rmSync(join(place.root, "certs"), { recursive: true });
  assert.equal(effectOf(place, "rg a"), "allow");
});

test("where a file cannot be told and nothing covers it, a rule that denies reading has it asked, also in full", (t) => {
  const place = ground(t, { "private/a.txt": "a\n" });
  const rules = [denied];
  assert.equal(effectOf(place, "cat $X", { rules, mode: "full" }), "ask");
  assert.equal(effectOf(place, "cat $X", { rules: [], mode: "full" }), "allow");
  assert.equal(effectOf(place, "cat private/a.txt", { rules, mode: "full" }), "deny");
});

test("a pattern and a walk that reach more than can be looked at are asked about", (t) => {
  const place = ground(t, { "few/a.txt": "a\n" });
  mkdirSync(join(place.root, "many"));
  for (let index = 0; index < 2100; index += 1) writeFileSync(join(place.root, "many", `${index}.txt`), "");
  assert.equal(effectOf(place, "cat many/*.txt"), "ask");
  assert.equal(effectOf(place, "cat few/*.txt"), "allow");
});

test("no line that may run prints what is denied, secret or outside, in a real bash", {
  skip: cannotRun() ?? false,
}, () => {
  const { failures, ran } = fuzzReach({ seed: Date.now() % 1e9, lines: 150 });
  assert.deepEqual(failures, []);
  assert.ok(ran > 5, `only ${ran} lines were run`);
});
