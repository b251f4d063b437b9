// Agents meet what others did meanwhile: nothing is overwritten, and both sides are told.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import {
  type AgentsFixture,
  delegates,
  edits,
  gate,
  newestResult,
  openAgentsFixture,
  reads,
  runs,
  type Script,
  send,
  yields,
} from "@stet/testkit/agents-fixture";
import { must } from "@stet/testkit/workspace";

const lines = Array.from({ length: 9 }, (_, index) => `line ${index + 1}`);
const original = `${lines.join("\n")}\n`;
const files = { "a.txt": original };

/** What a job's agents gave back, as their sender got it. */
function resultsIn({ model }: AgentsFixture): string {
  return model.requests.map(newestResult).join("\n");
}

test("an agent edits the line that the person changed meanwhile: the person's stays, both are told, and kept as a patch", async (t) => {
  const changed = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [
        reads("a.txt"),
        {
          calls: [
            ...(edits("a.txt", "line 2", "agent's two").calls ?? []),
            ...(edits("a.txt", "line 8", "agent's eight").calls ?? []),
          ],
        },
        changed.before(yields("done")),
      ],
      "Read it.": [reads("agent://0-One.patch"), { text: "Read." }],
    },
  });
  const job = await fixture.ask("@task go");
  await fixture.until("0-One", ({ tool_calls: calls }) => calls === 3);
  writeFileSync(fixture.place.path("a.txt"), original.replace("line 2", "person's two"));
  changed.open();
  await fixture.api.until(job, "completed", "awaiting_review");
  assert.equal(
    fixture.read("a.txt"),
    original.replace("line 2", "person's two").replace("line 8", "agent's eight"),
  );
  const results = resultsIn(fixture);
  assert.match(results, /1 change does not fit any more, and nothing was overwritten:\na\.txt:2/);
  assert.match(results, /is now:\n {2}\| person's two\n {2}was to be:\n {2}\| agent's two/);
  assert.match(results, /kept as a patch: agent:\/\/0-One\.patch/);
  assert.equal((await fixture.agents())[0]?.conflicts, 1);
  await fixture.api.until(await fixture.ask("Read it."), "completed");
  assert.match(resultsIn(fixture), /-person's two\n.*\+agent's two/s);
});

test("an agent edits what its sender changed while it worked", async (t) => {
  const [staged, edited] = [gate(), gate()];
  const script: Script = {
    "@task go": [
      send("task", [{ id: "One", assignment: "work" }]),
      reads("a.txt"),
      staged.before(edits("a.txt", "line 5", "sender's five")),
      () => {
        edited.open();
        return { calls: [{ name: "job", arguments: { poll: ["0-One"] } }] };
      },
      { text: "Done." },
    ],
    work: [reads("a.txt"), edits("a.txt", "line 5", "agent's five"), edited.before(yields("done"))],
  };
  const fixture = await openAgentsFixture(t, { files, script });
  const job = await fixture.ask("@task go");
  await fixture.until("0-One", ({ tool_calls: calls }) => calls === 2);
  staged.open();
  await fixture.api.until(job, "completed", "awaiting_review");
  assert.equal(fixture.read("a.txt"), original.replace("line 5", "sender's five"));
  assert.match(resultsIn(fixture), /is now:\n {2}\| sender's five\n {2}was to be:\n {2}\| agent's five/);
});

test("of two agents that change one line the first to end has it, and both sides stand in the other's result", async (t) => {
  const second = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [
        { id: "One", assignment: "first" },
        { id: "Two", assignment: "second" },
      ]),
      first: [reads("a.txt"), edits("a.txt", "line 5", "one"), yields("done")],
      second: [reads("a.txt"), edits("a.txt", "line 5", "two"), second.before(yields("done"))],
    },
  });
  const job = await fixture.ask("@task go");
  await fixture.until("0-One", ({ status }) => status === "completed");
  await fixture.until("1-Two", ({ tool_calls: calls }) => calls === 2);
  second.open();
  await fixture.api.until(job, "completed", "awaiting_review");
  assert.equal(fixture.read("a.txt"), original.replace("line 5", "one"));
  const agents = await fixture.agents();
  assert.deepEqual(
    agents.map(({ conflicts, turn }) => [conflicts, turn === null]),
    [
      [0, false],
      [1, true],
    ],
  );
});

test("nothing of an agent that was stopped lands, and what it had staged is a patch", async (t) => {
  const never = gate();
  const fixture = await openAgentsFixture(t, {
    files,
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [reads("a.txt"), edits("a.txt", "line 5", "five"), never.before(yields("done"))],
    },
  });
  const job = await fixture.ask("@task go");
  const { job_id: id } = await fixture.until("0-One", ({ tool_calls: calls }) => calls === 2);
  await fixture.api.ok("POST", `/api/agent/jobs/${id}/cancel`, {});
  await fixture.api.until(job, "completed", "awaiting_review");
  assert.equal(fixture.read("a.txt"), original);
  const { open } = fixture.api.service;
  const patch = must(open.get(fixture.session)?.tree.outputs.read("0-One.patch"));
  assert.match(patch, /-line 5\n\+five/);
});

test("commands of an agent without a folder of its own only read", async (t) => {
  const fixture = await openAgentsFixture(t, {
    files,
    settings: { "permission.mode": "full" },
    script: {
      "@task go": delegates("task", [{ id: "One", assignment: "work" }]),
      work: [
        runs("cat a.txt"),
        (request) => {
          assert.match(newestResult(request), /line 1/);
          return runs("echo gone > a.txt");
        },
        (request) => yields(newestResult(request)),
      ],
    },
  });
  await fixture.api.until(await fixture.ask("@task go"), "completed", "awaiting_review");
  assert.equal(fixture.read("a.txt"), original);
  assert.match(
    resultsIn(fixture),
    /was not run\. The commands of an agent that has no folder of its own only read/,
  );
});
