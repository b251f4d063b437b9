import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFault } from "@stet/protocol/fault";
import { Random } from "@stet/testkit/random";
import { answered, must, newSession, openSession, said } from "@stet/testkit/sample-session";
import { temporaryFolder } from "@stet/testkit/temporary";

test("each entry is a child of the leaf and becomes the leaf", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  const two = must(session.appendMessage(answered("two")));
  assert.equal(one.parentId, null);
  assert.equal(two.parentId, one.id);
  assert.equal(session.leafId, two.id);
  assert.match(one.id, /^[0-9a-f]{8}$/);
  assert.equal(new Date(one.timestamp).toISOString(), one.timestamp);
});

test("going back writes nothing; going on from there makes a second child", (t) => {
  const path = join(temporaryFolder(t), "session.jsonl");
  const session = newSession(path);
  const question = must(session.appendMessage(said("question")));
  const first = must(session.appendMessage(answered("first")));
  const before = readFileSync(path);
  assert.equal(must(session.branch(question.id)), undefined);
  assert.ok(readFileSync(path).equals(before));
  const second = must(session.appendMessage(answered("second")));
  assert.deepEqual(
    session.children(question.id).map((head) => head.id),
    [first.id, second.id],
  );
  const reopened = openSession(path);
  assert.equal(reopened.leafId, second.id, "the last entry is the leaf of an opened session");
  assert.deepEqual(reopened.tree()[0]?.children.length, 2);
});

test("after resetLeaf the next entry is a root", () => {
  const session = newSession();
  must(session.appendMessage(said("one")));
  session.resetLeaf();
  assert.equal(session.leafId, null);
  assert.deepEqual(session.path(), []);
  assert.equal(must(session.appendMessage(said("two"))).parentId, null);
  assert.equal(session.children(null).length, 2);
});

test("a summary stands where the conversation returned to", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  must(session.appendMessage(answered("two")));
  const summary = must(session.branchWithSummary(one.id, "It did not work.", { details: { tries: 2 } }));
  assert.ok(summary.type === "branch_summary");
  assert.equal(summary.parentId, one.id);
  assert.equal(summary.fromId, one.id);
  assert.deepEqual(summary.details, { tries: 2 });
  const atRoot = must(session.branchWithSummary(null, "All over."));
  assert.ok(atRoot.type === "branch_summary");
  assert.equal(atRoot.parentId, null);
  assert.equal(atRoot.fromId, "root");
});

test("an entry that is not there is a fault, and the leaf stays", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  for (const fault of [
    session.branch("deadbeef"),
    session.branchWithSummary("deadbeef", "x"),
    session.setLabel("deadbeef", "x"),
    session.entry("deadbeef"),
    session.destination("deadbeef"),
  ]) {
    assert.ok(isFault(fault));
  }
  assert.equal(session.leafId, one.id);
});

test("labels are set, replaced and taken away, also by another process", (t) => {
  const path = join(temporaryFolder(t), "session.jsonl");
  const session = newSession(path);
  const one = must(session.appendMessage(said("one")));
  must(session.setLabel(one.id, "start"));
  assert.equal(session.label(one.id), "start");
  must(session.appendMessage(answered("two")));
  assert.equal(session.label(one.id), "start");
  const other = openSession(path);
  assert.equal(other.label(one.id), "start");
  must(other.setLabel(one.id, "beginning"));
  must(session.refresh());
  assert.equal(session.label(one.id), "beginning");
  assert.equal(session.tree()[0]?.label, "beginning");
  must(session.setLabel(one.id));
  assert.equal(openSession(path).label(one.id), undefined);
});

test("choosing what was said takes it back into the input; choosing an answer goes there", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  const two = must(session.appendMessage(answered("two")));
  const three = must(session.appendMessage(said("three")));
  const custom = must(
    session.append({
      type: "custom_message",
      customType: "x",
      content: [{ type: "text", text: "four" }],
      display: true,
    }),
  );
  assert.deepEqual(session.destination(one.id), { leafId: null, prefill: "one" });
  assert.deepEqual(session.destination(two.id), { leafId: two.id, prefill: undefined });
  assert.deepEqual(session.destination(three.id), { leafId: two.id, prefill: "three" });
  assert.deepEqual(session.destination(custom.id), { leafId: three.id, prefill: "four" });
});

test("going on after an answer keeps the turn that it belongs to, and what was decided on it", () => {
  const session = newSession();
  must(session.appendMessage(said("one")));
  const two = must(session.appendMessage(answered("two")));
  must(session.append({ type: "turn", turnId: "turn_1", summary: "first", files: ["a.md"] }));
  const decided = must(
    session.append({ type: "decision", turnId: "turn_1", verdict: "accepted", hunks: ["h_1_1"] }),
  );
  must(session.appendMessage(said("three")));
  assert.deepEqual(session.destination(two.id), { leafId: decided.id, prefill: undefined });
  assert.deepEqual(session.abandonedTurns(decided.id), []);
});

test("going back can tell which turns changed files since", () => {
  const session = newSession();
  const one = must(session.appendMessage(said("one")));
  must(session.append({ type: "turn", turnId: "turn_1", summary: "first", files: ["a.md"] }));
  must(session.append({ type: "decision", turnId: "turn_1", verdict: "accepted", hunks: ["h_1_1"] }));
  const two = must(
    session.append({ type: "turn", turnId: "turn_2", summary: "second", files: ["b.md", "c.md"] }),
  );
  assert.deepEqual(
    session.abandonedTurns(one.id).map((turn) => turn.turnId),
    ["turn_2", "turn_1"],
  );
  assert.deepEqual(session.abandonedTurns(two.id), []);
  assert.equal(session.abandonedBy(one.id).commonAncestorId, one.id);
  assert.equal(session.abandonedBy(null).entryIds.length, 4);
});

test("whatever is done, the tree on disk is the tree in memory", (t) => {
  const folder = temporaryFolder(t);
  for (let seed = 1; seed <= 10; seed += 1) {
    const random = new Random(seed);
    const path = join(folder, `${seed}.jsonl`);
    const session = newSession(path);
    for (let step = 0; step < 40; step += 1) {
      const ids = session.log.index.slots.map((slot) => slot.head.id);
      const action = random.below(6);
      if (action === 0 && ids.length > 0) must(session.branch(random.pick(ids)));
      else if (action === 1 && random.chance(0.2)) session.resetLeaf();
      else if (action === 2 && ids.length > 0)
        must(session.branchWithSummary(random.pick(ids), `summary ${step}`));
      else if (action === 3 && ids.length > 0)
        must(session.setLabel(random.pick(ids), random.pick(["a", "b", ""])));
      else
        must(session.appendMessage(random.chance(0.5) ? said(`said ${step}`) : answered(`answered ${step}`)));
    }
    must(session.appendMessage(answered("done")));
    const reopened = openSession(path);
    assert.deepEqual(reopened.entries(), session.entries());
    assert.deepEqual(reopened.tree(), session.tree());
    assert.deepEqual(reopened.path(), session.path());
    assert.deepEqual(reopened.damage, []);
  }
});
