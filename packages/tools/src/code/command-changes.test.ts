import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { must, TestWorkspace } from "@stet/testkit/workspace";
import { CommandChanges } from "./command-changes.ts";

test("what a command does is the turn's also when another one ends just before it starts", async (t) => {
  const files = new TestWorkspace(t, { "a.txt": "one\n", "b.txt": "one\n" });
  const workspace = await files.open();
  const turn = workspace.beginTurn({ summary: "two at once", isImmediate: true });
  // Nothing of either is seen to be running: the one has ended, and the other is only about to start.
  const changes = new CommandChanges(workspace, turn, () => false);
  const starting = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = changes.around("maybe", async () => {
    begun.resolve();
    await starting.promise;
    writeFileSync(files.path("b.txt"), "two\n");
  });
  await begun.promise;
  await changes.around("maybe", async () => writeFileSync(files.path("a.txt"), "two\n"));
  await new Promise((done) => setTimeout(done, 30));
  starting.resolve();
  assert.deepEqual((await slow).effect.changed, ["b.txt"]);
  await changes.finish();
  must(await workspace.commitTurn(turn));
  assert.deepEqual(
    workspace.review.list().map(({ path }) => path),
    ["a.txt", "b.txt"],
  );
});
