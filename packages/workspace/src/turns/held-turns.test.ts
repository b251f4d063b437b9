// Several agents at work on the same documents: each has a held turn, which meets the others' at its end.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { runs } from "@stet/testkit/depth";
import { assertLaw } from "@stet/testkit/law";
import { must, personEdits, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { LineEdit } from "@stet/text/edits";
import fc from "fast-check";
import type { Workspace } from "../workspace.ts";
import type { TurnConflict } from "./settle-copy.ts";
import type { Turn } from "./turns.ts";

function edit(turn: Turn, document: number, ...edits: LineEdit[]) {
  const { revision } = must(turn.read(document));
  return turn.edit(document, { revision, policy: { kind: "rebase" }, edits });
}

const held = (workspace: Workspace, agent: string, isImmediate = true): Turn =>
  workspace.beginTurn({ isImmediate, isHeld: true, agent, session: "s" });

async function end(workspace: Workspace, turn: Turn): Promise<readonly TurnConflict[]> {
  return (await land(workspace, turn)).conflicts;
}

async function land(workspace: Workspace, turn: Turn) {
  const conflicts = turn.settle();
  const { documents } = must(await workspace.commitTurn(turn));
  return { conflicts, documents };
}

const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`);
const original = `${lines.join("\n")}\n`;

test("nothing of a held turn is on disk or in its documents before it ends", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": original });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = held(workspace, "0-One");
  must(edit(turn, id, { op: "replace", from: 2, to: 2, content: "changed" }));
  must(turn.create("new.txt", "new\n"));
  assert.equal(textOf(workspace, id), original);
  assert.equal(existsSync(place.path("new.txt")), false);
  assert.match(must(turn.read(id)).text.toString(), /changed/);
  assert.deepEqual(await end(workspace, turn), []);
  assert.match(readFileSync(place.path("a.txt"), "utf8"), /changed/);
  assert.equal(readFileSync(place.path("new.txt"), "utf8"), "new\n");
  assert.equal(workspace.review.turn(turn.id)?.agent, "0-One");
});

test("of two agents in one file each lands what fits, and what does not is told with both sides", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": original });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const [one, other] = [held(workspace, "0-One"), held(workspace, "1-Other")];
  must(edit(one, id, { op: "replace", from: 2, to: 3, content: "one two\none three" }));
  must(edit(other, id, { op: "replace", from: 3, to: 3, content: "other three" }));
  must(edit(other, id, { op: "replace", from: 8, to: 8, content: "other eight" }));
  assert.deepEqual(await end(workspace, one), []);
  assert.deepEqual(await end(workspace, other), [
    { document: id, line: 3, theirs: ["one three"], own: ["other three"] },
  ]);
  const expected = original.replace("line 2\nline 3", "one two\none three").replace("line 8", "other eight");
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), expected);
  // One is rejected: the other's stays.
  must(await workspace.decide(() => workspace.review.reject({ turn: one.id })));
  assert.equal(readFileSync(place.path("a.txt"), "utf8"), original.replace("line 8", "other eight"));
});

test("two agents that make one file, or of which one removes what the other edits, do not run together", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": original });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const [one, other] = [held(workspace, "0-One"), held(workspace, "1-Other")];
  must(one.create("new.txt", "one\n"));
  must(other.create("new.txt", "other\n"));
  must(edit(one, id, { op: "replace", from: 1, to: 1, content: "kept" }));
  must(other.remove(id));
  assert.deepEqual(await end(workspace, one), []);
  const conflicts = await end(workspace, other);
  assert.deepEqual(
    conflicts.map(({ theirs, own }) => [theirs[0], own[0]]).sort(),
    [
      ["kept", undefined],
      ["one", "other"],
    ].sort(),
  );
  assert.equal(readFileSync(place.path("new.txt"), "utf8"), "one\n");
  assert.match(readFileSync(place.path("a.txt"), "utf8"), /^kept\nline 2\n/);
});

test("an agent that is still at work is told what does not fit any more, and the rest of its edits stay", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": original });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.txt"));
  const turn = held(workspace, "0-One");
  must(edit(turn, id, { op: "replace", from: 2, to: 2, content: "mine two" }));
  must(edit(turn, id, { op: "replace", from: 8, to: 8, content: "mine eight" }));
  writeFileSync(place.path("a.txt"), original.replace("line 2", "by hand"));
  const refused = turn.read(id);
  assert.ok("error" in refused && refused.error === "conflict");
  const text = must(turn.read(id)).text.toString();
  assert.match(text, /by hand/);
  assert.match(text, /mine eight/);
  assert.deepEqual(await end(workspace, turn), [], "what it was told of is its own business");
});

/** An edit of lines that are all different, each with a mark of its agent. */
const lineEdit = fc.record({
  op: fc.constantFrom("replace" as const, "insert" as const, "delete" as const, "append" as const),
  from: fc.nat(),
  length: fc.integer({ min: 1, max: 2 }),
  rows: fc.integer({ min: 1, max: 2 }),
});

function made(
  { op, from, length, rows }: { op: string; from: number; length: number; rows: number },
  count: number,
  mark: string,
): LineEdit {
  const content = Array.from({ length: rows }, (_, row) => `${mark}.${row}`).join("\n");
  const first = (from % count) + 1;
  const to = Math.min(count, first + length - 1);
  if (op === "append") return { op, content };
  if (op === "insert") return { op, after: from % (count + 1), content };
  return op === "delete" ? { op, from: first, to } : { op: "replace", from: first, to, content };
}

const pendingOf = ({ documents }: Workspace, id: number) => must(documents.state(id)).pending;

const rowsOf = (text: string) => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

const scenario = fc.record({
  agents: fc.array(fc.array(lineEdit, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
  person: fc.array(lineEdit, { maxLength: 2 }),
  isImmediate: fc.boolean(),
  rejected: fc.nat(),
});

test("any number of agents in one file: each line lands whole or is told, none is lost, and all can be taken back", async (t) => {
  const place = new TestWorkspace(t, {});
  const workspace = await place.open();
  let round = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async ({ agents, person, isImmediate, rejected }) => {
      const name = `${round++}.txt`;
      writeFileSync(place.path(name), original);
      const { id } = must(workspace.documents.open(name));
      const turns = agents.map((edits, index) => {
        const turn = held(workspace, `${index}-Agent`, isImmediate);
        for (const [at, each] of edits.entries()) {
          const rows = rowsOf(must(turn.read(id)).text.toString());
          if (rows.length > 0) edit(turn, id, made(each, rows.length, `${"ABCD"[index]}${at}`));
        }
        return turn;
      });
      for (const [at, each] of person.entries()) {
        const rows = rowsOf(textOf(workspace, id));
        if (rows.length > 0) personEdits(workspace, id, made(each, rows.length, `P${at}`));
      }
      const before = textOf(workspace, id);
      const wanted = turns.map((turn) => {
        const conflicts = turn.settle();
        const text = must(turn.read(id)).text.toString();
        return { rows: rowsOf(text), conflicts };
      });
      let hasLanded = false;
      for (const [index, turn] of turns.entries()) {
        const { conflicts, documents } = await land(workspace, turn);
        wanted[index]?.conflicts.push(...conflicts);
        hasLanded ||= documents.includes(id);
      }
      const rows = rowsOf(textOf(workspace, id));
      assert.equal(new Set(rows).size, rows.length, "no line is there twice");
      assert.equal(rows.filter((row) => !/^(line \d|[A-DP]\d\.\d)$/.test(row)).length, 0, rows.join("|"));
      assertLaw(pendingOf(workspace, id));
      const told = wanted.flatMap(({ conflicts }) => conflicts.flatMap(({ own }) => own));
      for (const { rows: own } of wanted)
        for (const row of own.filter((each) => /^[A-D]\d\.1$/.test(each))) {
          const first = row.replace(/1$/, "0");
          // A line that the person wrote between the two has made them two things.
          const isOne = own[own.indexOf(row) - 1] === first;
          assert.ok(!isOne || rows.includes(row) === rows.includes(first), `${row} without ${first}`);
        }
      for (const { rows: own } of wanted)
        for (const row of own.filter((each) => /^[A-D]/.test(each)))
          assert.ok(rows.includes(row) || told.includes(row), `${row} is neither there nor told`);
      for (const row of rowsOf(before)) {
        const isTakenAway = wanted.some(({ rows: own }) => !own.includes(row));
        assert.ok(rows.includes(row) || isTakenAway, `nobody has taken ${row} away`);
      }
      for (const row of rowsOf(before).filter((each) => each.startsWith("P")))
        assert.ok(rows.includes(row) || wanted.some(({ rows: own }) => !own.includes(row)));
      // One of them is rejected: what the others have added stays.
      const index = rejected % turns.length;
      const [mark, first] = ["ABCD"[index] ?? "", turns[index]];
      if (first === undefined) return;
      const parts = await workspace.decide(() => workspace.review.reject({ turn: first.id }));
      const left = rowsOf(textOf(workspace, id));
      if (!("error" in parts)) {
        assert.ok(left.every((row) => !row.startsWith(mark)));
        for (const row of rows.filter((each) => /^[A-DP]/.test(each) && !each.startsWith(mark)))
          assert.ok(left.includes(row), `${row} went with ${mark}`);
        assertLaw(pendingOf(workspace, id));
      }
      must(await workspace.decide(() => workspace.review.reject("everything")));
      assert.equal(textOf(workspace, id), before, "all of it can be taken back");
      // Where no agent's edit fitted, nobody has written the file, and what the person typed is still unsaved.
      const onDisk = isImmediate && hasLanded ? before : original;
      if (isImmediate) assert.equal(readFileSync(place.path(name), "utf8"), onDisk, "on disk, too");
    }),
    { numRuns: runs(400) },
  );
});
