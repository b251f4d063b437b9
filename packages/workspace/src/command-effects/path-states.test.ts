// Every way in which what is at a path can become something else, look by look: nothing, folders, links, empty files, texts,
// other files, with two modes. Each way has a path of its own, so that one run decides on all of them at once; every file is
// synced each time, so `npm test` takes a sample of the ways.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sample } from "@stet/testkit/depth";
import { differences, snapshotTree, type TreeSnapshot } from "@stet/testkit/tree-snapshot";
import { must, TestWorkspace } from "@stet/testkit/workspace";

const file = (content: string, mode: number) => (path: string) => {
  writeFileSync(path, content);
  chmodSync(path, mode);
};

const states: readonly ((path: string) => void)[] = [
  () => {},
  (path) => mkdirSync(path),
  (path) => symlinkSync("nowhere", path),
  file("", 0o644),
  file("", 0o600),
  file("one\ntwo\n", 0o644),
  file("one\nTWO\n", 0o600),
  file("one\r\ntwo\r\n", 0o644),
  file("\0\u0001", 0o644),
];

/** All sequences of states, as names: "031" was nothing at first, then an empty file, then a folder. */
function sequences(length: number): string[] {
  if (length === 0) return [""];
  return sequences(length - 1).flatMap((start) => states.map((_, index) => `${start}${index}`));
}

async function open(t: TestContext, length: number) {
  const place = new TestWorkspace(t, {});
  const names = sample(t, sequences(length), 60);
  /** Brings each path to its state number `at`. */
  const go = (at: number) => {
    for (const name of names) {
      if (at > 0 && name[at] === name[at - 1]) continue;
      rmSync(join(place.root, name), { recursive: true, force: true });
      states[Number(name[at])]?.(join(place.root, name));
    }
  };
  go(0);
  const workspace = await place.open();
  /** A turn of a few commands, each of which brings the paths to their next state. */
  const turn = async (...steps: number[]) => {
    const turn = workspace.beginTurn({ summary: "steps", isImmediate: true });
    for (const at of steps) {
      await workspace.witness.begin(turn);
      go(at);
      workspace.witness.pause(turn);
      await workspace.witness.effect(turn);
    }
    await workspace.witness.finish(turn);
    must(await workspace.commitTurn(turn));
    return turn.id;
  };
  const is = (wanted: TreeSnapshot, when: string) => {
    const found = snapshotTree(place.root);
    const wrong = differences(wanted, found).map(
      (path) => `${path}: ${JSON.stringify(wanted.get(path))} is ${JSON.stringify(found.get(path))}`,
    );
    assert.deepEqual([wrong.length, wrong.slice(0, 40)], [0, []], when);
  };
  return { workspace, turn, is, look: () => snapshotTree(place.root) };
}

test("whatever a path became in several commands of a turn is rejected, brought again and accepted", async (t) => {
  const { workspace, turn, is, look } = await open(t, 3);
  const before = look();
  await turn(1, 2);
  const after = look();
  const { review } = workspace;
  for (const time of ["once", "twice"]) {
    const rejected = must(await workspace.decide(() => review.reject("everything")));
    is(before, `rejected ${time}`);
    assert.deepEqual([rejected.kept, review.list()], [[], []]);
    const undone = must(await workspace.decide(() => review.undo()));
    is(after, `undone ${time}`);
    assert.deepEqual(undone.kept, []);
  }
  must(await workspace.decide(() => review.accept("everything")));
  is(after, "accepted");
  assert.deepEqual(review.list(), []);
});

test("whatever a path became in two turns is rolled back turn by turn, and brought again", async (t) => {
  const { workspace, turn, is, look } = await open(t, 3);
  const first = look();
  const one = await turn(1);
  const second = look();
  const other = await turn(2);
  const third = look();
  const back = async (id: string) => must(await workspace.rollback(id, { mode: "hard_all" }));
  const rolledBack = await back(other);
  is(second, "the second turn rolled back");
  await back(must(rolledBack.checkpoint ?? undefined));
  is(third, "the second turn brought again");
  await back(other);
  is(second, "the second turn rolled back again");
  await back(one);
  is(first, "both rolled back");
});

for (const verdict of ["accept", "reject"] as const) {
  test(`whatever a path becomes in a turn after another was ${verdict}ed is rejected and brought again`, async (t) => {
    const { workspace, turn, is, look } = await open(t, 3);
    const { review } = workspace;
    const first = look();
    await turn(1);
    const second = look();
    must(await workspace.decide(() => review[verdict]("everything")));
    const decided = verdict === "accept" ? second : first;
    is(decided, `${verdict}ed`);
    await turn(2);
    const third = look();
    must(await workspace.decide(() => review.reject("everything")));
    is(decided, "rejected");
    must(await workspace.decide(() => review.undo()));
    is(third, "undone");
    must(await workspace.decide(() => review.reject("everything")));
    is(decided, "rejected again");
    assert.deepEqual(review.list(), []);
  });
}

test("two turns in a row that nobody has decided on are rejected together", async (t) => {
  const { workspace, turn, is, look } = await open(t, 3);
  const first = look();
  await turn(1);
  await turn(2);
  const third = look();
  must(await workspace.decide(() => workspace.review.reject("everything")));
  is(first, "rejected");
  must(await workspace.decide(() => workspace.review.undo()));
  is(third, "undone");
});

test("a folder that may not be written, and whose place a file has taken, comes back with what was in it", async (t) => {
  const place = new TestWorkspace(t, { "d/f.txt": "one\n" });
  chmodSync(place.path("d"), 0o500);
  const workspace = await place.open();
  const before = snapshotTree(place.root);
  const turn = workspace.beginTurn({ summary: "moves", isImmediate: true });
  await workspace.witness.begin(turn);
  renameSync(place.path("d"), place.path("e"));
  writeFileSync(place.path("d"), "\0");
  await workspace.witness.finish(turn);
  must(await workspace.commitTurn(turn));
  must(await workspace.decide(() => workspace.review.reject("everything")));
  const wrong = differences(before, snapshotTree(place.root));
  chmodSync(place.path("d"), 0o700);
  assert.deepEqual(wrong, []);
});
