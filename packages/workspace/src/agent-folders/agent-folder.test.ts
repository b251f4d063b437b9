import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { differences, snapshotTree } from "@stet/testkit/tree-snapshot";
import { must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { Workspace } from "../workspace.ts";
import { type AgentFolder, type FolderKind, makeAgentFolder, removeLeftFolders } from "./agent-folder.ts";
import { bringBack } from "./bring-back.ts";

const environment = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };

function git(folder: string, ...words: string[]): string {
  const who = ["-c", "user.name=T", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...words], { cwd: folder, env: environment, encoding: "utf8" });
}

const files = {
  ".gitignore": "node_modules\nbuild\n*.log\n",
  "src/a.ts": "one\ntwo\nthree\n",
  "src/b.ts": "b\n",
  "crlf.txt": "x\r\ny\r\n",
};

/** A repository in which something is committed, staged, changed, untracked and ignored. */
async function openRepository(t: TestContext) {
  const place = new TestWorkspace(t, files);
  git(place.root, "init", "-q");
  git(place.root, "add", "-A");
  git(place.root, "commit", "-qm", "first");
  writeFileSync(place.path("src/b.ts"), "b, staged\n");
  git(place.root, "add", "src/b.ts");
  writeFileSync(place.path("src/a.ts"), "one\ntwo, changed\nthree\n");
  writeFileSync(place.path("new.txt"), "untracked\n");
  writeFileSync(place.path("noise.log"), "ignored\n");
  mkdirSync(place.path("build"));
  writeFileSync(place.path("build/out.js"), "built\n");
  for (const folder of ["node_modules/left", "node_modules/@s/right", "node_modules/.bin", "packages/own"])
    mkdirSync(place.path(folder), { recursive: true });
  writeFileSync(place.path("node_modules/left/index.js"), "left\n");
  writeFileSync(place.path("packages/own/index.js"), "own\n");
  symlinkSync("../packages/own", place.path("node_modules/own"));
  symlinkSync("../left/index.js", place.path("node_modules/.bin/left"));
  symlinkSync("src/a.ts", place.path("link"));
  return { place, workspace: await place.open() };
}

async function folderOf(
  t: TestContext,
  workspace: Workspace,
  place: TestWorkspace,
  kind: FolderKind,
): Promise<AgentFolder> {
  const { signal } = new AbortController();
  const { dataFolder } = place;
  const made = must(
    await makeAgentFolder({ workspace, turn: undefined, dataFolder, kind, environment, signal }),
  );
  t.after(() => made.remove());
  return made;
}

const read = (folder: AgentFolder, path: string) => readFileSync(join(folder.root, path), "utf8");

test("a worktree has every file as it is now, also what is neither committed nor saved, and its own git state", async (t) => {
  const { place, workspace } = await openRepository(t);
  const { id } = must(workspace.documents.open("crlf.txt"));
  personEdits(workspace, id, { op: "append", content: "unsaved" });
  const folder = await folderOf(t, workspace, place, "worktree");
  assert.equal(folder.kind, "worktree");
  assert.ok(!folder.root.startsWith(place.root));
  assert.equal(read(folder, "src/a.ts"), "one\ntwo, changed\nthree\n");
  assert.equal(read(folder, "new.txt"), "untracked\n");
  assert.equal(read(folder, "crlf.txt"), "x\r\ny\r\nunsaved\r\n");
  assert.equal(readlinkSync(join(folder.root, "link")), "src/a.ts");
  assert.deepEqual(
    [existsSync(join(folder.root, "noise.log")), existsSync(join(folder.root, "build"))],
    [false, false],
  );
  const status = git(folder.root, "status", "--porcelain").split("\n").filter(Boolean).sort();
  const expected = [" M crlf.txt", " M src/a.ts", "?? link", "?? new.txt", "?? packages/", "M  src/b.ts"];
  assert.deepEqual(status, expected);
  // What is done there is seen there alone.
  git(folder.root, "add", "-A");
  git(folder.root, "commit", "-qm", "second");
  assert.doesNotMatch(git(place.root, "log", "--oneline", "--all"), /second.*\n.*HEAD/);
  assert.match(git(place.root, "status", "--porcelain"), /^ M src\/a\.ts$/m);
  await folder.remove();
  assert.equal(git(place.root, "worktree", "list").trim().split("\n").length, 1);
  assert.equal(existsSync(folder.root), false);
});

test("installed packages are links, and a package of the same repository is the agent's own copy", async (t) => {
  const { place, workspace } = await openRepository(t);
  const folder = await folderOf(t, workspace, place, "worktree");
  assert.equal(read(folder, "node_modules/left/index.js"), "left\n");
  assert.equal(read(folder, "node_modules/.bin/left"), "left\n");
  writeFileSync(join(folder.root, "packages/own/index.js"), "changed\n");
  assert.equal(read(folder, "node_modules/own/index.js"), "changed\n");
  assert.equal(readFileSync(place.path("packages/own/index.js"), "utf8"), "own\n");
  assert.ok(lstatSync(join(folder.root, "node_modules/@s/right")).isSymbolicLink());
  assert.ok(folder.readable.includes(place.path("node_modules")));
});

test("a hostile repository runs nothing when a worktree is made of it", async (t) => {
  const { place, workspace } = await openRepository(t);
  const made = place.path("../ran");
  const script = `#!/bin/sh\ntouch ${made}\ncat\n`;
  for (const hook of ["post-checkout", "reference-transaction"]) {
    writeFileSync(place.path(`.git/hooks/${hook}`), script);
    chmodSync(place.path(`.git/hooks/${hook}`), 0o755);
  }
  writeFileSync(place.path(".gitattributes"), "* filter=evil\n");
  const config = readFileSync(place.path(".git/config"), "utf8");
  const evil = `[core]\n\tfsmonitor = touch ${made}\n\thooksPath = ${place.path(".git/hooks")}\n[filter "evil"]\n\tsmudge = touch ${made}\n\tclean = touch ${made}\n`;
  writeFileSync(place.path(".git/config"), `${config}${evil}`);
  const folder = await folderOf(t, workspace, place, "worktree");
  assert.equal(folder.kind, "worktree");
  await folder.remove();
  assert.equal(existsSync(made), false);
});

/** A repository beside the root, as a person has others in the home folder. */
function otherRepository(place: TestWorkspace): string {
  const other = join(place.folder, "other");
  mkdirSync(other);
  writeFileSync(join(other, "secret.txt"), "secret\n");
  git(other, "init", "-q");
  git(other, "add", "-A");
  git(other, "commit", "-qm", "first");
  return other;
}

const hostile: Readonly<Record<string, (root: string, other: string) => void>> = {
  "a file .git that names another repository": (root, other) =>
    writeFileSync(join(root, ".git"), `gitdir: ${other}/.git\n`),
  "a link .git to another repository": (root, other) => symlinkSync(`${other}/.git`, join(root, ".git")),
  "a file commondir that names another repository": (root, other) => {
    git(root, "init", "-q");
    writeFileSync(join(root, ".git/commondir"), `${other}/.git\n`);
  },
  "a worktree of its own making that names another repository": (root, other) => {
    const folder = join(root, "made/worktrees/x");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(root, ".git"), "gitdir: made/worktrees/x\n");
    writeFileSync(join(folder, "gitdir"), `${root}/.git\n`);
    writeFileSync(join(folder, "commondir"), `${other}/.git\n`);
    writeFileSync(join(folder, "HEAD"), "ref: refs/heads/main\n");
  },
  "worktrees that are kept elsewhere": (root, other) => {
    git(root, "init", "-q");
    git(root, "add", "-A");
    git(root, "commit", "-qm", "first");
    symlinkSync(other, join(root, ".git/worktrees"));
  },
};

for (const [name, prepare] of Object.entries(hostile))
  test(`${name} gets nothing written or read there: the folder is a copy`, async (t) => {
    const place = new TestWorkspace(t, { "a.txt": "a\n" });
    const other = otherRepository(place);
    const before = snapshotTree(other);
    prepare(place.root, other);
    const workspace = await place.open();
    const folder = await folderOf(t, workspace, place, "worktree");
    assert.equal(folder.kind, "copy");
    assert.match(folder.note ?? "", /git folder/);
    assert.deepEqual(folder.readable, []);
    assert.equal(existsSync(join(folder.root, ".git")), false);
    assert.deepEqual(differences(before, snapshotTree(other)), []);
    await folder.remove();
    await removeLeftFolders(place.root, place.dataFolder, environment);
    assert.deepEqual(differences(before, snapshotTree(other)), []);
  });

test("a linked worktree of the person, whose repository knows it, has worktrees for its agents", async (t) => {
  const place = new TestWorkspace(t, {});
  const other = otherRepository(place);
  git(other, "worktree", "add", "-q", "--detach", "--force", join(place.root, "linked"));
  const workspace = must(await Workspace.open(join(place.root, "linked"), { dataFolder: place.dataFolder }));
  t.after(() => workspace.close());
  const folder = await folderOf(t, workspace, place, "worktree");
  assert.equal(folder.kind, "worktree", folder.note);
  assert.deepEqual(folder.readable, [join(other, ".git")]);
  assert.equal(git(folder.root, "status", "--porcelain"), "");
});

test("an index that is a link to a file of the person is not copied to where commands read", async (t) => {
  const { place, workspace } = await openRepository(t);
  const secret = join(place.folder, "secret.txt");
  writeFileSync(secret, "secret\n");
  rmSync(place.path(".git/index"));
  symlinkSync(secret, place.path(".git/index"));
  const folder = await folderOf(t, workspace, place, "worktree");
  assert.equal(folder.kind, "worktree");
  const admin = git(folder.root, "rev-parse", "--absolute-git-dir").trim();
  assert.equal(existsSync(join(admin, "index")), false);
});

test("without a repository it is a copy of everything, and says why where a worktree was wanted", async (t) => {
  const place = new TestWorkspace(t, files);
  const workspace = await place.open();
  writeFileSync(place.path("noise.log"), "kept\n");
  const folder = await folderOf(t, workspace, place, "worktree");
  assert.equal(folder.kind, "copy");
  assert.match(folder.note ?? "", /no git repository/);
  assert.equal(read(folder, "noise.log"), "kept\n");
  const plain = await folderOf(t, workspace, place, "copy");
  assert.equal(plain.note, undefined);
  assert.equal(read(plain, "src/a.ts"), files["src/a.ts"]);
});

test("a folder that a killed process left is removed by the next start, with its worktree", async (t) => {
  const { place } = await openRepository(t);
  const left = join(place.dataFolder, "agents", "999999999-x", "work");
  mkdirSync(join(place.dataFolder, "agents", "999999999-x"), { recursive: true });
  git(place.root, "worktree", "add", "-q", "--detach", left);
  await removeLeftFolders(place.root, place.dataFolder, environment);
  assert.deepEqual(readdirSync(join(place.dataFolder, "agents")), []);
  assert.equal(git(place.root, "worktree", "list").trim().split("\n").length, 1);
});

test("what an agent did in its folder comes back as one turn that is reviewed; what does not fit is told", async (t) => {
  const { place, workspace } = await openRepository(t);
  const folder = await folderOf(t, workspace, place, "worktree");
  const inside = must(await Workspace.open(folder.root, { dataFolder: folder.dataFolder }));
  t.after(() => inside.close());
  const own = inside.beginTurn({ isImmediate: true });
  await inside.witness.begin(own);
  // As a command does it.
  writeFileSync(join(folder.root, "src/a.ts"), "ONE\ntwo, changed\nTHREE\nfour\n");
  writeFileSync(join(folder.root, "crlf.txt"), "x\r\nY\r\n");
  writeFileSync(join(folder.root, "made.sh"), "#!/bin/sh\n");
  chmodSync(join(folder.root, "made.sh"), 0o755);
  writeFileSync(join(folder.root, "picture.bin"), Buffer.from([0, 1, 2, 255]));
  execFileSync("rm", [join(folder.root, "new.txt")]);
  await inside.witness.finish(own);
  must(await inside.commitTurn(own));
  // Meanwhile the person goes on.
  writeFileSync(place.path("src/a.ts"), "zero\nmine\ntwo, changed\nthree\n");
  const before = readdirSync(place.root).sort();
  const turn = workspace.beginTurn({ isImmediate: true, isHeld: true, agent: "0-Build", session: "s" });
  const brought = must(await bringBack(workspace, turn, { folder: inside, turns: [own.id] }));
  must(await workspace.commitTurn(turn));
  assert.deepEqual(brought.left, []);
  assert.deepEqual(
    brought.conflicts.map(({ line, theirs, own: lines }) => [line, theirs, lines]),
    [[1, ["zero", "mine"], ["ONE"]]],
  );
  const text = (path: string) => readFileSync(place.path(path), "utf8");
  assert.equal(text("src/a.ts"), "zero\nmine\ntwo, changed\nTHREE\nfour\n");
  assert.equal(text("crlf.txt"), "x\r\nY\r\n");
  assert.equal(text("made.sh"), "#!/bin/sh\n");
  assert.equal(lstatSync(place.path("made.sh")).mode & 0o777, 0o755);
  assert.deepEqual([...readFileSync(place.path("picture.bin"))], [0, 1, 2, 255]);
  assert.equal(existsSync(place.path("new.txt")), false);
  must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.deepEqual(readdirSync(place.root).sort(), before);
  assert.equal(text("src/a.ts"), "zero\nmine\ntwo, changed\nthree\n");
  assert.equal(text("crlf.txt"), "x\r\ny\r\n");
  assert.equal(text("new.txt"), "untracked\n");
});
