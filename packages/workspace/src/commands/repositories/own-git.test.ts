import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@stet/testkit/temporary";
import { gitIdentity } from "./git-identity.ts";
import { askGit } from "./own-git.ts";

const git = "/usr/bin/git";
const skip = !existsSync(git) && "git is not where it is looked for";

test("Stet's own git runs nothing that an untrusted folder or the environment names", { skip }, async (t) => {
  const folder = temporaryFolder(t, {
    "home/.gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.org\n[core]\n\tpager = touch pwned\n",
    "root/file": "1\n",
  });
  const [root, home] = [join(folder, "root"), join(folder, "home")];
  execFileSync(git, ["init", "-q", root], { env: { HOME: home, PATH: process.env.PATH } });
  const run = `touch ${join(folder, "pwned")}`;
  for (const key of [
    "core.fsmonitor",
    "core.pager",
    "core.sshCommand",
    "alias.config",
    "credential.helper",
  ]) {
    execFileSync(git, ["-C", root, "config", key, `!${run}`], { env: { HOME: home } });
  }
  const environment = {
    HOME: home,
    PATH: process.env.PATH,
    GIT_PAGER: run,
    GIT_EXTERNAL_DIFF: run,
    GIT_SSH_COMMAND: run,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "user.name",
    GIT_CONFIG_VALUE_0: "Mallory",
    GIT_DIR: join(folder, "nowhere"),
  };
  const { config } = await gitIdentity(git, { root, home, ignorePath: "/ignore", environment });
  assert.match(config, /name = "Ada"/);
  assert.equal(config.includes("Mallory"), false);
  assert.equal(existsSync(join(folder, "pwned")), false);
  for (const question of ["status", "diff", "log", "-c", "submodule"]) {
    await assert.rejects(
      askGit(git, [question], { cwd: root, environment }),
      /may run what a repository names/,
    );
  }
});

test("no package starts git in another way", () => {
  const packages = fileURLToPath(new URL("../../../../", import.meta.url));
  const starts = /\b(?:exec|execFile|execSync|execFileSync|spawn|spawnSync|run)\(\s*(?:"git"|git\b)/;
  const found = readdirSync(packages, { recursive: true, encoding: "utf8" })
    .filter((path) => /^[^/]+\/src\/.*\.tsx?$/.test(path))
    .filter((path) => !/\.test\.tsx?$|^testkit\//.test(path))
    .filter((path) => starts.test(readFileSync(join(packages, path), "utf8")));
  assert.deepEqual(found, ["workspace/src/commands/repositories/own-git.ts"]);
});
