import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentEdits,
  must,
  openBoth,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";

const day = 24 * 3_600_000;

async function setUp(t: Parameters<Parameters<typeof test>[0] & object>[0]) {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\n", "b.txt": "one\n" });
  const workspace = await place.open();
  const [a, b] = openBoth(workspace);
  const turns = Array.from({ length: 450 }, (_, round) => {
    const turn = agentEdits(workspace, [[a, { op: "replace", from: 1, to: 1, content: `round ${round}` }]]);
    must(workspace.review.accept("everything"));
    return turn;
  });
  return { place, workspace, a, b, turns };
}

test("finished turns are forgotten when they are old and many, and nothing else is", async (t) => {
  const { workspace, a, turns } = await setUp(t);
  assert.equal(must(workspace.collect({ keptTurns: 3 })).turns, 0, "they are not old yet");
  assert.equal(must(workspace.collect({ now: Date.now() + 4 * day })).turns, 0, "they are not many yet");
  const report = must(workspace.collect({ keptTurns: 3, now: Date.now() + 4 * day }));
  assert.equal(report.turns, 447);
  assert.ok(report.entries > 0 && report.bytesAfter < report.bytesBefore);
  assert.equal(textOf(workspace, a), "round 449\ntwo\n");
  assert.equal(refused(workspace.checkpoints.read(turns[0] ?? "")).error, "unknown_checkpoint");
  must(workspace.checkpoints.rollback(turns[448] ?? "", { mode: "hard_all" }));
  assert.equal(textOf(workspace, a), "round 447\ntwo\n");
});

test("a turn with an open hunk is kept whatever its age", async (t) => {
  const { workspace, b } = await setUp(t);
  const turn = agentEdits(workspace, [[b, { op: "append", content: "open" }]]);
  must(workspace.collect({ keptTurns: 0, budgetBytes: 1, now: Date.now() + 400 * day }));
  assert.equal(must(workspace.checkpoints.read(turn)).files.length, 1);
  must(workspace.review.reject({ turn }));
  assert.equal(textOf(workspace, b), "one\n");
});

test("over the disk budget the oldest finished turns go first, and texts stay", async (t) => {
  const { place, workspace, a, turns } = await setUp(t);
  personEdits(workspace, a, { op: "append", content: "unsaved" });
  const before = workspace.ledger.size();
  const report = must(workspace.collect({ budgetBytes: before * 0.7 }));
  assert.ok(report.turns > 0 && report.turns < 450, `some turns: ${report.turns}`);
  assert.equal(refused(workspace.checkpoints.read(turns[0] ?? "")).error, "unknown_checkpoint");
  must(workspace.checkpoints.read(turns[449] ?? ""));
  workspace.close();
  assert.equal(textOf(await place.open(), a), "round 449\ntwo\nunsaved\n");
});
