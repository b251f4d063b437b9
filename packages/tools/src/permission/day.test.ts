// A day of ordinary development, 300 commands, and how often the person is asked in auto-edit with the sandbox.
//
// Beside each command stands what codex would do with it in workspace-write with approvals on request, by its published rules
// (developers.openai.com/codex/agent-approvals-security, docs/sandbox.md and command_safety of its repository):
//
//   sandbox     runs in its sandbox without a question
//   network     the sandbox has no network, this machine's own services included: the model has to ask to run it outside
//   git         writes below .git, which is read-only there: the same
//   outside     writes outside of the workspace and /tmp: the same
//   dangerous   on its list: rm with force, git reset, git rm
//
// Where its rules leave a doubt (caches in the home folder, ports that are opened), it counts as not asked.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import day from "./day.json" with { type: "json" };
import { examineCommand } from "./examine-command.ts";
import { entriesOnDisk, gitOnDisk } from "./folder-entries.ts";
import { judge } from "./judge.ts";
import { realPathOnDisk } from "./path-context.ts";

/** A folder as programmers have it, with the files that the commands are about and with some that hold secrets. */
const files = [
  ".env .env.example .gitignore .eslintrc.json .github/workflows/ci.yml Makefile Cargo.toml go.mod README.md",
  "package.json package-lock.json pyproject.toml requirements.txt tsconfig.json docker-compose.yml",
  "src/index.ts src/router.ts src/router.old.ts src/server.ts src/config.ts src/a.ts src/b.ts src/words.txt",
  "src/store/session.ts src/store/user.ts src/components/list.tsx test/router.test.ts docs/guide.md",
  "packages/api/package.json packages/api/src/route.ts data/users.csv data/users.json logs/dev.log",
  "node_modules/zod/package.json node_modules/zod/lib/index.js node_modules/agent-base/test/server.key",
  "scripts/check.sh patches/one.patch dist/index.js assets/logo.png",
].flatMap((line) => line.split(" "));

test("over a day of ordinary development no more is asked than by codex", (t) => {
  const root = temporaryFolder(t, {});
  for (const name of files) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), "x\n");
  }
  writeFileSync(join(root, ".gitignore"), "node_modules\ndist\n.env\nlogs\n");
  const author = ["-c", "user.name=a", "-c", "user.email=a@b"];
  for (const words of [
    ["init", "-q"],
    ["add", "-A"],
    ["commit", "-qm", "one"],
  ]) {
    execFileSync("git", ["-C", root, ...author, ...words], { stdio: "ignore" });
  }
  const place = {
    root,
    home: "/home/me",
    realPath: realPathOnDisk,
    entriesIn: entriesOnDisk,
    git: gitOnDisk(root),
    shell: "bash",
    isWritableProgram: () => false,
  } as const;
  const setting = {
    mode: "auto-edit",
    rules: [],
    remembered: [],
    place,
    hasSandbox: true,
    sandboxNetwork: false,
  } as const;
  const asked = day.filter(({ command, codex }) => {
    const target = { kind: "command", command, folder: ".", network: codex === "network" } as const;
    return judge({ tool: "bash", targets: [target] }, setting, examineCommand).effect !== "allow";
  });
  const askedByCodex = day.filter(({ codex }) => codex !== "sandbox");
  const only = asked.filter(({ codex }) => codex === "sandbox").map(({ command }) => command);
  t.diagnostic(`asked: ${asked.length} of ${day.length}; codex: ${askedByCodex.length}`);
  t.diagnostic(`asked only here: ${only.join(" · ")}`);
  assert.equal(day.length, 300);
  assert.equal(new Set(day.map(({ command }) => command)).size, 300);
  assert.ok(asked.length <= askedByCodex.length, `${asked.length} are asked: ${only.join("\n")}`);
});
