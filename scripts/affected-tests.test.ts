import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { temporaryFolder } from "@stet/testkit/temporary";
import { affectedTests, changedFiles, testFiles } from "./affected-tests.ts";

const files = {
  "packages/text/src/line.ts": "export const line = 1;\n",
  "packages/text/src/line.test.ts": 'import { line } from "./line.ts";\n',
  "packages/text/src/word.test.ts": "",
  "packages/text/src/cases/one/input.txt": "",
  "packages/tools/src/edit.ts":
    'import { line } from "@stet/text/line";\nnew URL("./edit.md", import.meta.url);\n',
  "packages/tools/src/edit.md": "",
  "packages/tools/src/edit.test.ts": 'const { edit } = await import("./edit.ts");\n',
  "packages/tools/src/other.test.ts": "",
  "packages/cli/src/main.ts": 'import "@stet/tools/edit";\n',
  "packages/web/src/app.tsx": 'import "./app.css";\n',
  "packages/web/src/app.css": "",
  "packages/web/src/app.browser.test.ts": 'import { openRoom } from "@stet/testkit/browser";\n',
  "packages/testkit/src/browser.ts": 'import "../../../scripts/build-page.ts";\nimport "./served.ts";\n',
  "packages/testkit/src/served.ts": 'join(import.meta.dirname, "../../cli/src/main.ts");\n',
  "packages/testkit/src/child.ts": "",
  "packages/workspace/src/crash.test.ts": 'join(import.meta.dirname, "../../testkit/src/child.ts");\n',
  "scripts/build-page.ts": "",
  "scripts/doc-links.test.ts": "",
};

test("a change affects the tests that reach it, however they do", (t) => {
  const root = temporaryFolder(t, files);
  const affected = (...changed: string[]) =>
    affectedTests(root, changed).map((file) => file.split("/").at(-1));
  assert.deepEqual(affected("packages/text/src/word.test.ts"), ["word.test.ts"]);
  assert.deepEqual(affected("packages/text/src/line.ts"), [
    "line.test.ts",
    "edit.test.ts",
    "app.browser.test.ts",
  ]);
  assert.deepEqual(affected("packages/tools/src/edit.md"), ["edit.test.ts", "app.browser.test.ts"]);
  assert.deepEqual(affected("packages/web/src/app.css"), ["app.browser.test.ts"]);
  assert.deepEqual(affected("packages/testkit/src/child.ts"), ["crash.test.ts"]);
  assert.deepEqual(affected("packages/text/src/cases/one/input.txt"), ["line.test.ts", "word.test.ts"]);
  assert.deepEqual(affected("docs/agent.md"), ["doc-links.test.ts"]);
  assert.deepEqual(
    affected("package-lock.json"),
    testFiles(root).map((file) => file.split("/").at(-1)),
  );
  assert.deepEqual(affected(), []);
});

test("what changed is what the branch and the working tree have beyond their base", (t) => {
  const root = temporaryFolder(t, { "one.md": "", "two.md": "", "three.md": "" });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b.c", ...args], {
      cwd: root,
      stdio: "pipe",
    });
  const add = () => git("add", "-A");
  git("init", "-q", "-b", "main");
  add();
  git("commit", "-qm", "start");
  git("checkout", "-qb", "branch");
  execFileSync("sh", ["-c", "echo a > one.md"], { cwd: root });
  add();
  git("commit", "-qm", "one");
  git("checkout", "-q", "main");
  execFileSync("sh", ["-c", "echo b > three.md"], { cwd: root });
  add();
  git("commit", "-qm", "elsewhere");
  git("checkout", "-q", "branch");
  execFileSync("sh", ["-c", "echo c > two.md; echo d > new.md"], { cwd: root });
  assert.deepEqual(changedFiles(root, "main").sort(), ["new.md", "one.md", "two.md"]);
});
