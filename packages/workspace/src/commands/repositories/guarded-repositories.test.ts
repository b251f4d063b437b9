// What a command in the sandbox leaves for git: after it, the person's git runs nothing of it.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type CommandsFixture, noSandbox, openCommands } from "@stet/testkit/commands-fixture";
import { temporaryFolder } from "@stet/testkit/temporary";
import { gitlinksOf } from "./git-index.ts";
import { guardsOf } from "./guarded-paths.ts";

const skip = noSandbox();

const identity = {
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@b",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@b",
};

/** Git as the person runs it. */
function git(folder: string, ...words: string[]): string {
  return execFileSync("git", ["-c", "protocol.file.allow=always", ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...identity },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function makeRepository(folder: string): void {
  git(folder, "init", "-q", "-b", "main");
  git(folder, "config", "user.name", "a");
  git(folder, "config", "user.email", "a@b");
  writeFileSync(join(folder, "file"), "1\n");
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "one");
}

interface Ground extends CommandsFixture {
  /** Exists if something of the sandbox ran outside of it. */
  readonly pwned: string;
}

/** A repository with the submodule `libs/one`, the repository `vendor/two`, and worktrees inside and outside. */
function openGround(t: TestContext): Ground {
  const fixture = openCommands(t, { environment: { PATH: process.env.PATH, ...identity } });
  const { root, folder } = fixture;
  for (const name of ["origin", "root/vendor/two"]) mkdirSync(join(folder, name), { recursive: true });
  makeRepository(join(folder, "origin"));
  makeRepository(root);
  git(root, "submodule", "add", "-q", join(folder, "origin"), "libs/one");
  git(root, "commit", "-qm", "submodule");
  makeRepository(join(root, "vendor/two"));
  git(root, "worktree", "add", "-q", join(folder, "outside"), "-b", "outside");
  git(root, "worktree", "add", "-q", join(root, "trees/inside"), "-b", "inside");
  const pwned = join(folder, "pwned");
  writeFileSync(join(root, "evil-lines"), `[core]\n\tfsmonitor = "touch ${pwned}; false"\n`);
  return { ...fixture, pwned };
}

function personLooks(ground: Ground): void {
  const { root, folder } = ground;
  const nested = ["libs/one", "vendor/two", "trees/inside", "new", "vendor"].map((name) => join(root, name));
  for (const path of [root, join(folder, "outside"), ...nested]) {
    if (!existsSync(path)) continue;
    try {
      git(path, "status");
    } catch {
      // Whatever git says of it: it must not run anything.
    }
  }
}

const attempts = [
  "mkdir evil; cat evil-lines > evil/config; cp -r .git/objects .git/refs .git/HEAD evil; echo ../evil > .git/commondir",
  "rm -f .git/commondir; mkdir .git/commondir",
  "cat evil-lines >> .git/modules/libs/one/config",
  "git -C libs/one config core.fsmonitor x",
  "echo evil > .git/modules/libs/one/hooks/post-checkout",
  "echo ../../../../evil > .git/modules/libs/one/commondir",
  "mv .git/modules .git/moved && mkdir -p .git/modules/libs/one",
  "mv .git/modules/libs .git/moved",
  "mv .git/modules/libs/one .git/moved",
  "mkdir -p .git/modules/new && cat evil-lines > .git/modules/new/config",
  "echo 'gitdir: ../../evil' > libs/one/.git",
  "rm libs/one/.git && git init -q libs/one",
  "mv libs/one libs/moved",
  "mv libs moved",
  "cat evil-lines >> vendor/two/.git/config",
  "echo x > vendor/two/.git/hooks/post-checkout",
  "mv vendor/two/.git vendor/two/moved",
  "mv vendor/two vendor/moved",
  "echo /evil > .git/worktrees/outside/commondir",
  "cat evil-lines > .git/worktrees/outside/config.worktree",
  "mv .git/worktrees/outside .git/worktrees/x",
  "mv .git/worktrees .git/x",
  "echo /evil > .git/worktrees/inside/commondir",
  "echo 'gitdir: ../../evil' > trees/inside/.git",
  "mkdir -p .git/objects/info; echo /evil > .git/objects/info/alternates",
  "mv .git/objects .git/x",
  "mkdir -p .git/remotes && echo 'URL: /evil' > .git/remotes/origin",
  "mkdir -p .git/branches && echo /evil > .git/branches/origin",
  "ln .git/config linked && echo evil >> linked",
  "ln -sfn ../evil .git/hooks",
  "ln -sfn ../evil .git/modules",
  "mv .git .moved && ln -s evil .git",
  "git config --file .git/config include.path ../evil",
  "cp .git/config x && mv -f x .git/config",
];

test("nothing that git carries out or follows can be changed while a command runs", { skip }, async (t) => {
  const ground = openGround(t);
  for (const attempt of attempts) {
    const { exitCode } = await ground.run(attempt);
    assert.notEqual(exitCode, 0, `must not work: ${attempt}`);
  }
  await ground.commands.close();
  personLooks(ground);
  assert.equal(existsSync(ground.pwned), false);
  const names = readdirSync(join(ground.root, ".git"));
  for (const name of ["commondir", "remotes", "config.worktree"])
    assert.equal(names.includes(name), false, name);
  assert.equal(existsSync(join(ground.root, ".git/objects/info/alternates")), false);
  assert.equal(existsSync(join(ground.root, ".git/modules/libs/one/commondir")), false);
});

test("a background command that waits for its moment cannot lead git elsewhere either", {
  skip,
}, async (t) => {
  const ground = openGround(t);
  const later = "mkdir evil; cp -r .git/objects .git/refs .git/HEAD evil; cat evil-lines > evil/config";
  await ground.run(
    `${later}; (while sleep 0.02; do echo ../evil > .git/commondir; done) 2>/dev/null & echo started`,
  );
  for (let round = 0; round < 10; round += 1) {
    personLooks(ground);
    await pause(20);
  }
  assert.equal(existsSync(ground.pwned), false);
  assert.match(git(ground.root, "status"), /On branch main/);
});

/** What can only be set aside: where it is made, what is told, and how. */
const padding = "head -c 2000000 /dev/zero | tr '\\0' '\\n'";
const madeRepositories: readonly { command: string; reason: string; path: string }[] = [
  {
    command:
      "git init -q new && git -C new commit -q --allow-empty -m x && cat evil-lines >> new/.git/config && git add new",
    reason: "core.fsmonitor",
    path: "new/.git",
  },
  {
    command:
      "git init -q new && git -C new commit -q --allow-empty -m x && git update-index --add --cacheinfo 160000,$(git -C new rev-parse HEAD),new && cat evil-lines >> new/.git/config",
    reason: "core.fsmonitor",
    path: "new/.git",
  },
  {
    command: "git init -q vendor && cat evil-lines >> vendor/.git/config",
    reason: "core.fsmonitor",
    path: "vendor/.git",
  },
  {
    command: "git init -q vendor && echo x > vendor/.git/hooks/post-checkout",
    reason: "hooks/post-checkout",
    path: "vendor/.git",
  },
  {
    command:
      "git init -q store && cat evil-lines >> store/.git/config && echo 'gitdir: ../store/.git' > vendor/.git",
    reason: "core.fsmonitor",
    path: "vendor/.git",
  },
  {
    command: "git init -q store && cat evil-lines >> store/.git/config && ln -s ../store/.git vendor/.git",
    reason: "core.fsmonitor",
    path: "vendor/.git",
  },
  {
    command: "git init -q vendor && git -C vendor config filter.x.clean evil",
    reason: "filter.x.clean",
    path: "vendor/.git",
  },
  {
    command: "git init -q vendor && git -C vendor config include.path ../../evil",
    reason: "include.path",
    path: "vendor/.git",
  },
  {
    command: `git init -q vendor && (${padding}; cat evil-lines) > vendor/.git/config`,
    reason: "config",
    path: "vendor/.git",
  },
  {
    command: "git init -q vendor && echo ../../evil > vendor/.git/commondir",
    reason: "commondir",
    path: "vendor/.git",
  },
  {
    command:
      "mv .git/HEAD .git/H; cp -r .git/objects objects; mkdir refs; echo 'ref: refs/heads/main' > HEAD; (cat evil-lines; printf '\\tworktree = .\\n') > config",
    reason: "core.fsmonitor",
    path: "HEAD",
  },
  {
    command: "git worktree add -q vendor/tree && cat evil-lines > .git/worktrees/tree/config.worktree",
    reason: "config.worktree",
    path: "vendor/tree/.git",
  },
];

for (const { command, reason, path } of madeRepositories) {
  test(`a repository made in the sandbox that would run a program is set aside: ${command.slice(0, 60)}`, {
    skip,
  }, async (t) => {
    const ground = openGround(t);
    const end = await ground.run(command);
    if (!path.startsWith("vendor/tree")) personLooks(ground);
    await ground.commands.close();
    personLooks(ground);
    assert.equal(existsSync(ground.pwned), false, end.output.text);
    assert.equal(existsSync(join(ground.root, path)), false, end.output.text);
    if (!path.startsWith("vendor/tree")) {
      assert.deepEqual(
        end.setAside
          .map((each) => [each.path, each.reason])
          .filter(([each]) => each === join(ground.root, path)),
        [[join(ground.root, path), reason]],
      );
    }
  });
}

test("git works in the sandbox: add, commit, stash, rebase, gc, worktrees and submodules", {
  skip,
}, async (t) => {
  const ground = openGround(t);
  const works = async (command: string, output?: RegExp) => {
    const end = await ground.run(`set -e; ${command}`, { hasOwnShell: true });
    assert.equal(end.exitCode, 0, `${command}: ${end.output.text}`);
    if (output !== undefined) assert.match(end.output.text, output, command);
    assert.deepEqual([end.putBack, end.setAside], [[], []], command);
  };
  await works("echo 2 >> file && git add file && git commit -qm two && git log --oneline | wc -l", /^3\n/);
  await works("echo 3 >> file && git stash -q && git stash pop -q && git commit -qam three");
  await works("git checkout -qb side HEAD~1 && echo x > other && git add other && git commit -qm side");
  await works("git rebase -q main && git log --oneline | wc -l", /^5\n/);
  await works("git rebase -q -i --exec true HEAD~2 2>&1", /^(Executing: true\n)+$/);
  await works(
    "git checkout -q main && git merge -q --no-ff -m merge side && git cherry-pick --keep-redundant-commits side^",
  );
  await works(
    "git tag -a -m x v1 && git reset -q --hard HEAD~1 && git reflog | head -1 && git bisect start && git bisect reset",
  );
  await works(
    "git gc -q --prune=now 2>&1 && git fsck 2>&1 && git repack -adq && git pack-refs --all",
    /^(?!error)/,
  );
  await works(
    "git worktree add -q made -b made && cd made && echo m > m && git add m && git commit -qm m && git status --short",
  );
  await works("git worktree list && git worktree remove made && git worktree prune", /made/);
  await works(
    "cd trees/inside && echo i > i && git add i && git commit -qm i && git log --oneline | head -1",
    / i\n/,
  );
  await works(
    "git submodule status && git submodule foreach git status && git submodule summary && git diff --submodule=log",
    /libs\/one/,
  );
  await works(
    "cd libs/one && git checkout -qb work && echo s > s && git add s && git commit -qm s && git gc -q && cd ../.. && git add libs/one && git commit -qm bump",
  );
  await works(
    "cd vendor/two && echo v > v && git add v && git commit -qm v && git gc -q && git status --short",
    /^$/,
  );
  await works(
    "git init -q fresh && cd fresh && git commit -q --allow-empty -m x && git clone -q . ../cloned",
  );
  await works("git notes add -m note && git switch -q -c notes && git clean -nd && git archive HEAD | wc -c");
  await ground.commands.close();
  const { root } = ground;
  assert.match(git(root, "status"), /On branch notes/);
  assert.equal(git(root, "fsck", "--no-dangling"), "");
  assert.match(git(join(root, "fresh"), "log", "--oneline"), / x\n/);
  assert.match(git(join(root, "libs/one"), "log", "-1", "--format=%s"), /^s\n/);
});

test("what a configuration names inside the folder is closed as well: hooks, included files, programs", {
  skip,
}, async (t) => {
  const fixture = openCommands(t, { files: { "home/.gitconfig": "[core]\n\thooksPath = .githooks\n" } });
  const { root } = fixture;
  makeRepository(root);
  for (const name of ["shared-config", "clean.sh", "notes.txt"]) writeFileSync(join(root, name), "");
  git(root, "config", "include.path", "../shared-config");
  git(root, "config", "includeIf.onbranch:main.path", "../later-config");
  git(root, "config", "filter.x.clean", "sh ./clean.sh %f");
  git(root, "config", "alias.notes", "!cat notes.txt");
  for (const path of [".githooks/pre-commit", "shared-config", "later-config", "clean.sh", ".githooks"]) {
    const { exitCode } = await fixture.run(`mkdir -p .githooks; echo evil > ${path}`);
    assert.notEqual(exitCode, 0, path);
    assert.notEqual((await fixture.run(`mv ${path} moved`)).exitCode, 0, path);
  }
  assert.equal((await fixture.run("echo mine > notes.txt")).exitCode, 0);
  await fixture.commands.close();
  assert.deepEqual(readdirSync(root).sort(), [
    ".git",
    ".keep",
    "clean.sh",
    "file",
    "notes.txt",
    "shared-config",
  ]);
});

test("a repository inside the folder that was there before is never set aside, whatever it names", {
  skip,
}, async (t) => {
  const ground = openGround(t);
  const config = join(ground.root, "vendor/two/.git/config");
  appendFileSync(config, '[filter "own"]\n\tclean = cat\n');
  await ground.run("touch vendor/two/x; git status");
  await ground.commands.close();
  assert.equal(existsSync(config), true);
});

test("when Stet is killed, what it made to mount on is gone a moment later", { skip }, async (t) => {
  const fixture = openCommands(t);
  mkdirSync(join(fixture.root, "sub"));
  makeRepository(join(fixture.root, "sub"));
  const script = `
    import { Commands } from ${JSON.stringify(import.meta.resolve("../commands.ts"))};
    const root = { path: ${JSON.stringify(fixture.root)}, proof: "path" };
    const environment = { PATH: process.env.PATH, HOME: ${JSON.stringify(fixture.home)} };
    const stateFolder = ${JSON.stringify(join(fixture.folder, "state"))};
    const commands = new Commands({ root, stateFolder, environment, isSandboxed: true });
    await commands.run({ command: "true", timeoutSeconds: 20, isSandboxed: true, network: false });
    console.log("up");
    setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout, "data");
  assert.equal(existsSync(join(fixture.root, ".git")), true);
  assert.equal(existsSync(join(fixture.root, "sub/.git/commondir")), true);
  child.kill("SIGKILL");
  const left = () =>
    [".git", ".stet", "sub/.git/commondir"].filter((name) => existsSync(join(fixture.root, name)));
  for (let round = 0; round < 500 && left().length > 0; round += 1) await pause(20);
  assert.deepEqual(left(), []);
  assert.deepEqual(readdirSync(join(fixture.folder, "state/mount-points")), []);
});

test("gitlinks are read from every kind of index", (t) => {
  const folder = temporaryFolder(t, { file: "1\n" });
  makeRepository(folder);
  const id = git(folder, "rev-parse", "HEAD").trim();
  const add = (name: string) => git(folder, "update-index", "--add", "--cacheinfo", `160000,${id},${name}`);
  const links = () => gitlinksOf(join(folder, ".git/index")).sort();
  assert.deepEqual(links(), []);
  add("a/deep/link");
  for (const version of ["2", "4"]) {
    git(folder, "update-index", "--index-version", version);
    assert.deepEqual(links(), ["a/deep/link"], version);
  }
  git(folder, "update-index", "--split-index");
  add("b");
  assert.deepEqual(links(), ["a/deep/link", "b"], "in the shared index and beside it");
  git(folder, "update-index", "--no-split-index", "--index-version", "2");
  git(folder, "add", "-N", "--", "file");
  assert.deepEqual(links(), ["a/deep/link", "b"]);
  const other = join(folder, "sha256");
  mkdirSync(other);
  git(other, "init", "-q", "--object-format=sha256");
  git(other, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(64)},sub`);
  assert.deepEqual(gitlinksOf(join(other, ".git/index"), 32), ["sub"]);
});

test("what a command leaves for the guards of the next turn opens nothing outside the folder", {
  skip,
}, async (t) => {
  const first = openCommands(t, { files: { "outside/one/file": "mine" }, environment: { ...identity } });
  const { root, folder } = first;
  const outside = join(folder, "outside");
  makeRepository(root);
  makeRepository(join(outside, "one"));
  for (const command of [
    "ln -s ../outside link && git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),link/one",
    "ln -s ../../outside .git/worktrees",
    "git init -q plain && rm -rf plain/.git/info plain/.git/hooks && ln -s ../../../outside plain/.git/info && ln -s ../../../outside plain/.git/hooks",
    "git init -q other && rm -rf other/.git/modules && ln -s ../../../outside other/.git/modules",
  ]) {
    assert.equal((await first.run(command)).exitCode, 0, command);
  }
  await first.commands.close();
  const next = openCommands(t, { root: { path: root, proof: "path" }, stateFolder: join(folder, "state") });
  for (const path of ["link/one/new", "../outside/one/new", "../outside/new", ".git/worktrees/one/new"]) {
    const { exitCode, output } = await next.run(`touch ${path}`);
    assert.notEqual(exitCode, 0, `${path}: ${output.text}`);
  }
  assert.deepEqual([existsSync(join(outside, "one/new")), existsSync(join(outside, "new"))], [false, false]);
});

test("a repository made while another sandbox lives is not mounted: that one could put a link in its place", {
  skip,
}, async (t) => {
  const first = openGround(t);
  await first.run("git init -q made/deep && git -C made/deep commit -q --allow-empty -m x");
  const second = openCommands(t, {
    root: { path: first.root, proof: "path" },
    stateFolder: join(first.folder, "state"),
  });
  assert.notEqual(
    (await second.run("cat evil-lines >> vendor/two/.git/config")).exitCode,
    0,
    "known to both",
  );
  assert.equal((await first.run("mv made moved && ln -s ../outside made")).exitCode, 0);
  assert.equal((await second.run("echo still works", { network: true })).exitCode, 0);
});

test("nothing that a command puts where Stet looks for repositories makes it wait or end", {
  skip,
}, async (t) => {
  const { run, commands } = openGround(t);
  const odd = [
    "git init -q pipe && rm pipe/.git/config && mkfifo pipe/.git/config && rm -rf pipe/.git/hooks && mkfifo pipe/.git/hooks",
    "mkfifo vendor/.git",
    "git init -q loop && rm -rf loop/.git/modules && ln -s . loop/.git/modules && ln -s .git loop/HEAD",
    "git init -q large && truncate -s 4G large/.git/config",
    "git init -q filed && mkdir filed/.git/modules && touch filed/.git/modules/x",
    "git init -q deep && (cd deep/.git; for i in $(seq 60); do mkdir modules; cd modules; done)",
    "cp .git/index saved; head -c 200 saved > .git/index; (head -c 100 saved; head -c 300 /dev/urandom) > .git/index; mv saved .git/index",
    "mkdir bare; cd bare; mkfifo HEAD config; mkdir objects refs; cd ..",
    "ln -s vendor/.git trees/.git; mkdir other; echo 'gitdir: .' > other/.git",
  ];
  for (const command of odd) {
    assert.equal((await run(command, { timeoutSeconds: 30, hasOwnShell: true })).exitCode, 0, command);
  }
  await commands.close();
});

test("a command that makes again what was set aside is ended, and everything with it", {
  skip,
}, async (t) => {
  const ground = openGround(t);
  const again =
    "while :; do if [ ! -e vendor/.git ]; then git init -q vendor && cat evil-lines >> vendor/.git/config; fi; done";
  const { exitCode, output } = await ground.run(`(${again}) & sleep 15; echo survived`);
  assert.notEqual(exitCode, 0);
  assert.equal(output.text.includes("survived"), false);
  assert.equal((await ground.run("echo next")).output.text, "next\n");
  await ground.commands.close();
  // One that was just being made when it was ended is harmless, and stays.
  const config = join(ground.root, "vendor/.git/config");
  assert.equal(existsSync(config) && readFileSync(config, "utf8").includes("fsmonitor"), false);
});

test("the repository that a link .git leads to is guarded once: what is mounted there is not put back as a command's", (t) => {
  const root = realpathSync(temporaryFolder(t));
  makeRepository(root);
  renameSync(join(root, ".git"), join(root, "store"));
  symlinkSync("store", join(root, ".git"));
  const { readOnly, watched } = guardsOf(root, { own: [], home: root, isGuardedByAll: () => true });
  const mounted = new Set(readOnly.map(({ path }) => path));
  assert.ok(mounted.has(join(root, "store/config.worktree")));
  assert.deepEqual(
    watched.filter(({ path }) => mounted.has(path)),
    [],
  );
});
