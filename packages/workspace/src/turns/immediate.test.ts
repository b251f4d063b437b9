import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { begin, openFixture, rejectAll, replaceTwo, song, stage } from "@stet/testkit/immediate-fixture";
import { assertLaw } from "@stet/testkit/law";
import { baseOf, must, openBoth, personEdits, textOf } from "@stet/testkit/workspace";

test("an immediate edit is on disk at once, another turn's edit of another file waits for the person", async (t) => {
  const { workspace, read } = await openFixture(t, { "a.txt": song, "b.txt": song });
  const [a, b] = openBoth(workspace);
  const proposing = workspace.beginTurn();
  stage(proposing, b, replaceTwo);
  must(proposing.commit());
  const turn = begin(workspace);
  stage(turn, a, replaceTwo);
  must(await workspace.writeTurn(turn));
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
  must(await workspace.saving.save([a, b]));
  assert.equal(read("b.txt"), song, "what is only proposed is not on disk");
  assert.equal(baseOf(workspace, a), song, "it is still open for review");
  must(turn.commit());
  must(await rejectAll(workspace));
  assert.equal(read("a.txt"), song);
});

test("accepting, rejecting and undoing either leaves on disk what is there", async (t) => {
  const { place, workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo, { op: "append", content: "five" });
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  const changed = `${song.replace("two", "TWO")}five\n`;
  const [first, second] = must(workspace.review.file(id)).hunks.map((hunk) => hunk.id);
  must(await workspace.decide(() => workspace.review.accept({ hunks: [first ?? ""] })));
  assert.equal(read("a.txt"), changed);
  must(await workspace.decide(() => workspace.review.reject({ hunks: [second ?? ""] })));
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
  must(await workspace.decide(() => workspace.review.undo()));
  assert.equal(read("a.txt"), changed, "the rejected lines are back");
  must(await workspace.decide(() => workspace.review.accept("everything")));
  must(await workspace.decide(() => workspace.review.undo({ hunks: [first ?? ""] })));
  workspace.close();
  const again = await place.open();
  must(await again.decide(() => again.review.reject({ hunks: [first ?? ""] })));
  assert.equal(read("a.txt"), `${song}five\n`, "an acceptance that was undone can still be rejected");
});

test("once an immediate turn is decided on, a proposal for the same file waits for the person again", async (t) => {
  const { workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  must(await workspace.decide(() => workspace.review.accept("everything")));
  const proposing = workspace.beginTurn();
  stage(proposing, id, { op: "append", content: "five" });
  must(proposing.commit());
  must(await workspace.saving.save([id]));
  must(await workspace.settle([id]));
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
});

test("what the person typed stays unsaved until they save or the agent writes the file again", async (t) => {
  const { workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  personEdits(workspace, id, { op: "append", content: "typed" });
  const other = must(turn.create("b.txt", "b\n"));
  must(await workspace.writeTurn(turn));
  assert.equal(read("b.txt"), "b\n");
  assert.ok(!read("a.txt").includes("typed"), "a write of another file leaves this one alone");
  stage(turn, id, { op: "replace", from: 1, to: 1, content: "ONE" });
  must(await workspace.writeTurn(turn));
  assert.equal(read("a.txt"), "ONE\nTWO\nthree\nfour\ntyped\n");
  assert.ok(other !== id);
});

test("a change on disk to a file that holds open hunks is taken over without a conflict", async (t) => {
  const { place, workspace } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  writeFileSync(place.path("a.txt"), "one\nTWO, by hand\nthree\nfour\nfive\n");
  assert.equal(must(workspace.saving.refresh(id)), true);
  assertLaw(must(workspace.documents.state(id)).pending);
  assert.equal(textOf(workspace, id), "one\nTWO, by hand\nthree\nfour\nfive\n");
  assert.equal(baseOf(workspace, id), `${song}five\n`, "beside the hunk it is decided text");
});

test("discarding an immediate turn takes it back on disk but not the person's text", async (t) => {
  const { workspace, read, exists } = await openFixture(t, { "a.txt": song, "b.txt": song });
  const [a, b] = openBoth(workspace);
  const turn = begin(workspace);
  stage(turn, a, replaceTwo);
  must(turn.remove(b));
  must(turn.create("c.txt", "c\n"));
  must(turn.create("d.txt", ""));
  must(await workspace.writeTurn(turn));
  personEdits(workspace, a, { op: "append", content: "typed" });
  assert.equal(await workspace.discardTurn(turn), undefined);
  assert.equal(read("a.txt"), `${song}typed\n`);
  assert.equal(read("b.txt"), song);
  assert.ok(!exists("c.txt") && !exists("d.txt"));
});

test("a suspended turn carries what it has published into another process", async (t) => {
  const { place, workspace, read, exists } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(turn.create("new.txt", "new\n"));
  must(await workspace.writeTurn(turn));
  must(turn.remove(id));
  const suspended = JSON.parse(JSON.stringify(turn.suspend()));
  workspace.close();
  const second = await place.open();
  const resumed = must(second.resumeTurn(suspended, { isImmediate: true }));
  must(await second.writeTurn(resumed));
  assert.ok(!exists("a.txt"), "what was staged is written now");
  assert.equal(await second.discardTurn(resumed), undefined);
  assert.equal(read("a.txt"), song);
  assert.ok(!exists("new.txt"));
});

test("a hard rollback brings back files that were made, changed and removed, and can be undone", async (t) => {
  const { workspace, read, exists } = await openFixture(t, { "a.txt": song, "b.txt": song });
  const [a, b] = openBoth(workspace);
  const turn = begin(workspace);
  stage(turn, a, replaceTwo);
  must(turn.remove(b));
  must(turn.create("c.txt", "c\n"));
  must(turn.create("d.txt", ""));
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  must(await workspace.decide(() => workspace.review.accept("everything")));
  const report = must(await workspace.rollback(turn.id, { mode: "hard_all" }));
  assert.deepEqual([read("a.txt"), read("b.txt")], [song, song]);
  assert.ok(!exists("c.txt") && !exists("d.txt"));
  must(await workspace.rollback(report.checkpoint ?? "", { mode: "hard_all" }));
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
  assert.ok(!exists("b.txt"));
  assert.deepEqual([read("c.txt"), read("d.txt")], ["c\n", ""]);
});

test("only the hunks that a scoped rollback names are taken back on disk", async (t) => {
  const { workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo, { op: "append", content: "five" });
  must(await workspace.writeTurn(turn));
  must(turn.commit());
  const [first] = must(workspace.review.file(id)).hunks;
  must(await workspace.rollback(turn.id, { mode: "scoped_selected", hunks: [first?.id ?? ""] }));
  assert.equal(read("a.txt"), `${song}five\n`);
});

test("rolling back to before an immediate turn leaves earlier proposals off the disk", async (t) => {
  const { workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const proposing = workspace.beginTurn();
  stage(proposing, id, { op: "append", content: "proposed" });
  must(proposing.commit());
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  assert.ok(read("a.txt").includes("proposed"), "a file has one text");
  must(turn.commit());
  must(await workspace.rollback(turn.id, { mode: "hard_all" }));
  assert.equal(read("a.txt"), song);
  assert.equal(textOf(workspace, id), `${song}proposed\n`);
});

test("a step that fails after a write keeps what was written and drops the rest", async (t) => {
  const { workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  await turn
    .step(async () => {
      must(await workspace.writeTurn(turn));
      stage(turn, id, { op: "append", content: "dropped" });
      throw new Error("later");
    })
    .catch(() => undefined);
  must(await workspace.commitTurn(turn));
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
  assert.equal(textOf(workspace, id), song.replace("two", "TWO"));
});

test("a concluded turn keeps what is on disk open for review, and nothing that was only staged", async (t) => {
  const { workspace, read } = await openFixture(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = begin(workspace);
  stage(turn, id, replaceTwo);
  must(await workspace.writeTurn(turn));
  stage(turn, id, { op: "append", content: "staged" });
  assert.deepEqual(must(turn.conclude()).documents, [id]);
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
  assert.equal(must(workspace.review.file(id)).hunks.length, 1);
  assert.equal(must(workspace.checkpoints.read(turn.id)).status, "committed");
});
