import assert from "node:assert/strict";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTurnFixture } from "@stet/testkit/turn-fixture";

const files = {
  "package.json": JSON.stringify({ scripts: { greet: "echo hello from the script" } }),
  Makefile: "say:\n\t@echo made\n",
};

function recipe(op: string) {
  return { calls: [{ name: "recipe", arguments: { op } }] };
}

const bring = { calls: [{ name: "search_tool_bm25", arguments: { query: "recipe" } }] };

test("a task runs with what is handed to it, and its output is told", async (t) => {
  const fixture = await openTurnFixture(t, { files, settings: { "permission.mode": "auto-edit" } });
  const { answers } = await fixture.turn([
    bring,
    recipe("greet -- and more"),
    recipe("make:say"),
    { text: "Done." },
  ]);
  assert.match(answers[1]?.text ?? "", /hello from the script and more/);
  assert.match(answers[2]?.text ?? "", /made/);
});

test("an unknown task is refused with the list, and nobody is asked", async (t) => {
  const fixture = await openTurnFixture(t, { files });
  const { answers } = await fixture.turn([bring, recipe("deploy"), { text: "Done." }]);
  assert.equal(answers[1]?.isError, true);
  assert.match(answers[1]?.text ?? "", /pkg: greet/);
  assert.deepEqual(fixture.questions, []);
});

test("a task is asked for as the command that it is", async (t) => {
  const fixture = await openTurnFixture(t, { files, answer: () => "Deny" });
  await fixture.turn([bring, recipe("make:say"), { text: "Done." }]);
  assert.match(fixture.questions[0] ?? "", /make say/);
});

test("tasks of a runner that is not installed are not offered, and the list says why", async (t) => {
  const empty = mkdtempSync(join(tmpdir(), "stet-path-"));
  t.after(() => rmSync(empty, { recursive: true }));
  symlinkSync("/bin/sh", join(empty, "make"));
  const justfile = "build:\n    echo built\ntest:\n    echo tested\n";
  const fixture = await openTurnFixture(t, { files: { ...files, justfile }, environment: { PATH: empty } });
  const { answers } = await fixture.turn([bring, recipe("build"), { text: "Done." }]);
  const text = answers[1]?.text ?? "";
  assert.match(text, /There is no task build/);
  assert.match(text, /make: say/);
  assert.match(text, /just is not installed, so its 2 tasks are left out/);
  assert.match(text, /npm is not installed, so its task is left out/);
  assert.doesNotMatch(text, /just: |pkg: /);
});
