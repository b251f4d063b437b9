import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { EventType } from "@stet/protocol/events/log-event";
import { dataOf } from "@stet/testkit/log-events";
import { agentEdits, must, personEdits, TestWorkspace } from "@stet/testkit/workspace";
import { SqliteStore } from "../store/sqlite-store.ts";
import { EventLog } from "./event-log.ts";
import { maxToldChange, WorkspaceEvents } from "./workspace-events.ts";

async function fixture(t: TestContext) {
  const place = new TestWorkspace(t, { "a.md": "one\ntwo\nthree\n" });
  const workspace = await place.open();
  const store = must(SqliteStore.open(workspace.stateFolder));
  t.after(() => store.close());
  const log = await EventLog.open("workspace", store, { maxEvents: 1000 });
  const events = new WorkspaceEvents(
    workspace,
    log,
    () => null,
    () => true,
  );
  const { id } = must(workspace.documents.open("a.md"));
  const told = async <Type extends EventType>(type: Type) => {
    await log.settled();
    return dataOf(await log.read(0, 1000), type);
  };
  return { place, workspace, events, id, told };
}

test("every revision is told once, however many come in one transaction", async (t) => {
  const { workspace, id, told } = await fixture(t);
  agentEdits(workspace, [[id, { op: "replace", from: 1, to: 1, content: "ONE" }]]);
  personEdits(workspace, id, { op: "append", content: "four" });
  must(
    workspace.ledger.write(() => {
      const accepted = workspace.review.accept("everything");
      personEdits(workspace, id, { op: "append", content: "five" });
      personEdits(workspace, id, { op: "append", content: "six" });
      return accepted;
    }),
  );
  const revisions = (await told("document.changed")).map(({ revision, origin }) => [revision, origin]);
  assert.deepEqual(revisions, [
    [2, "agent"],
    [3, "user"],
    [4, "user"],
    [5, "user"],
  ]);
  assert.deepEqual(
    (await told("review.updated")).map(({ open_hunks }) => open_hunks),
    [1, 0],
    "typing beside the hunks is no news of the review",
  );
});

test("a long change is told without itself", async (t) => {
  const { workspace, id, told } = await fixture(t);
  personEdits(workspace, id, { op: "append", content: "x".repeat(maxToldChange + 1) });
  const [only] = await told("document.changed");
  assert.equal(only?.change, null);
  assert.equal(only?.revision, 2);
});

test("what another process did is told when it is noticed, also where its history is not known any more", async (t) => {
  const { place, workspace, events, id, told } = await fixture(t);
  personEdits(workspace, id, { op: "append", content: "here" });
  const other = await place.open();
  // A snapshot of the ledger in between: what comes before it is not in anyone's history.
  for (let line = 0; line < 450; line += 1)
    personEdits(other, id, { op: "append", content: `there ${line}` });
  must(other.tabs.open("a.md"));
  events.catchUp();
  events.catchUp();
  const changes = await told("document.changed");
  assert.equal(changes.at(-1)?.revision, must(workspace.documents.state(id)).history.revision);
  assert.equal(new Set(changes.map(({ revision }) => revision)).size, changes.length);
  assert.equal((await told("tabs.changed")).length, 1);
});

test("subagents are counted over all calls of all jobs, and forgotten with their job", async (t) => {
  const { events, told } = await fixture(t);
  events.tellSubagents("job_1", "call_1", 2);
  events.tellSubagents("job_1", "call_2", 1);
  events.tellSubagents("job_2", "call_1", 1);
  events.tellSubagents("job_1", "call_1", 0);
  assert.equal(events.subagentsActive, 2);
  events.tellJob({ id: "job_1", session: "s", status: "failed" } as Parameters<
    WorkspaceEvents["tellJob"]
  >[0]);
  assert.deepEqual(
    (await told("subagents.active")).map(({ active }) => active),
    [2, 3, 4, 2, 1],
  );
});

test("the lock is told when it comes and goes, with the job that holds it", async (t) => {
  const { workspace, events, told } = await fixture(t);
  const turn = must(workspace.beginLockedTurn({ summary: "Rename" }));
  events.lockedBy = "job_1";
  events.look();
  events.look();
  turn.discard();
  events.look();
  assert.deepEqual(await told("lock.changed"), [
    { locked: true, job_id: "job_1", purpose: "Rename" },
    { locked: false, job_id: null, purpose: null },
  ]);
});
