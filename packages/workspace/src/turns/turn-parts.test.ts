// Two turns in the same lines: each is decided by itself, or a refusal says which others it takes.

import assert from "node:assert/strict";
import { test } from "node:test";
import { agentEdits, baseOf, must, refused, TestWorkspace, textOf } from "@stet/testkit/workspace";
import type { Workspace } from "../workspace.ts";

function setLine(workspace: Workspace, document: number, content: string): string {
  return agentEdits(workspace, [[document, { op: "replace", from: 1, to: 1, content }]]);
}

async function renamedTwice(t: Parameters<Parameters<typeof test>[0] & object>[0]) {
  const place = new TestWorkspace(t, { "a.md": "Elena met Marcus at the mill.\n" });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.md"));
  const elena = setLine(workspace, id, "Helena met Marcus at the mill.");
  const marcus = setLine(workspace, id, "Helena met Markus at the mill.");
  return { place, workspace, id, elena, marcus };
}

test("accepting one of two requests in a line leaves the other open", async (t) => {
  const { workspace, id, elena, marcus } = await renamedTwice(t);
  assert.deepEqual(must(workspace.review.file(id)).hunks[0]?.turns, [elena, marcus].sort());
  const accepted = must(workspace.review.accept({ turn: marcus }));
  assert.deepEqual(
    accepted.turns.map(({ turn }) => turn),
    [marcus],
  );
  assert.equal(baseOf(workspace, id), "Elena met Markus at the mill.\n");
  assert.equal(textOf(workspace, id), "Helena met Markus at the mill.\n");
  assert.deepEqual(must(workspace.review.file(id)).hunks[0]?.turns, [elena]);
  must(workspace.review.reject({ turn: elena }));
  assert.equal(textOf(workspace, id), "Elena met Markus at the mill.\n");
});

test("a decision on one of two requests survives a restart, is told as its own, and can be undone", async (t) => {
  const { place, workspace, id, elena, marcus } = await renamedTwice(t);
  must(workspace.review.reject({ turn: elena }));
  workspace.close();
  const again = await place.open();
  assert.equal(textOf(again, id), "Elena met Markus at the mill.\n");
  const [hunk] = must(again.review.file(id)).hunks;
  const verdicts = again.review.verdicts(id);
  assert.deepEqual(
    [verdicts.on(hunk?.id ?? "", elena), verdicts.on(hunk?.id ?? "", marcus)],
    ["rejected", null],
  );
  assert.deepEqual(
    again.review.rejectedSince(0).rejected.map(({ turns, removed, added }) => [turns, removed, added]),
    [[[elena], ["Elena met Markus at the mill."], ["Helena met Markus at the mill."]]],
  );
  must(again.review.accept({ turn: marcus }));
  must(again.review.undo());
  must(again.review.undo());
  assert.equal(textOf(again, id), "Helena met Markus at the mill.\n");
  assert.equal(baseOf(again, id), "Elena met Marcus at the mill.\n");
  assert.deepEqual(must(again.review.file(id)).hunks[0]?.turns, [elena, marcus].sort());
  assert.equal(refused(again.review.undo()).error, "nothing_to_undo");
});

test("where a later request built on an earlier one's words, the refusal names it, and confirming decides both", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "It rains.\nand more\n" });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.md"));
  const first = setLine(workspace, id, "It rains in the old town.");
  const second = agentEdits(workspace, [
    [
      id,
      { op: "replace", from: 1, to: 1, content: "It rains in the small town." },
      { op: "append", content: "the end" },
    ],
  ]);
  const fault = refused(workspace.review.accept({ turn: second }));
  assert.equal(fault.error, "turns_overlap");
  assert.deepEqual(fault.details.turns, [{ turn: first, summary: "" }]);
  assert.equal(baseOf(workspace, id), "It rains.\nand more\n", "nothing was decided");
  assert.equal(refused(workspace.review.reject({ turn: first })).error, "turns_overlap");
  const both = must(workspace.review.accept({ turn: second, also: [first] }));
  assert.deepEqual(both.turns.map(({ turn, hunks }) => [turn, hunks.length]).sort(), [
    [first, 1],
    [second, 2],
  ]);
  assert.equal(baseOf(workspace, id), "It rains in the small town.\nand more\nthe end\n");
  must(workspace.review.undo());
  must(workspace.review.reject({ turn: second }));
  assert.equal(textOf(workspace, id), "It rains in the old town.\nand more\n", "the first one's words stay");
});

test("two turns of which each is decided as a whole can be decided where they meet", async (t) => {
  const files = { "a.md": "one\n", "b.md": "one\n", "c.md": "one\n" };
  for (const order of ["first", "second", "together"] as const) {
    const place = new TestWorkspace(t, files);
    const workspace = await place.open();
    const [a = 0, b = 0, c = 0] = Object.keys(files).map((name) => must(workspace.documents.open(name)).id);
    const edit = (documents: readonly number[], content: string) => {
      const turn = must(workspace.beginLockedTurn({ summary: content }));
      for (const document of documents) {
        const { revision } = must(turn.read(document));
        const edits = [{ op: "replace" as const, from: 1, to: 1, content }];
        must(turn.edit(document, { revision, policy: { kind: "strict" }, edits }));
      }
      return must(turn.commit()).id;
    };
    const first = edit([a, b], "two");
    const second = edit([a, c], "three");
    const texts = () => [a, b, c].map((document) => textOf(workspace, document));
    if (order === "second") {
      must(workspace.review.reject({ turn: second }));
      assert.deepEqual(texts(), ["two\n", "two\n", "one\n"]);
      must(workspace.review.accept({ turn: first }));
    } else if (order === "first") {
      must(workspace.review.accept({ turn: first }));
      assert.deepEqual(texts(), ["three\n", "two\n", "three\n"]);
      assert.equal(baseOf(workspace, a), "two\n");
      must(workspace.review.accept({ turn: second }));
    } else {
      const fault = refused(workspace.review.reject({ turn: first }));
      assert.deepEqual(
        [fault.error, fault.details.turns],
        ["turns_overlap", [{ turn: second, summary: "three" }]],
      );
      assert.equal(must(workspace.review.reject({ turn: first, also: [second] })).hunks.length, 3);
      assert.deepEqual(texts(), ["one\n", "one\n", "one\n"]);
    }
    assert.deepEqual(workspace.review.list(), []);
  }
});

test("a discarded turn whose edits were on disk leaves another turn's words in the line", async (t) => {
  const { workspace, id, elena } = await renamedTwice(t);
  const turn = workspace.beginTurn({ isImmediate: true });
  const { revision } = must(turn.read(id));
  const edits = [{ op: "replace" as const, from: 1, to: 1, content: "Helena met Markus at the old mill." }];
  must(turn.edit(id, { revision, policy: { kind: "strict" }, edits }));
  must(turn.publish());
  must(turn.discard() ?? true);
  assert.equal(textOf(workspace, id), "Helena met Markus at the mill.\n");
  assert.ok(must(workspace.review.file(id)).hunks[0]?.turns.includes(elena));
});

test("rolling back one turn's hunk leaves what the other turn did in the line", async (t) => {
  const { workspace, id, elena, marcus } = await renamedTwice(t);
  must(workspace.review.accept("everything"));
  const [hunk] = must(workspace.checkpoints.read(elena)).files[0]?.hunks ?? [];
  const report = must(
    workspace.checkpoints.rollback(elena, { mode: "scoped_selected", hunks: [must(hunk).id] }),
  );
  assert.deepEqual([report.rolledBack.length, report.conflicts.length], [1, 0]);
  assert.equal(textOf(workspace, id), "Elena met Markus at the mill.\n");
  assert.deepEqual(workspace.review.list(), [], "the other one stays accepted");
  const verdicts = workspace.review.verdicts(id);
  assert.deepEqual(
    [elena, marcus].map((turn) => verdicts.on(must(hunk).id, turn)),
    ["rejected", "accepted"],
  );
});

test("after rolling back everything, what was accepted is told as taken back, until that is undone", async (t) => {
  const place = new TestWorkspace(t, { "a.md": "one\n" });
  const workspace = await place.open();
  const { id } = must(workspace.documents.open("a.md"));
  const turn = setLine(workspace, id, "two");
  must(workspace.review.accept({ turn }));
  const [hunk] = must(workspace.checkpoints.read(turn)).files[0]?.hunks ?? [];
  const verdict = () => workspace.review.verdicts(id).on(must(hunk).id, turn);
  assert.equal(verdict(), "accepted");
  const { checkpoint } = must(workspace.checkpoints.rollback(turn, { mode: "hard_all" }));
  assert.equal(verdict(), "rejected");
  must(workspace.checkpoints.rollback(must(checkpoint ?? undefined), { mode: "hard_all" }));
  assert.equal(verdict(), "accepted");
});
