import assert from "node:assert/strict";
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { begin, openFixture, rejectAll, replaceTwo, song, stage } from "@stet/testkit/immediate-fixture";
import { assertLaw } from "@stet/testkit/law";
import { must, personEdits, textOf } from "@stet/testkit/workspace";

test("a new file exists after the write, and is gone after its hunks are rejected", async (t) => {
  const { workspace, read, exists } = await openFixture(t);
  const turn = begin(workspace);
  must(turn.create("deep/new.txt", "new\n"));
  must(turn.create("empty.txt", ""));
  must(await workspace.writeTurn(turn));
  assert.equal(read("deep/new.txt"), "new\n");
  assert.equal(read("empty.txt"), "");
  must(turn.commit());
  must(await rejectAll(workspace));
  assert.ok(!exists("deep/new.txt"));
  must(await workspace.decide(() => workspace.review.undo()));
  assert.equal(read("deep/new.txt"), "new\n", "undoing the rejection makes it again");
});

test("a new file that the person has added to stays with what they wrote when it is rejected", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const turn = begin(workspace);
  const id = must(turn.create("new.txt", "new\n"));
  must(await workspace.writeTurn(turn));
  writeFileSync(place.path("new.txt"), "new\nby hand\n");
  must(workspace.saving.refresh(id));
  must(await rejectAll(workspace));
  assert.equal(read("new.txt"), "by hand\n");
  assert.equal(textOf(workspace, id), "by hand\n");
});

test("a file that the person empties stays, also when the agent made it", async (t) => {
  const { workspace, read } = await openFixture(t);
  const turn = begin(workspace);
  const id = must(turn.create("new.txt", "new\n"));
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  must(await workspace.decide(() => workspace.review.accept("everything")));
  personEdits(workspace, id, { op: "clear" });
  must(await workspace.saving.save([id]));
  assert.equal(read("new.txt"), "");
});

test("a removed file is gone after the write, and rejecting brings it back byte for byte", async (t) => {
  const bytes = Buffer.from("\ufeffone\r\ntwo\r\nno end");
  const { place, workspace, exists } = await openFixture(t, { "run.sh": bytes, "b.txt": song });
  chmodSync(place.path("run.sh"), 0o750);
  const { id } = must(workspace.documents.open("run.sh"));
  const { id: b } = must(workspace.documents.open("b.txt"));
  const turn = begin(workspace);
  must(turn.remove(id));
  stage(turn, b, replaceTwo);
  must(await workspace.writeTurn(turn));
  assert.ok(!exists("run.sh"));
  assert.equal(must(turn.hasFile(id)), false);
  must(turn.commit());
  workspace.close();
  const again = await place.open();
  must(await rejectAll(again));
  assert.deepEqual(readFileSync(place.path("run.sh")), bytes);
  assert.equal(statSync(place.path("run.sh")).mode & 0o777, 0o750);
});

test("an accepted removal stays, and a file that is there again afterwards is noticed", async (t) => {
  const { place, workspace, exists } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  must(turn.remove(id));
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  must(await workspace.decide(() => workspace.review.accept("everything")));
  must(await workspace.saving.save([id]));
  assert.ok(!exists("a.txt"));
  assert.deepEqual(workspace.documents.unsavedIds(), []);
  writeFileSync(place.path("a.txt"), "again\n");
  assert.equal(must(workspace.saving.refresh(id)), true);
  assert.equal(textOf(workspace, id), "again\n");
  assert.deepEqual(workspace.review.openDocuments(), []);
});

test("a file that is back before its removal was decided on is one hunk from the old text to the new", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  must(turn.remove(id));
  must(await workspace.writeTurn(turn));
  writeFileSync(place.path("a.txt"), "one\n2\nthree\nfour\n");
  must(workspace.saving.refresh(id));
  assertLaw(must(workspace.documents.state(id)).pending);
  assert.equal(textOf(workspace, id), "one\n2\nthree\nfour\n");
  must(await rejectAll(workspace));
  assert.equal(read("a.txt"), song);
});

test("removing and making a file in one write replaces it, and an empty file can be removed, too", async (t) => {
  const { workspace, read, exists } = await openFixture(t, { "a.txt": song, "empty.txt": "" });
  const { id } = must(workspace.documents.open("a.txt"));
  const { id: empty } = must(workspace.documents.open("empty.txt"));
  const turn = begin(workspace);
  must(turn.remove(id));
  assert.equal(must(turn.create("a.txt", "all new\n")), id);
  must(turn.remove(empty));
  must(await workspace.writeTurn(turn));
  assert.equal(read("a.txt"), "all new\n");
  assert.ok(!exists("empty.txt"));
  assert.equal(await workspace.discardTurn(turn), undefined);
  assert.equal(read("a.txt"), song);
  assert.equal(read("empty.txt"), "", "discarding brings back what has no hunk, too");
});

test("a file that vanished is made again by the agent's next write of it", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  rmSync(place.path("a.txt"));
  stage(turn, id, { op: "append", content: "five" });
  must(await workspace.writeTurn(turn));
  assert.equal(read("a.txt"), `${song.replace("two", "TWO")}five\n`);
});
