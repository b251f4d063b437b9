// A whole piece of work by several agents: what each changed can be told apart, taken back alone, and taken back whole.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  delegates,
  edits,
  gate,
  openAgentsFixture,
  reads,
  textOf,
  yields,
} from "@stet/testkit/agents-fixture";
import { differences, snapshotTree } from "@stet/testkit/tree-snapshot";
import { must, textOf as textOfDocument } from "@stet/testkit/workspace";

const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`);
const files = { "a.txt": `${lines.join("\n")}\n`, "b.txt": "one\ntwo\n", "c.txt": "x\ny\n" };

const toolsets = [
  { toolset: "code", isOnDisk: true },
  { toolset: "project", isOnDisk: false },
];

for (const { toolset, isOnDisk } of toolsets) {
  test(`four agents sent from toolset ${toolset}: each change is somebody's, and can be taken back`, async (t) => {
    const [steered, cancelled] = [gate(), gate()];
    const tasks = ["First", "Second", "Steered", "Stopped"].map((id) => ({ id, assignment: `${id} work` }));
    const fixture = await openAgentsFixture(t, {
      files,
      script: {
        "@task change everything": delegates("task", tasks),
        "First work": [reads("a.txt"), edits("a.txt", "line 2", "first"), yields("First is done.")],
        "Second work": [
          reads("a.txt"),
          edits("a.txt", "line 8", "second"),
          { failure: { kind: "invalid_request", message: "No such model." } },
        ],
        "Steered work": [
          reads("a.txt"),
          steered.before(reads("b.txt")),
          (request) => {
            const said = request.messages.some((message) => textOf(message) === "Write ZWEI.");
            return edits("a.txt", "line 5", said ? "ZWEI" : "not heard");
          },
          yields("Steered is done."),
        ],
        "Stopped work": [reads("c.txt"), edits("c.txt", "x", "X"), cancelled.before(yields("Never."))],
      },
    });
    const { api, session } = fixture;
    const before = snapshotTree(fixture.place.root);
    const job = await fixture.ask("@task change everything", { toolset });
    const stopped = await fixture.until("3-Stopped", ({ tool_calls: calls }) => calls === 2);
    assert.equal((await api.ok("POST", `/api/agent/jobs/${stopped.job_id}/cancel`, {})).status, "failed");
    const waiting = await fixture.until("2-Steered", ({ tool_calls: calls }) => calls >= 1);
    await api.ok("POST", `/api/agent/jobs/${waiting.job_id}/messages`, {
      text: "Write ZWEI.",
      mode: "steer",
    });
    steered.open();
    await api.until(job, "completed", "awaiting_review");
    const agents = await fixture.agents();
    assert.deepEqual(
      agents.map(({ agent_id: id, status }) => [id, status]),
      [
        ["0-First", "completed"],
        ["1-Second", "failed"],
        ["2-Steered", "completed"],
        ["3-Stopped", "aborted"],
      ],
    );
    const review = await api.ok("GET", "/api/review");
    const turns: { agent: string; turn: string; is_on_disk: boolean; session_id: string }[] = review.turns;
    assert.deepEqual(turns.map(({ agent }) => agent).sort(), ["0-First", "2-Steered"]);
    assert.deepEqual([...new Set(turns.map((turn) => turn.is_on_disk))], [isOnDisk]);
    assert.deepEqual([...new Set(turns.map((turn) => turn.session_id))], [session]);
    const { workspace } = api.service;
    const current = (name: string) => textOfDocument(workspace, must(workspace.documents.open(name)).id);
    const both = files["a.txt"].replace("line 2", "first").replace("line 5", "ZWEI");
    assert.equal(current("a.txt"), both);
    assert.equal(fixture.read("a.txt"), isOnDisk ? both : files["a.txt"]);
    assert.equal(current("c.txt"), files["c.txt"], "nothing of a stopped agent lands");
    // One agent's changes are rejected: the other's stay.
    const first = turns.find(({ agent }) => agent === "0-First")?.turn;
    await api.ok("POST", "/api/review/decide", { verdict: "reject", turn: first });
    assert.equal(current("a.txt"), files["a.txt"].replace("line 5", "ZWEI"));
    const { checkpoints } = await api.ok("GET", "/api/agent/checkpoints");
    assert.deepEqual(
      new Set(checkpoints.map((one: { agent?: string }) => one.agent)),
      new Set(["0-First", "2-Steered"]),
    );
    for (const { checkpoint_id: id } of checkpoints)
      await api.ok("POST", `/api/agent/checkpoints/${id}/rollback`, { mode: "hard_all" });
    assert.deepEqual(
      differences(before, snapshotTree(fixture.place.root)),
      [],
      "byte for byte what was there",
    );
    assert.equal(current("a.txt"), files["a.txt"]);
  });
}
