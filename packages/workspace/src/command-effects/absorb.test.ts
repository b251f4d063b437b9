import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { assertLaw } from "@stet/testkit/law";
import { baseOf, must, personEdits, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { FoundChange } from "./absorb.ts";

const song = "one\ntwo\nthree\nfour\n";

async function setUp(t: TestContext, files: Record<string, string | Uint8Array> = { "a.txt": song }) {
  const place = new TestWorkspace(t, files);
  const workspace = await place.open();
  const turn = workspace.beginTurn({ summary: "run", isImmediate: true });
  /** What a command does to a file, as it is found afterwards. */
  const run = (path: string, after: string | Uint8Array | null): FoundChange => {
    const name = place.path(path);
    const before = existsSync(name) ? readFileSync(name) : null;
    if (after === null) rmSync(name);
    else writeFileSync(name, after);
    return { path, before, after: after === null ? null : Buffer.from(after) };
  };
  const read = (name: string) => readFileSync(place.path(name), "utf8");
  const documentAt = (path: string) => must(workspace.documents.rowAt(path)).id;
  return { place, workspace, turn, run, read, documentAt };
}

test("what a command changed, made and removed is part of the turn, and rejecting takes all of it back", async (t) => {
  const { workspace, turn, run, read, place, documentAt } = await setUp(t, {
    "a.txt": song,
    "b.txt": "\ufeffb\r\n",
  });
  const changes = [
    run("a.txt", song.replace("two", "TWO")),
    { ...run("b.txt", null), mode: 0o640 },
    run("made.txt", "made\n"),
  ];
  assert.deepEqual(must(turn.absorb(() => changes)), ["a.txt", "b.txt", "made.txt"]);
  must(turn.commit());
  for (const path of ["a.txt", "b.txt", "made.txt"]) {
    const state = must(workspace.documents.state(documentAt(path)));
    assertLaw(state.pending);
    assert.ok(!workspace.saving.isDirty(state), `${path} is known to hold the new bytes`);
    assert.equal(must(workspace.review.file(state.id)).hunks.length, 1);
  }
  assert.equal(must(workspace.checkpoints.read(turn.id)).files.length, 3);
  must(await workspace.decide(() => workspace.review.reject({ turn: turn.id })));
  assert.equal(read("a.txt"), song);
  assert.equal(read("b.txt"), "\ufeffb\r\n");
  assert.ok(!existsSync(place.path("made.txt")));
});

test("what the person has not saved in other lines is kept, and written along with the next write", async (t) => {
  const { workspace, turn, run, read, documentAt } = await setUp(t);
  const { id } = must(workspace.documents.open("a.txt"));
  personEdits(workspace, id, { op: "replace", from: 4, to: 4, content: "typed" });
  assert.deepEqual(must(turn.absorb(() => [run("a.txt", song.replace("one", "ONE"))])), ["a.txt"]);
  assert.equal(textOf(workspace, id), "ONE\ntwo\nthree\ntyped\n");
  assert.equal(baseOf(workspace, id), "one\ntwo\nthree\ntyped\n");
  assert.equal(read("a.txt"), song.replace("one", "ONE"), "nothing was written");
  must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.equal(read("a.txt"), "one\ntwo\nthree\ntyped\n");
  assert.equal(documentAt("a.txt"), id);
});

test("a command that changed lines with unsaved text is a conflict that is told, and nothing is overwritten", async (t) => {
  const { workspace, turn, run, read } = await setUp(t, { "a.txt": song, "b.txt": song, "c.txt": song });
  const { id } = must(workspace.documents.open("a.txt"));
  const { id: c } = must(workspace.documents.open("c.txt"));
  personEdits(workspace, id, { op: "replace", from: 2, to: 2, content: "typed" });
  personEdits(workspace, c, { op: "append", content: "typed" });
  const fault = refused(
    turn.absorb(() => [
      run("a.txt", song.replace("two", "TWO")),
      run("b.txt", song.replace("two", "TWO")),
      run("c.txt", null),
    ]),
  );
  assert.equal(fault.error, "external_change");
  assert.deepEqual(fault.details.conflicts, ["a.txt", "c.txt"]);
  assert.deepEqual(fault.details.absorbed, ["b.txt"], "the others are part of the turn");
  assert.equal(textOf(workspace, id), song.replace("two", "typed"));
  assert.equal(textOf(workspace, c), `${song}typed\n`);
  assert.equal(read("a.txt"), song.replace("two", "TWO"));
  assert.equal(refused(workspace.saving.refresh(id)).error, "external_change", "the person is told, too");
});

test("a change that was taken for the person's while the command went on becomes the turn's", async (t) => {
  const { workspace, turn, run, read } = await setUp(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const found = run("a.txt", song.replace("two", "TWO"));
  must(workspace.saving.refresh(id));
  assert.equal(baseOf(workspace, id), song.replace("two", "TWO"));
  must(turn.absorb(() => [found]));
  assert.equal(baseOf(workspace, id), song);
  must(await workspace.decide(() => workspace.review.reject("everything")));
  assert.equal(read("a.txt"), song);
});

test("files that are not text and paths that are not ours are left out", async (t) => {
  const { workspace, turn } = await setUp(t);
  const bytes = Buffer.from([0, 1, 2]);
  const text = Buffer.from("text\n");
  assert.deepEqual(
    turn.absorb(() => [
      { path: "a.bin", before: null, after: bytes },
      { path: "b.txt", before: text, after: bytes },
      { path: "../c.txt", before: null, after: text },
      { path: ".git/config", before: null, after: text },
      { path: "a.txt", before: text, after: text },
    ]),
    [],
  );
  assert.deepEqual(must(turn.commit()).documents, []);
  assert.deepEqual(workspace.checkpoints.list(), []);
});

test("a command that only converts line ends can be rolled back byte for byte", async (t) => {
  const { workspace, turn, run, read } = await setUp(t);
  must(turn.absorb(() => [run("a.txt", song.replaceAll("\n", "\r\n"))]));
  must(turn.commit());
  must(await workspace.rollback(turn.id, { mode: "hard_all" }));
  assert.equal(read("a.txt"), song);
});

test("the agent's own edits and a command's in one file are one turn, and both go when it is discarded", async (t) => {
  const { workspace, turn, run, read, documentAt } = await setUp(t);
  const { id } = must(workspace.documents.open("a.txt"));
  const { revision } = must(turn.read(id));
  const edits = [{ op: "replace", from: 1, to: 1, content: "ONE" } as const];
  must(turn.edit(id, { revision, policy: { kind: "rebase" }, edits }));
  must(await workspace.writeTurn(turn));
  must(turn.absorb(() => [run("a.txt", "ONE\ntwo\nthree\nFOUR\n"), run("log.txt", "")]));
  assert.equal(must(turn.read(id)).text.toString(), "ONE\ntwo\nthree\nFOUR\n");
  assert.ok(must(turn.hasFile(documentAt("log.txt"))));
  assert.equal(await workspace.discardTurn(turn), undefined);
  assert.equal(read("a.txt"), song);
});

test("a file that a command makes where one vanished before is taken over, not refused", async (t) => {
  const { place, workspace, turn, run, read } = await setUp(t);
  const { id } = must(workspace.documents.open("a.txt"));
  must(turn.absorb(() => [run("a.txt", song.replace("two", "TWO"))]));
  rmSync(place.path("a.txt"));
  must(workspace.saving.refresh(id));
  assert.equal(must(turn.hasFile(id)), false);
  must(turn.absorb(() => [run("a.txt", "new\n")]));
  assert.equal(textOf(workspace, id), "new\n");
  rmSync(place.path("a.txt"));
  must(workspace.saving.refresh(id));
  assert.equal(must(turn.create("a.txt", "newer\n")), id);
  must(await workspace.writeTurn(turn));
  assert.equal(read("a.txt"), "newer\n");
});
