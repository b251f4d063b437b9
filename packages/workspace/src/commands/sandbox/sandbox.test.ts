// What a command in the sandbox cannot do, tried for real.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type CommandsFixture, noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { must } from "@stet/testkit/workspace";
import { openRoot } from "../../files/containment.ts";
import { quoted } from "../shell/shell-script.ts";
import { findSandbox } from "./sandbox.ts";

const skip = noSandbox();

function git(folder: string, ...words: string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@b",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@b",
  };
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...identity };
  return execFileSync("git", words, {
    cwd: folder,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function fails(fixture: CommandsFixture, command: string): Promise<void> {
  const { exitCode, output } = await fixture.run(command);
  assert.notEqual(exitCode, 0, `${command} must not work: ${output.text}`);
}

test("a command writes in the workspace and in its own /tmp, and nowhere else", { skip }, async (t) => {
  const fixture = openCommands(t, { files: { "outside/file": "mine" } });
  const outside = join(fixture.folder, "outside");
  const own = `/tmp/stet-test-${process.pid}-own`;
  assert.equal(
    (await fixture.run(`echo x > new; mkdir -p a/b; echo y > ${own}; cat new ${own}`)).output.text,
    "x\ny\n",
  );
  assert.equal(readFileSync(join(fixture.root, "new"), "utf8"), "x\n");
  assert.equal(existsSync(own), false, "its /tmp is not the machine's");
  for (const path of [
    outside,
    fixture.home,
    homedir(),
    "/etc",
    "/usr",
    "/var",
    "/proc/sys/kernel",
    "/sys",
    "/",
  ]) {
    // In its own /tmp and /dev/shm there are folders on the way to the root, which are not those of the machine.
    if (!/^\/(tmp|dev\/shm)\//.test(path)) await fails(fixture, `touch ${path}/stet-was-here`);
    assert.equal(existsSync(join(path, "stet-was-here")), false);
  }
  await fails(fixture, `echo x >> ${outside}/file`);
  await fails(fixture, `rm ${outside}/file`);
  await fails(fixture, `ln -s ${outside} link && echo x > link/file`);
  await fails(fixture, `mv ${fixture.root} ${fixture.folder}/moved`);
  await fails(fixture, "test -w /proc/sys/kernel/core_pattern");
  await fails(fixture, "test -w /proc/sysrq-trigger");
  assert.equal(readFileSync(join(outside, "file"), "utf8").length <= 4, true);
});

test("a repository that lies right in /tmp is what commands work in", { skip }, async (t) => {
  const folder = temporaryFolder(t, { "a.txt": "one\n" });
  git(folder, "init", "-q");
  const fixture = openCommands(t, { root: must(openRoot(folder)) });
  assert.equal((await fixture.run("sed -i s/one/two/ a.txt && git add a.txt")).exitCode, 0);
  assert.equal(readFileSync(join(folder, "a.txt"), "utf8"), "two\n");
  assert.equal((await fixture.run("cat a.txt", { isReadOnly: true })).output.text, "two\n");
});

test("what a command puts into /tmp is there for the next one, with and without the network, and gone at the end", {
  skip,
}, async (t) => {
  const fixture = openCommands(t);
  await fixture.run("echo kept > /tmp/note");
  assert.equal((await fixture.run("cat /tmp/note", { network: true })).output.text, "kept\n");
  assert.equal((await fixture.run("cat /tmp/note", { hasOwnShell: true })).output.text, "kept\n");
  // Others run at the same time.
  const ours = `stet-commands-${process.pid}-`;
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith(ours));
  await fixture.commands.close();
  const after = readdirSync(tmpdir()).filter((name) => name.startsWith(ours));
  assert.equal(after.length < before.length, true);
});

test("a command cannot get its rights back", { skip }, async (t) => {
  const fixture = openCommands(t);
  await fails(fixture, "mount -o remount,rw /");
  await fails(fixture, "mount -t tmpfs none /mnt");
  await fails(fixture, "umount -l /proc/sys 2>&1");
  await fails(fixture, "unshare -Urm sh -c 'mount -o remount,bind,rw / && touch /etc/stet-was-here'");
  await fails(fixture, "nsenter -t 1 -a true");
  await fails(fixture, "chroot / true");
  assert.match(
    (await fixture.run("grep -E 'CapEff|NoNewPrivs' /proc/self/status")).output.text,
    /0{16}[\s\S]*1\n$/,
  );
});

test("a command cannot read keys, tokens and what Stet keeps", { skip }, async (t) => {
  const secret = "the-secret-value";
  const names = [
    ".ssh/id_ed25519",
    ".aws/credentials",
    ".netrc",
    ".npmrc",
    ".config/gh/hosts.yml",
    ".docker/config.json",
  ];
  const more = [
    ".kube/config",
    ".gnupg/key",
    ".git-credentials",
    ".config/stet/config.json",
    ".local/share/stet/token",
    ".env",
  ];
  const files = Object.fromEntries([...names, ...more].map((name) => [`home/${name}`, secret]));
  const fixture = openCommands(t, {
    files: { ...files, "state/ledger": secret, ".env": secret, "root/.env": "the project's" },
  });
  for (const name of [...names, ...more]) {
    const { output } = await fixture.run(`cat ${fixture.home}/${name}`);
    assert.equal(output.text.includes(secret), false, name);
  }
  const all = await fixture.run(
    `grep -rs ${secret} ${fixture.folder} /proc/self/environ; cat ${fixture.folder}/state/ledger ${fixture.folder}/.env`,
  );
  assert.equal(all.output.text.includes(secret), false);
  assert.equal((await fixture.run("cat .env")).output.text, "the project's");
  // Not covered by what a link calls it.
  mkdirSync(join(fixture.folder, "keys"));
  writeFileSync(join(fixture.folder, "keys/key"), secret);
  const linked = openCommands(t);
  symlinkSync(join(fixture.folder, "keys"), join(linked.home, ".ssh"));
  const read = await linked.run(`cat ${fixture.folder}/keys/key ${linked.home}/.ssh/key`);
  assert.equal(read.output.text.includes(secret), false);
});

test("a command does not see the environment, the processes and the sockets of the machine", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, {
    environment: { OPENAI_API_KEY: "the-secret-value", PATH: process.env.PATH },
  });
  const { output } = await fixture.run(
    "env; cat /proc/*/environ | tr '\\0' '\\n'; ls /proc | grep -c '^[0-9]'; ls /run /var/run",
  );
  assert.equal(output.text.includes("the-secret-value"), false);
  assert.equal((await fixture.run(`kill -0 ${process.pid}`)).exitCode === 0, false);
});

const mayListen = process.getuid?.() === 0 && existsSync("/run");

test("a command does not reach a socket of the machine, though it may be where nothing can be written", {
  skip: skip || (!mayListen && "only root can put a socket where services have theirs"),
}, async (t) => {
  const fixture = openCommands(t);
  const socket = createSocket((connection) => connection.end("reached")).listen("/run/stet-test.sock");
  t.after(() => socket.close());
  const connect = 'require("net").connect("/run/stet-test.sock").pipe(process.stdout)';
  const command = `node -e ${quoted(connect)}`;
  assert.match((await fixture.run(command, { isSandboxed: false })).output.text, /reached/);
  assert.equal((await fixture.run(command)).output.text.includes("reached"), false);
});

test("a command reaches neither the network nor a server of this machine, unless that is allowed", {
  skip,
}, async (t) => {
  const fixture = openCommands(t);
  const server = createServer((_, response) => response.end("reached")).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const ask = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
  assert.equal((await fixture.run(ask)).output.text.includes("reached"), false);
  assert.equal(
    (await fixture.run("ls /sys/class/net; exec 3<>/dev/tcp/1.1.1.1/53", { timeoutSeconds: 5 })).exitCode,
    1,
  );
  assert.match((await fixture.run(ask, { network: true })).output.text, /reached/);
  assert.match((await fixture.run(ask, { isSandboxed: false })).output.text, /reached/);
});

test("a server that one command starts is reached by the next one", { skip }, async (t) => {
  const fixture = openCommands(t);
  const server = fixture.commands.start({
    command: `exec node -e 'require("net").createServer((c) => c.end("served")).listen(8123, () => console.log("up"))'`,
    timeoutSeconds: 30,
    isSandboxed: true,
    network: false,
    hasOwnShell: true,
  });
  let hasEnded = false;
  void server.ended.finally(() => {
    hasEnded = true;
  });
  while (server.lastLines({ bytes: 100, lines: 1 }) !== "up\n" && !hasEnded)
    await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal((await fixture.run("cat </dev/tcp/127.0.0.1/8123")).output.text, "served");
});

const hookAttempts = [
  "mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit",
  "echo evil >> .git/hooks/pre-commit",
  "echo evil >> .git/config",
  "git config core.fsmonitor evil",
  "git config core.hooksPath evil",
  "mv .git moved && mkdir -p .git/hooks && touch .git/hooks/x",
  "rm -rf .git/hooks && mkdir .git/hooks",
  "mv .git/hooks .git/h && mkdir .git/hooks",
  "rm -f .git/config; echo evil > .git/config",
  "echo evil > .git/x && mv -f .git/x .git/config",
  "ln -sf /etc/passwd .git/config",
  "echo evil > .git/config.worktree",
  "mkdir -p .git/info; echo evil > .git/info/attributes",
  "mv .git/info .git/i && mkdir .git/info && echo evil > .git/info/attributes",
  "mkdir -p .stet && echo evil > .stet/config.json",
];

test("in a repository a command commits, but does not change what git carries out", { skip }, async (t) => {
  const fixture = openCommands(t, { files: { "root/file": "1\n" } });
  git(fixture.root, "init", "-q");
  git(fixture.root, "config", "user.name", "a");
  git(fixture.root, "config", "user.email", "a@b");
  const config = readFileSync(join(fixture.root, ".git/config"), "utf8");
  const { exitCode, output } = await fixture.run(
    "git add -A && git commit -qm one && git checkout -qb branch && git log --oneline | wc -l && git stash list && git status --short",
  );
  assert.deepEqual([exitCode, output.text], [0, "1\n"]);
  for (const attempt of hookAttempts) {
    const hooks = readdirSync(join(fixture.root, ".git/hooks"));
    await fails(fixture, attempt);
    assert.equal(readFileSync(join(fixture.root, ".git/config"), "utf8"), config, attempt);
    assert.deepEqual(readdirSync(join(fixture.root, ".git/hooks")), hooks, attempt);
  }
  await fails(fixture, "echo ../evil > .git/commondir");
  await fixture.commands.close();
  assert.equal(git(fixture.root, "status", "--short", "--untracked-files=no"), "");
  for (const name of ["config.worktree", "info/attributes", "commondir", "modules", "remotes"])
    assert.equal(existsSync(join(fixture.root, ".git", name)), false);
  assert.equal(existsSync(join(fixture.root, ".stet")), false);
});

test("where there is no repository none can be made, and no trace of that is left", { skip }, async (t) => {
  const fixture = openCommands(t, { files: { "root/file": "1\n" } });
  for (const attempt of [...hookAttempts, "git init -q", "rmdir .git", "rm -rf .stet", "mv .git x"])
    await fails(fixture, attempt);
  assert.match((await fixture.run("git status")).output.text, /not a git repository/);
  assert.equal((await fixture.run("git init -q sub && ls -A sub")).output.text, ".git\n", "elsewhere it can");
  await fixture.commands.close();
  assert.deepEqual(readdirSync(fixture.root).sort(), [".keep", "file", "sub"]);
});

test("what a person makes meanwhile where something was kept free stays", { skip }, async (t) => {
  const fixture = openCommands(t);
  await fixture.run("true");
  git(fixture.root, "init", "-q");
  assert.match((await fixture.run("git status")).output.text, /No commits yet/);
  await fails(fixture, "echo x > .git/hooks/pre-commit");
  await fixture.commands.close();
  assert.match(git(fixture.root, "status"), /No commits yet/);
});

test("a linked worktree works, and its repository is guarded as well", { skip }, async (t) => {
  const fixture = openCommands(t, { files: { "main/file": "1\n" } });
  const main = join(fixture.folder, "main");
  git(main, "init", "-q");
  git(main, "config", "user.name", "a");
  git(main, "config", "user.email", "a@b");
  git(main, "add", "-A");
  git(main, "commit", "-qm", "one");
  const linked = join(fixture.folder, "linked");
  git(main, "worktree", "add", "-q", linked, "-b", "side");
  const config = readFileSync(join(main, ".git/config"), "utf8");
  const tree = openCommands(t, { root: { path: linked, proof: "path" } });
  const { exitCode, output } = await tree.run(
    "echo 2 > file && git commit -qam two && git log --oneline | wc -l",
  );
  assert.deepEqual([exitCode, output.text], [0, "2\n"]);
  for (const attempt of [
    `echo evil >> ${main}/.git/config`,
    `echo evil > ${main}/.git/hooks/pre-commit`,
    "git config core.fsmonitor evil",
    "rm .git && mkdir .git",
    "echo 'gitdir: /evil' > .git",
    `echo /evil > ${main}/.git/worktrees/linked/commondir`,
  ]) {
    await fails(tree, attempt);
  }
  await tree.run(`echo evil > ${main}/other`);
  assert.equal(existsSync(join(main, "other")), false);
  await tree.commands.close();
  assert.equal(readFileSync(join(main, ".git/config"), "utf8"), config);
  assert.match(git(linked, "status"), /nothing to commit/);
});

test("a file .git that leads somewhere does not make that place writable", { skip }, async (t) => {
  const fixture = openCommands(t, {
    files: { "precious/HEAD": "x", "precious/commondir": ".\n", "precious/gitdir": "/nowhere\n" },
  });
  writeFileSync(join(fixture.root, ".git"), `gitdir: ${join(fixture.folder, "precious")}\n`);
  await fails(fixture, `touch ${fixture.folder}/precious/new`);
});

test("a link .git that a command replaces is put back", { skip }, async (t) => {
  const fixture = openCommands(t);
  git(fixture.root, "init", "-q");
  renameSync(join(fixture.root, ".git"), join(fixture.root, "store"));
  symlinkSync("store", join(fixture.root, ".git"));
  assert.match((await fixture.run("git status")).output.text, /No commits yet/);
  await fails(fixture, "echo evil > .git/hooks/pre-commit");
  const { putBack } = await fixture.run("rm .git; mkdir -p .git/hooks; echo evil > .git/hooks/pre-commit");
  assert.deepEqual(putBack, [join(fixture.root, ".git")]);
  assert.equal(readlinkSync(join(fixture.root, ".git")), "store");
  assert.ok(lstatSync(join(fixture.root, ".git")).isSymbolicLink());
});

test("two at once in one folder guard it until the last of them is closed, and leave nothing", {
  skip,
}, async (t) => {
  const first = openCommands(t);
  const state = join(first.folder, "state");
  const second = openCommands(t, { root: { path: first.root, proof: "path" }, stateFolder: state });
  await first.run("true");
  await second.run("true");
  await first.commands.close();
  await fails(second, "mkdir -p .git/hooks && echo evil > .git/hooks/x");
  await second.commands.close();
  assert.deepEqual(readdirSync(first.root), [".keep"]);
});

test("what a Stet that was killed has left is taken away by the next one", { skip }, async (t) => {
  const fixture = openCommands(t);
  mkdirSync(join(fixture.root, ".git"));
  mkdirSync(join(fixture.folder, "state/mount-points"));
  const left = { made: [{ path: join(fixture.root, ".git"), kind: "folder" }], inner: [] };
  // No process has this number: it is above the largest.
  writeFileSync(join(fixture.folder, "state/mount-points/4194999-x.json"), JSON.stringify(left));
  await fixture.run("true");
  await fixture.commands.close();
  assert.deepEqual(readdirSync(fixture.root), [".keep"]);
  assert.deepEqual(readdirSync(join(fixture.folder, "state/mount-points")), []);
});

test("a command that was only allowed in a sandbox does not run without one", async (t) => {
  const off = openCommands(t, { isSandboxed: false });
  const fault = await off.refused("touch x");
  assert.equal(fault.error, "not_allowed");
  assert.match(fault.message, /switched off/);
  assert.equal(existsSync(join(off.root, "x")), false);
  const missing = openCommands(t, { environment: { PATH: "/nowhere" } });
  if (process.platform === "linux") assert.match((await missing.refused("true")).message, /not installed/);
});

test("a bubblewrap that cannot make namespaces is no sandbox, and says so", {
  skip: process.platform !== "linux",
}, (t) => {
  const fixture = openCommands(t, {
    files: { "bin/bwrap": "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n" },
  });
  execFileSync("chmod", ["+x", join(fixture.folder, "bin/bwrap")]);
  const { kind, reason } = findSandbox({ path: join(fixture.folder, "bin"), root: fixture.root });
  assert.equal(kind, "none");
  assert.match(reason, /does not let it make a sandbox: bwrap: No permissions/);
});
