// A command that was judged to only read cannot write, whatever it really does.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { noSandbox, openCommands } from "@stet/testkit/commands-fixture";

const skip = noSandbox();

const writes = [
  "touch new",
  "echo x > kept",
  "b=(['y[$(touch new)]']=1)",
  "cat 3<(touch new); [ -e new ]",
  "rm kept",
  "mv kept moved",
  "chmod 600 kept",
  "ln -s / link",
  "mkdir new",
  "echo x >> .git/config",
  "git commit -qm two --allow-empty",
  "git add new.txt; git stash; git checkout -b other",
  "echo '#!/bin/sh' > .git/hooks/pre-commit",
  "mkdir -p .stet && touch .stet/config.json",
  "touch /tmp/planted",
  "touch /var/tmp/planted",
  "mount -o remount,rw . && touch new",
  "bash -c 'cd /proc/self/cwd && touch new'",
];

test("a command that may only read changes nothing in the workspace or in /tmp", { skip }, async (t) => {
  const fixture = openCommands(t, { files: { "root/kept": "kept\n", "root/new.txt": "" } });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: fixture.root });
  git("init", "-q");
  git("add", "kept");
  git("commit", "-qm", "one");
  const before = snapshot(fixture.root);
  for (const command of writes) {
    const end = await fixture.run(command, { isReadOnly: true });
    assert.ok(end.exitCode !== 0 || command.startsWith("b="), `${command}: ${end.output.text}`);
    assert.equal(end.wasReadOnly, true);
    assert.deepEqual(snapshot(fixture.root), before, command);
  }
  assert.match((await fixture.run("touch new", { isReadOnly: true })).output.text, /Read-only file system/);
  assert.match((await fixture.run("git status", { isReadOnly: true })).output.text, /new\.txt/);
  assert.equal((await fixture.run("ls /tmp")).output.text.includes("planted"), false);
});

function snapshot(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path} ${readFileSync(path, "latin1")}` : path;
    })
    .sort();
}

test("a reading command sees what writing ones made, and has temporary files of its own", {
  skip,
}, async (t) => {
  const fixture = openCommands(t);
  await fixture.run("echo built > out.txt; echo log > /tmp/test.log");
  const reading = (command: string) => fixture.run(command, { isReadOnly: true });
  assert.equal((await reading("cat out.txt /tmp/test.log")).output.text, "built\nlog\n");
  assert.equal((await reading('f=$(mktemp) && echo own > "$f" && cat "$f"')).output.text, "own\n");
  const long = "x".repeat(200_000);
  assert.equal((await reading(`wc -c <<'END'\n${long}\nEND`)).output.text, "200001\n");
  assert.equal(
    (await fixture.run("ls -p /dev/shm | grep -v /; ls -p /tmp | grep -v /")).output.text,
    "test.log\n",
  );
});

test("only reading, nothing is made in the workspace to mount something on", { skip }, async (t) => {
  const fixture = openCommands(t);
  await fixture.run("ls", { isReadOnly: true });
  assert.deepEqual(readdirSync(fixture.root), [".keep"]);
});

test("programs of the workspace are found by writing commands in the sandbox only", { skip }, async (t) => {
  const folder = openCommands(t);
  const bin = join(folder.root, "node_modules/.bin");
  mkdirSync(bin, { recursive: true });
  for (const name of ["tool", "ls"]) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho of the workspace\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const PATH = `${bin}:${process.env.PATH}`;
  const fixture = openCommands(t, { root: { path: folder.root, proof: "path" }, environment: { PATH } });
  assert.equal((await fixture.run("tool; ls")).output.text, "of the workspace\nof the workspace\n");
  for (const request of [{ isReadOnly: true }, { isSandboxed: false }]) {
    const { output } = await fixture.run("tool; ls", request);
    assert.match(output.text, /tool: command not found\nnode_modules\n$/);
  }
  assert.ok(existsSync(bin));
});
