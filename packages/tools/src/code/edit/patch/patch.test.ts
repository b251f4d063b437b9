import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { type CodeFixture, faultDetails, openCodeFixture } from "@stet/testkit/code-fixture";
import { patch } from "./patch.ts";

async function fixtureWith(t: TestContext, files: Record<string, string>): Promise<CodeFixture> {
  return openCodeFixture(t, [patch], { settings: { editMode: "patch" }, files });
}

function content(fixture: CodeFixture, path: string): string {
  return readFileSync(fixture.place.path(path), "utf8");
}

test("an entry that is wrong does not say which one it is", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": "one\n", "b.txt": "b\n" });
  const good = { path: "a.txt", diff: "@@\n-one\n+two\n" };
  for (const [entry, error] of [
    [{ path: "b.txt", diff: "" }, "invalid_patch"],
    [{ path: "b.txt", diff: "@@\n b\n" }, "invalid_patch"],
    [{ path: "b.txt", diff: "@@\nb\n" }, "invalid_patch"],
    [{ path: "b.txt", op: "delete", rename: "c.txt" }, "invalid_patch"],
    [{ path: "b.txt", op: "create", diff: "x" }, "file_exists"],
    [{ path: "b.txt", rename: "a.txt" }, "file_exists"],
    [{ path: "b.txt", diff: "@@\n-x\n+y\n" }, "no_match"],
    [{ path: "none.txt", diff: "@@\n-x\n+y\n" }, "file_not_found"],
    [{ path: "b.txt", op: "frob" }, "invalid_arguments"],
  ] as const) {
    const answer = await fixture.call("edit", { edits: [good, entry] });
    assert.equal(answer.error, error, answer.text);
    if (error === "invalid_patch") assert.equal(faultDetails(answer).entry, 2);
  }
  assert.equal((await fixture.call("edit", { edits: [] })).error, "invalid_arguments");
  assert.equal(content(fixture, "a.txt"), "one\n");
});

test("while entries are written there is nothing to look at", async (t) => {
  const fixture = await fixtureWith(t, { "a.txt": "one\n" });
  const tool = patch(fixture.context);
  const whole = JSON.stringify({
    edits: [
      { path: "a.txt", diff: "@@\n-one\n+two\n" },
      { path: "b.txt", op: "create", diff: "new\n" },
    ],
  });
  assert.match((await tool.preview?.(whole.slice(0, whole.indexOf("b.txt")))) ?? "", /-one\n\+two/);
  assert.match((await tool.preview?.(whole)) ?? "", /\+new/);
  assert.ok(!existsSync(fixture.place.path("b.txt")));
});
