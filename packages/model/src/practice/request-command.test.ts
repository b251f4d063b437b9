import { strict as assert } from "node:assert";
import { test } from "node:test";
import { requestsOf } from "./request.ts";

function command(text: string, expected: string | undefined, folder?: string): void {
  assert.deepEqual(requestsOf(text), [{ kind: "command", command: expected, folder }], text);
}

test("a command is what is quoted, or all that is said behind the verb", () => {
  command("run `npm test`", "npm test");
  command("Run npm test.", "npm test");
  command("please execute npm run test:unit", "npm run test:unit");
  command("execute the command “make all”", "make all");
  command("run the shell command: ls -la", "ls -la");
  command("run `npm test` in packages/web", "npm test", "packages/web");
  command("run `npm test` in the tools folder.", "npm test", "tools");
  command("chạy `npm test`", "npm test");
  command("run CI=1 npm test please", "CI=1 npm test");
});

test("quotation marks, full stops and semicolons of a command stay what they are", () => {
  command(`run git commit -m "one, two" --author 'A B'`, `git commit -m "one, two" --author 'A B'`);
  command("run go test ./...", "go test ./...");
  command("run ls .", "ls .");
  command("run npm test; echo done", "npm test; echo done");
  command('run `echo "a b"`', 'echo "a b"');
  command("run ```\ncd a\nmake\n```", "cd a\nmake");
});

test("the tests are asked for without a command", () => {
  for (const text of [
    "run the tests",
    "Run all tests!",
    "run tests",
    "please run the unit tests",
    "run the test suite",
  ])
    command(text, undefined);
});

test("commands stand beside other wishes", () => {
  const [replace, run] =
    requestsOf('replace "a b" with "c" in x.md and then run npm test -- --grep "a b"') ?? [];
  assert.equal(replace?.kind, "replace");
  assert.deepEqual(run, { kind: "command", command: 'npm test -- --grep "a b"', folder: undefined });
  const [create, then] = requestsOf('create a.sh with "echo hi" and run sh a.sh') ?? [];
  assert.deepEqual(create, { kind: "create", title: "a.sh", text: "echo hi" });
  assert.deepEqual(then, { kind: "command", command: "sh a.sh", folder: undefined });
});

test("running that is no command is not taken for one", () => {
  for (const text of [
    "run it",
    "run through the second chapter",
    "run a spell check",
    "Run!",
    "run the numbers again",
  ])
    assert.equal(requestsOf(text), undefined, text);
});
