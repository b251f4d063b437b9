import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { type CodeDesk, faultDetails, openCodeDesk } from "@stet/testkit/code-desk";
import { patch } from "./patch.ts";

async function deskWith(t: TestContext, files: Record<string, string>): Promise<CodeDesk> {
  return openCodeDesk(t, [patch], { settings: { editMode: "patch" }, files });
}

function content(desk: CodeDesk, path: string): string {
  return readFileSync(desk.place.path(path), "utf8");
}

test("entries are not made as one", async (t) => {
  const desk = await deskWith(t, { "a.txt": "one\ntwo\n", "b.txt": "x\n", "c.txt": "c\n" });
  const edits = [
    { path: "a.txt", diff: "@@\n one\n-two\n+TWO\n" },
    { path: "b.txt", rename: "sub/b.txt", diff: "@@\n-x\n+y\n" },
    { path: "c.txt", op: "delete" },
    { path: "d.txt", op: "create", diff: "+first\n+\n+third\n" },
    { path: "e.txt", op: "create", diff: "as it is" },
    { path: "f/none.txt", op: "create" },
  ];
  const broken = await desk.call("edit", {
    edits: [...edits, { path: "a.txt", diff: "@@\n-nowhere\n+x\n" }],
  });
  assert.equal(broken.error, "no_match");
  assert.equal(content(desk, "a.txt"), "one\ntwo\n");
  assert.ok(existsSync(desk.place.path("c.txt")) && !existsSync(desk.place.path("d.txt")));
  const answer = await desk.call("edit", { edits });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(content(desk, "a.txt"), "one\nTWO\n");
  assert.equal(content(desk, "sub/b.txt"), "y\n");
  assert.equal(content(desk, "d.txt"), "first\n\nthird\n");
  assert.equal(content(desk, "e.txt"), "as it is");
  assert.equal(content(desk, "f/none.txt"), "");
  assert.ok(!existsSync(desk.place.path("b.txt")) && !existsSync(desk.place.path("c.txt")));
});

test("line numbers of a unified diff count more than the lines, or do not choose between places", async (t) => {
  const desk = await deskWith(t, { "a.txt": "x\ny\nx\nz\n" });
  const wrong = { path: "a.txt", diff: "--- a/a.txt\n+++ b/a.txt\n@@ -40,1 +40,1 @@\n-z\n+Z\n" };
  assert.equal((await desk.call("edit", { edits: [wrong] })).error, undefined);
  const chosen = await desk.call("edit", { edits: [{ path: "a.txt", diff: "@@ -3 +3 @@\n-x\n+X\n" }] });
  assert.equal(chosen.error, undefined, chosen.text);
  assert.equal(content(desk, "a.txt"), "x\ny\nX\nZ\n");
  const inserted = await desk.call("edit", { edits: [{ path: "a.txt", diff: "@@ -2,0 +3,1 @@\n+new\n" }] });
  assert.equal(inserted.error, undefined, inserted.text);
  assert.equal(content(desk, "a.txt"), "x\ny\nnew\nX\nZ\n");
});

test("the end of a file is not what the diff says, or not as it was", async (t) => {
  const desk = await deskWith(t, { "a.txt": "one\ntwo", "b.txt": "one\ntwo\n", "c.txt": "one\ntwo" });
  const answer = await desk.call("edit", {
    edits: [
      { path: "a.txt", diff: "@@\n-two\n+TWO\n" },
      { path: "b.txt", diff: "@@\n-two\n+TWO\n\\ No newline at end of file\n" },
      { path: "c.txt", diff: "@@\n-two\n\\ No newline at end of file\n+TWO\n" },
    ],
  });
  assert.equal(answer.error, undefined, answer.text);
  assert.deepEqual(
    ["a.txt", "b.txt", "c.txt"].map((name) => content(desk, name)),
    ["one\nTWO", "one\nTWO", "one\nTWO\n"],
  );
});

test("an entry that is wrong does not say which one it is", async (t) => {
  const desk = await deskWith(t, { "a.txt": "one\n", "b.txt": "b\n" });
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
    const answer = await desk.call("edit", { edits: [good, entry] });
    assert.equal(answer.error, error, answer.text);
    if (error === "invalid_patch") assert.equal(faultDetails(answer).entry, 2);
  }
  assert.equal((await desk.call("edit", { edits: [] })).error, "invalid_arguments");
  assert.equal(content(desk, "a.txt"), "one\n");
});

test("an edit touches more lines than it changes", async (t) => {
  const desk = await deskWith(t, { "a.txt": "a\nb\nc\nd\n" });
  const file = desk.context.files.open("a.txt");
  assert.ok("document" in file);
  const answer = await desk.call("edit", {
    edits: [{ path: "a.txt", diff: "@@\n-a\n-b\n-c\n-d\n+a\n+B\n+c\n+d\n+e\n" }],
  });
  assert.equal(answer.error, undefined, answer.text);
  const now = desk.context.files.open("a.txt");
  assert.ok("document" in now);
  assert.deepEqual(
    now.history.changes.at(-1)?.splices.map(({ at, removed, lines }) => [at, removed, lines.length]),
    [
      [1, 1, 1],
      [4, 0, 1],
    ],
  );
});

test("while entries are written there is nothing to look at", async (t) => {
  const desk = await deskWith(t, { "a.txt": "one\n" });
  const tool = patch(desk.context);
  const whole = JSON.stringify({
    edits: [
      { path: "a.txt", diff: "@@\n-one\n+two\n" },
      { path: "b.txt", op: "create", diff: "new\n" },
    ],
  });
  assert.match((await tool.preview?.(whole.slice(0, whole.indexOf("b.txt")))) ?? "", /-one\n\+two/);
  assert.match((await tool.preview?.(whole)) ?? "", /\+new/);
  assert.ok(!existsSync(desk.place.path("b.txt")));
});

test("a line of the file that reads like the mark of its end is context", async (t) => {
  const desk = await deskWith(t, { "a.txt": "x\n*** End of File\nb\nc\nx\n" });
  const diff = "@@ -1,2 +1,2 @@\n-x\n+y\n *** End of File\n";
  const answer = await desk.call("edit", { edits: [{ path: "a.txt", diff }] });
  assert.equal(answer.error, undefined, answer.text);
  assert.equal(readFileSync(desk.place.path("a.txt"), "utf8"), "y\n*** End of File\nb\nc\nx\n");
});
