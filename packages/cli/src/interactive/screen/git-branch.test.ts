// The branch of a repository, read from its files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { GitBranch } from "./git-branch.ts";
import { changedFiles } from "./git-changes.ts";

test("the branch is found from a folder below, in a worktree too, and followed when it changes", async (t) => {
  const root = temporaryFolder(t, { "deep/er/a.txt": "a\n" });
  const git = (...words: string[]) => execFileSync("git", ["-C", root, ...words], { stdio: "ignore" });
  git("init", "--initial-branch=first");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--allow-empty", "-m", "begin");
  const { promise, resolve } = Promise.withResolvers<void>();
  const branch = new GitBranch(join(root, "deep/er"), resolve);
  t.after(() => branch.close());
  assert.deepEqual([branch.isRepository, branch.name], [true, "first"]);
  branch.follow();
  git("checkout", "-b", "second");
  await promise;
  assert.equal(branch.name, "second");
  git("worktree", "add", "-b", "third", join(root, "tree"));
  assert.equal(new GitBranch(join(root, "tree"), () => {}).name, "third");
  git("checkout", "--detach");
  assert.match(new GitBranch(root, () => {}).name ?? "", /^[0-9a-f]{8}$/);
});

test("files that differ from the index are counted, without git", async (t) => {
  const root = temporaryFolder(t, { "a.txt": "a\n", "b/c.txt": "c\n", "é.txt": "e\n" });
  const git = (...words: string[]) => execFileSync("git", ["-C", root, ...words], { stdio: "ignore" });
  git("init");
  git("add", ".");
  const count = () => changedFiles(join(root, ".git"), root);
  assert.equal(await count(), 0);
  writeFileSync(join(root, "b/c.txt"), "longer\n");
  rmSync(join(root, "é.txt"));
  assert.equal(await count(), 2);
  writeFileSync(join(root, ".git/index"), "DIRC and nothing that fits");
  assert.equal(await count(), undefined);
});

test("outside of a repository, and with a damaged one, there is no branch", (t) => {
  const root = temporaryFolder(t, { "a.txt": "a\n" });
  assert.equal(new GitBranch(root, () => {}).name, undefined);
  mkdirSync(join(root, ".git"));
  assert.equal(new GitBranch(root, () => {}).name, undefined);
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/\u001b[2Jx\n");
  assert.doesNotMatch(new GitBranch(root, () => {}).name ?? "", /\p{Cc}/u);
});
