import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { Fault, isFault } from "@stet/protocol/fault";
import {
  agentEdits,
  baseOf,
  must,
  openTwins,
  personEdits,
  refused,
  TestWorkspace,
  textOf,
} from "@stet/testkit/workspace";

const song = "one\ntwo\nthree\nfour\n";

const setUp = (t: TestContext) => openTwins(t, song);

test("a discarded turn leaves no trace", async (t) => {
  const { workspace, a } = await setUp(t);
  const turn = workspace.beginTurn();
  must(turn.edit(a, { revision: 1, policy: { kind: "rebase" }, edits: [{ op: "clear" }] }));
  const created = must(turn.create("new.txt", "new\n"));
  turn.discard();
  assert.equal(textOf(workspace, a), song);
  assert.deepEqual(workspace.review.list(), []);
  assert.deepEqual(workspace.checkpoints.list(), []);
  assert.equal(workspace.documents.row(created), undefined);
  assert.equal(workspace.ledger.newestEntry(), 0);
  assert.equal(
    refused(turn.edit(a, { revision: 1, policy: { kind: "rebase" }, edits: [{ op: "clear" }] })).error,
    "turn_closed",
  );
});

test("a failed tool leaves the turn as it was before that tool", async (t) => {
  const { workspace, a, b } = await setUp(t);
  const turn = workspace.beginTurn();
  const policy = { kind: "rebase" } as const;
  must(
    await turn.step(() =>
      turn.edit(a, { revision: 1, policy, edits: [{ op: "replace", from: 1, to: 1, content: "ONE" }] }),
    ),
  );
  const failed = await turn.step(() => {
    must(turn.edit(b, { revision: 1, policy, edits: [{ op: "delete", from: 1, to: 2 }] }));
    return new Fault("io_failed", "The tool failed.", "Try again.");
  });
  assert.ok(isFault(failed));
  await assert.rejects(
    turn.step(() => {
      must(turn.edit(a, { revision: 1, policy, edits: [{ op: "delete", from: 3, to: 3 }] }));
      throw new Error("a bug");
    }),
  );
  assert.deepEqual(must(turn.commit()).documents, [a]);
  assert.equal(textOf(workspace, a), song.replace("one", "ONE"));
  assert.equal(textOf(workspace, b), song);
});

test("what the person types while the agent works is in both, and no later than the agent's next look", async (t) => {
  const { workspace, a } = await setUp(t);
  const turn = workspace.beginTurn();
  const policy = { kind: "rebase" } as const;
  must(turn.edit(a, { revision: 1, policy, edits: [{ op: "replace", from: 2, to: 2, content: "TWO" }] }));
  personEdits(workspace, a, { op: "insert", after: 0, content: "typed" });
  assert.equal(must(turn.read(a)).text.toString(), `typed\n${song.replace("two", "TWO")}`);
  // Line 4 of what it saw first is "four"; it is line 5 by now.
  must(turn.edit(a, { revision: 1, policy, edits: [{ op: "replace", from: 4, to: 4, content: "FOUR" }] }));
  must(turn.commit());
  assert.equal(textOf(workspace, a), "typed\none\nTWO\nthree\nFOUR\n");
  assert.equal(baseOf(workspace, a), `typed\n${song}`);
});

test("an edit to a line that the person changed since is refused, and says which", async (t) => {
  const { workspace, a } = await setUp(t);
  const turn = workspace.beginTurn();
  must(turn.read(a));
  personEdits(workspace, a, { op: "replace", from: 2, to: 2, content: "two, mine" });
  const fault = refused(
    turn.edit(a, { revision: 1, policy: { kind: "rebase" }, edits: [{ op: "delete", from: 1, to: 3 }] }),
  );
  assert.equal(fault.error, "conflict");
  assert.match(fault.message, /Lines 1-3.*the person changed line 2 in revision 2/);
  assert.ok((fault.details.current as string[]).some((line) => line.endsWith("|two, mine")));
});

test("a new file is on disk only after it was accepted and saved", async (t) => {
  const { place, workspace } = await setUp(t);
  const turn = workspace.beginTurn();
  const id = must(turn.create("folder/new.md", "# New\n"));
  assert.equal(refused(turn.create("a.txt", "x")).error, "file_exists");
  must(turn.commit());
  must(await workspace.saving.save([id]));
  assert.ok(!existsSync(place.path("folder/new.md")));
  must(workspace.review.accept("everything"));
  must(await workspace.saving.save([id]));
  assert.equal(readFileSync(place.path("folder/new.md"), "utf8"), "# New\n");
});

test("two turns on one file both land, each with its own hunks", async (t) => {
  const { workspace, a } = await setUp(t);
  const [one, two] = [workspace.beginTurn(), workspace.beginTurn()];
  must(
    one.edit(a, {
      revision: 1,
      policy: { kind: "rebase" },
      edits: [{ op: "replace", from: 1, to: 1, content: "ONE" }],
    }),
  );
  must(
    two.edit(a, {
      revision: 1,
      policy: { kind: "rebase" },
      edits: [{ op: "replace", from: 4, to: 4, content: "FOUR" }],
    }),
  );
  must(one.commit());
  must(two.commit());
  assert.equal(textOf(workspace, a), "ONE\ntwo\nthree\nFOUR\n");
  assert.deepEqual(
    workspace.review.file(a)?.hunks.map((hunk) => hunk.turns),
    [[one.id], [two.id]],
  );
});

test("a turn that changed nothing has no checkpoint", async (t) => {
  const { workspace, a } = await setUp(t);
  assert.deepEqual(must(workspace.beginTurn().commit()).documents, []);
  agentEdits(workspace, [[a, { op: "append", content: "five" }]]);
  assert.equal(workspace.checkpoints.list().length, 1);
});

test("a suspended turn goes on in another process, over what happened to its documents meanwhile", async (t) => {
  const place = new TestWorkspace(t, { "a.txt": "one\ntwo\nthree\n" });
  const first = await place.open();
  const { id } = must(first.documents.open("a.txt"));
  personEdits(first, id, { op: "append", content: "four" });
  const turn = first.beginTurn({ summary: "ask first" });
  const { revision } = must(turn.read(id));
  const edits = [{ op: "replace" as const, from: 2, to: 2, content: "TWO" }];
  must(turn.edit(id, { revision, policy: { kind: "strict" }, edits }));
  must(turn.create("new.txt", "new\n"));
  const suspended = JSON.parse(JSON.stringify(turn.suspend()));
  const second = await place.open();
  personEdits(second, id, { op: "insert", after: 0, content: "zero" });
  first.close();
  const resumed = must(second.resumeTurn(suspended, { summary: "ask first" }));
  assert.equal(must(resumed.read(id)).text.toString(), "zero\none\nTWO\nthree\nfour\n");
  const committed = must(resumed.commit());
  assert.equal(committed.id, turn.id);
  assert.equal(committed.documents.length, 2);
  assert.equal(textOf(second, id), "zero\none\nTWO\nthree\nfour\n");
});
