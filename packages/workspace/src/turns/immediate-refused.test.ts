import assert from "node:assert/strict";
import { mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { begin, openFixture, rejectAll, replaceTwo, song, stage } from "@stet/testkit/immediate-fixture";
import { assertLaw } from "@stet/testkit/law";
import { smallDisk } from "@stet/testkit/small-disk";
import { baseOf, must, openBoth, personEdits, refused, textOf } from "@stet/testkit/workspace";

test("a file that changed underneath in the same lines refuses the write, and nothing of it remains", async (t) => {
  const { place, workspace, read } = await openFixture(t, { "a.txt": song, "b.txt": song });
  const [a, b] = openBoth(workspace);
  const turn = begin(workspace);
  stage(turn, a, { op: "append", content: "five" });
  must(await workspace.writeTurn(turn));
  const hunks = must(workspace.review.file(a)).hunks;
  stage(turn, a, replaceTwo);
  stage(turn, b, replaceTwo);
  writeFileSync(place.path("b.txt"), song.replace("two", "zwei"));
  assert.equal(refused(await workspace.writeTurn(turn)).error, "conflict");
  assert.equal(read("a.txt"), `${song}five\n`);
  assert.equal(read("b.txt"), song.replace("two", "zwei"));
  assert.equal(textOf(workspace, a), `${song}five\n`, "what was written before stays");
  assert.equal(textOf(workspace, b), song.replace("two", "zwei"), "and what is on disk is known");
  assert.deepEqual(must(workspace.review.file(a)).hunks, hunks);
  const checkpoint = must(workspace.checkpoints.read(turn.id));
  assert.deepEqual(
    checkpoint.files.map(({ path }) => path),
    ["a.txt"],
  );
  must(workspace.saving.refresh(b));
  stage(turn, b, { op: "replace", from: 2, to: 2, content: "TWO" });
  must(await workspace.writeTurn(turn));
  assert.equal(read("b.txt"), song.replace("two", "TWO"), "the turn goes on");
});

test("a first write that fails leaves no turn behind, and keeps what the person typed meanwhile", async (t) => {
  const { place, workspace } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  // Where the file was, there is a folder now.
  unlinkSync(place.path("a.txt"));
  mkdirSync(place.path("a.txt"));
  const writing = workspace.writeTurn(turn);
  personEdits(workspace, id, { op: "append", content: "typed" });
  refused(await writing);
  assert.equal(textOf(workspace, id), `${song}typed\n`);
  assert.equal(baseOf(workspace, id), `${song}typed\n`);
  assert.deepEqual(workspace.checkpoints.list(), []);
  assert.deepEqual(workspace.review.openDocuments(), []);
  assertLaw(must(workspace.documents.state(id)).pending);
});

test("a line that the person wrote in while its write failed is what they wrote, and open", async (t) => {
  const { place, workspace } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, { op: "replace", from: 2, to: 2, content: "zwei" }, { op: "append", content: "five" });
  unlinkSync(place.path("a.txt"));
  mkdirSync(place.path("a.txt"));
  const writing = workspace.writeTurn(turn);
  personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "zwei, typed" });
  refused(await writing);
  assert.equal(textOf(workspace, id), song.replace("two", "zwei, typed"));
  assert.equal(baseOf(workspace, id), song);
  assert.deepEqual(workspace.review.openDocuments(), [id]);
  assertLaw(must(workspace.documents.state(id)).pending);
});

test("on a disk that is full or cannot be written, nothing of a write remains", async (t) => {
  const { place, workspace, read, exists } = await openFixture(t, { "a.txt": song, "small/.keep": "" });
  const disk = smallDisk(place.path("small"), "32k");
  if (disk === undefined) return t.skip("file systems cannot be mounted here");
  // Before the folder itself is removed.
  try {
    writeFileSync(place.path("small/b.txt"), song);
    const a = must(workspace.documents.open("a.txt")).id;
    const b = must(workspace.documents.open("small/b.txt")).id;
    const turn = begin(workspace);
    const attempt = async (more: () => unknown, error: string) => {
      stage(turn, a, replaceTwo);
      more();
      assert.equal(refused(await workspace.writeTurn(turn)).error, error);
      assert.deepEqual([textOf(workspace, a), textOf(workspace, b)], [song, song]);
      assert.deepEqual([read("a.txt"), read("small/b.txt")], [song, song]);
      assert.ok(!exists("small/c.txt"));
      assert.deepEqual(workspace.review.openDocuments(), []);
      assert.deepEqual(workspace.checkpoints.list(), []);
    };
    await attempt(() => must(turn.create("small/c.txt", "long line\n".repeat(10_000))), "disk_full");
    disk.lock();
    await attempt(() => stage(turn, b, replaceTwo), "not_permitted");
    await attempt(() => must(turn.remove(b)), "not_permitted");
    await attempt(() => must(turn.create("small/c.txt", "new\n")), "not_permitted");
    stage(turn, a, replaceTwo);
    must(await workspace.writeTurn(turn));
    assert.equal(read("a.txt"), song.replace("two", "TWO"), "the turn goes on elsewhere");
  } finally {
    disk.remove();
  }
});

test("a new file that was changed underneath is not removed by rejecting it", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const turn = begin(workspace);
  const id = must(turn.create("new.txt", "new\n"));
  must(await workspace.writeTurn(turn));
  writeFileSync(place.path("new.txt"), "new, and better\n");
  assert.equal(refused(await rejectAll(workspace)).error, "external_change");
  assert.equal(read("new.txt"), "new, and better\n");
  assert.equal(textOf(workspace, id), "new\n", "and it is not rejected");
  assert.equal(must(workspace.review.file(id)).hunks.length, 1);
});

test("a decision that the disk cannot follow is neither the latest one nor told to the model", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo, { op: "append", content: "five" });
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  const [first, second] = must(workspace.review.file(id)).hunks;
  must(await workspace.decide(() => workspace.review.accept({ hunks: [second?.id ?? ""] })));
  const changed = read("a.txt");
  writeFileSync(place.path("a.txt"), "\0");
  const chosen = { hunks: [first?.id ?? ""] };
  assert.equal(
    refused(await workspace.decide(() => workspace.review.reject(chosen))).error,
    "external_change",
  );
  assert.deepEqual(must(workspace.review.file(id)).hunks, [first]);
  assert.deepEqual(workspace.review.rejectedSince(0).rejected, []);
  writeFileSync(place.path("a.txt"), changed);
  assert.deepEqual(must(await workspace.decide(() => workspace.review.undo())).hunks, [second?.id]);
  must(await workspace.decide(() => workspace.review.reject("everything")));
  writeFileSync(place.path("a.txt"), "\0");
  assert.equal(refused(await workspace.decide(() => workspace.review.undo(chosen))).error, "external_change");
  assert.equal(textOf(workspace, id), song);
  assert.equal(workspace.review.rejectedSince(0).rejected.length, 2);
});

test("a file that changed underneath is not removed, and the removal is refused", async (t) => {
  const { place, workspace, read } = await openFixture(t, { "a.txt": song, "empty.txt": "" });
  const turn = begin(workspace);
  for (const name of ["a.txt", "empty.txt"]) {
    const { id } = must(workspace.documents.open(name));
    const before = read(name);
    const removed = await turn.step(() => {
      must(turn.remove(id));
      writeFileSync(place.path(name), `${before}by hand\n`);
      return workspace.writeTurn(turn);
    });
    assert.equal(refused(removed).error, "conflict");
    assert.equal(read(name), `${before}by hand\n`);
    assert.equal(textOf(workspace, id), `${before}by hand\n`);
  }
});

test("a rollback whose files cannot be written changes nothing and leaves no checkpoint", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  writeFileSync(place.path("a.txt"), song.replace("two", "zwei"));
  refused(await workspace.rollback(turn.id, { mode: "hard_all" }));
  assert.equal(read("a.txt"), song.replace("two", "zwei"));
  assert.equal(textOf(workspace, id), song.replace("two", "TWO"));
  assert.equal(workspace.checkpoints.list().length, 1);
});
