import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { agentEdits, baseOf, must, openTwins, personEdits, refused, textOf } from "@stet/testkit/workspace";

const song = "one\ntwo\nthree\nfour\nfive\nsix\n";

async function setUp(t: TestContext) {
  const { place, workspace, a, b } = await openTwins(t, song);
  const turn = agentEdits(workspace, [
    [a, { op: "replace", from: 1, to: 1, content: "ONE" }, { op: "delete", from: 4, to: 4 }],
    [b, { op: "append", content: "seven" }],
  ]);
  return { place, workspace, a, b, turn };
}

test("accepting a file leaves the other files open", async (t) => {
  const { workspace, a, b } = await setUp(t);
  assert.equal(must(workspace.review.accept({ document: a })).hunks.length, 2);
  assert.deepEqual(workspace.review.openDocuments(), [b]);
  assert.equal(baseOf(workspace, a), "ONE\ntwo\nthree\nfive\nsix\n");
});

test("rejecting a turn leaves other turns open", async (t) => {
  const { workspace, a, b, turn } = await setUp(t);
  agentEdits(workspace, [[a, { op: "append", content: "later" }]]);
  must(workspace.review.reject({ turn }));
  assert.equal(textOf(workspace, a), `${song}later\n`);
  assert.equal(textOf(workspace, b), song);
  assert.deepEqual(
    workspace.review.list().flatMap((file) => file.hunks.map((hunk) => hunk.added)),
    [["later"]],
  );
});

test("one unknown hunk among several refuses the whole decision", async (t) => {
  const { workspace, a } = await setUp(t);
  const known = workspace.review.file(a)?.hunks[0]?.id ?? "";
  for (const wrong of [`h_${a}_999`, "h_99_1", "nonsense", ""]) {
    const fault = refused(workspace.review.accept({ hunks: [known, wrong] }));
    assert.equal(fault.error, "unknown_hunk");
    assert.deepEqual(fault.details.hunk_ids, [wrong]);
  }
  assert.equal(workspace.review.file(a)?.hunks.length, 2);
});

test("a hunk cannot be decided twice", async (t) => {
  const { workspace, a } = await setUp(t);
  const hunks = [workspace.review.file(a)?.hunks[0]?.id ?? ""];
  must(workspace.review.accept({ hunks }));
  assert.equal(refused(workspace.review.reject({ hunks })).error, "unknown_hunk");
});

test("undo without a name takes back the latest decision, then the one before", async (t) => {
  const { workspace, a } = await setUp(t);
  const [first, second] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.accept({ hunks: [first ?? ""] }));
  must(workspace.review.reject({ hunks: [second ?? ""] }));
  assert.deepEqual(must(workspace.review.undo()).hunks, [second]);
  assert.deepEqual(must(workspace.review.undo()).hunks, [first]);
  assert.equal(refused(workspace.review.undo()).error, "nothing_to_undo");
  assert.equal(baseOf(workspace, a), song);
});

test("undo without a name takes a decision back in all of its files", async (t) => {
  const { workspace, a, b } = await setUp(t);
  const [one, two] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.reject({ hunks: [one ?? ""] }));
  const { hunks } = must(workspace.review.accept("everything"));
  assert.equal(hunks.length, 2);
  const undone = must(workspace.review.undo());
  assert.deepEqual([[...undone.hunks].sort(), undone.documents.length], [[...hunks].sort(), 2]);
  assert.deepEqual(must(workspace.review.undo()).hunks, [one]);
  must(workspace.review.accept("everything"));
  must(workspace.review.undo({ hunks: [two ?? ""] }));
  assert.deepEqual([...must(workspace.review.undo()).documents].sort(), [a, b], "what is left of it");
});

test("a decision whose lines were edited since is not undone, and says so", async (t) => {
  const { workspace, a } = await setUp(t);
  must(workspace.review.accept({ document: a }));
  personEdits(workspace, a, { op: "replace", from: 1, to: 1, content: "one, mine" });
  assert.equal(refused(workspace.review.undo()).error, "nothing_to_undo");
  assert.match(textOf(workspace, a), /one, mine/);
});

test("what a person wrote in a hunk that was rejected is there to go back to, also when the lines changed since", async (t) => {
  const { workspace, a } = await setUp(t);
  const [first, second] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.reject({ hunks: [second ?? ""] }));
  assert.equal(workspace.checkpoints.list().length, 1, "only the agent's words went");
  personEdits(workspace, a, { op: "replace", from: 1, to: 1, content: "ONE, and my own words" });
  must(workspace.review.reject({ hunks: [first ?? ""] }));
  personEdits(workspace, a, { op: "replace", from: 1, to: 1, content: "one!" });
  assert.equal(refused(workspace.review.undo({ hunks: [first ?? ""] })).error, "nothing_to_undo");
  const [kept] = workspace.checkpoints.list();
  assert.equal(kept?.summary, "Rejection of 1 hunk with words of yours");
  const sides = must(workspace.checkpoints.diff3(kept?.id ?? "", a));
  assert.match(sides.checkpointBase, /^ONE, and my own words\n/);
  must(workspace.checkpoints.rollback(kept?.id ?? "", { mode: "hard_all" }));
  assert.match(textOf(workspace, a), /^ONE, and my own words\n/);
});

test("decisions are told with the lines that they stand for now, and only while they can be undone", async (t) => {
  const { workspace, a } = await setUp(t);
  const [one, gone] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.reject({ hunks: [one ?? ""] }));
  must(workspace.review.accept({ hunks: [gone ?? ""] }));
  personEdits(workspace, a, { op: "insert", after: 0, content: "mine" });
  assert.deepEqual(workspace.review.decided(a), [
    { id: one, verdict: "rejected", newStart: 2, lines: 1 },
    { id: gone, verdict: "accepted", newStart: 5, lines: 0 },
  ]);
  assert.equal(textOf(workspace, a), "mine\none\ntwo\nthree\nfive\nsix\n");
  personEdits(workspace, a, { op: "replace", from: 2, to: 2, content: "uno" });
  assert.deepEqual(
    workspace.review.decided(a).map(({ id }) => id),
    [gone],
  );
});

test("open hunks, decisions and unsaved text survive a restart", async (t) => {
  const { place, workspace, a } = await setUp(t);
  personEdits(workspace, a, { op: "insert", after: 2, content: "typed" });
  const [first] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.reject({ hunks: [first ?? ""] }));
  const before = JSON.stringify(workspace.review.list());
  const text = textOf(workspace, a);
  workspace.close();
  const again = await place.open();
  assert.equal(JSON.stringify(again.review.list()), before);
  assert.equal(textOf(again, a), text);
  assert.deepEqual(must(again.review.undo()).hunks, [first]);
  assert.match(textOf(again, a), /ONE/);
});

test("what was rejected can be asked for, until it is undone", async (t) => {
  const { workspace, a } = await setUp(t);
  const [first] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.reject({ hunks: [first ?? ""] }));
  const { rejected, newest } = workspace.review.rejectedSince(0);
  assert.deepEqual(
    rejected.map(({ id, path, removed, added }) => ({ id, path, removed, added })),
    [{ id: first, path: "a.txt", removed: ["one"], added: ["ONE"] }],
  );
  assert.deepEqual(workspace.review.rejectedSince(newest).rejected, []);
  must(workspace.review.undo());
  assert.deepEqual(workspace.review.rejectedSince(0).rejected, []);
});

test("saving with open hunks writes only what is decided", async (t) => {
  const { place, workspace, a } = await setUp(t);
  const [first] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.accept({ hunks: [first ?? ""] }));
  personEdits(workspace, a, { op: "append", content: "typed" });
  must(await workspace.saving.save([a]));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), `${song.replace("one", "ONE")}typed\n`);
  assert.equal(workspace.review.file(a)?.hunks.length, 1);
});

test("a second process sees a decision of the first, and decides the rest", async (t) => {
  const { place, workspace, a } = await setUp(t);
  const other = await place.open();
  must(other.documents.open("a.txt"));
  const [first, second] = workspace.review.file(a)?.hunks.map((hunk) => hunk.id) ?? [];
  must(workspace.review.accept({ hunks: [first ?? ""] }));
  assert.deepEqual(
    other.review.file(a)?.hunks.map((hunk) => hunk.id),
    [second],
  );
  must(other.review.reject({ hunks: [second ?? ""] }));
  assert.deepEqual(workspace.review.file(a)?.hunks, []);
  assert.equal(textOf(workspace, a), song.replace("one", "ONE"));
});
